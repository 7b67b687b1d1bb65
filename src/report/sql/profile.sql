-- title: Profile
-- facts: profiles
-- with: asked one_profile
-- params: inst_id name host user since until profile track type trivial
-- column: id integer "Id" machine
-- column: depth integer "Depth" machine
-- column: step text "Step"
-- column: start decimal milliseconds "Start"
-- column: self decimal milliseconds "Self"
-- column: total decimal milliseconds "Total"
-- column: calls integer count "Calls"
-- column: call_time decimal milliseconds "In Calls"
-- column: types text "Call Types"
-- column: duplicates integer count "Duplicates"
-- column: errored integer count "Errored"
-- column: trivial bool "Trivial"
-- The steps of one profile as a tree. Without --profile, the slowest profile is shown. Self is the
-- time of a step without its children. A step is trivial if its self time is below --trivial.
WITH RECURSIVE tree AS (
    SELECT s.id, 0 AS depth FROM steps s
    WHERE s.parent_id IS NULL OR s.parent_id NOT IN (SELECT p.id FROM steps p)
    UNION ALL
    SELECT s.id, t.depth + 1 FROM tree t JOIN steps s ON s.parent_id = t.id
),
below AS (
    SELECT s.parent_id, sum(s.duration) AS duration FROM steps s GROUP BY s.parent_id
),
by_type AS (
    SELECT f.parent_id, f.type, count(*) FILTER (WHERE NOT f.is_connection) AS calls,
           sum(f.duration) AS duration, count(*) FILTER (WHERE f.duplicate) AS duplicates,
           count(*) FILTER (WHERE f.errored) AS errored, min(f.id) AS place
    FROM flagged f GROUP BY f.parent_id, f.type
),
by_step AS (
    SELECT b.parent_id, sum(b.calls) AS calls, sum(b.duration) AS duration,
           sum(b.duplicates) AS duplicates, sum(b.errored) AS errored,
           string_agg(b.type || ' ' || COALESCE(b.duration::text, '?') || ' ms (' || b.calls || ')',
                      ', ' ORDER BY b.place) AS types
    FROM by_type b GROUP BY b.parent_id
)
SELECT s.id, t.depth, repeat('  ', t.depth) || s.name AS step, s.start,
       s.duration - COALESCE(b.duration, 0) AS self, s.duration AS total,
       COALESCE(c.calls, 0) AS calls, c.duration AS call_time, c.types,
       COALESCE(c.duplicates, 0) AS duplicates, COALESCE(c.errored, 0) AS errored,
       s.duration - COALESCE(b.duration, 0) < COALESCE(:trivial::numeric, 2.0) AS trivial
FROM steps s
JOIN tree t ON t.id = s.id
LEFT JOIN below b ON b.parent_id = s.id
LEFT JOIN by_step c ON c.parent_id = s.id
ORDER BY s.id
