-- Deletes suppressions and returns their numbers.
DELETE FROM profdepot.suppressions s WHERE s.id = ANY (:ids::bigint[]) RETURNING s.id
