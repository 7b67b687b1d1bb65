-- Flame graphs, and stacks as text, for analysts and dashboards.

CREATE VIEW profdepot.routine_label_rows AS
SELECT r.inst_id, r.rec_id, r.id,
       CASE WHEN r.col_routine_name <> ''
            THEN COALESCE(NULLIF(r.col_class_name, '') || '.', '') || r.col_routine_name
            WHEN r.col_module_name <> '' THEN '[' || r.col_module_name || ']'
            ELSE '(unknown)' END AS label
FROM profdepot.resource_profiler_meta_routines r
WHERE r.rec_id IS NOT NULL;
COMMENT ON VIEW profdepot.routine_label_rows IS 'routine rows with their flame graph labels';
COMMENT ON COLUMN profdepot.routine_label_rows.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.routine_label_rows.rec_id IS 'REC_ID of the routine; several rows may share a REC_ID';
COMMENT ON COLUMN profdepot.routine_label_rows.id IS 'ID of the row; if several rows share a REC_ID, the lowest ID counts';
COMMENT ON COLUMN profdepot.routine_label_rows.label IS 'Class.routine; [module] if the routine has no name; (unknown) if it has no module either';

CREATE VIEW profdepot.routine_labels AS
SELECT DISTINCT ON (r.inst_id, r.rec_id)
       r.inst_id, r.rec_id, r.label
FROM profdepot.routine_label_rows r
ORDER BY r.inst_id, r.rec_id, r.id;
COMMENT ON VIEW profdepot.routine_labels IS 'routine labels for flame graphs';
COMMENT ON COLUMN profdepot.routine_labels.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.routine_labels.rec_id IS 'REC_ID of the routine; if several rows share a REC_ID, the first row counts';
COMMENT ON COLUMN profdepot.routine_labels.label IS 'Class.routine; [module] if the routine has no name; (unknown) if it has no module either';

CREATE FUNCTION profdepot.stack_text(p_inst_id bigint, p_stack_id integer) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT string_agg(replace(COALESCE(l.label, '(unknown)'), ';', ':'), ';'
                          ORDER BY f.position DESC)
        FROM profdepot.stacks s
        CROSS JOIN LATERAL unnest(s.routine_ids) WITH ORDINALITY AS f (routine_id, position)
        LEFT JOIN profdepot.routine_labels l
            ON l.inst_id = p_inst_id AND l.rec_id = f.routine_id
        WHERE s.inst_id = p_inst_id AND s.stack_id = p_stack_id);
END;
$$;
COMMENT ON FUNCTION profdepot.stack_text(bigint, integer) IS 'a stack in one line, as in folded stacks: labels of its frames from the outermost to the innermost, separated by semicolons (a semicolon in a label becomes a colon); NULL if there is no such stack';

-- The values of omitted calls are added to the self value of their caller.
CREATE FUNCTION profdepot.flame(p_inst_id bigint, p_metric text DEFAULT NULL,
    p_max_nodes integer DEFAULT 8192)
RETURNS TABLE (level integer, value double precision, self double precision, label text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    metric integer;
BEGIN
    SELECT m.metric_no INTO metric
    FROM profdepot.metrics m
    WHERE m.inst_id = p_inst_id AND (p_metric IS NULL OR m.name = p_metric)
    ORDER BY profdepot.metric_rank(m.family), m.metric_no
    LIMIT 1;
    IF p_max_nodes >= 65536 OR p_max_nodes = 8192 THEN -- call_tree stores the self values for these two limits
        RETURN QUERY
        -- Takes the first of the routines that share a REC_ID. This is faster than the view, which
        -- sorts all routines.
        SELECT DISTINCT ON (t.node) t.depth, t.total::double precision, t.self::double precision,
               CASE WHEN t.node = 0 THEN 'all' ELSE COALESCE(r.label, '(unknown)') END
        FROM profdepot.call_tree_blocks b
        CROSS JOIN LATERAL ROWS FROM (generate_series(0, cardinality(b.nodes) - 1),
            unnest(b.nodes, b.depths, b.routine_ids, b.totals,
                CASE WHEN p_max_nodes = 8192 THEN COALESCE(b.cut_selfs, b.selfs) ELSE b.selfs END))
            AS t (n, node, depth, routine_id, total, self)
        LEFT JOIN profdepot.routine_label_rows r
            ON r.inst_id = p_inst_id AND r.rec_id = t.routine_id
        WHERE b.inst_id = p_inst_id AND b.metric_no = metric AND b.first_rank < p_max_nodes
          AND b.first_rank + t.n < p_max_nodes
        ORDER BY t.node, r.id;
    ELSE
        RETURN QUERY
        -- Sums of doubles are exact for integers, and are four times as fast as sums of the type numeric.
        WITH widest AS MATERIALIZED (
            SELECT t.node, t.parent, t.depth, t.routine_id, t.total::double precision AS total
            FROM profdepot.call_tree_blocks b
            CROSS JOIN LATERAL ROWS FROM (generate_series(0, cardinality(b.nodes) - 1),
                unnest(b.nodes, b.parents, b.depths, b.routine_ids, b.totals))
                AS t (n, node, parent, depth, routine_id, total)
            WHERE b.inst_id = p_inst_id AND b.metric_no = metric
              AND b.first_rank < GREATEST(p_max_nodes, 1)
              AND b.first_rank + t.n < GREATEST(p_max_nodes, 1)
        )
        SELECT DISTINCT ON (w.node) w.depth, w.total, w.total - COALESCE(b.total, 0),
               CASE WHEN w.node = 0 THEN 'all' ELSE COALESCE(r.label, '(unknown)') END
        FROM widest w
        LEFT JOIN (SELECT c.parent, sum(c.total) AS total FROM widest c GROUP BY c.parent) b
            ON b.parent = w.node
        LEFT JOIN profdepot.routine_label_rows r
            ON r.inst_id = p_inst_id AND r.rec_id = w.routine_id
        ORDER BY w.node, r.id;
    END IF;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 0, 0::double precision, 0::double precision, 'all'::text;
    END IF;
END;
$$;
COMMENT ON FUNCTION profdepot.flame(bigint, text, integer) IS 'the stored call tree of the metric with this name (NULL for the default metric), for Grafana''s flame graph panel: rows are depth first, and exactly one row has level 0; value includes the calls below the row, self does not; only the p_max_nodes widest calls are returned, and the values of the other calls are added to their callers'' self values; while the result set is open, only the root is returned';
