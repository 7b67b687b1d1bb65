-- Deletes servers that ended without cleaning up. One that only had nothing to store adds its row again.
DELETE FROM profdepot.posted_progress p
WHERE p.changed_at < now() - interval '7 days'
