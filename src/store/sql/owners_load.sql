-- The newest version of the owners file at or before a ledger number; NULL: the newest of all.
SELECT o.content
FROM profdepot.owner_files o
WHERE :ledger_no::bigint IS NULL OR o.ledger_no <= :ledger_no::bigint
ORDER BY o.ledger_no DESC
LIMIT 1
