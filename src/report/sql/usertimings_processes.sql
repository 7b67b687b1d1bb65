-- title: Processes of the Trace
-- params: inst_id like_devtools
-- order: place
-- column: pid text "Process"
-- column: name text "Name"
-- column: place integer "Place" machine
-- The processes with their names in the trace. If there are several names, the last one counts.
SELECT n.pid, n.name, n."order" AS place
FROM profdepot.instances i
CROSS JOIN LATERAL json_array_elements(i.attributes -> 'processes') AS a (item)
CROSS JOIN LATERAL json_to_record(a.item)
    AS n (pid text, name text, "order" bigint)
WHERE i.inst_id = :inst_id::bigint AND i.format = 'chrome' AND (:like_devtools::boolean IS NULL OR true)
