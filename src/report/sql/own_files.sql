-- Returns the source files of the own frames of a result set's stacks, one row each, or one row with NULL if there
-- are none. The first column shows whether the result set is closed.
SELECT DISTINCT i.state = 'closed', o.source_file
FROM profdepot.instances i
LEFT JOIN profdepot.own_frames o ON o.inst_id = i.inst_id
WHERE i.inst_id = :inst_id::bigint
