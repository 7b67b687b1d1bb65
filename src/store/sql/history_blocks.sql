-- Which findings were seen in the runs that are not folded, in the order of loads. Reading the kinds
-- takes as long as reading the identities, so the kinds are omitted if only one finding is wanted.
WITH r AS MATERIALIZED (
    SELECT p.inst_id, p.ledger_no
    FROM profdepot.published_runs p
    WHERE p.application = :application AND p.ledger_no <= :ledger_no::bigint AND p.fold_no IS NULL
)
SELECT b.inst_id, b.identities, CASE WHEN NOT :single::boolean THEN b.kinds END AS kinds
FROM r
JOIN profdepot.sighting_blocks b ON b.inst_id = r.inst_id
ORDER BY r.ledger_no, b.block_no
