-- Stores a batch's name; no row if another server did. `again`: a batch of that name was removed.
INSERT INTO profdepot.posted_batches (batch_id, digest, inst_ids)
VALUES (:name, :digest::uuid, :inst_ids::bigint[])
ON CONFLICT (batch_id) DO UPDATE
SET digest = excluded.digest, inst_ids = excluded.inst_ids, stored_at = now()
WHERE :again::boolean
RETURNING batch_id
