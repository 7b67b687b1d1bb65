-- Begins a transaction without timeouts, even if the server, the database or the role sets them.
BEGIN;
SELECT pg_catalog.set_config(t.name, '0', true)
FROM (VALUES ('statement_timeout'), ('lock_timeout'), ('idle_in_transaction_session_timeout'), ('transaction_timeout'))
    AS t (name)
WHERE pg_catalog.current_setting(t.name, true) IS NOT NULL;
