SELECT id FROM consilience.contributor WHERE id = $2 OR (name = $1 AND name <> '')
