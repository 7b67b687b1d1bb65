-- Samples that are stored in blocks, sorted by ID. `track`: only samples of this track; 0 for all.
-- params: inst_id track
SELECT b.first_id + u.n - 1 AS id,
       COALESCE(u.track_id, b.track_id) AS track_id,
       t.metric_no,
       NULLIF(u.stack_id, 0) AS stack_id,
       COALESCE(u.exact_time, u.time * b.time_unit) AS at,
       COALESCE(u.exact_weight, u.weight * b.value_unit) AS weight
FROM profdepot.sample_blocks b
CROSS JOIN LATERAL unnest(b.stack_ids, b.times, b.exact_times, b.weights, b.exact_weights, b.track_ids)
    WITH ORDINALITY AS u (stack_id, time, exact_time, weight, exact_weight, track_id, n)
LEFT JOIN profdepot.tracks t ON t.inst_id = b.inst_id AND t.track_id = COALESCE(u.track_id, b.track_id)
WHERE b.inst_id = :inst_id::bigint AND :track::bigint IN (0, u.track_id, b.track_id)
ORDER BY b.first_id, u.n
