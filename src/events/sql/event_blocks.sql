-- Events in blocks. The functions are in the SELECT list because a function in FROM would take 20
-- us per block.
SELECT u.inst_id, u.id, COALESCE(u.track, u.track_id) AS track_id, NULLIF(u.stack_id, 0) AS stack_id,
       COALESCE(u.exact_time, u.time * u.time_unit) AS at,
       CASE WHEN u.value_unit = 1 AND u.weight IS NOT NULL THEN u.weight
            ELSE COALESCE(u.exact_weight, u.weight * u.value_unit)::bigint END AS weight,
       NULL::json AS attributes
FROM (
    SELECT b.inst_id, b.track_id, b.time_unit, b.value_unit,
           generate_series(b.first_id, b.first_id + cardinality(b.stack_ids) - 1) AS id,
           unnest(b.track_ids) AS track,
           unnest(b.stack_ids) AS stack_id,
           unnest(b.times) AS time,
           unnest(b.exact_times) AS exact_time,
           unnest(b.weights) AS weight,
           unnest(b.exact_weights) AS exact_weight
    FROM profdepot.sample_blocks b
    WHERE b.inst_id = ANY (:inst_ids::bigint[])
) u
