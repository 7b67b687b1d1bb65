-- The runs of an application in their order, as of a ledger number. `labels` has only the labels that separate
-- streams, such as "branch=main".
SELECT r.inst_id, r.ledger_no, r.run_key, r.group_key, r.version, r.commit_id, r.parent_commit_id, r.caption, r.format, r.tool,
       to_char(r.ran_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS ran_at,
       (SELECT string_agg(k.label, ' ' ORDER BY k.label)
        FROM unnest(COALESCE(m.labels, r.labels)) k (label)
        WHERE split_part(k.label, '=', 1) = ANY (:keys::text[])) AS labels,
       r.finished, r.leaks, r.errors, r.races, COALESCE(r.parent_inst_id, 0) AS parent_inst_id
FROM profdepot.published_runs r
LEFT JOIN (SELECT DISTINCT ON (l.inst_id) l.inst_id, l.labels
           FROM profdepot.ledger l
           WHERE l.event = 'labels' AND l.ledger_no <= :ledger_no::bigint
           ORDER BY l.inst_id, l.ledger_no DESC) m ON m.inst_id = r.inst_id
WHERE r.application = :application AND r.ledger_no <= :ledger_no::bigint AND r.attached_to IS NULL
ORDER BY r.position, r.ledger_no
