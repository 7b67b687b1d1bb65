-- The ledger number at which a result set was published.
SELECT r.ledger_no, r.application FROM profdepot.published_runs r WHERE r.inst_id = :inst_id::bigint
