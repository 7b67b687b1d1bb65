-- Finds streams and their newest result sets by index. The costs grow with the number of streams, not with the
-- number of result sets.

CREATE FUNCTION profdepot.stream_labels(p_labels text[]) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN COALESCE((SELECT string_agg(translate(split_part(l.label, '=', 1), chr(30) || chr(31), '  ') || chr(31)
                                       || translate(substr(l.label, strpos(l.label, '=') + 1), chr(30) || chr(31), '  '),
                                       chr(30) ORDER BY split_part(l.label, '=', 1))
                     FROM unnest(p_labels) l (label)
                     JOIN profdepot.settings s
                         ON s.name = 'stream_labels' AND split_part(l.label, '=', 1) = ANY (string_to_array(s.value, ','))),
                    '');
END;
$$;
COMMENT ON FUNCTION profdepot.stream_labels(text[]) IS 'the value of instances.stream_labels for a result set with these labels, such as branch=main';

CREATE FUNCTION profdepot.stream_place(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    its_labels text := profdepot.stream_labels(profdepot.ledger_labels(p_inst_id));
BEGIN
    UPDATE profdepot.instances i SET stream_labels = its_labels
    WHERE i.inst_id = p_inst_id AND i.stream_labels <> its_labels;
    UPDATE profdepot.published_runs r SET stream_labels = its_labels
    WHERE r.inst_id = p_inst_id AND r.stream_labels <> its_labels;
END;
$$;
COMMENT ON FUNCTION profdepot.stream_place(bigint) IS 'moves a result set and its run to the stream of its current labels';

-- The loops change one result set at a time, because the tables of a distributed depot are on different servers.
CREATE FUNCTION profdepot.stream_rebuild() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    r record;
    its_labels text;
BEGIN
    FOR r IN
        WITH changed AS (
            SELECT DISTINCT ON (l.inst_id) l.inst_id, l.labels
            FROM profdepot.ledger l
            WHERE l.event = 'labels'
            ORDER BY l.inst_id, l.ledger_no DESC
        )
        SELECT COALESCE(c.labels, p.labels) AS labels, array_agg(p.inst_id) AS inst_ids
        FROM profdepot.published_runs p
        LEFT JOIN changed c ON c.inst_id = p.inst_id
        GROUP BY COALESCE(c.labels, p.labels)
    LOOP
        its_labels := profdepot.stream_labels(r.labels);
        UPDATE profdepot.published_runs p SET stream_labels = its_labels
        WHERE p.inst_id = ANY (r.inst_ids) AND p.stream_labels <> its_labels;
    END LOOP;
    FOR r IN
        SELECT s.labels, array_agg(s.inst_id) AS inst_ids
        FROM (SELECT l.inst_id, array_agg(l.key || '=' || l.value ORDER BY l.key) AS labels
              FROM profdepot.result_set_labels l
              GROUP BY l.inst_id) s
        GROUP BY s.labels
    LOOP
        its_labels := profdepot.stream_labels(r.labels);
        UPDATE profdepot.instances i SET stream_labels = its_labels
        WHERE i.inst_id = ANY (r.inst_ids) AND i.stream_labels <> its_labels;
    END LOOP;
END;
$$;
COMMENT ON FUNCTION profdepot.stream_rebuild() IS 'moves all result sets and runs to their streams, after a change of the setting stream_labels';

-- A stream can have result sets of several formats.
CREATE FUNCTION profdepot.stream_kinds()
RETURNS TABLE (kind uuid, application text, labels text, format text, loaded_at timestamptz)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    kind := '00000000-0000-0000-0000-000000000000';
    LOOP
        SELECT profdepot.stream_kind(i.application, i.stream_labels, i.format), NULLIF(i.application, ''), NULLIF(i.stream_labels, ''), i.format, i.loaded_at
        INTO kind, application, labels, format, loaded_at
        FROM profdepot.instances i
        WHERE profdepot.stream_kind(i.application, i.stream_labels, i.format) > stream_kinds.kind
        ORDER BY profdepot.stream_kind(i.application, i.stream_labels, i.format), i.loaded_at DESC, i.inst_id DESC
        LIMIT 1;
        EXIT WHEN NOT FOUND;
        RETURN NEXT;
    END LOOP;
END;
$$;
COMMENT ON FUNCTION profdepot.stream_kinds() IS 'the streams, one row per format; loaded_at is the time of the newest load';

-- The loop reads one stream at a time, because a distributed depot rejects a correlated subquery.
CREATE FUNCTION profdepot.stream_newest(p_max_streams bigint, p_max_sets bigint, p_max_count bigint)
RETURNS TABLE (inst_id bigint, result_sets bigint)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    k record;
BEGIN
    FOR k IN
        SELECT s.kind
        FROM (SELECT t.kind, dense_rank() OVER (ORDER BY t.newest DESC, t.application, t.labels) AS place
              FROM (SELECT a.kind, a.application, a.labels,
                           max(a.loaded_at) OVER (PARTITION BY a.application, a.labels) AS newest
                    FROM profdepot.stream_kinds() a) t) s
        WHERE s.place <= p_max_streams
    LOOP
        SELECT count(*) INTO result_sets
        FROM (SELECT i.inst_id FROM profdepot.instances i WHERE profdepot.stream_kind(i.application, i.stream_labels, i.format) = k.kind LIMIT p_max_count) c;
        FOR inst_id IN
            SELECT i.inst_id FROM profdepot.instances i
            WHERE profdepot.stream_kind(i.application, i.stream_labels, i.format) = k.kind
            ORDER BY i.loaded_at DESC, i.inst_id DESC
            LIMIT p_max_sets
        LOOP
            RETURN NEXT;
        END LOOP;
    END LOOP;
END;
$$;
COMMENT ON FUNCTION profdepot.stream_newest(bigint, bigint, bigint) IS 'the newest p_max_sets result sets of each format of the newest p_max_streams streams; result_sets is the number of result sets of this stream and format, but at most p_max_count';

-- Result sets and runs are read separately, because the tables of a distributed depot are on different servers.
CREATE FUNCTION profdepot.stream_parts(p_max_count bigint)
RETURNS TABLE (application text, labels text, result_sets bigint, runs bigint, first_loaded timestamptz, last_loaded timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    k record;
    at uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
    runs := 0;
    FOR k IN SELECT s.kind, s.application, s.labels, s.loaded_at FROM profdepot.stream_kinds() s LOOP
        application := k.application;
        labels := k.labels;
        last_loaded := k.loaded_at;
        SELECT i.loaded_at INTO first_loaded
        FROM profdepot.instances i WHERE profdepot.stream_kind(i.application, i.stream_labels, i.format) = k.kind ORDER BY i.loaded_at, i.inst_id LIMIT 1;
        SELECT count(*) INTO result_sets
        FROM (SELECT i.inst_id FROM profdepot.instances i WHERE profdepot.stream_kind(i.application, i.stream_labels, i.format) = k.kind LIMIT p_max_count) c;
        RETURN NEXT;
    END LOOP;
    result_sets := 0;
    LOOP
        SELECT profdepot.stream_kind(r.application, r.stream_labels, ''), NULLIF(r.application, ''), NULLIF(r.stream_labels, ''), r.loaded_at
        INTO at, application, labels, last_loaded
        FROM profdepot.published_runs r
        WHERE profdepot.stream_kind(r.application, r.stream_labels, '') > at
        ORDER BY profdepot.stream_kind(r.application, r.stream_labels, ''), r.loaded_at DESC
        LIMIT 1;
        EXIT WHEN NOT FOUND;
        SELECT r.loaded_at INTO first_loaded
        FROM profdepot.published_runs r WHERE profdepot.stream_kind(r.application, r.stream_labels, '') = at ORDER BY r.loaded_at LIMIT 1;
        SELECT count(*) FILTER (WHERE c.run_key IS NULL) + count(DISTINCT c.run_key) INTO runs
        FROM (SELECT r.run_key FROM profdepot.published_runs r WHERE profdepot.stream_kind(r.application, r.stream_labels, '') = at LIMIT p_max_count) c;
        RETURN NEXT;
    END LOOP;
END;
$$;
COMMENT ON FUNCTION profdepot.stream_parts(bigint) IS 'the result sets of each stream and format, and then the runs of each stream; the runs include those whose result sets were removed; at most p_max_count result sets and runs are counted';
