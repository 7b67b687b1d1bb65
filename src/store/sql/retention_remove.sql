-- Deletes rules and returns their numbers.
DELETE FROM profdepot.retention_rules r WHERE r.rule_no = ANY (:rules::bigint[])
RETURNING r.rule_no
