-- Self and inclusive counts and sizes of every routine, as most people would write the query. A routine
-- that recurs in a stack counts once per object.
SELECT r.col_module_name AS module, r.col_class_name AS class, r.col_routine_name AS routine,
       t.count, t.size, t.self_count, t.self_size
FROM (SELECT s.col_routinerid,
             count(*) AS count, sum(o.col_size) AS size,
             count(*) FILTER (WHERE s.top = 0) AS self_count,
             coalesce(sum(o.col_size) FILTER (WHERE s.top = 0), 0) AS self_size
      FROM (SELECT parent_id, col_routinerid, min(rec_id) AS top
            FROM resource_profiler_creation_call_stack
            WHERE inst_id = 1
            GROUP BY 1, 2) s
      JOIN resource_profiler_objects o ON o.inst_id = 1 AND o.id = s.parent_id
      GROUP BY 1) t
JOIN resource_profiler_meta_routines r ON r.inst_id = 1 AND r.rec_id = t.col_routinerid
ORDER BY 4 DESC, 5 DESC
