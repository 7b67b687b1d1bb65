-- Renames a result set; source_caption keeps the exported name.
UPDATE profdepot.instances i
SET caption = :caption
WHERE i.inst_id = :inst_id::bigint
