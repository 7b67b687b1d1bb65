-- For each digest of a content, the oldest result set with this content. If a run key is given, only the result
-- sets of that run are searched.
SELECT replace(i.content_digest::text, '-', ''), min(i.inst_id)
FROM profdepot.instances i
WHERE i.content_digest = ANY (:digests::uuid[])
  AND (:run_key::text IS NULL
       OR EXISTS (SELECT FROM profdepot.runs r WHERE r.inst_id = i.inst_id AND r.run_key = :run_key))
GROUP BY i.content_digest
