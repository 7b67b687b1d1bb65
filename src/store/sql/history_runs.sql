-- The runs of an application that are not folded, as of a ledger number, one row per run. history_folded_runs returns
-- these columns, except fold_no, as arrays.
WITH earlier AS MATERIALIZED (
    SELECT DISTINCT ON (e.inst_id) e.inst_id, e.application, e.position, e.ran_at, e.attached_to
    FROM profdepot.earlier_runs e
    WHERE e.ledger_no > :ledger_no::bigint
    ORDER BY e.inst_id, e.ledger_no
),
members AS (
    SELECT p.inst_id, p.position, p.ran_at
    FROM profdepot.published_runs p
    WHERE p.application = :application AND p.attached_to IS NULL AND p.fold_no IS NULL
      AND NOT EXISTS (SELECT FROM earlier e WHERE e.inst_id = p.inst_id)
    UNION ALL
    SELECT e.inst_id, e.position, e.ran_at
    FROM earlier e
    WHERE e.application = :application AND e.attached_to IS NULL
)
SELECT r.inst_id, r.ledger_no, m.position, r.run_key, r.group_key, r.version, r.commit_id, r.tool, m.ran_at,
       array_to_string(r.labels, E'\n') AS labels, r.finished, r.leaks, r.errors, r.races, r.parent_commit_id, r.fold_no
FROM members m
JOIN profdepot.published_runs r ON r.inst_id = m.inst_id
WHERE r.ledger_no <= :ledger_no::bigint
ORDER BY m.position, r.ledger_no
