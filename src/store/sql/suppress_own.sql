-- Suppressions from the imported file that the profiler applies only when it prints its results. They have no count.
SELECT s.pattern, s.file, s.name
FROM profdepot.result_set_suppressions s
WHERE s.inst_id = :inst_id::bigint AND s.syntax = 'lsan' AND s.pattern IS NOT NULL AND s.count IS NULL
ORDER BY s.id
