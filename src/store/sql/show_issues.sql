-- Import issues of a result set, grouped by code, the most severe first.
SELECT s.severity, s.code, s.occurrences, s.message
FROM (
    SELECT t.severity, t.code, sum(t.occurrences) AS occurrences, min(t.message) AS message
    FROM profdepot.import_issues t
    WHERE t.inst_id = :inst_id::bigint
    GROUP BY t.severity, t.code
) s
ORDER BY array_position(ARRAY['error', 'warning', 'info'], s.severity::text), s.code
