-- The call graph of one result set. $1: its number; $2 is not used.
SELECT t.id,
       t.kind,
       t.routine_id,
       t.source_file,
       t.source_line,
       t.target_id,
       t.target_line,
       t.count,
       t.followed,
       t.metric_no,
       t.costs
FROM profdepot.call_graph t
WHERE t.inst_id = $1::bigint AND $2::bigint IS NOT NULL
ORDER BY t.id
