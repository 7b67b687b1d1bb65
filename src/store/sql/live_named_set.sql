-- The open result set that contains a named batch.
SELECT i.inst_id, i.format, i.host, c.value AS category, d.value AS day
FROM profdepot.posted_batches b
JOIN profdepot.instances i ON i.inst_id = ANY (b.inst_ids) AND i.state = 'open'
LEFT JOIN profdepot.result_set_labels c ON c.inst_id = i.inst_id AND c.key = 'category'
LEFT JOIN profdepot.result_set_labels d ON d.inst_id = i.inst_id AND d.key = 'day'
WHERE b.batch_id = :name
ORDER BY i.inst_id
LIMIT 1
