-- The runs of an application in their order, as of a ledger number, with all labels that they had.
SELECT r.inst_id, r.ledger_no, r.run_key, r.group_key, r.version, r.commit_id, r.tool, r.ran_at, COALESCE(m.labels, r.labels) AS labels,
       r.finished, r.leaks, r.errors, r.races, r.parent_inst_id, r.fold_no
FROM profdepot.published_runs r
LEFT JOIN (SELECT DISTINCT ON (l.inst_id) l.inst_id, l.labels
           FROM profdepot.ledger l
           WHERE l.event = 'labels' AND l.ledger_no <= :ledger_no::bigint
           ORDER BY l.inst_id, l.ledger_no DESC) m ON m.inst_id = r.inst_id
WHERE r.application = :application AND r.ledger_no <= :ledger_no::bigint AND r.attached_to IS NULL
ORDER BY r.position, r.ledger_no
