-- The ledger number at which a result set was published, and the INST_ID of the result set that it repeats, or else
-- its own INST_ID.
SELECT r.ledger_no, r.application, COALESCE(r.attached_to, r.inst_id) FROM profdepot.published_runs r WHERE r.inst_id = :inst_id::bigint
