-- What the depot knows of one result set beyond AQTime's columns. $1: its number; $2: the number to
-- write.
SELECT $2::bigint AS inst_id,
       t.caption,
       t.application,
       t.app_version,
       t.host,
       t.tool,
       t.format,
       t.source_name
FROM profdepot.instances t
WHERE t.inst_id = $1::bigint
