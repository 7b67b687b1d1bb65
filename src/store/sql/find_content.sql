-- The oldest result set with this content; if a run key is given, only result sets of that run count.
SELECT min(i.inst_id)
FROM profdepot.instances i
WHERE i.content_digest = :digest::uuid
  AND (:run_key::text IS NULL
       OR EXISTS (SELECT FROM profdepot.runs r WHERE r.inst_id = i.inst_id AND r.run_key = :run_key))
