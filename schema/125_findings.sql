-- Findings per stream, with the current definition of streams. The history of a parent stream is not included;
-- "profdepot history" adds it. Unfinished runs neither open nor close findings.
CREATE VIEW profdepot.findings AS
WITH runs AS (
    SELECT r.inst_id, r.application, s.labels, r.version, r.finished, r.leaks, r.errors, r.races, g.place
    FROM profdepot.published_runs r
    CROSS JOIN LATERAL (
        SELECT COALESCE(string_agg(k.label, ' ' ORDER BY k.label), '') AS labels
        FROM unnest(COALESCE((SELECT e.labels FROM profdepot.ledger e
                              WHERE e.event = 'labels' AND e.inst_id = r.inst_id
                              ORDER BY e.ledger_no DESC LIMIT 1), r.labels)) k (label)
        WHERE split_part(k.label, '=', 1) = ANY (
            SELECT unnest(string_to_array(t.value, ',')) FROM profdepot.settings t WHERE t.name = 'stream_labels')) s
    CROSS JOIN LATERAL (
        SELECT min(ARRAY[o.position, o.ledger_no]) AS place
        FROM profdepot.published_runs o
        WHERE o.application = r.application
          AND (o.inst_id = r.inst_id OR o.group_key = r.group_key)) g
    WHERE r.attached_to IS NULL
),
looked AS (
    SELECT r.application, r.labels, w.what, r.place, r.inst_id,
           bool_or(w.degree = 'full') AS closes
    FROM runs r
    CROSS JOIN LATERAL (VALUES ('leaks', r.leaks), ('errors', r.errors), ('races', r.races)) w (what, degree)
    WHERE r.finished IS NOT FALSE AND w.degree <> 'none'
    GROUP BY r.application, r.labels, w.what, r.place, r.inst_id
),
seen AS (
    SELECT r.application, r.labels, s.identity, s.kind,
           CASE s.kind WHEN 'leak' THEN 'leaks' WHEN 'race' THEN 'races' WHEN 'lock-order' THEN 'races'
               ELSE 'errors' END AS what,
           r.place, r.inst_id, r.version, s.name, s.class_name, s.module_name, s.routine_class, s.routine_name,
           s.source_file, s.source_line, s.count, s.size
    FROM runs r
    JOIN profdepot.sightings s ON s.inst_id = r.inst_id
    WHERE r.finished IS NOT FALSE
      AND CASE s.kind WHEN 'leak' THEN r.leaks WHEN 'race' THEN r.races WHEN 'lock-order' THEN r.races
              ELSE r.errors END IS DISTINCT FROM 'none'
),
summed AS (
    SELECT s.application, s.labels, s.identity, s.kind, s.what, min(s.place) AS first_place, max(s.place) AS last_place,
           count(DISTINCT s.place) AS runs,
           array_agg(s.count ORDER BY s.place, s.inst_id) AS counts,
           array_agg(s.size ORDER BY s.place, s.inst_id) AS sizes,
           array_agg(s.inst_id ORDER BY s.place, s.inst_id) AS inst_ids
    FROM seen s
    GROUP BY s.application, s.labels, s.identity, s.kind, s.what
)
SELECT f.inst_ids[cardinality(f.inst_ids)] AS inst_id,
       f.application, f.labels, f.identity, f.kind,
       CASE WHEN l.gone THEN 'gone'
            WHEN l.last_any > GREATEST(f.last_place, l.last_looked) THEN 'not looked for'
            WHEN l.returned THEN 'came back'
            WHEN f.first_place = GREATEST(f.last_place, l.last_looked) THEN 'new'
            ELSE 'open' END AS state,
       n.name, n.class_name, n.module_name, n.routine_class, n.routine_name, n.source_file, n.source_line,
       n.count, n.size, f.runs, f.inst_ids[1] AS first_inst_id, l.looked_inst_id, f.inst_ids, f.counts, f.sizes
FROM summed f
CROSS JOIN LATERAL (
    SELECT s.name, s.class_name, s.module_name, s.routine_class, s.routine_name, s.source_file, s.source_line,
           s.count, s.size
    FROM profdepot.sightings s
    WHERE s.inst_id = f.inst_ids[cardinality(f.inst_ids)] AND s.identity = f.identity AND s.kind = f.kind
    LIMIT 1) n
CROSS JOIN LATERAL (
    SELECT COALESCE(bool_or(k.closes AND k.what = f.what AND k.place > f.last_place), false) AS gone,
           COALESCE(bool_or(k.closes AND k.what = f.what AND k.place > f.first_place AND k.place < f.last_place
                            AND NOT EXISTS (SELECT FROM seen s
                                            WHERE s.application = f.application AND s.labels = f.labels
                                              AND s.identity = f.identity AND s.kind = f.kind
                                              AND s.place = k.place)), false) AS returned,
           max(k.place) AS last_any,
           max(k.place) FILTER (WHERE k.what = f.what) AS last_looked,
           (array_agg(k.inst_id ORDER BY k.place DESC, k.inst_id) FILTER (WHERE k.what = f.what))[1] AS looked_inst_id
    FROM looked k
    WHERE k.application = f.application AND k.labels = f.labels) l;
COMMENT ON VIEW profdepot.findings IS 'findings of each stream, with their current states; only "profdepot history" takes reviews, aliases and the history of parent streams into account';
COMMENT ON COLUMN profdepot.findings.inst_id IS 'the newest result set in which the finding was seen';
COMMENT ON COLUMN profdepot.findings.application IS 'application of the stream; empty if not given';
COMMENT ON COLUMN profdepot.findings.labels IS 'labels of the stream, such as branch=main; empty without labels';
COMMENT ON COLUMN profdepot.findings.identity IS 'identity of the finding';
COMMENT ON COLUMN profdepot.findings.kind IS 'kind of the finding';
COMMENT ON COLUMN profdepot.findings.state IS 'new, open, came back, not looked for or gone';
COMMENT ON COLUMN profdepot.findings.name IS 'the detector''s word for the finding; the columns from name to size are from the newest result set in which the finding was seen';
COMMENT ON COLUMN profdepot.findings.class_name IS 'class of the finding';
COMMENT ON COLUMN profdepot.findings.module_name IS 'module of the own frame';
COMMENT ON COLUMN profdepot.findings.routine_class IS 'class of the own frame''s routine';
COMMENT ON COLUMN profdepot.findings.routine_name IS 'routine of the own frame';
COMMENT ON COLUMN profdepot.findings.source_file IS 'source file of the own frame';
COMMENT ON COLUMN profdepot.findings.source_line IS 'line of the own frame';
COMMENT ON COLUMN profdepot.findings.count IS 'blocks, objects or errors';
COMMENT ON COLUMN profdepot.findings.size IS 'bytes; NULL if unknown';
COMMENT ON COLUMN profdepot.findings.runs IS 'number of runs in which the finding was seen';
COMMENT ON COLUMN profdepot.findings.first_inst_id IS 'the first result set in which the finding was seen';
COMMENT ON COLUMN profdepot.findings.looked_inst_id IS 'the newest result set that looked for findings of this kind';
COMMENT ON COLUMN profdepot.findings.inst_ids IS 'the result sets in which the finding was seen, in the order of the runs';
COMMENT ON COLUMN profdepot.findings.counts IS 'count in each of these result sets';
COMMENT ON COLUMN profdepot.findings.sizes IS 'size in each of these result sets';
