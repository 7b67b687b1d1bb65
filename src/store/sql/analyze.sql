-- Updates statistics that the planner needs for a new result set.
SELECT profdepot.analyze_relations(i.inst_id, :relations::text[])
FROM profdepot.instances i
WHERE i.inst_id = :inst_id::bigint
