-- title: Trace
-- layout: records
-- params: inst_id like_devtools
-- column: form text "Form"
-- column: events integer count "Events"
-- column: min decimal microseconds "From"
-- column: max decimal microseconds "To"
-- column: refused text "Rejected by DevTools"
-- The file as a whole: its start and end as DevTools computes them, and the reason if DevTools rejects
-- the file.
SELECT a.form, a.events, a.min, a.max, CASE WHEN json_array_length(a."devtoolsRefuses") > 0 THEN
           (SELECT string_agg(r.reason, '; ') FROM json_array_elements_text(a."devtoolsRefuses") AS r (reason))
           END AS refused
FROM profdepot.instances i
CROSS JOIN LATERAL json_to_record(i.attributes)
    AS a (form text, events bigint, min numeric, max numeric, "devtoolsRefuses" json)
WHERE i.inst_id = :inst_id::bigint AND i.format = 'chrome' AND (:like_devtools::boolean IS NULL OR true)
