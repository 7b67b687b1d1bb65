-- Some findings in runs that are not folded, with the columns of history_block_details. The columns with texts are NULL
-- except in the runs :newest.
SELECT b.inst_id, b.identities[p.at:p.at] AS identities,
       CASE WHEN n.newest THEN b.names[p.at:p.at] END AS names,
       CASE WHEN n.newest THEN b.class_names[p.at:p.at] END AS class_names,
       CASE WHEN n.newest THEN b.module_names[p.at:p.at] END AS module_names,
       CASE WHEN n.newest THEN b.routine_classes[p.at:p.at] END AS routine_classes,
       CASE WHEN n.newest THEN b.routine_names[p.at:p.at] END AS routine_names,
       CASE WHEN n.newest THEN b.source_files[p.at:p.at] END AS source_files,
       b.source_lines[p.at:p.at] AS source_lines, b.places[p.at:p.at] AS places, b.counts[p.at:p.at] AS counts,
       b.sizes[p.at:p.at]::text[] AS sizes
FROM profdepot.sighting_blocks b
CROSS JOIN LATERAL unnest(b.identities) WITH ORDINALITY p (identity, at)
CROSS JOIN LATERAL (SELECT b.inst_id = ANY (:newest::bigint[]) AS newest) n
WHERE b.inst_id = ANY (:inst_ids::bigint[]) AND p.identity = ANY (:identities::uuid[])
