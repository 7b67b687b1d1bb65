-- The result sets whose labels were changed after their publication, with their labels as of a ledger number.
SELECT DISTINCT ON (l.inst_id) l.inst_id, array_to_string(l.labels, E'\n') AS labels
FROM profdepot.ledger l
WHERE l.event = 'labels' AND l.ledger_no <= :ledger_no::bigint
ORDER BY l.inst_id, l.ledger_no DESC
