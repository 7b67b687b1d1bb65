-- The runs of each fold.
SELECT f.fold_no, f.inst_ids FROM profdepot.folds f WHERE f.application = :application ORDER BY f.fold_no
