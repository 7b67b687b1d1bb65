-- An open result set's current row counts by relation. As in open_counts, only those posted samples and spans are counted
-- that arrived after the counts in the column posted.
SELECT c.relation, c.rows
FROM (SELECT 'call_graph' AS relation, count(*) AS rows
      FROM profdepot.call_graph t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'further_stacks', count(*)
      FROM profdepot.further_stacks t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'metrics', count(*)
      FROM profdepot.metrics t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'relations', count(*)
      FROM profdepot.relations t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'resource_profiler_classes_data', count(*)
      FROM profdepot.resource_profiler_classes_data t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'resource_profiler_errors', count(*)
      FROM profdepot.resource_profiler_errors t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'resource_profiler_meta_classes_data', count(*)
      FROM profdepot.resource_profiler_meta_classes_data t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'resource_profiler_meta_lines', count(*)
      FROM profdepot.resource_profiler_meta_lines t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'resource_profiler_meta_routines', count(*)
      FROM profdepot.resource_profiler_meta_routines t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'resource_profiler_objects', count(*)
      FROM profdepot.resource_profiler_objects t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'resource_profiler_threads', count(*)
      FROM profdepot.resource_profiler_threads t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'result_set_suppressions', count(*)
      FROM profdepot.result_set_suppressions t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'stacks', count(*)
      FROM profdepot.stacks t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'tracks', count(*)
      FROM profdepot.tracks t
      WHERE t.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'resource_profiler_call_stack', COALESCE(sum(cardinality(s.routine_ids) * o.n), 0)::bigint
      FROM (SELECT t.inst_id, t.stack_id, count(*) AS n
            FROM profdepot.resource_profiler_errors t
            WHERE t.inst_id = :inst_id::bigint
            GROUP BY t.inst_id, t.stack_id) o
      JOIN profdepot.stacks s ON s.inst_id = o.inst_id AND s.stack_id = o.stack_id
      WHERE s.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'resource_profiler_creation_call_stack', COALESCE(sum(cardinality(s.routine_ids) * o.n), 0)::bigint
      FROM (SELECT t.inst_id, t.stack_id, count(*) AS n
            FROM profdepot.resource_profiler_objects t
            WHERE t.inst_id = :inst_id::bigint
            GROUP BY t.inst_id, t.stack_id) o
      JOIN profdepot.stacks s ON s.inst_id = o.inst_id AND s.stack_id = o.stack_id
      WHERE s.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'samples', COALESCE(i.posted[1], 0) + COALESCE(b.n, 0) + r.n
      FROM profdepot.instances i
      CROSS JOIN LATERAL (
          SELECT sum(cardinality(t.stack_ids)) AS n
          FROM profdepot.sample_blocks t
          WHERE t.inst_id = i.inst_id AND t.first_id > COALESCE(i.posted[2], 0)
      ) b
      CROSS JOIN LATERAL (
          SELECT count(*) AS n
          FROM profdepot.sample_rows t
          WHERE t.inst_id = i.inst_id AND t.id > COALESCE(i.posted[2], 0)
      ) r
      WHERE i.inst_id = :inst_id::bigint
      UNION ALL
      SELECT 'spans', COALESCE(i.posted[3], 0) + COALESCE(b.n, 0) + r.n
      FROM profdepot.instances i
      CROSS JOIN LATERAL (
          SELECT sum(cardinality(t.ids)) AS n
          FROM profdepot.span_blocks t
          WHERE t.inst_id = i.inst_id
      ) b
      CROSS JOIN LATERAL (
          SELECT count(*) AS n
          FROM profdepot.span_rows t
          WHERE t.inst_id = i.inst_id AND t.id > COALESCE(i.posted[4], 0)
      ) r
      WHERE i.inst_id = :inst_id::bigint) c
ORDER BY c.relation
