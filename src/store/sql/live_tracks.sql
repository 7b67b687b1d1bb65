-- Tracks of an open result set.
SELECT t.track_id, t.kind, t.category, t.host, t.process_name, t.thread_id, t.source_id
FROM profdepot.tracks t
WHERE t.inst_id = :inst_id::bigint
ORDER BY t.track_id
