-- title: Navigations
-- params: inst_id like_devtools
-- order: start, url
-- column: start decimal microseconds "Time"
-- column: url text "URL"
-- column: navigation_id text "Navigation"
-- column: frame text "Frame"
-- column: pid text "Process"
-- column: devtools bool "In DevTools"
-- The navigations of pages. DevTools leaves out repeated navigations and navigations without a URL or in an unknown
-- frame.
SELECT CASE json_typeof(n.ts) WHEN 'number' THEN n.ts::text::numeric END AS start, n.url, n."navigationId" AS navigation_id, n.frame, n.pid, n.devtools
FROM profdepot.instances i
CROSS JOIN LATERAL json_array_elements(i.attributes -> 'navigations') AS a (item)
CROSS JOIN LATERAL json_to_record(a.item)
    AS n (ts json, url text, "navigationId" text, frame text, pid text, devtools boolean)
WHERE i.inst_id = :inst_id::bigint AND i.format = 'chrome' AND (n.devtools OR NOT COALESCE(:like_devtools::boolean, false))
