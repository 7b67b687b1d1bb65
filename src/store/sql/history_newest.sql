-- As of a ledger number: the newest run that looked for findings, or may have looked for them.
WITH earlier AS MATERIALIZED (
    SELECT DISTINCT ON (e.inst_id) e.inst_id, e.application, e.attached_to
    FROM profdepot.earlier_runs e
    WHERE e.ledger_no > :ledger_no::bigint
    ORDER BY e.inst_id, e.ledger_no
)
SELECT COALESCE(e.application, r.application) AS application, r.inst_id
FROM profdepot.published_runs r
LEFT JOIN earlier e ON e.inst_id = r.inst_id
WHERE r.ledger_no <= :ledger_no::bigint AND CASE WHEN e.inst_id IS NULL THEN r.attached_to ELSE e.attached_to END IS NULL
  AND (r.leaks IS DISTINCT FROM 'none' OR r.errors IS DISTINCT FROM 'none' OR r.races IS DISTINCT FROM 'none')
ORDER BY r.ledger_no DESC
LIMIT 1
