-- title: User Timings
-- facts: user timings
-- with: timings
-- params: inst_id like_devtools name
-- order: position
-- column: position integer "#"
-- column: kind text "Kind"
-- column: name text "Name"
-- column: start decimal microseconds "Start"
-- column: duration decimal microseconds "Duration"
-- column: pid text "Process"
-- column: tid text "Thread"
-- column: detail text "Detail" machine
-- column: event integer "Event" machine
-- column: last_event integer "Last Event" machine
-- column: lost text "Lost by DevTools"
-- All user timings in order of time. With --like-devtools, only those on DevTools' Timings track,
-- without entries of custom tracks.
SELECT row_number() OVER (ORDER BY CASE WHEN COALESCE(:like_devtools::boolean, false) THEN x.start END,
           CASE WHEN COALESCE(:like_devtools::boolean, false) THEN x.list END,
           CASE WHEN COALESCE(:like_devtools::boolean, false) THEN x.devtools_order END, x.id) AS position,
       x.kind, x.name, x.start, x.duration, x.pid, x.tid, x.detail, x.event, x.last_event, x.lost
FROM (SELECT t.id, t.kind, t.name, t.pid, t.tid, t.detail, t.event, t.last_event, t.lost, t.devtools_order,
             CASE t.kind WHEN 'stamp' THEN 2 WHEN 'mark' THEN 3 ELSE 1 END AS list,
             CASE WHEN COALESCE(:like_devtools::boolean, false) AND t.extension ->> 'kind' = 'stamp'
                  THEN (t.extension ->> 'start')::numeric ELSE t.start END AS start,
             CASE WHEN COALESCE(:like_devtools::boolean, false) AND t.extension ->> 'kind' = 'stamp'
                  THEN (t.extension ->> 'duration')::numeric ELSE t.length END AS duration
      FROM timings t
      WHERE t.kind <> 'measure_call'
        AND (NOT COALESCE(:like_devtools::boolean, false) OR t.extension IS NULL OR t.extension ->> 'kind' = 'stamp')) x
