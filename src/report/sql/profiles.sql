-- title: Profiles
-- facts: profiles
-- with: asked
-- params: inst_id name host user since until profile track min_duration
-- order: started desc, duration desc, track
-- column: track integer "Track"
-- column: started time "Started"
-- column: name text "Name"
-- column: host text "Machine"
-- column: user text "User"
-- column: duration decimal milliseconds "Duration"
-- column: steps integer count "Steps" sum
-- column: calls integer count "Calls" sum
-- column: call_time decimal milliseconds "In Calls"
-- column: request_start decimal milliseconds "Request Start"
-- column: response_start decimal milliseconds "Response Start"
-- column: dom_complete decimal milliseconds "DOM Complete"
-- column: profile text "Id"
-- One row per profile, newest first; --sort duration puts the slowest first. The three browser times come
-- from the client timings.
WITH spans AS (
    SELECT s.track_id, count(*) FILTER (WHERE s.kind = 'step') AS steps,
           count(*) FILTER (WHERE s.kind = 'call' AND (s.execute_type IS NULL
               OR s.execute_type NOT IN ('Open', 'OpenAsync', 'Close', 'CloseAsync'))) AS calls,
           sum(s.duration) FILTER (WHERE s.kind = 'call') AS call_time,
           min(s.start) FILTER (WHERE c.name IN ('requeststart', 'request')) AS request_start,
           min(s.start) FILTER (WHERE c.name IN ('responsestart', 'response')) AS response_start,
           min(s.start) FILTER (WHERE c.name = 'domcomplete') AS dom_complete
    FROM profdepot.span_rows s
    CROSS JOIN LATERAL (SELECT CASE WHEN s.kind = 'client'
                                    THEN lower(replace(s.name, ' ', '')) END AS name) c
    WHERE s.inst_id = :inst_id::bigint AND s.kind IN ('step', 'call', 'client')
    GROUP BY s.track_id
),
known AS ( -- formats such as speedscope have tracks, but no steps and calls
    SELECT CASE WHEN EXISTS (SELECT FROM spans) THEN 0 END AS zero
)
SELECT a.track_id AS track,
       to_char(a.started AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS started,
       a.name, a.host, a.user_name AS "user", a.duration, COALESCE(s.steps, k.zero) AS steps,
       COALESCE(s.calls, k.zero) AS calls, s.call_time, s.request_start, s.response_start,
       s.dom_complete, a.source_id AS profile
FROM asked a
CROSS JOIN known k
LEFT JOIN spans s ON s.track_id = a.track_id
WHERE :min_duration::numeric IS NULL OR a.duration >= :min_duration::numeric
