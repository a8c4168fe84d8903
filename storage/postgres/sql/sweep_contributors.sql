DECLARE sweep NO SCROLL CURSOR FOR
SELECT DISTINCT item FROM consilience.statement WHERE space = $1 AND contributor = ANY ($2::int[]) ORDER BY item
