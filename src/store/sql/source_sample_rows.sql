-- Samples that are stored in rows, sorted by ID. `track`: only samples of this track; 0 for all.
-- params: inst_id track
SELECT s.id,
       s.track_id,
       t.metric_no,
       s.stack_id,
       s.at,
       s.weights,
       s.attributes
FROM profdepot.sample_rows s
LEFT JOIN profdepot.tracks t ON t.inst_id = s.inst_id AND t.track_id = s.track_id
WHERE s.inst_id = :inst_id::bigint AND :track::bigint IN (0, s.track_id)
ORDER BY s.id
