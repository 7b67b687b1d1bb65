-- title: Console Time Stamps
-- facts: console timings
-- with: timings
-- params: inst_id like_devtools name
-- order: position
-- column: position integer none "#"
-- column: label text none "Label"
-- column: start decimal microseconds "Time"
-- column: stamp_start text none "From"
-- column: stamp_end text none "To"
-- column: track text none "Track"
-- column: track_group text none "Group"
-- column: pid text none "Process"
-- column: tid text none "Thread"
-- column: category text none "Category" machine
-- column: message text none "Message" machine
-- column: name text none "Name" machine
-- column: color text none "Color" machine
-- column: data text none "Data" machine
-- column: event integer none "Event" machine
-- column: lost text none "Lost by DevTools"
-- Every console.timeStamp with its interval and track.
SELECT t.position, t.name AS label, t.start, t.stamp_start, t.stamp_end, t.stamp_track AS track,
       t.stamp_group AS track_group, t.pid, t.tid, t.category, t.message, t.stamp_name AS name,
       t.stamp_color AS color, t.stamp_data AS data, t.event, t.lost
FROM timings t WHERE t.kind = 'stamp'
