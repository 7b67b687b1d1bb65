-- Sightings that are not folded, the newest runs first.
SELECT b.inst_id, b.identities, b.kinds, b.names, b.class_names, b.module_names, b.routine_classes, b.routine_names,
       b.source_files, b.source_lines, b.places, b.counts, b.sizes::text[] AS sizes
FROM profdepot.published_runs r
JOIN profdepot.sighting_blocks b ON b.inst_id = r.inst_id
WHERE r.application = :application AND r.ledger_no <= :ledger_no::bigint AND r.fold_no IS NULL
ORDER BY r.ledger_no DESC, b.block_no
