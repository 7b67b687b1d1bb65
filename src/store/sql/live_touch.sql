-- Holds an open result set until the transaction ends, if nobody else changed it.
-- $1: its number, $2: the transaction that changed it last; NULL: whichever did.
UPDATE profdepot.instances i
SET state = i.state
WHERE i.inst_id = $1::bigint AND i.state = 'open' AND ($2::text IS NULL OR i.xmin::text = $2)
RETURNING i.inst_id
