-- The newest run that looked for findings, or may have looked for them.
SELECT r.application, r.inst_id
FROM profdepot.published_runs r
WHERE r.ledger_no <= :ledger_no::bigint AND r.attached_to IS NULL
  AND (r.leaks IS DISTINCT FROM 'none' OR r.errors IS DISTINCT FROM 'none' OR r.races IS DISTINCT FROM 'none')
ORDER BY r.ledger_no DESC
LIMIT 1
