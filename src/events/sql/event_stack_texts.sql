-- The text of each distinct stack, innermost frame first. The functions are in the SELECT list. If a
-- function were in FROM, the planner would join all routines again for each stack.
SELECT f.inst_id, f.stack_id, string_agg(m.col_routine_name, ';' ORDER BY f.n) AS stack
FROM (
    SELECT s.inst_id, s.stack_id, unnest(s.routine_ids) AS routine_id, generate_subscripts(s.routine_ids, 1) AS n
    FROM profdepot.stacks s
    WHERE s.inst_id = ANY (:inst_ids::bigint[])
) f
JOIN profdepot.resource_profiler_meta_routines m ON m.inst_id = f.inst_id AND m.rec_id = f.routine_id
GROUP BY f.inst_id, f.stack_id
