-- The batch with this name, and the result sets that its rows belong to.
SELECT b.digest::text, b.inst_ids
FROM profdepot.posted_batches b
WHERE b.batch_id = :name
