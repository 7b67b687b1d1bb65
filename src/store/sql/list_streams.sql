-- Streams, the one with the newest result set first.
SELECT s.application,
       s.labels,
       count(*) AS result_sets,
       count(*) FILTER (WHERE r.run_key IS NULL) + count(DISTINCT r.run_key) AS runs,
       to_char(min(i.loaded_at), 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS first_loaded,
       to_char(max(i.loaded_at), 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS last_loaded
FROM profdepot.result_set_streams s
JOIN profdepot.instances i ON i.inst_id = s.inst_id
LEFT JOIN profdepot.runs r ON r.inst_id = s.inst_id
GROUP BY s.application, s.labels
ORDER BY max(i.loaded_at) DESC, s.application, s.labels
