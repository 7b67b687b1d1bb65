-- Reads rows of folded findings, the oldest fold first. :identities and :folds contain the keys of the rows.
SELECT d.fold_no, d.identity, d.runs, d.wordings, d.names, d.class_names, d.module_names, d.routine_classes,
       d.routine_names, d.source_files, d.source_lines, d.places, d.counts, d.sizes::text[] AS sizes
FROM unnest(:identities::uuid[], :folds::integer[]) w (identity, fold_no)
JOIN profdepot.folded_findings d
    ON d.application = :application AND d.identity = w.identity AND d.fold_no = w.fold_no
ORDER BY d.fold_no
