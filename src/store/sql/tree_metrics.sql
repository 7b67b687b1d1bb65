-- Metrics of a result set, its default metric first. If SQL statements wrote the result set, it has no rows in
-- metrics. This query then returns the predefined metrics of objects and errors. It returns no row if the result
-- set does not exist. As in the loader, live_count comes before live_size if some class has only objects
-- without a size. With an order, the planner finds the first object or error by index. Otherwise it might read those of
-- other result sets first.
WITH known AS (
    SELECT m.metric_no, m.name, m.family, m.unit, m.title, m.aggregate
    FROM profdepot.metrics m
    WHERE m.inst_id = :inst_id::bigint
),
told AS (
    SELECT k.metric_no, k.name, k.family, k.unit, k.title, k.aggregate FROM known k
    UNION ALL
    SELECT 0, d.name, d.family, d.unit, d.title, NULL
    FROM (VALUES ('live_count', 'objects', 'count', 'Live objects'),
                 ('live_size', 'objects', 'bytes', 'Live size'),
                 ('errors', 'errors', 'count', 'Errors')) AS d (name, family, unit, title)
    WHERE NOT EXISTS (SELECT FROM known k WHERE k.name = d.name)
      AND CASE d.family
          WHEN 'objects' THEN (SELECT o.id FROM profdepot.resource_profiler_objects o
                               WHERE o.inst_id = :inst_id::bigint
                                 AND (d.name = 'live_count' OR o.col_size IS NOT NULL)
                               ORDER BY o.id LIMIT 1)
          ELSE (SELECT e.id FROM profdepot.resource_profiler_errors e
                WHERE e.inst_id = :inst_id::bigint ORDER BY e.id LIMIT 1) END IS NOT NULL
)
SELECT i.caption, i.state, t.metric_no, t.name, t.family, t.unit, t.title, t.aggregate
FROM profdepot.instances i
LEFT JOIN told t ON true
WHERE i.inst_id = :inst_id::bigint
ORDER BY profdepot.metric_rank(t.family), t.metric_no,
         CASE WHEN t.metric_no = 0 AND t.name = 'live_count' AND NOT EXISTS (
                  SELECT FROM profdepot.resource_profiler_objects o
                  WHERE o.inst_id = :inst_id::bigint AND o.col_classrid IS NOT NULL
                  GROUP BY o.col_classrid HAVING COALESCE(sum(o.col_size), 0) = 0) THEN 1 ELSE 0 END,
         t.name
