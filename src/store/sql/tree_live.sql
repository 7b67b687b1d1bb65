-- Live objects by stack, with arrays in binary form. `metric`: live_count or live_size.
-- params: inst_id metric
SELECT s.routine_ids, t.value::text
FROM (SELECT l.stack_id,
             CASE :metric::text WHEN 'live_count' THEN sum(l.count) ELSE COALESCE(sum(l.size), 0) END AS value
      FROM profdepot.live_totals l
      WHERE l.inst_id = :inst_id::bigint
      GROUP BY l.stack_id) t
LEFT JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = t.stack_id
