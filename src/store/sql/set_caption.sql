-- Names a result set anew; what was exported stays in source_caption. $1 number, $2 caption.
UPDATE profdepot.instances i
SET caption = $2
WHERE i.inst_id = $1::bigint
