-- The first of these result sets that is open.
SELECT i.inst_id, i.format, i.host, c.value AS category, d.value AS day
FROM profdepot.instances i
LEFT JOIN profdepot.result_set_labels c ON c.inst_id = i.inst_id AND c.key = 'category'
LEFT JOIN profdepot.result_set_labels d ON d.inst_id = i.inst_id AND d.key = 'day'
WHERE i.inst_id = ANY (:inst_ids::bigint[]) AND i.state = 'open'
ORDER BY i.inst_id
LIMIT 1
