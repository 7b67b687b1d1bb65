-- The runs of an application that are not folded, as of a ledger number, one row per run. history_folded_runs returns
-- these columns, except fold_no, as arrays.
SELECT r.inst_id, r.ledger_no, r.position, r.run_key, r.group_key, r.version, r.commit_id, r.tool, r.ran_at,
       array_to_string(r.labels, E'\n') AS labels, r.finished, r.leaks, r.errors, r.races, r.parent_commit_id, r.fold_no
FROM profdepot.published_runs r
WHERE r.application = :application AND r.ledger_no <= :ledger_no::bigint AND r.attached_to IS NULL AND r.fold_no IS NULL
ORDER BY r.position, r.ledger_no
