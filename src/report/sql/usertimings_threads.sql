-- title: Threads of the Trace
-- params: inst_id like_devtools
-- order: process_place, place
-- column: pid text "Process"
-- column: tid text "Thread"
-- column: name text "Name"
-- column: devtools bool "In DevTools"
-- column: process_place integer "Process Place" machine
-- column: place integer "Place" machine
-- The threads with their names in the trace, by process. If there are several names, the last one counts.
SELECT n.pid, n.tid, n.name, n.devtools, n.process AS process_place, n."order" AS place
FROM profdepot.instances i
CROSS JOIN LATERAL json_array_elements(i.attributes -> 'threads') AS a (item)
CROSS JOIN LATERAL json_to_record(a.item)
    AS n (pid text, tid text, name text, devtools boolean, process bigint, "order" bigint)
WHERE i.inst_id = :inst_id::bigint AND i.format = 'chrome' AND (n.devtools OR NOT COALESCE(:like_devtools::boolean, false))
