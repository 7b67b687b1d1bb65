-- title: Calls of a profile
-- facts: calls
-- with: asked one_profile
-- params: inst_id name host user since until profile track type slower_than
-- column: id integer "Id" machine
-- column: start decimal milliseconds "Start"
-- column: gap decimal milliseconds "Gap Before"
-- column: gap_step text "Gap In"
-- column: duration decimal milliseconds "Duration"
-- column: first_fetch decimal milliseconds "First Fetch"
-- column: type text "Type"
-- column: execute_type text "Execute Type"
-- column: step text "Step"
-- column: duplicate bool "Duplicate"
-- column: errored bool "Errored"
-- column: command text "Command"
-- The calls of one profile in order of time. Without --profile, the slowest profile is shown. A gap is the time
-- between the end of all earlier calls and the start of a call. The column "Gap In" shows the
-- step whose self time overlaps the gap most.
WITH timed AS (
    SELECT f.*, max(f.start + COALESCE(f.duration, 0)) OVER (
               ORDER BY f.start, f.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM flagged f
),
gaps AS (
    SELECT t.id, t.before AS start, t.start AS stop FROM timed t WHERE t.start > t.before
),
overlapping AS (
    SELECT g.id, s.id AS step_id, s.parent_id, s.name,
           LEAST(g.stop, s.start + s.duration) - GREATEST(g.start, s.start) AS overlap
    FROM gaps g JOIN steps s ON s.start < g.stop AND s.start + s.duration > g.start
),
own AS (
    SELECT o.id, o.step_id, o.name, o.overlap - COALESCE(c.overlap, 0) AS overlap
    FROM overlapping o
    LEFT JOIN (SELECT x.id, x.parent_id, sum(x.overlap) AS overlap FROM overlapping x
               GROUP BY x.id, x.parent_id) c
        ON c.id = o.id AND c.parent_id = o.step_id
),
reasons AS (
    SELECT DISTINCT ON (o.id) o.id, o.name FROM own o
    ORDER BY o.id, o.overlap DESC, o.step_id DESC
)
SELECT t.id, t.start, CASE WHEN t.start > t.before THEN t.start - t.before END AS gap,
       r.name AS gap_step, t.duration, t.first_fetch, t.type, t.execute_type, s.name AS step,
       t.duplicate, t.errored, t.command
FROM timed t
LEFT JOIN steps s ON s.id = t.parent_id
LEFT JOIN reasons r ON r.id = t.id
WHERE :slower_than::numeric IS NULL OR t.duration > :slower_than::numeric
ORDER BY t.start, t.id
