-- The result sets of a source, in the given order.
SELECT i.inst_id IS NOT NULL AS found,
       i.format
FROM unnest(:inst_ids::bigint[]) WITH ORDINALITY n (inst_id, position)
LEFT JOIN profdepot.instances i ON i.inst_id = n.inst_id
ORDER BY n.position
