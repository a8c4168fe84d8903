INSERT INTO consilience.projection_use (projection, until)
SELECT $1, $2 WHERE $3 >= (SELECT at FROM consilience.projection_floor FOR SHARE)
ON CONFLICT DO NOTHING
