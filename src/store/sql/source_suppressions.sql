-- Suppressions of one result set by number. $1: its number; $2 is not used.
SELECT t.id,
       t.name,
       t.syntax,
       t.kind,
       t.pattern,
       t.file,
       t.count,
       t.bytes,
       t.blocks
FROM profdepot.result_set_suppressions t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.id
