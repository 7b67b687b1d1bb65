-- title: Timeline
-- facts: entries with times
-- params: inst_id track from to
-- order: duration desc, start, track, kind, name, entries desc
-- column: track integer "Track" machine
-- column: thread text "Thread"
-- column: kind text "Kind"
-- column: name text "Name"
-- column: start decimal microseconds "Start"
-- column: duration decimal microseconds "Duration"
-- column: entries integer count "Entries" sum
-- column: busy decimal microseconds "Sum"
-- Spans, events and samples with times, the longest first. Times count from the first entry, in microseconds.
-- If the result set has more than 20,000 entries, those shorter than a thousandth of the shown interval are
-- combined with their neighbours on the same track; "Sum" is the sum of their durations.
WITH lanes AS MATERIALIZED (
    SELECT t.track_id, f.factor, t.category IS NOT NULL AS is_event,
           CASE WHEN t.category IS NULL THEN f.factor ELSE 1000000 END AS clock, -- events have Unix times
           concat_ws(', ', CASE WHEN t.kind NOT IN ('thread', 'profile', 'process') OR COALESCE(t.name, '') = '' THEN t.kind END,
                     NULLIF(t.name, ''), 'process ' || t.process_id, 'thread ' || t.thread_id) AS thread
    FROM profdepot.tracks t
    JOIN profdepot.metrics m ON m.inst_id = t.inst_id AND m.metric_no = t.metric_no
    CROSS JOIN LATERAL (
        SELECT CASE m.unit WHEN 'nanoseconds' THEN 0.001 WHEN 'microseconds' THEN 1
                           WHEN 'milliseconds' THEN 1000 WHEN 'seconds' THEN 1000000 END::float8 AS factor
    ) f
    WHERE t.inst_id = :inst_id::bigint AND m.inst_id = :inst_id::bigint AND m.family <> 'gauges'
      AND (f.factor IS NOT NULL OR t.category IS NOT NULL)
),
span_parts AS MATERIALIZED (
    SELECT b.block_no, b.track_id, l.factor * b.time_unit::float8 AS scale
    FROM lanes l
    JOIN profdepot.span_blocks b ON b.inst_id = :inst_id::bigint AND b.track_id = l.track_id
    WHERE b.exact_starts IS NULL AND b.exact_stops IS NULL
),
-- All entries that are not in a block of whole numbers.
other_spans AS (
    SELECT l.track_id, x.id, x.routine_id, x.kind, COALESCE(NULLIF(x.name, ''), x.command) AS name,
           x.start::float8 * l.factor AS start, COALESCE(x.duration::float8 * l.factor, 0) AS duration
    FROM lanes l
    JOIN (SELECT s.track_id, s.id, NULL::bigint AS routine_id, s.kind, s.name, s.command, s.start, s.duration
          FROM profdepot.span_rows s
          WHERE s.inst_id = :inst_id::bigint
          UNION ALL
          SELECT b.track_id, b.base_id + u.id, u.routine_id, 'frame', NULL, NULL, COALESCE(u.exact_start, u.start * b.time_unit),
                 COALESCE(u.exact_stop, u.stop * b.time_unit) - COALESCE(u.exact_start, u.start * b.time_unit)
          FROM profdepot.span_blocks b
          CROSS JOIN LATERAL unnest(b.ids, b.routine_ids, b.starts, b.stops, b.exact_starts, b.exact_stops)
              AS u (id, routine_id, start, stop, exact_start, exact_stop)
          WHERE b.inst_id = :inst_id::bigint AND (b.exact_starts IS NOT NULL OR b.exact_stops IS NOT NULL)) x
        ON x.track_id = l.track_id
    WHERE x.start IS NOT NULL
),
-- unnest in the select list takes 60 % of the time of unnest in FROM.
timed_samples AS (
    SELECT l.track_id, x.id, x.stack_id, l.is_event, l.clock * x.at AS start, COALESCE(l.factor * x.weight, 0) AS duration
    FROM (SELECT b.track_id, b.first_id + u.n AS id, u.stack_id, u.track_id AS own_track_id,
                 COALESCE(u.exact_time::float8, u.time * b.time_unit) AS at,
                 COALESCE(u.exact_weight::float8, u.weight * b.value_unit) AS weight
          FROM (SELECT s.track_id, s.first_id, s.stack_ids, s.times, s.exact_times, s.weights, s.exact_weights, s.track_ids,
                       s.time_unit::float8 AS time_unit, s.value_unit::float8 AS value_unit
                FROM profdepot.sample_blocks s
                WHERE s.inst_id = :inst_id::bigint AND (s.times IS NOT NULL OR s.exact_times IS NOT NULL)
                OFFSET 0) b
          CROSS JOIN LATERAL (
              SELECT generate_series(0, cardinality(b.stack_ids) - 1) AS n, unnest(b.stack_ids) AS stack_id, unnest(b.track_ids) AS track_id,
                     unnest(b.times) AS time, unnest(b.exact_times) AS exact_time, unnest(b.weights) AS weight, unnest(b.exact_weights) AS exact_weight
          ) u
          UNION ALL
          SELECT s.track_id, s.id, s.stack_id, NULL, s.at::float8, s.weights[1]::float8
          FROM profdepot.sample_rows s
          WHERE s.inst_id = :inst_id::bigint AND s.at IS NOT NULL) x
    JOIN lanes l ON l.track_id = COALESCE(x.own_track_id, x.track_id)
),
extent AS MATERIALIZED (
    SELECT min(x.start) AS start, max(x.stop) AS stop, sum(x.entries) AS entries
    FROM (SELECT min(p.scale * (SELECT min(y.v) FROM (SELECT unnest(b.starts) AS v) y)) AS start,
                 max(p.scale * (SELECT max(y.v) FROM (SELECT unnest(b.stops) AS v) y)) AS stop, sum(cardinality(b.ids)) AS entries
          FROM span_parts p
          JOIN profdepot.span_blocks b ON b.inst_id = :inst_id::bigint AND b.block_no = p.block_no
          UNION ALL
          SELECT min(s.start), max(s.start + s.duration), count(*) FROM other_spans s
          UNION ALL
          SELECT min(s.start), max(s.start + s.duration), count(*) FROM timed_samples s) x
),
shown AS MATERIALIZED (
    SELECT e.start AS origin, e.entries <= 20000 AS is_small, e.start + COALESCE(:from::numeric, 0)::float8 AS start,
           COALESCE(e.start + :to::numeric::float8, e.stop) AS stop,
           GREATEST(COALESCE(:to::numeric::float8, e.stop - e.start) - COALESCE(:from::numeric, 0)::float8, 1) / 1000 AS width
    FROM extent e
),
-- Entries of the interval by their place; `single` is the ID of an entry that is not combined. Blocks are grouped in
-- the units of their numbers.
block_cells AS (
    SELECT p.track_id, g.single, CASE WHEN g.single IS NULL THEN floor((g.start * p.scale - w.start) / w.width) END AS place,
           g.entries, g.start * p.scale AS start, g.stop * p.scale AS stop, g.busy * p.scale AS busy, g.first_routine, g.last_routine
    FROM shown w
    CROSS JOIN (SELECT q.track_id, q.block_no, q.scale FROM span_parts q WHERE :track::bigint IS NULL OR q.track_id = :track::bigint) p
    JOIN profdepot.span_blocks b ON b.inst_id = :inst_id::bigint AND b.block_no = p.block_no
    CROSS JOIN LATERAL (SELECT LEAST(GREATEST(ceil(w.start / p.scale), -9e18), 9e18)::bigint AS first,
                               LEAST(GREATEST(floor(w.stop / p.scale), -9e18), 9e18)::bigint AS last,
                               LEAST(GREATEST(ceil(w.width / p.scale), 1), 9e18)::bigint AS width OFFSET 0) k
    CROSS JOIN LATERAL (
        SELECT CASE WHEN w.is_small OR u.stop - u.start >= k.width THEN b.base_id + u.id END AS single, count(*) AS entries,
               min(u.start) AS start, max(u.stop) AS stop, sum(u.stop - u.start)::float8 AS busy,
               min(u.routine_id) AS first_routine, max(u.routine_id) AS last_routine
        FROM (SELECT unnest(b.ids) AS id, unnest(b.starts) AS start, unnest(b.stops) AS stop, unnest(b.routine_ids) AS routine_id) u
        WHERE u.stop >= k.first AND u.start <= k.last
        GROUP BY 1, CASE WHEN w.is_small OR u.stop - u.start >= k.width THEN NULL ELSE u.start / k.width END
    ) g
),
cells AS (
    SELECT c.track_id, 'frame'::text COLLATE "C" AS kind, NULL::text COLLATE "C" AS name, sum(c.entries)::bigint AS entries,
           min(c.start) AS start, max(c.stop) - min(c.start) AS duration, sum(c.busy) AS busy,
           CASE WHEN min(c.first_routine) = max(c.last_routine) THEN min(c.first_routine)::bigint END AS routine_id, NULL::integer AS stack_id
    FROM block_cells c
    GROUP BY c.track_id, c.single, c.place
    UNION ALL
    SELECT s.track_id, CASE WHEN min(s.kind) = max(s.kind) THEN min(s.kind) END, CASE WHEN min(s.name) = max(s.name) THEN min(s.name) END,
           count(*), min(s.start), max(s.start + s.duration) - min(s.start), sum(s.duration),
           CASE WHEN min(s.routine_id) = max(s.routine_id) THEN min(s.routine_id) END, NULL
    FROM shown w
    JOIN other_spans s ON s.start + s.duration >= w.start AND s.start <= w.stop
    WHERE :track::bigint IS NULL OR s.track_id = :track::bigint
    GROUP BY s.track_id, CASE WHEN w.is_small OR s.duration >= w.width THEN s.id END,
             CASE WHEN w.is_small OR s.duration >= w.width THEN NULL ELSE floor((s.start - w.start) / w.width) END
    UNION ALL
    SELECT s.track_id, CASE WHEN bool_or(s.is_event) THEN 'event' ELSE 'sample' END, NULL, count(*), min(s.start),
           max(s.start + s.duration) - min(s.start), sum(s.duration), NULL, CASE WHEN min(s.stack_id) = max(s.stack_id) THEN min(s.stack_id) END
    FROM shown w
    JOIN timed_samples s ON s.start + s.duration >= w.start AND s.start <= w.stop
    WHERE :track::bigint IS NULL OR s.track_id = :track::bigint
    GROUP BY s.track_id, CASE WHEN w.is_small OR s.duration >= w.width THEN s.id END,
             CASE WHEN w.is_small OR s.duration >= w.width THEN NULL ELSE floor((s.start - w.start) / w.width) END
)
SELECT c.track_id AS track, l.thread, c.kind,
       COALESCE(c.name, NULLIF(concat_ws('.', NULLIF(r.col_class_name, ''), NULLIF(r.col_routine_name, '')), '')) AS name,
       trim_scale(round((c.start - w.origin)::numeric, 3)) AS start, trim_scale(round(c.duration::numeric, 3)) AS duration, c.entries,
       trim_scale(round(c.busy::numeric, 3)) AS busy
FROM cells c
CROSS JOIN shown w
JOIN lanes l ON l.track_id = c.track_id
LEFT JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = c.stack_id
LEFT JOIN profdepot.resource_profiler_meta_routines r
    ON r.inst_id = :inst_id::bigint AND r.rec_id = COALESCE(c.routine_id, s.routine_ids[1])
