-- Servers that ended without a word; one that only had nothing to store adds its row anew.
DELETE FROM profdepot.posted_progress p
WHERE p.changed_at < now() - interval '7 days'
