UPDATE consilience.outcome SET published = true WHERE NOT published AND seq = ANY ($1::bigint[])
