-- Adds a rule and returns its number.
INSERT INTO profdepot.retention_rules AS n (rule_no, application, format, labels, older_than, keep)
SELECT 1 + COALESCE(max(r.rule_no), 0), :application, :format, :labels::text[], :older_than::bigint, :keep::bigint
FROM profdepot.retention_rules r
RETURNING n.rule_no
