-- The oldest result set with this content.
SELECT min(i.inst_id)
FROM profdepot.instances i
WHERE i.content_digest = :digest::uuid
