-- Notes a batch; no row: another server did. $1: name, $2: digest, $3: result sets,
-- $4: t when one of that name was removed.
INSERT INTO profdepot.posted_batches (batch_id, digest, inst_ids)
VALUES ($1, $2::uuid, $3::bigint[])
ON CONFLICT (batch_id) DO UPDATE
SET digest = excluded.digest, inst_ids = excluded.inst_ids, stored_at = now()
WHERE $4::boolean
RETURNING batch_id
