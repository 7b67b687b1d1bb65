-- Deletes suppressions and returns their numbers.
SELECT r.id FROM profdepot.suppression_remove(:ids::bigint[]) r (id)
