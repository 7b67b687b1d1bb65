-- Blocks of events as they lie, to be summed by the service: unfolding them here would cost more than
-- all else. "plain": weights are whole numbers, where these are asked for. $2: whether the stacks are,
-- $3: the weights, $4: the tracks.
SELECT b.inst_id, b.first_id, cardinality(b.stack_ids) AS count,
       b.value_unit = 1 AND b.weights IS NOT NULL AS plain,
       CASE WHEN $2::boolean THEN b.stack_ids END AS stack_ids,
       CASE WHEN $3::boolean THEN b.weights END AS weights,
       CASE WHEN $4::boolean THEN COALESCE(b.track_ids, ARRAY[b.track_id]) END AS track_ids
FROM profdepot.sample_blocks b
WHERE b.inst_id = ANY ($1::bigint[])
