-- Adds a rule and returns its number.
INSERT INTO profdepot.retention_rules AS n (rule_no, application, format, labels, older_than, keep)
VALUES (:rule_no::bigint, :application, :format, :labels::text[], :older_than::bigint, :keep::bigint)
RETURNING n.rule_no
