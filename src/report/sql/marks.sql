-- title: Marks
-- facts: marks
-- with: timings
-- params: inst_id like_devtools name
-- order: position
-- column: position integer "#"
-- column: name text "Name"
-- column: start decimal microseconds "Time"
-- column: start_time decimal milliseconds "Since Origin"
-- column: pid text "Process"
-- column: tid text "Thread"
-- column: phase text "Phase" machine
-- column: navigation_id text "Navigation" machine
-- column: call_time decimal microseconds "Called" machine
-- column: detail text "Detail" machine
-- column: event integer "Event" machine
-- column: lost text "Lost by DevTools"
-- All calls of performance.mark in order of time; with --like-devtools, only the marks that
-- DevTools lists, in file order.
SELECT t.position, t.name, t.start, t.start_time, t.pid, t.tid, t.phase, t.navigation_id, t.call_time,
       t.detail, t.event, t.lost
FROM timings t WHERE t.kind = 'mark'
