-- title: Calls of performance.measure
-- facts: user timings
-- with: timings
-- params: inst_id like_devtools name
-- order: position
-- column: position integer "#"
-- column: trace_id text "Trace Id"
-- column: start decimal microseconds "Called"
-- column: duration decimal microseconds "Duration"
-- column: pid text "Process"
-- column: tid text "Thread"
-- column: event integer "Event" machine
-- column: lost text "Lost by DevTools"
-- Of several calls with the same trace id, DevTools keeps only the last one, and shows it in the place of the first.
SELECT t.position, t.source_id AS trace_id, t.start, t.duration, t.pid, t.tid, t.event, t.lost
FROM timings t WHERE t.kind = 'measure_call'
