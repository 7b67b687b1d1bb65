-- The frames of a stack.
SELECT f.module_name, f.class_name, f.routine_name, f.source_file, f.source_line
FROM profdepot.stack_frames f
WHERE f.inst_id = :inst_id::bigint AND f.stack_id = :stack_id::integer
ORDER BY f.position
