-- Replaces a rule and returns its number, or no row if there is no such rule.
UPDATE profdepot.retention_rules AS n
SET application = :application, format = :format, labels = :labels::text[], older_than = :older_than::bigint, keep = :keep::bigint
WHERE n.rule_no = :rule_no::bigint
RETURNING n.rule_no
