-- The same answer as routines.sql, computed object by object, so that nothing large is sorted or
-- hashed. This is the fastest known query.
SELECT r.col_module_name AS module, r.col_class_name AS class, r.col_routine_name AS routine,
       t.count, t.size, t.self_count, t.self_size
FROM (SELECT s.col_routinerid,
             count(*) AS count, sum(o.col_size) AS size,
             count(*) FILTER (WHERE s.top = 0) AS self_count,
             coalesce(sum(o.col_size) FILTER (WHERE s.top = 0), 0) AS self_size
      FROM resource_profiler_objects o
      CROSS JOIN LATERAL (SELECT f.col_routinerid, min(f.rec_id) AS top
                          FROM resource_profiler_creation_call_stack f
                          WHERE f.inst_id = o.inst_id AND f.parent_id = o.id
                          GROUP BY 1) s
      WHERE o.inst_id = 1
      GROUP BY 1) t
JOIN resource_profiler_meta_routines r ON r.inst_id = 1 AND r.rec_id = t.col_routinerid
ORDER BY 4 DESC, 5 DESC
