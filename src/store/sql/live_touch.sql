-- Locks an open result set until the transaction ends, and marks it with the number of this
-- transaction. `was` is the expected previous mark, which is the number of an earlier transaction.
-- If the previous mark is a different one, returns no row. If `was` is NULL, accepts any mark. `posted` has the counts
-- before this transaction; if it is NULL, the stored counts stay.
UPDATE profdepot.instances i
SET touched = :number::bigint, posted = COALESCE(:posted::bigint[], i.posted)
WHERE i.inst_id = :inst_id::bigint AND i.state = 'open' AND (:was::bigint IS NULL OR i.touched = :was)
RETURNING i.inst_id
