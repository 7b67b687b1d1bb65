-- Folded sightings, the newest first. If :figures is false, only the last element of each
-- array of figures is read.
SELECT d.fold_no, d.identity, d.kind, d.name, d.class_name, d.module_name, d.routine_class, d.routine_name,
       d.source_file, d.runs, f.source_lines, f.places, f.counts, f.sizes
FROM profdepot.folded_findings d
CROSS JOIN LATERAL (
    SELECT CASE WHEN :figures::boolean THEN d.source_lines ELSE d.source_lines[cardinality(d.runs):] END AS source_lines,
           CASE WHEN :figures THEN d.places ELSE d.places[cardinality(d.runs):] END AS places,
           CASE WHEN :figures THEN d.counts ELSE d.counts[cardinality(d.runs):] END AS counts,
           CASE WHEN :figures THEN d.sizes::text[] ELSE d.sizes[cardinality(d.runs):]::text[] END AS sizes
) f
WHERE d.application = :application
  AND (:low::uuid IS NULL OR d.identity BETWEEN :low AND :high::uuid)
ORDER BY d.fold_no DESC
