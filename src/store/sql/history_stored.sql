-- The first result set in `inst_ids` that is still in the depot.
SELECT i.inst_id
FROM unnest(:inst_ids::bigint[]) WITH ORDINALITY o (inst_id, n)
JOIN profdepot.instances i ON i.inst_id = o.inst_id
ORDER BY o.n
LIMIT 1
