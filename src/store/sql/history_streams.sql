-- The definition of streams as of a ledger number: keys of labels, and labels of the parent.
SELECT array_to_string(COALESCE((SELECT l.labels FROM profdepot.ledger l
                 WHERE l.event = 'stream labels' AND l.ledger_no <= :ledger_no::bigint
                 ORDER BY l.ledger_no DESC LIMIT 1), '{branch}'), ' ') AS keys,
       array_to_string(COALESCE((SELECT l.labels FROM profdepot.ledger l
                                 WHERE l.event = 'stream parent' AND l.ledger_no <= :ledger_no::bigint
                                 ORDER BY l.ledger_no DESC LIMIT 1), '{branch=main}'), ' ') AS parent
