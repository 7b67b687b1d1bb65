-- title: Console Time Stamps
-- facts: console timings
-- with: timings
-- params: inst_id like_devtools name
-- order: position
-- column: position integer "#"
-- column: label text "Label"
-- column: start decimal microseconds "Time"
-- column: stamp_start text "From"
-- column: stamp_end text "To"
-- column: track text "Track"
-- column: track_group text "Group"
-- column: pid text "Process"
-- column: tid text "Thread"
-- column: category text "Category" machine
-- column: message text "Message" machine
-- column: name text "Name" machine
-- column: color text "Color" machine
-- column: data text "Data" machine
-- column: event integer "Event" machine
-- column: lost text "Lost by DevTools"
-- All calls of console.timeStamp, with interval and track.
SELECT t.position, t.name AS label, t.start, t.stamp_start, t.stamp_end, t.stamp_track AS track,
       t.stamp_group AS track_group, t.pid, t.tid, t.category, t.message, t.stamp_name AS name,
       t.stamp_color AS color, t.stamp_data AS data, t.event, t.lost
FROM timings t WHERE t.kind = 'stamp'
