-- Whether the stored costs of routines say everything that the stacks say: they are sums of stacks, no frame has a line
-- of its own, and no routine is missing because its cost is 0. Without the order, the planner would read the sums of all
-- result sets, because it expects to find such a cost soon.
-- params: inst_id metric
SELECT NOT EXISTS (SELECT FROM profdepot.call_graph g WHERE g.inst_id = :inst_id::bigint)
   AND NOT EXISTS (SELECT FROM profdepot.resource_profiler_meta_lines l WHERE l.inst_id = :inst_id::bigint)
   AND (SELECT t.stack_id FROM profdepot.stack_totals t
        WHERE t.inst_id = :inst_id::bigint AND t.metric = :metric::text AND t.value <= 0
        ORDER BY t.class, t.stack_id LIMIT 1) IS NULL
