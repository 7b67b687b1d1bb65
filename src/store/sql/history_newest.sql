-- The newest run that looked for findings.
SELECT r.application, r.inst_id
FROM profdepot.published_runs r
WHERE r.ledger_no <= :ledger_no::bigint AND r.attached_to IS NULL
  AND COALESCE(NULLIF(r.leaks, 'none'), NULLIF(r.errors, 'none'), NULLIF(r.races, 'none')) IS NOT NULL
ORDER BY r.ledger_no DESC
LIMIT 1
