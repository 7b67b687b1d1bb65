-- The open result set that events or profiles of a source go into.
-- $1: format, $2: host, $3: category, $4: day.
SELECT i.inst_id
FROM profdepot.instances i
JOIN profdepot.result_set_labels c ON c.inst_id = i.inst_id AND c.key = 'category' AND c.value = $3
JOIN profdepot.result_set_labels d ON d.inst_id = i.inst_id AND d.key = 'day' AND d.value = $4
WHERE i.state = 'open' AND i.source_name = 'posted' AND i.format = $1 AND i.host = $2
ORDER BY i.inst_id DESC
LIMIT 1
