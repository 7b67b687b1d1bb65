-- One result set's metadata that AQTime's columns do not contain.
-- params: inst_id number
SELECT :number::bigint AS inst_id,
       t.caption,
       t.application,
       t.app_version,
       t.host,
       t.tool,
       t.format,
       t.source_name
FROM profdepot.instances t
WHERE t.inst_id = :inst_id::bigint
