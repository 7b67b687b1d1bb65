-- Removes the verdicts of a result set's last check.
DELETE FROM profdepot.budget_verdicts v WHERE v.inst_id = :inst_id::bigint
