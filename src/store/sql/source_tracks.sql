-- Tracks of one result set by ID. $1: its number; $2: only this one, 0: all.
SELECT t.track_id,
       t.kind,
       t.name,
       t.source_id,
       t.category,
       t.host,
       t.user_name,
       t.process_name,
       t.process_id,
       t.thread_id,
       t.metric_no,
       t.start,
       t.duration,
       (extract(epoch FROM t.started) * 1000000)::bigint AS started_us,
       t.attributes
FROM profdepot.tracks t
WHERE t.inst_id = $1::bigint AND $2::bigint IN (0, t.track_id)
ORDER BY t.track_id
