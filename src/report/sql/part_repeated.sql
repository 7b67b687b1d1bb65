-- Command texts that a profile calls more than once. The opening and closing of connections is
-- ignored.
worded AS (
    SELECT c.*, CASE WHEN :by::text IN ('normalised', 'across-normalised')
                     THEN profdepot.command_shape(c.command) ELSE c.command END AS words
    FROM calls c
    WHERE NOT c.is_connection AND c.command IS NOT NULL
),
in_steps AS (
    SELECT w.track_id, w.parent_id, w.type, w.words, count(*) AS count,
           sum(w.duration) AS duration
    FROM worded w GROUP BY w.track_id, w.parent_id, w.type, w.words
),
repeated AS (
    SELECT s.track_id, s.type, s.words, sum(s.count)::bigint AS count,
           sum(s.count - 1)::bigint AS flagged, count(*) AS steps, sum(s.duration) AS duration
    FROM in_steps s GROUP BY s.track_id, s.type, s.words
    HAVING sum(s.count) >= GREATEST(COALESCE(:min_count::numeric, 2), 2)
)
