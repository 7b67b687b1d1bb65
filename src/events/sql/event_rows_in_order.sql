-- Events in rows of one result set (s), in order of arrival.
SELECT r.inst_id, r.id, r.track_id, r.stack_id, r.at, r.weights[1]::bigint AS weight, r.attributes
FROM profdepot.sample_rows r
WHERE r.inst_id = s.inst_id
ORDER BY r.id
