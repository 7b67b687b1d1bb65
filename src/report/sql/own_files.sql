-- Returns one row for each source file in which a result set has own frames. If there are no own frames, returns
-- one row with NULL. The first column shows whether the result set is closed.
SELECT DISTINCT i.state = 'closed', o.source_file
FROM profdepot.instances i
LEFT JOIN profdepot.own_frames o ON o.inst_id = i.inst_id
WHERE i.inst_id = :inst_id::bigint
