-- The same for the stacks of the rows that are shown.
SELECT d.inst_id, d.stack_id, string_agg(m.col_routine_name, ';' ORDER BY f.n) AS stack
FROM (SELECT DISTINCT p.inst_id, p.stack_id FROM p WHERE p.stack_id IS NOT NULL) d
JOIN profdepot.stacks s ON s.inst_id = d.inst_id AND s.stack_id = d.stack_id
CROSS JOIN LATERAL unnest(s.routine_ids) WITH ORDINALITY AS f (routine_id, n)
JOIN profdepot.resource_profiler_meta_routines m ON m.inst_id = s.inst_id AND m.rec_id = f.routine_id
GROUP BY d.inst_id, d.stack_id
