-- Findings of runs that are not folded.
SELECT b.inst_id, b.identities, b.names, b.class_names, b.module_names, b.routine_classes, b.routine_names,
       b.source_files, b.source_lines, b.places, b.counts, b.sizes::text[] AS sizes
FROM profdepot.sighting_blocks b
WHERE b.inst_id = ANY (:inst_ids::bigint[])
