-- Tracks of an open result set. $1: its number.
SELECT t.track_id, t.kind, t.category, t.host, t.process_name, t.thread_id, t.source_id
FROM profdepot.tracks t
WHERE t.inst_id = $1::bigint
ORDER BY t.track_id
