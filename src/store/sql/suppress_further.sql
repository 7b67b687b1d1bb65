-- Further stacks of the errors, in the errors' order.
SELECT f.owner_id, f.stack_id
FROM profdepot.further_stacks f
WHERE f.inst_id = :inst_id::bigint AND f.owner = 'error' AND f.stack_id IS NOT NULL
ORDER BY f.owner_id, f.position
