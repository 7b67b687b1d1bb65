-- Folded sightings, the newest first. Figures are only needed for single findings: without :identity, only the last
-- element of each of their arrays is read.
SELECT d.fold_no, d.identity, d.kind, d.name, d.class_name, d.module_name, d.routine_class, d.routine_name,
       d.source_file, d.runs, f.source_lines, f.places, f.counts, f.sizes
FROM profdepot.folded_findings d
CROSS JOIN LATERAL (
    SELECT CASE WHEN :low::uuid IS NULL THEN d.source_lines[cardinality(d.runs):] ELSE d.source_lines END AS source_lines,
           CASE WHEN :low::uuid IS NULL THEN d.places[cardinality(d.runs):] ELSE d.places END AS places,
           CASE WHEN :low::uuid IS NULL THEN d.counts[cardinality(d.runs):] ELSE d.counts END AS counts,
           CASE WHEN :low::uuid IS NULL THEN d.sizes[cardinality(d.runs):]::text[] ELSE d.sizes::text[] END AS sizes
) f
WHERE d.application = :application
  AND (:low::uuid IS NULL OR d.identity BETWEEN :low AND :high::uuid)
ORDER BY d.fold_no DESC
