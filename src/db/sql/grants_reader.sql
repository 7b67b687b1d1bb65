-- The rights of profdepot_reader, including rights on future tables. The role cannot read jobs, because the service
-- shows a job only to its sender.
GRANT USAGE ON SCHEMA profdepot TO profdepot_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA profdepot TO profdepot_reader;
ALTER DEFAULT PRIVILEGES IN SCHEMA profdepot GRANT SELECT ON TABLES TO profdepot_reader;
REVOKE SELECT ON profdepot.jobs FROM profdepot_reader;
