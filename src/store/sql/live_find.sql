-- The open result set for the events or profiles of a source.
SELECT i.inst_id
FROM profdepot.instances i
JOIN profdepot.result_set_labels c ON c.inst_id = i.inst_id AND c.key = 'category' AND c.value = :category
JOIN profdepot.result_set_labels d ON d.inst_id = i.inst_id AND d.key = 'day' AND d.value = :day
WHERE i.state = 'open' AND i.source_name = 'posted' AND i.format = :format AND i.host = :host
ORDER BY i.inst_id DESC
LIMIT 1
