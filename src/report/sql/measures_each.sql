-- title: Measures
-- facts: measures
-- with: timings
-- params: inst_id like_devtools name
-- order: position
-- column: position integer "#"
-- column: name text "Name"
-- column: start decimal microseconds "Start"
-- column: duration decimal microseconds "Duration"
-- column: pid text "Process"
-- column: tid text "Thread"
-- column: source_id text "Id" machine
-- column: detail text "Detail" machine
-- column: start_time decimal milliseconds "Since Origin" machine
-- column: call_time decimal microseconds "Called" machine
-- column: trace_id text "Trace Id" machine
-- column: event integer "Event" machine
-- column: last_event integer "Last Event" machine
-- column: inner_events text "Events Within" machine
-- column: lost text "Lost by DevTools"
-- Rows are ordered by start, then by duration, longest first. With --like-devtools, they are in DevTools' order.
SELECT t.position, t.name, t.start, t.length AS duration, t.pid, t.tid, t.source_id, t.detail, t.start_time, t.call_time,
       t.trace_id, t.event, t.last_event,
       COALESCE(t.inner_events::text, '[]') AS inner_events, t.lost
FROM timings t WHERE t.kind = 'measure'
