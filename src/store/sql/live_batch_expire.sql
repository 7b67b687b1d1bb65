-- Deletes batches whose senders will not repeat them.
DELETE FROM profdepot.posted_batches b
WHERE b.stored_at < now() - interval '7 days'
