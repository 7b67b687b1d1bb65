-- Deletes suppressions and returns their numbers.
WITH removed AS (
    DELETE FROM profdepot.suppressions s WHERE s.id = ANY (:ids::bigint[]) RETURNING s.id, s.name
)
SELECT r.id, profdepot.ledger_next('suppression', NULL, NULL, r.name) FROM removed r
