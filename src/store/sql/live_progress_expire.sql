-- Deletes the rows of servers that ended without cleaning up. A running server that had nothing to store for a
-- week recreates its row later.
DELETE FROM profdepot.posted_progress p
WHERE p.changed_at < now() - interval '7 days'
