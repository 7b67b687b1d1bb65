-- Stores the name of a batch. Returns no row if another server has stored the name. `again` is true if
-- a batch with this name was removed.
INSERT INTO profdepot.posted_batches (batch_id, digest, inst_ids)
VALUES (:name, :digest::uuid, :inst_ids::bigint[])
ON CONFLICT (batch_id) DO UPDATE
SET digest = excluded.digest, inst_ids = excluded.inst_ids, stored_at = excluded.stored_at
WHERE :again::boolean
RETURNING batch_id
