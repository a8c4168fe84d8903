CLOSE sweep
