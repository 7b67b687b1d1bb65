-- Records the new labels of a run, if the history contains the run.
SELECT profdepot.ledger_next('labels', :inst_id::bigint, profdepot.ledger_labels(:inst_id::bigint))
WHERE EXISTS (SELECT FROM profdepot.published_runs r WHERE r.inst_id = :inst_id::bigint)
