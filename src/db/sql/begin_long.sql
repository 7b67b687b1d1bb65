-- Begins a transaction without timeouts, even if the server, the database or the role sets them.
BEGIN;
SELECT pg_catalog.set_config(s.name, '0', true)
FROM pg_catalog.pg_settings AS s
WHERE s.name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout');
