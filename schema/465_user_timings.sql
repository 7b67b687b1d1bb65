-- User timings of Chrome traces. The attributes of spans contain the whole events, which this view
-- unpacks.

CREATE VIEW profdepot.user_timings AS
SELECT s.inst_id,
       s.id,
       s.track_id,
       s.kind,
       s.name,
       s.start,
       s.duration,
       s.source_id,
       s.category,
       a.lost COLLATE "C" AS lost,
       NULLIF(a."order", 0) AS devtools_order,
       COALESCE(a.event, a.last) AS event,
       a.last AS last_event,
       a."inner" AS inner_events,
       COALESCE(e.ph, b.ph) COLLATE "C" AS phase,
       COALESCE(e.pid, b.pid) COLLATE "C" AS pid,
       COALESCE(e.tid, b.tid) COLLATE "C" AS tid,
       CASE WHEN s.kind = 'measure' THEN g.detail ELSE d.detail END COLLATE "C" AS detail,
       d."navigationId" COLLATE "C" AS navigation_id,
       CASE WHEN n.started ~ '^-?[0-9][0-9.]{0,59}([eE][+-]?[0-9]{1,2})?$' THEN n.started::numeric END
           AS start_time,
       CASE WHEN n.called ~ '^-?[0-9][0-9.]{0,59}([eE][+-]?[0-9]{1,2})?$' THEN n.called::numeric END
           AS call_time,
       g."traceId" COLLATE "C" AS trace_id,
       d.message COLLATE "C" AS message,
       d.name COLLATE "C" AS stamp_name,
       d.start COLLATE "C" AS stamp_start,
       d."end" COLLATE "C" AS stamp_end,
       d.track COLLATE "C" AS stamp_track,
       d."trackGroup" COLLATE "C" AS stamp_group,
       d.color COLLATE "C" AS stamp_color,
       d.devtools COLLATE "C" AS stamp_data,
       a.track AS extension
FROM profdepot.span_rows s
CROSS JOIN LATERAL json_to_record(s.attributes)
    AS a ("order" bigint, lost text, event bigint, last bigint, "inner" json, track json, begin json, "end" json)
CROSS JOIN LATERAL json_to_record(CASE json_typeof(a.begin) WHEN 'object' THEN a.begin ELSE '{}' END)
    AS b (ph text, pid text, tid text, args json)
CROSS JOIN LATERAL json_to_record(CASE json_typeof(a."end") WHEN 'object' THEN a."end" ELSE '{}' END)
    AS e (ph text, pid text, tid text)
CROSS JOIN LATERAL json_to_record(CASE json_typeof(b.args) WHEN 'object' THEN b.args ELSE '{}' END)
    AS g (data json, detail text, "callTime" json, "startTime" json, "traceId" text)
CROSS JOIN LATERAL json_to_record(CASE json_typeof(g.data) WHEN 'object' THEN g.data ELSE '{}' END)
    AS d (detail text, "navigationId" text, "callTime" json, "startTime" json, message text, name text, start text,
          "end" text, track text, "trackGroup" text, color text, devtools text)
CROSS JOIN LATERAL (
    SELECT CASE WHEN s.kind = 'measure' THEN g."startTime" ELSE d."startTime" END::text AS started,
           CASE WHEN s.kind = 'measure' THEN g."callTime" ELSE d."callTime" END::text AS called) AS n
WHERE s.kind IN ('mark', 'measure', 'console', 'stamp', 'measure_call');
COMMENT ON VIEW profdepot.user_timings IS 'marks, measures and console timings of Chrome traces, with the data of their events';
COMMENT ON COLUMN profdepot.user_timings.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.user_timings.id IS 'number of the span, in time order';
COMMENT ON COLUMN profdepot.user_timings.track_id IS 'thread of the first event';
COMMENT ON COLUMN profdepot.user_timings.kind IS 'mark, measure, console (console.time), stamp (console.timeStamp), measure_call (the call to performance.measure)';
COMMENT ON COLUMN profdepot.user_timings.name IS 'name; a stamp''s label';
COMMENT ON COLUMN profdepot.user_timings.start IS 'start, in microseconds on the trace''s clock';
COMMENT ON COLUMN profdepot.user_timings.duration IS 'duration in microseconds; 0 for an instant, NULL if the timing never ended or never began';
COMMENT ON COLUMN profdepot.user_timings.source_id IS 'key that pairs the timing''s events: category, id and name; for a call, its traceId';
COMMENT ON COLUMN profdepot.user_timings.category IS 'category of the events';
COMMENT ON COLUMN profdepot.user_timings.lost IS 'NULL if DevTools shows the timing; otherwise the reason why it does not: ignored-name, chrome-own (written by Chrome about a navigation, not a user timing), category-list, phase, old-phase, no-id, no-args, zero-length, never-ended, never-begun, negative, repeated';
COMMENT ON COLUMN profdepot.user_timings.devtools_order IS 'position among the timings of the same kind that DevTools shows, from 1';
COMMENT ON COLUMN profdepot.user_timings.event IS 'index of the first event in the file''s array, from 0';
COMMENT ON COLUMN profdepot.user_timings.last_event IS 'index of the event that ended the timing';
COMMENT ON COLUMN profdepot.user_timings.inner_events IS 'indexes of the instant events within the timing, as DevTools lists them';
COMMENT ON COLUMN profdepot.user_timings.phase IS 'phase of the timing''s last event';
COMMENT ON COLUMN profdepot.user_timings.pid IS 'process of the timing''s last event, as written';
COMMENT ON COLUMN profdepot.user_timings.tid IS 'thread of the timing''s last event, as written';
COMMENT ON COLUMN profdepot.user_timings.detail IS 'the detail given by the page, as JSON text';
COMMENT ON COLUMN profdepot.user_timings.navigation_id IS 'navigation that a mark belongs to; NULL in workers';
COMMENT ON COLUMN profdepot.user_timings.start_time IS 'milliseconds since the page''s or worker''s time origin';
COMMENT ON COLUMN profdepot.user_timings.call_time IS 'time of the performance.measure call, in microseconds on the trace''s clock';
COMMENT ON COLUMN profdepot.user_timings.trace_id IS 'key that links a measure to its performance.measure call';
COMMENT ON COLUMN profdepot.user_timings.message IS 'for a stamp: its message';
COMMENT ON COLUMN profdepot.user_timings.stamp_name IS 'for a stamp: its label, as the page gave it';
COMMENT ON COLUMN profdepot.user_timings.stamp_start IS 'for a stamp: its start, given as a time or as the label of an earlier stamp';
COMMENT ON COLUMN profdepot.user_timings.stamp_end IS 'for a stamp: its end, given as a time or as the label of an earlier stamp';
COMMENT ON COLUMN profdepot.user_timings.stamp_track IS 'for a stamp: its track';
COMMENT ON COLUMN profdepot.user_timings.stamp_group IS 'for a stamp: the group of that track';
COMMENT ON COLUMN profdepot.user_timings.stamp_color IS 'for a stamp: colour';
COMMENT ON COLUMN profdepot.user_timings.stamp_data IS 'for a stamp: further data, as JSON text';
COMMENT ON COLUMN profdepot.user_timings.extension IS 'entry of a custom track: kind (marker, entry, stamp, link), name, group, order, start, duration, self, depth and the payload''s values';
