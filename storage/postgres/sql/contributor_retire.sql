UPDATE consilience.contributor SET retired = $2, retired_at = $3 WHERE id = $1 AND retired IS NULL
