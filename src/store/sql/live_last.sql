-- The highest number of any posted or loaded event. New events receive higher numbers, so that they
-- are read in the order in which they arrived, whatever result sets they are in.
SELECT max(m.id)
FROM profdepot.instances i
CROSS JOIN LATERAL (
    (SELECT r.id
     FROM profdepot.sample_rows r
     WHERE r.inst_id = i.inst_id
     ORDER BY r.id DESC
     LIMIT 1)
    UNION ALL
    (SELECT b.first_id + cardinality(b.stack_ids) - 1
     FROM profdepot.sample_blocks b
     WHERE b.inst_id = i.inst_id
     ORDER BY b.first_id DESC
     LIMIT 1)) m
WHERE i.format = 'kernelscope'
