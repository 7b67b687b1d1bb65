-- Frame names in the result sets.
SELECT m.inst_id, m.rec_id, m.col_routine_name
FROM profdepot.resource_profiler_meta_routines m
WHERE m.inst_id = ANY (:inst_ids::bigint[])
