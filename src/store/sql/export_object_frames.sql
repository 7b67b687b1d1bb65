-- Frames of one result set's objects, sorted by ID. Used only if the frames' IDs are not consecutive.
-- params: inst_id number
SELECT t.col_hit_count,
       t.col_linerid,
       t.col_routinerid,
       t.id,
       :number::bigint AS inst_id,
       t.parent_id,
       t.rec_id
FROM profdepot.resource_profiler_creation_call_stack t
WHERE t.inst_id = :inst_id::bigint
ORDER BY t.id
