-- One row if the load that drew this number has stored this content.
SELECT 1
FROM profdepot.instances i
WHERE i.inst_id = :inst_id::bigint
  AND i.content_digest = :digest::uuid
