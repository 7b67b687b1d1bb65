-- The current counts of open result sets, one row per result set that has any facts, in the order of inst_id. A count of
-- 0 is NULL, because it would not mean that something was measured. Each relation is summed alone.
SELECT c.inst_id, NULLIF(sum(c.objects), 0)::bigint AS objects, NULLIF(sum(c.errors), 0)::bigint AS errors,
       NULLIF(sum(c.tracks), 0)::bigint AS tracks, NULLIF(sum(c.samples), 0)::bigint AS samples,
       NULLIF(sum(c.spans), 0)::bigint AS spans
FROM (SELECT t.inst_id, sum(t.block_count) AS objects, 0::numeric AS errors, 0::bigint AS tracks, 0::numeric AS samples,
             0::numeric AS spans
      FROM profdepot.resource_profiler_objects t
      WHERE t.inst_id = ANY (:inst_ids::bigint[])
      GROUP BY t.inst_id
      UNION ALL
      SELECT t.inst_id, 0, sum(t.count), 0, 0, 0
      FROM profdepot.resource_profiler_errors t
      WHERE t.inst_id = ANY (:inst_ids::bigint[])
      GROUP BY t.inst_id
      UNION ALL
      SELECT t.inst_id, 0, 0, count(*), 0, 0
      FROM profdepot.tracks t
      WHERE t.inst_id = ANY (:inst_ids::bigint[])
      GROUP BY t.inst_id
      UNION ALL
      SELECT t.inst_id, 0, 0, 0, sum(cardinality(t.stack_ids)), 0
      FROM profdepot.sample_blocks t
      WHERE t.inst_id = ANY (:inst_ids::bigint[])
      GROUP BY t.inst_id
      UNION ALL
      SELECT t.inst_id, 0, 0, 0, count(*), 0
      FROM profdepot.sample_rows t
      WHERE t.inst_id = ANY (:inst_ids::bigint[])
      GROUP BY t.inst_id
      UNION ALL
      SELECT t.inst_id, 0, 0, 0, 0, sum(cardinality(t.ids))
      FROM profdepot.span_blocks t
      WHERE t.inst_id = ANY (:inst_ids::bigint[])
      GROUP BY t.inst_id
      UNION ALL
      SELECT t.inst_id, 0, 0, 0, 0, count(*)
      FROM profdepot.span_rows t
      WHERE t.inst_id = ANY (:inst_ids::bigint[])
      GROUP BY t.inst_id) c
GROUP BY c.inst_id
ORDER BY c.inst_id
