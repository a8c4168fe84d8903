DELETE FROM consilience.projection_use WHERE until < (SELECT at FROM consilience.projection_floor)
