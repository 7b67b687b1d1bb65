-- Suppressions that the profiler itself applied. $1: INST_ID.
SELECT COALESCE(s.name, s.pattern, ''), s.kind, s.syntax, s.file, s.count, s.blocks, s.bytes, s.pattern
FROM profdepot.result_set_suppressions s
WHERE s.inst_id = $1::bigint AND s.count IS NOT NULL
ORDER BY s.id
