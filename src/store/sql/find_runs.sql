-- The runs of several result sets, as in find_run, with the INST_ID as the last column.
-- params: inst_ids
SELECT r.run_key, r.finished, c.what, c.degree, c.source, i.inst_id
FROM profdepot.instances i
LEFT JOIN profdepot.runs r ON r.inst_id = i.inst_id AND r.inst_id = ANY (:inst_ids::bigint[])
LEFT JOIN profdepot.coverage c ON c.inst_id = i.inst_id AND c.inst_id = ANY (:inst_ids::bigint[])
WHERE i.inst_id = ANY (:inst_ids::bigint[])
