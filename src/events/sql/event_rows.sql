-- Events that are stored as rows.
SELECT r.inst_id, r.id, r.track_id, r.stack_id, r.at, r.weights[1]::bigint AS weight, r.attributes
FROM profdepot.sample_rows r
WHERE r.inst_id = ANY (:inst_ids::bigint[])
