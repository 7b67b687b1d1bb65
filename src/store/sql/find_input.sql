-- Result sets of the input with this digest; if a run key is given, only those of that run.
SELECT i.inst_id
FROM profdepot.instances i
WHERE i.input_bytes = :bytes::bigint AND i.input_digest = :digest::bytea
  AND (:run_key::text IS NULL
       OR EXISTS (SELECT FROM profdepot.runs r WHERE r.inst_id = i.inst_id AND r.run_key = :run_key))
ORDER BY i.inst_id
