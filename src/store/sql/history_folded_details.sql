-- Reads rows of folded findings, the oldest fold first. :identities and :folds contain the keys of the rows. If :whole
-- is false, the columns with texts, lines and places are NULL.
SELECT d.fold_no, d.identity, d.runs,
       CASE WHEN :whole::boolean THEN d.wordings END AS wordings,
       CASE WHEN :whole::boolean THEN d.names END AS names,
       CASE WHEN :whole::boolean THEN d.class_names END AS class_names,
       CASE WHEN :whole::boolean THEN d.module_names END AS module_names,
       CASE WHEN :whole::boolean THEN d.routine_classes END AS routine_classes,
       CASE WHEN :whole::boolean THEN d.routine_names END AS routine_names,
       CASE WHEN :whole::boolean THEN d.source_files END AS source_files,
       CASE WHEN :whole::boolean THEN d.source_lines END AS source_lines,
       CASE WHEN :whole::boolean THEN d.places END AS places,
       d.counts, d.sizes::text[] AS sizes
FROM unnest(:identities::uuid[], :folds::integer[]) w (identity, fold_no)
JOIN profdepot.folded_findings d
    ON d.application = :application AND d.identity = w.identity AND d.fold_no = w.fold_no
ORDER BY d.fold_no
