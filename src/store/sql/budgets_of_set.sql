-- The application of a result set, and the budgets that apply to it: its application's, or else those for all other applications.
SELECT i.application, b.document
FROM profdepot.instances i
LEFT JOIN profdepot.budgets b ON b.application IN ('', COALESCE(i.application, ''))
WHERE i.inst_id = :inst_id::bigint
ORDER BY b.application DESC NULLS LAST
LIMIT 1
