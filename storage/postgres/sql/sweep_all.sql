DECLARE sweep NO SCROLL CURSOR FOR SELECT item FROM consilience.item WHERE space = $1 ORDER BY item
