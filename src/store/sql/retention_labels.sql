-- The labels of a rule, one row per label.
SELECT unnest(r.labels) FROM profdepot.retention_rules r WHERE r.rule_no = :rule_no::bigint
