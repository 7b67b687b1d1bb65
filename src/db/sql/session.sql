-- Settings that every profdepot connection relies on. They override the settings of the
-- environment, the role and the database. TimeZone and lc_messages stay unchanged. pg_catalog is
-- always searched first. pg_temp is last, so that no temporary table hides a relation in the depot.
SET client_encoding = 'UTF8';
SET search_path = profdepot, pg_temp;
SET application_name = 'profdepot';
SET standard_conforming_strings = on;
SET DateStyle = 'ISO';
SET IntervalStyle = 'postgres';
SET bytea_output = 'hex';
SET extra_float_digits = 1;
SET default_transaction_isolation = 'read committed';
SET default_transaction_deferrable = off;
SET transform_null_equals = off;
SET array_nulls = on;
