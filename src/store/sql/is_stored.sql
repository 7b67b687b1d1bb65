-- One row if the load with this INST_ID has stored the content with this digest.
SELECT 1
FROM profdepot.instances i
WHERE i.inst_id = :inst_id::bigint
  AND i.content_digest = :digest::uuid
