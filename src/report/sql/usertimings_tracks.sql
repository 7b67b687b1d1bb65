-- title: Custom Tracks
-- facts: user timings
-- with: timings
-- params: inst_id like_devtools name
-- order: marker desc, position
-- column: position integer "#"
-- column: marker bool "Marker"
-- column: track_group text "Group"
-- column: track text "Track"
-- column: depth integer "Depth"
-- column: name text "Name"
-- column: start decimal microseconds "Start"
-- column: duration decimal microseconds "Duration"
-- column: self decimal microseconds "Self"
-- column: color text "Color"
-- column: data_type text "Data Type" machine
-- column: tooltip text "Tooltip" machine
-- column: properties text "Properties" machine
-- column: detail text "Detail" machine
-- column: pid text "Process" machine
-- column: tid text "Thread" machine
-- column: event integer "Event" machine
-- Markers, then the entries of each track. Depth and self time are missing if entries of the track overlap
-- partially.
SELECT (t.extension ->> 'order')::bigint AS position, t.extension ->> 'kind' = 'marker' AS marker,
       t.extension ->> 'group' AS track_group, t.extension ->> 'name' AS track,
       (t.extension ->> 'depth')::bigint AS depth, t.name, (t.extension ->> 'start')::numeric AS start,
       CASE WHEN t.kind <> 'mark' OR t.extension ->> 'duration' <> '0' THEN (t.extension ->> 'duration')::numeric END AS duration,
       (t.extension ->> 'self')::numeric AS self, t.extension ->> 'color' AS color,
       CASE WHEN t.kind = 'stamp' THEN 'track-entry' ELSE t.extension ->> 'dataType' END AS data_type,
       t.extension ->> 'tooltipText' AS tooltip, t.extension ->> 'properties' AS properties,
       (t.extension -> 'detail')::text AS detail, t.pid, t.tid, t.event
FROM timings t
WHERE t.kind <> 'measure_call' AND t.extension ->> 'kind' IN ('marker', 'entry')
