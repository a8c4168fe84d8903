UPDATE change SET withdrawn = 1 WHERE change = ?;
