-- Updates statistics that the planner needs for a new result set.
SELECT profdepot.analyze_relations(:inst_id::bigint, :relations::text[])
