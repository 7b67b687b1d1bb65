-- The verdicts of a result set's last recorded check.
SELECT v.verdict, v.budget, v.reason
FROM profdepot.budget_verdicts v
WHERE v.inst_id = :inst_id::bigint
ORDER BY v.budget_no
