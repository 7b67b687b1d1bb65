-- Changes the application of a result set. An empty name removes the application.
UPDATE profdepot.instances i
SET application = NULLIF(:application, '')
WHERE i.inst_id = :inst_id::bigint
