-- Which findings were seen in the runs that are not folded, in the order of loads.
SELECT b.inst_id, b.identities, b.kinds
FROM profdepot.published_runs r
JOIN profdepot.sighting_blocks b ON b.inst_id = r.inst_id
WHERE r.application = :application AND r.ledger_no <= :ledger_no::bigint AND r.fold_no IS NULL
ORDER BY r.ledger_no, b.block_no
