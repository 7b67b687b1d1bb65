-- Suppressions that the profiler applied.
SELECT COALESCE(s.name, s.pattern, ''), s.kind, s.syntax, s.file, s.count, s.blocks, s.bytes, s.pattern
FROM profdepot.result_set_suppressions s
WHERE s.inst_id = :inst_id::bigint AND s.count IS NOT NULL
ORDER BY s.id
