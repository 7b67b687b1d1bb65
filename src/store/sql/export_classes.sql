-- Class counters of one result set, sorted by ID.
-- params: inst_id number
SELECT t.col_class_name,
       t.col_live_count,
       t.col_live_size,
       t.col_module_name,
       t.col_peak_created,
       t.col_peak_size,
       t.col_total_created,
       t.col_total_size,
       t.id,
       :number::bigint AS inst_id,
       t.parent_id,
       t.rec_id
FROM profdepot.resource_profiler_classes_data t
WHERE t.inst_id = :inst_id::bigint
ORDER BY t.id
