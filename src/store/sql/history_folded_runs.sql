-- The runs of each fold.
SELECT f.inst_ids, f.ledger_nos, f.positions, f.run_keys, f.group_keys, f.versions, f.commit_ids, f.tools, f.ran_at, f.labels,
       f.finished, f.leaks, f.errors, f.races, f.parent_commit_ids, f.fold_no
FROM profdepot.folds f
WHERE f.application = :application
ORDER BY f.fold_no
