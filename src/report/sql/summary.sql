-- title: Summary
-- layout: sections
-- params: inst_id
-- column: section text "Section"
-- column: item text "Item"
-- column: module text "Module Name"
-- column: count integer count "Count"
-- column: size integer bytes "Size"
-- Corresponds to AQTime's Summary panel: objects that were not released, errors, and the ten worst classes by
-- each criterion. For a heap profile, also the totals of its metrics: allocated, at the peak, at the end.
WITH live AS (
    SELECT sum(t.count)::bigint AS count, sum(t.size) AS size,
           count(DISTINCT t.class) FILTER (WHERE t.class <> -1) AS classes
    FROM profdepot.live_totals t WHERE t.inst_id = :inst_id::bigint
),
classes AS (
    SELECT COALESCE(NULLIF(c.col_class_name, ''), n.class_name, '') AS class_name,
           COALESCE(NULLIF(c.col_module_name, ''), n.module_name, '') AS module_name,
           c.col_live_count, c.col_live_size, c.col_peak_created, c.col_peak_size,
           c.col_total_created, c.col_total_size
    FROM profdepot.resource_profiler_classes_data c
    LEFT JOIN profdepot.class_names n ON n.inst_id = :inst_id::bigint AND n.rec_id = c.rec_id
    WHERE c.inst_id = :inst_id::bigint
),
errors AS (
    SELECT CASE e.col_kind WHEN 1 THEN 'Error' WHEN 2 THEN 'Warning'
           ELSE 'unknown' || COALESCE(' (' || e.col_kind || ')', '') END AS kind,
           e.col_kind AS kind_no, sum(e.count) AS count
    FROM profdepot.resource_profiler_errors e WHERE e.inst_id = :inst_id::bigint
    GROUP BY e.col_kind
),
gauges AS (
    SELECT m.metric_no, m.name, m.title, m.unit, max(g.value) AS maximum,
           (array_agg(g.value ORDER BY g.at DESC NULLS LAST, g.id DESC))[1] AS last
    FROM profdepot.metrics m
    JOIN profdepot.gauge_samples g ON g.inst_id = :inst_id::bigint AND g.metric = m.name
    WHERE m.inst_id = :inst_id::bigint AND m.family = 'gauges'
    GROUP BY m.metric_no, m.name, m.title, m.unit
),
heap AS (
    -- Two metrics such as alloc_space and alloc_objects become one row.
    SELECT min(m.metric_no) AS metric_no,
           (array_agg(COALESCE(m.title, m.name) ORDER BY m.unit, m.metric_no))[1] AS title,
           sum(t.value) FILTER (WHERE m.unit = 'count') AS count,
           sum(t.value) FILTER (WHERE m.unit = 'bytes') AS size
    FROM profdepot.metrics m
    CROSS JOIN LATERAL (SELECT COALESCE(sum(s.value), 0) AS value
                        FROM profdepot.sample_totals s
                        WHERE s.inst_id = :inst_id::bigint AND s.metric_no = m.metric_no) t
    WHERE m.inst_id = :inst_id::bigint AND m.family = 'samples' AND m.unit IN ('bytes', 'count')
      AND m.name ~ '^(alloc|peak|inuse|temporary|occurred|copied)_'
      AND EXISTS (SELECT FROM profdepot.coverage c
                  WHERE c.inst_id = :inst_id::bigint AND c.what = 'heap' AND c.degree IN ('sampled', 'full'))
    GROUP BY regexp_replace(m.name, '_(space|objects)$', '')
),
leaks AS (
    SELECT COALESCE(l.count, 0) > 0 OR COALESCE(c.degree IN ('sampled', 'full'), false) AS known, c.degree = 'none' AS never
    FROM live l
    LEFT JOIN profdepot.coverage c ON c.inst_id = :inst_id::bigint AND c.what = 'leaks'
),
lines AS (
    SELECT 1 AS section_no, 'Not released' AS section, 1::bigint AS place, 'Live objects' AS item, NULL AS module,
           COALESCE(l.count, 0)::numeric AS count,
           CASE WHEN l.count IS NULL THEN 0 ELSE l.size END AS size
    FROM live l, leaks k WHERE k.known
    UNION ALL
    SELECT 1, 'Not released', 2, 'Classes with live objects', NULL,
           -- Without a class table, counts the different classes of the objects. If no object has a class, the
           -- number is unknown.
           CASE WHEN EXISTS (SELECT FROM classes) THEN (SELECT count(*) FROM classes c WHERE c.col_live_count > 0)
                WHEN l.count > 0 THEN NULLIF(l.classes, 0)
                ELSE 0 END,
           NULL
    FROM live l, leaks k WHERE k.known
    UNION ALL
    SELECT 1, 'Not released', 1, CASE WHEN k.never THEN 'Not looked for' ELSE 'Unknown' END, NULL, NULL, NULL
    FROM leaks k WHERE NOT k.known
    UNION ALL
    SELECT 2, 'Errors', row_number() OVER (ORDER BY e.kind_no), e.kind, NULL, e.count, NULL
    FROM errors e
    UNION ALL
    SELECT 2, 'Errors', 1, CASE WHEN k.errors THEN 'None' WHEN k.never THEN 'Not looked for' ELSE 'Unknown' END,
           NULL, CASE WHEN k.errors THEN 0 END, NULL
    FROM (SELECT bool_or(c.degree IN ('sampled', 'full')) AS errors, count(*) FILTER (WHERE c.degree = 'none') = 2 AS never
          FROM profdepot.coverage c
          WHERE c.inst_id = :inst_id::bigint AND c.what IN ('errors', 'races')) k
    WHERE NOT EXISTS (SELECT FROM errors)
    UNION ALL
    SELECT 2, 'Heap', 1000 + h.metric_no, h.title, NULL, h.count, h.size
    FROM heap h
    UNION ALL
    SELECT 2, 'Over time', 10000 + 2 * g.metric_no + v.place, COALESCE(g.title, g.name) || ', ' || v.word, NULL,
           CASE WHEN g.unit <> 'bytes' THEN v.value END, CASE WHEN g.unit = 'bytes' THEN v.value END
    FROM gauges g
    CROSS JOIN LATERAL (VALUES (0, 'maximum', g.maximum), (1, 'last', g.last)) v (place, word, value)
    UNION ALL
    SELECT 3, 'Most existing instances',
           row_number() OVER (ORDER BY c.col_live_count DESC, c.class_name, c.module_name),
           c.class_name, c.module_name, c.col_live_count, c.col_live_size
    FROM classes c WHERE c.col_live_count > 0
    UNION ALL
    SELECT 4, 'Most created instances',
           row_number() OVER (ORDER BY c.col_total_created DESC, c.class_name, c.module_name),
           c.class_name, c.module_name, c.col_total_created, c.col_total_size
    FROM classes c WHERE c.col_total_created > 0
    UNION ALL
    SELECT 5, 'Highest peak of instances',
           row_number() OVER (ORDER BY c.col_peak_created DESC, c.class_name, c.module_name),
           c.class_name, c.module_name, c.col_peak_created, c.col_peak_size
    FROM classes c WHERE c.col_peak_created > 0
    UNION ALL
    SELECT 6, 'Largest live size',
           row_number() OVER (ORDER BY c.col_live_size DESC, c.class_name, c.module_name),
           c.class_name, c.module_name, c.col_live_count, c.col_live_size
    FROM classes c WHERE c.col_live_size > 0
)
SELECT l.section, l.item, l.module, l.count, l.size
FROM lines l
WHERE (l.section_no < 3 OR l.place <= 10) AND (l.count IS NOT NULL OR l.item <> 'Classes with live objects')
ORDER BY l.section_no, l.place
