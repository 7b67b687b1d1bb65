-- Leaks, grouped by class, module and stack. Most people would write the query in this way.
WITH stack AS (
    SELECT parent_id, string_agg(col_routinerid || ':' || col_linerid, ' ' ORDER BY rec_id) AS frames
    FROM resource_profiler_creation_call_stack
    WHERE inst_id = 1
    GROUP BY parent_id
)
SELECT m.col_class_name AS class, m.col_module_name AS module, s.frames,
       count(*) AS count, sum(o.col_size) AS size
FROM resource_profiler_objects o
LEFT JOIN resource_profiler_meta_classes_data m
    ON m.inst_id = o.inst_id AND m.rec_id = o.col_classrid
LEFT JOIN stack s ON s.parent_id = o.id
WHERE o.inst_id = 1
GROUP BY 1, 2, 3
ORDER BY 4 DESC, 5 DESC
