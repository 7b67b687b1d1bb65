-- Live objects by stack, arrays in binary. $1 inst_id, $2 metric: live_count
-- or live_size.
SELECT s.routine_ids, t.value::text
FROM (SELECT l.stack_id,
             CASE $2::text WHEN 'live_count' THEN sum(l.count) ELSE sum(l.size) END AS value
      FROM profdepot.live_totals l
      WHERE l.inst_id = $1::bigint
      GROUP BY l.stack_id) t
LEFT JOIN profdepot.stacks s ON s.inst_id = $1::bigint AND s.stack_id = t.stack_id
