-- title: Trend of User Timings
-- params: inst_ids like_devtools name type
-- order: name, kind, loaded, inst_id
-- column: name text "Name"
-- column: kind text "Kind"
-- column: inst_id integer id "INST_ID"
-- column: caption text "Caption"
-- column: application text "Application"
-- column: loaded time "Loaded"
-- column: count integer count "Count"
-- column: min decimal milliseconds "Min"
-- column: median decimal milliseconds "Median"
-- column: p95 decimal milliseconds "P95"
-- column: max decimal milliseconds "Max"
-- One row per name and result set: the duration of measures and console timings, and the time of marks since
-- the time origin of the page.
SELECT x.name, x.kind, x.inst_id, i.caption, i.application, i.loaded_at AS loaded, x.count, x.min,
       x.median, x.p95, x.max
FROM (SELECT u.inst_id, u.name, u.kind, count(*) AS count, min(v.value) AS min,
             percentile_disc(0.5) WITHIN GROUP (ORDER BY v.value) AS median,
             percentile_disc(0.95) WITHIN GROUP (ORDER BY v.value) AS p95, max(v.value) AS max
      FROM profdepot.user_timings u
      CROSS JOIN LATERAL (SELECT CASE u.kind WHEN 'mark' THEN u.start_time ELSE u.duration * 0.001 END AS value) v
      WHERE u.inst_id = ANY (:inst_ids::bigint[])
        AND u.kind IN ('mark', 'measure', 'console')
        AND (u.lost IS NULL OR NOT COALESCE(:like_devtools::boolean, false))
        AND (:name::text[] IS NULL OR u.name ILIKE ANY (:name::text[]))
        AND (:type::text[] IS NULL OR u.kind ILIKE ANY (:type::text[]))
      GROUP BY u.inst_id, u.name, u.kind) x
JOIN profdepot.instances i ON i.inst_id = x.inst_id
