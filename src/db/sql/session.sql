-- What every connection of profdepot relies on, whatever the environment, the role or the database
-- set. TimeZone and lc_messages stay unchanged. pg_catalog is searched first without being named;
-- pg_temp is last so that no temporary table hides a relation of the depot.
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
