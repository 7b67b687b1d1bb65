-- Streams, the one with the newest result set first. A run whose result set was removed still belongs to its stream.
-- At most `max_count` result sets and runs are counted. Labels are text as in a column of kind labels (model/table.h).
SELECT s.application,
       s.labels,
       least(sum(s.result_sets), :max_count::bigint) AS result_sets,
       least(sum(s.runs), :max_count::bigint) AS runs,
       to_char(min(s.first_loaded), 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS first_loaded,
       to_char(max(s.last_loaded), 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS last_loaded
FROM profdepot.stream_parts(:max_count::bigint) s
GROUP BY s.application, s.labels
ORDER BY max(s.last_loaded) DESC, s.application, s.labels
