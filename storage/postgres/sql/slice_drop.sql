DELETE FROM consilience.slice_body WHERE digest = $1
