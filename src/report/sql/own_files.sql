-- Returns whether the result set is closed, and the source files of the own frames of its stacks; at least one row.
SELECT DISTINCT i.state = 'closed', o.source_file
FROM profdepot.instances i
LEFT JOIN profdepot.own_frames o ON o.inst_id = i.inst_id
WHERE i.inst_id = :inst_id::bigint
