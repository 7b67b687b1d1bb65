-- Blocks of events as they lie, to be summed by the service: unfolding them here would cost more than
-- all else. "plain": weights are whole numbers, where these are asked for. $2: whether the tracks are.
SELECT b.inst_id, b.first_id, b.value_unit = 1 AND b.weights IS NOT NULL AS plain, b.stack_ids, b.weights,
       CASE WHEN $2::boolean THEN COALESCE(b.track_ids, ARRAY[b.track_id]) END AS track_ids
FROM profdepot.sample_blocks b
WHERE b.inst_id = ANY ($1::bigint[])
