-- Batches whose senders will not come again.
DELETE FROM profdepot.posted_batches b
WHERE b.stored_at < now() - interval '7 days'
