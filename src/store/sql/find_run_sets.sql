-- Result sets of a run in the order in which they were loaded. If a counterpart is given, returns
-- only result sets with the counterpart's format and tool; those that resemble it most come first.
SELECT i.inst_id
FROM profdepot.runs r
JOIN profdepot.instances i ON i.inst_id = r.inst_id
CROSS JOIN (SELECT max(t.inst_id) AS inst_id, max(t.format) AS format, max(t.tool) AS tool,
                   max(t.source_name) AS source_name, max(t.application) AS application
            FROM profdepot.instances t
            WHERE t.inst_id = :counterpart::bigint) n
WHERE r.run_key = :run_key
  AND (n.inst_id IS NULL OR (i.format IS NOT DISTINCT FROM n.format AND i.tool IS NOT DISTINCT FROM n.tool))
ORDER BY i.source_name IS DISTINCT FROM n.source_name AND n.inst_id IS NOT NULL,
         i.application IS DISTINCT FROM n.application AND n.inst_id IS NOT NULL,
         i.loaded_at, i.inst_id
