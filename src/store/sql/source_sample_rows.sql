-- Samples that lie in rows, by ID. $1: the result set; $2: only this track, 0: all.
SELECT s.id,
       s.track_id,
       t.metric_no,
       s.stack_id,
       s.at,
       s.weights,
       s.attributes
FROM profdepot.sample_rows s
LEFT JOIN profdepot.tracks t ON t.inst_id = s.inst_id AND t.track_id = s.track_id
WHERE s.inst_id = $1::bigint AND $2::bigint IN (0, s.track_id)
ORDER BY s.id
