-- A metric of samples, summed by stack and track, with each stack's identity. The columns are in binary form.
-- params: inst_id metric
SELECT t.stack_id, s.identity, t.count, t.value::text
FROM profdepot.stack_totals t
LEFT JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = t.stack_id
WHERE t.inst_id = :inst_id::bigint AND t.metric = :metric::text
