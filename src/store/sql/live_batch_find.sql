-- The batch with that name, and whether any of its result sets still exists.
SELECT b.digest::text,
       cardinality(b.inst_ids) = 0 OR EXISTS (
           SELECT FROM profdepot.instances i WHERE i.inst_id = ANY (b.inst_ids)) AS there
FROM profdepot.posted_batches b
WHERE b.batch_id = :name
