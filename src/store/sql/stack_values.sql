-- Values of a closed result set by stack, in binary. A stack can have several rows. `objects` is true if the metric is
-- live_count or live_size.
-- params: inst_id metric objects
SELECT l.stack_id, CASE :metric::text WHEN 'live_count' THEN l.count::text ELSE l.size::text END
FROM profdepot.live_totals l
WHERE l.inst_id = :inst_id::bigint AND :objects::boolean
UNION ALL
SELECT t.stack_id, t.value::text
FROM profdepot.stack_totals t
WHERE t.inst_id = :inst_id::bigint AND t.metric = :metric::text AND NOT :objects::boolean
