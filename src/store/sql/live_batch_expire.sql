-- Deletes the names of batches that are too old to be sent again.
DELETE FROM profdepot.posted_batches b
WHERE b.stored_at < now() - interval '7 days'
