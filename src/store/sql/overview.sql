-- Figures of the result sets that overview_sets found: one row per stream, format and figure. If the result sets of a
-- stream and format have no figure, there is still one row for this stream and format. `versions` counts only the
-- versions of these result sets. `counts` has the number of result sets of the stream and format, as in overview_sets. The budgets are those
-- that the newest recorded check of these result sets could judge. `values` has
-- one word per result set, the oldest first; "-" means that the result set did not measure the figure. If a run found
-- no leaks or errors, the value is 0 only if the run finished and completed its search for them.
WITH labelled AS MATERIALIZED (
    SELECT i.inst_id, NULLIF(i.application, '') AS application, NULLIF(i.stream_labels, '') AS labels, i.format, i.app_version,
           i.loaded_at
    FROM profdepot.instances i
    WHERE i.inst_id = ANY (:inst_ids::bigint[])
),
kinds AS MATERIALIZED (
    SELECT dense_rank() OVER (ORDER BY s.stream_loaded_at DESC, s.application, s.labels) AS place, s.application, s.labels, s.format,
           max(c.result_sets) AS result_sets, count(DISTINCT s.app_version) AS versions, max(s.loaded_at) AS loaded_at,
           (array_agg(s.app_version ORDER BY s.loaded_at DESC, s.inst_id DESC))[1] AS app_version,
           array_agg(s.inst_id ORDER BY s.loaded_at DESC, s.inst_id DESC) AS newest
    FROM (SELECT l.*, max(l.loaded_at) OVER (PARTITION BY l.application, l.labels) AS stream_loaded_at FROM labelled l) s
    JOIN unnest(:inst_ids::bigint[], :counts::bigint[]) c (inst_id, result_sets) ON c.inst_id = s.inst_id
    GROUP BY s.stream_loaded_at, s.application, s.labels, s.format
),
members AS MATERIALIZED (
    SELECT k.place, k.format, n.inst_id, n.age
    FROM kinds k
    CROSS JOIN LATERAL unnest(k.newest) WITH ORDINALITY n (inst_id, age)
),
checked AS (
    SELECT DISTINCT ON (m.place, m.format) m.place, m.format, v.inst_id, v.budgets, v.broken
    FROM members m
    JOIN (SELECT b.inst_id, count(*) FILTER (WHERE b.verdict IN ('passed', 'broken')) AS budgets,
                 count(*) FILTER (WHERE b.verdict = 'broken') AS broken
          FROM profdepot.budget_verdicts b
          WHERE b.inst_id = ANY (ARRAY(SELECT n.inst_id FROM members n))
          GROUP BY b.inst_id) v ON v.inst_id = m.inst_id
    ORDER BY m.place, m.format, m.age
),
figures AS MATERIALIZED (
    SELECT m.inst_id, m.name, m.unit, m.title, t.totals[1] AS value
    FROM profdepot.metrics m
    JOIN profdepot.call_tree_blocks t ON t.inst_id = m.inst_id AND t.metric_no = m.metric_no AND t.first_rank = 0
    WHERE m.inst_id = ANY (ARRAY(SELECT n.inst_id FROM members n)) AND t.inst_id = ANY (ARRAY(SELECT n.inst_id FROM members n))
      AND (t.inst_id = ANY (:inst_ids::bigint[]) OR t.inst_id = (:inst_ids::bigint[])[1]) -- as in list_result_sets.sql
      AND (m.name IN ('live_size', 'errors', 'peak_space')
           OR m.name = 'live_count' AND NOT EXISTS (SELECT FROM profdepot.metrics s
                                                    WHERE s.inst_id = m.inst_id AND s.name = 'live_size')
           OR m.family IN ('samples', 'spans') AND m.metric_no = 1)
    UNION ALL
    SELECT DISTINCT w.inst_id, z.name, z.unit, z.title, 0
    FROM profdepot.coverage w
    JOIN (VALUES ('leaks', 'live_size', 'bytes', 'Live size'), ('errors', 'errors', 'count', 'Errors'),
                 ('races', 'errors', 'count', 'Errors')) z (what, name, unit, title) ON z.what = w.what
    WHERE w.inst_id = ANY (ARRAY(SELECT n.inst_id FROM members n)) AND w.degree IN ('sampled', 'full')
      AND NOT EXISTS (SELECT FROM profdepot.runs u WHERE u.inst_id = w.inst_id AND NOT u.finished)
      AND NOT EXISTS (SELECT FROM profdepot.metrics m
                      WHERE m.inst_id = w.inst_id AND m.name IN (z.name, CASE w.what WHEN 'leaks' THEN 'live_count' END))
),
named AS (
    SELECT m.place, m.format, f.name, f.unit, max(f.title) AS title
    FROM members m
    JOIN figures f ON f.inst_id = m.inst_id
    GROUP BY m.place, m.format, f.name, f.unit
),
sequences AS (
    SELECT n.place, n.format, n.name, n.unit, n.title, string_agg(COALESCE(f.value::text, '-'), ' ' ORDER BY m.age DESC) AS "values"
    FROM named n
    JOIN members m ON m.place = n.place AND m.format = n.format
    LEFT JOIN figures f ON f.inst_id = m.inst_id AND f.name = n.name AND f.unit = n.unit
    GROUP BY n.place, n.format, n.name, n.unit, n.title
)
SELECT k.application,
       k.labels,
       k.format,
       k.result_sets,
       k.versions,
       k.app_version,
       k.newest[1] AS inst_id,
       profdepot.time_text(k.loaded_at, :time_zone::text) AS loaded_at,
       c.inst_id AS checked_inst_id,
       c.budgets,
       c.broken,
       s.name AS metric,
       s.unit,
       COALESCE(s.title, s.name) AS title,
       s."values"
FROM kinds k
LEFT JOIN checked c ON c.place = k.place AND c.format IS NOT DISTINCT FROM k.format
LEFT JOIN sequences s ON s.place = k.place AND s.format = k.format
ORDER BY k.place, k.loaded_at DESC, k.format,
         array_position(ARRAY['peak_space', 'live_size', 'live_count', 'errors'], s.name), s.name
