-- For a result set: the ledger number of its publication, its application, and its INST_ID. If it repeats an earlier
-- result set, the last column is the INST_ID of the earlier one instead.
SELECT r.ledger_no, r.application, COALESCE(r.attached_to, r.inst_id) FROM profdepot.published_runs r WHERE r.inst_id = :inst_id::bigint
