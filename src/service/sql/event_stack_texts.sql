-- Each distinct stack's text, innermost frame first.
SELECT s.inst_id, s.stack_id, string_agg(m.col_routine_name, ';' ORDER BY f.n) AS stack
FROM profdepot.stacks s
CROSS JOIN LATERAL unnest(s.routine_ids) WITH ORDINALITY AS f (routine_id, n)
JOIN profdepot.resource_profiler_meta_routines m ON m.inst_id = s.inst_id AND m.rec_id = f.routine_id
WHERE s.inst_id = ANY ($1::bigint[])
GROUP BY s.inst_id, s.stack_id
