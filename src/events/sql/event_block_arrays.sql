-- Event blocks as they are stored. The service sums them. If SQL unnested the blocks, this step would take
-- longer than the rest of a query. "plain" means that the weights are whole numbers. The "with_" parameters
-- select the arrays to return.
SELECT b.inst_id, b.first_id, cardinality(b.stack_ids) AS count,
       b.value_unit = 1 AND b.weights IS NOT NULL AS plain,
       CASE WHEN :with_stacks::boolean THEN b.stack_ids END AS stack_ids,
       CASE WHEN :with_weights::boolean THEN b.weights END AS weights,
       CASE WHEN :with_tracks::boolean THEN COALESCE(b.track_ids, ARRAY[b.track_id]) END AS track_ids
FROM profdepot.sample_blocks b
WHERE b.inst_id = ANY (:inst_ids::bigint[])
