-- Streams, the one with the newest result set first. A run whose result set was removed still belongs to its stream.
-- Labels are text as in a column of kind labels (model/table.h).
WITH published AS MATERIALIZED (
    SELECT p.inst_id, NULLIF(p.application, '') AS application, p.run_key, p.loaded_at,
           (SELECT string_agg(regexp_replace(translate(l.label, chr(30) || chr(31), '  '), '=', chr(31)), chr(30)
                              ORDER BY split_part(l.label, '=', 1))
            FROM unnest(COALESCE(m.labels, p.labels)) l (label)
            JOIN profdepot.settings s
                ON s.name = 'stream_labels' AND split_part(l.label, '=', 1) = ANY (string_to_array(s.value, ','))) AS labels
    FROM profdepot.published_runs p
    LEFT JOIN (SELECT DISTINCT ON (l.inst_id) l.inst_id, l.labels
               FROM profdepot.ledger l
               WHERE l.event = 'labels'
               ORDER BY l.inst_id, l.ledger_no DESC) m ON m.inst_id = p.inst_id
    WHERE p.attached_to IS NULL
),
members AS (
    SELECT i.application, s.labels, i.inst_id AS stored, r.run_key, i.loaded_at
    FROM profdepot.instances i
    LEFT JOIN (SELECT t.inst_id, string_agg(translate(t.key, chr(30) || chr(31), '  ') || chr(31)
                                       || translate(t.value, chr(30) || chr(31), '  '), chr(30) ORDER BY t.key) AS labels
               FROM profdepot.result_set_labels t
               JOIN profdepot.settings n ON n.name = 'stream_labels' AND t.key = ANY (string_to_array(n.value, ','))
               GROUP BY t.inst_id) s ON s.inst_id = i.inst_id
    LEFT JOIN profdepot.runs r ON r.inst_id = i.inst_id
    UNION ALL
    SELECT p.application, p.labels, NULL, p.run_key, p.loaded_at
    FROM published p
    LEFT JOIN profdepot.instances i ON i.inst_id = p.inst_id
    WHERE i.inst_id IS NULL
)
SELECT m.application,
       m.labels,
       count(m.stored) AS result_sets,
       count(*) FILTER (WHERE m.run_key IS NULL) + count(DISTINCT m.run_key) AS runs,
       to_char(min(m.loaded_at), 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS first_loaded,
       to_char(max(m.loaded_at), 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS last_loaded
FROM members m
GROUP BY m.application, m.labels
ORDER BY max(m.loaded_at) DESC, m.application, m.labels
