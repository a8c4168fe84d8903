INSERT INTO consilience.ancestry (contributor, ancestor, distance)
SELECT $1, n.* FROM unnest($2::int[], $3::smallint[]) AS n
ON CONFLICT DO NOTHING
