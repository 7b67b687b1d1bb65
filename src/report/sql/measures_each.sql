-- title: Measures
-- facts: measures
-- with: timings
-- params: inst_id like_devtools name
-- order: position
-- column: position integer none "#"
-- column: name text none "Name"
-- column: start decimal microseconds "Start"
-- column: duration decimal microseconds "Duration"
-- column: pid text none "Process"
-- column: tid text none "Thread"
-- column: source_id text none "Id" machine
-- column: detail text none "Detail" machine
-- column: start_time decimal milliseconds "Since Origin" machine
-- column: call_time decimal microseconds "Called" machine
-- column: trace_id text none "Trace Id" machine
-- column: event integer none "Event" machine
-- column: last_event integer none "Last Event" machine
-- column: inner_events text none "Events Within" machine
-- column: lost text none "Lost by DevTools"
-- In order of time, longer ones first; with --like-devtools in DevTools' order.
SELECT t.position, t.name, t.start, t.length AS duration, t.pid, t.tid, t.source_id, t.detail, t.start_time, t.call_time,
       t.trace_id, t.event, t.last_event,
       COALESCE(t.inner_events::text, '[]') AS inner_events, t.lost
FROM timings t WHERE t.kind = 'measure'
