-- Findings of runs that are not folded. If :whole is false, only their identities, counts and sizes.
SELECT b.inst_id, b.identities,
       CASE WHEN :whole::boolean THEN b.names END AS names,
       CASE WHEN :whole::boolean THEN b.class_names END AS class_names,
       CASE WHEN :whole::boolean THEN b.module_names END AS module_names,
       CASE WHEN :whole::boolean THEN b.routine_classes END AS routine_classes,
       CASE WHEN :whole::boolean THEN b.routine_names END AS routine_names,
       CASE WHEN :whole::boolean THEN b.source_files END AS source_files,
       CASE WHEN :whole::boolean THEN b.source_lines END AS source_lines,
       CASE WHEN :whole::boolean THEN b.places END AS places,
       b.counts, b.sizes::text[] AS sizes
FROM profdepot.sighting_blocks b
WHERE b.inst_id = ANY (:inst_ids::bigint[])
