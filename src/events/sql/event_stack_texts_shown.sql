-- Stack texts, as in event_stack_texts, but only for the rows in p, which are shown.
SELECT f.inst_id, f.stack_id, string_agg(m.col_routine_name, ';' ORDER BY f.n) AS stack
FROM (
    SELECT s.inst_id, s.stack_id, unnest(s.routine_ids) AS routine_id, generate_subscripts(s.routine_ids, 1) AS n
    FROM (SELECT DISTINCT p.inst_id, p.stack_id FROM p WHERE p.stack_id IS NOT NULL) d
    JOIN profdepot.stacks s ON s.inst_id = d.inst_id AND s.stack_id = d.stack_id
) f
JOIN profdepot.resource_profiler_meta_routines m ON m.inst_id = f.inst_id AND m.rec_id = f.routine_id
GROUP BY f.inst_id, f.stack_id
