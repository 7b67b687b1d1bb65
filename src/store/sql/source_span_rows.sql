-- Spans that lie in rows, by track and ID. $1: the result set; $2: only this track, 0: all.
SELECT s.track_id,
       s.id,
       t.metric_no,
       s.parent_id,
       s.routine_id,
       s.kind,
       s.name,
       s.stack_id,
       s.start,
       s.duration,
       s.first_fetch,
       s.source_id,
       s.category,
       s.execute_type,
       s.command,
       s.errored,
       s.attributes
FROM profdepot.span_rows s
LEFT JOIN profdepot.tracks t ON t.inst_id = s.inst_id AND t.track_id = s.track_id
WHERE s.inst_id = $1::bigint AND $2::bigint IN (0, s.track_id)
ORDER BY s.track_id, s.id
