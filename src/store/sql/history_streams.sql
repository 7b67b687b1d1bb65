-- Returns how streams were defined at a ledger number: the keys of labels that tell streams apart, and the labels of parents.
SELECT array_to_string(COALESCE((SELECT l.labels FROM profdepot.ledger l
                 WHERE l.event = 'stream labels' AND l.ledger_no <= :ledger_no::bigint
                 ORDER BY l.ledger_no DESC LIMIT 1), '{branch}'), ' ') AS keys,
       array_to_string(COALESCE((SELECT l.labels FROM profdepot.ledger l
                                 WHERE l.event = 'stream parent' AND l.ledger_no <= :ledger_no::bigint
                                 ORDER BY l.ledger_no DESC LIMIT 1), '{branch=main}'), ' ') AS parent
