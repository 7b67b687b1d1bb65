-- Whether two stacks always have the same identity if their names are equal apart from the folders of modules. This is
-- true if both result sets are closed, no two modules differ only in their folders, and no routine without a module has
-- the same names as a routine with a module. `lines`: whether two stacks always have the same line_identity if also their
-- source files, apart from folders, and their lines are equal. Then a missing module equals no other module.
-- params: inst_id base_id lines
WITH modules AS MATERIALIZED (
    SELECT DISTINCT COALESCE(r.col_module_name, '') AS name
    FROM profdepot.resource_profiler_meta_routines r
    WHERE r.inst_id IN (:inst_id::bigint, :base_id::bigint)
),
open_sets AS MATERIALIZED (
    SELECT i.inst_id FROM profdepot.instances i
    WHERE i.inst_id IN (:inst_id::bigint, :base_id::bigint) AND i.state <> 'closed'
),
twins AS MATERIALIZED (
    SELECT r.col_routine_name
    FROM profdepot.resource_profiler_meta_routines r
    WHERE r.inst_id IN (:inst_id::bigint, :base_id::bigint)
      AND r.col_routine_name <> '??' AND r.col_routine_name NOT LIKE '0x%'
    GROUP BY r.col_routine_name, COALESCE(r.col_class_name, '')
    HAVING bool_or(COALESCE(r.col_module_name, '') = '') AND bool_or(r.col_module_name <> '')
    LIMIT 1
),
moved AS MATERIALIZED (
    SELECT r.col_routine_name
    FROM profdepot.resource_profiler_meta_routines r
    WHERE r.inst_id IN (:inst_id::bigint, :base_id::bigint) AND :lines::boolean
    GROUP BY COALESCE(r.col_module_name, ''), COALESCE(r.col_class_name, ''), r.col_routine_name,
             regexp_replace(COALESCE(r.col_source_file, ''), '^.*[/\\]', '')
    HAVING count(DISTINCT COALESCE(r.col_source_file, '')) > 1
    LIMIT 1
)
SELECT NOT EXISTS (SELECT FROM open_sets)
   AND NOT EXISTS (SELECT FROM modules m
                   GROUP BY regexp_replace(m.name, '^.*[/\\]', '') HAVING count(*) > 1)
   AND NOT EXISTS (SELECT FROM moved)
   AND (:lines::boolean
        OR NOT EXISTS (SELECT FROM modules m WHERE m.name = '')
        OR NOT EXISTS (SELECT FROM modules m WHERE m.name <> '')
        OR NOT EXISTS (SELECT FROM twins))
