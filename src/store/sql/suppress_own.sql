-- Suppressions that a file brings along and that its tool applies only when it prints: they have
-- no count. $1: INST_ID.
SELECT s.pattern, s.file, s.name
FROM profdepot.result_set_suppressions s
WHERE s.inst_id = $1::bigint AND s.syntax = 'lsan' AND s.pattern IS NOT NULL AND s.count IS NULL
ORDER BY s.id
