-- Values of a closed result set by stack. A row has the values of up to 4,096 stacks, packed as in stack_sums. A stack
-- can have several values. `objects` is true if the metric is live_count or live_size.
-- params: inst_id metric objects
SELECT string_agg(int4send(l.stack_id), ''),
       string_agg(CASE :metric::text WHEN 'live_count' THEN l.count::text ELSE COALESCE(l.size, 0)::text END, ' ')
FROM profdepot.live_totals l
WHERE l.inst_id = :inst_id::bigint AND :objects::boolean
GROUP BY l.stack_id / 4096
UNION ALL
SELECT string_agg(int4send(t.stack_id), ''), string_agg(t.value::text, ' ')
FROM profdepot.stack_totals t
WHERE t.inst_id = :inst_id::bigint AND t.metric = :metric::text AND NOT :objects::boolean
GROUP BY t.stack_id / 4096
