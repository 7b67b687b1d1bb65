-- The newest streams, and figures of their newest result sets: one row per stream, format and figure. If the newest
-- result sets of a stream and format have no figure, there is still one row for this stream and format. The budgets are those
-- that the newest recorded check of these result sets could judge. `values` has
-- one word per result set, the oldest first; "-" means that the result set did not measure the figure. If a run found
-- no leaks or errors, the value is 0 only if the run finished and completed its search for them.
WITH labelled AS MATERIALIZED (
    SELECT i.inst_id, i.application, i.format, i.app_version, i.loaded_at, l.labels
    FROM profdepot.instances i
    LEFT JOIN (SELECT t.inst_id, string_agg(translate(t.key, chr(30) || chr(31), '  ') || chr(31)
                                       || translate(t.value, chr(30) || chr(31), '  '), chr(30) ORDER BY t.key) AS labels
               FROM profdepot.result_set_labels t
               JOIN profdepot.settings s ON s.name = 'stream_labels' AND t.key = ANY (string_to_array(s.value, ','))
               GROUP BY t.inst_id) l ON l.inst_id = i.inst_id
),
streams AS (
    SELECT s.application, s.labels, row_number() OVER (ORDER BY max(s.loaded_at) DESC, s.application, s.labels) AS place
    FROM labelled s
    GROUP BY s.application, s.labels
    ORDER BY place
    LIMIT :max_streams::bigint
),
kinds AS MATERIALIZED (
    SELECT s.place, s.application, s.labels, m.format,
           count(*) AS result_sets, count(DISTINCT m.app_version) AS versions, max(m.loaded_at) AS loaded_at,
           (array_agg(m.app_version ORDER BY m.loaded_at DESC, m.inst_id DESC))[1] AS app_version,
           (array_agg(m.inst_id ORDER BY m.loaded_at DESC, m.inst_id DESC))[1:20] AS newest
    FROM streams s
    JOIN labelled m ON COALESCE(m.application, '') = COALESCE(s.application, '') AND COALESCE(m.labels, '') = COALESCE(s.labels, '')
    GROUP BY s.place, s.application, s.labels, m.format
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
      AND (m.name IN ('live_size', 'errors', 'peak_space') OR m.family IN ('samples', 'spans') AND m.metric_no = 1)
    UNION ALL
    SELECT DISTINCT w.inst_id, z.name, z.unit, z.title, 0
    FROM profdepot.coverage w
    JOIN (VALUES ('leaks', 'live_size', 'bytes', 'Live size'), ('errors', 'errors', 'count', 'Errors'),
                 ('races', 'errors', 'count', 'Errors')) z (what, name, unit, title) ON z.what = w.what
    WHERE w.inst_id = ANY (ARRAY(SELECT n.inst_id FROM members n)) AND w.degree IN ('sampled', 'full')
      AND NOT EXISTS (SELECT FROM profdepot.runs u WHERE u.inst_id = w.inst_id AND NOT u.finished)
      AND NOT EXISTS (SELECT FROM profdepot.metrics m WHERE m.inst_id = w.inst_id AND m.name = z.name)
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
         array_position(ARRAY['peak_space', 'live_size', 'errors'], s.name), s.name
