-- Functions that write the ledger. One lock ensures that ledger numbers have no gaps. Loads do not hold this lock
-- while they write a result set.

CREATE FUNCTION profdepot.ledger_next(p_event text, p_inst_id bigint DEFAULT NULL, p_labels text[] DEFAULT NULL,
                                      p_subject text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(7305094182308);
    SELECT COALESCE(max(l.ledger_no), 0) + 1 INTO n FROM profdepot.ledger l;
    INSERT INTO profdepot.ledger (ledger_no, event, inst_id, labels, subject)
    VALUES (n, p_event, p_inst_id, p_labels, p_subject);
    RETURN n;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_next(text, bigint, text[], text) IS 'records an event and returns its number; other callers wait until the transaction ends';

CREATE FUNCTION profdepot.ledger_setting(p_name text, p_value text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM profdepot.ledger_next(replace(p_name, '_', ' '), NULL, string_to_array(p_value, ','));
    UPDATE profdepot.settings SET value = p_value WHERE name = p_name;
    IF p_name = 'stream_labels' THEN
        PERFORM profdepot.stream_rebuild();
    END IF;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_setting(text, text) IS 'changes a setting, and records the change';

CREATE FUNCTION profdepot.ledger_labels(p_inst_id bigint) RETURNS text[]
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN COALESCE((SELECT array_agg(l.key || '=' || l.value ORDER BY l.key)
                     FROM profdepot.result_set_labels l WHERE l.inst_id = p_inst_id), '{}');
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_labels(bigint) IS 'the current labels of a result set, such as branch=main';

-- The position of a new run among its application's runs. The runs of one commit share a position. A new commit is
-- placed directly after its parent commit, or else directly before a child commit. If neither of them has a run,
-- it is placed after the last run that started before the new run.
CREATE FUNCTION profdepot.ledger_position(p_application text, p_commit text, p_parent text, p_ran_at timestamptz)
RETURNS numeric
LANGUAGE plpgsql STABLE AS $$
DECLARE
    below numeric;
    above numeric;
BEGIN
    -- A new session must plan each query, so the queries by commit ID are skipped if the load names no commit.
    IF p_commit IS NOT NULL THEN
        SELECT r.position INTO below FROM profdepot.published_runs r
        WHERE r.application = p_application AND r.commit_id = p_commit
        ORDER BY r.ledger_no LIMIT 1;
    END IF;
    IF below IS NOT NULL THEN
        RETURN below;
    END IF;
    IF p_parent IS NOT NULL THEN
        SELECT r.position INTO below FROM profdepot.published_runs r
        WHERE r.application = p_application AND r.commit_id = p_parent
        ORDER BY r.ledger_no LIMIT 1;
    END IF;
    IF below IS NULL THEN
        IF p_commit IS NOT NULL THEN
            SELECT min(r.position) INTO above FROM profdepot.published_runs r
            WHERE r.application = p_application AND r.parent_commit_id = p_commit;
        END IF;
        IF above IS NOT NULL THEN
            SELECT r.position INTO below FROM profdepot.published_runs r
            WHERE r.application = p_application AND r.position < above
            ORDER BY r.position DESC LIMIT 1;
            RETURN COALESCE((below + above) / 2, above - 1);
        END IF;
        SELECT r.position INTO below FROM profdepot.published_runs r
        WHERE r.application = p_application AND r.ran_at <= p_ran_at
        ORDER BY r.ran_at DESC, r.position DESC LIMIT 1;
    END IF;
    -- With "below IS NULL OR ..." instead of COALESCE, PostgreSQL would read the index from the first run.
    SELECT r.position INTO above FROM profdepot.published_runs r
    WHERE r.application = p_application AND r.position > COALESCE(below, '-Infinity')
    ORDER BY r.position LIMIT 1;
    RETURN CASE WHEN above IS NULL THEN COALESCE(below, 0) + 1
                WHEN below IS NULL THEN above - 1
                ELSE (below + above) / 2 END;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_position(text, text, text, timestamptz) IS 'the position of a new run among its application''s runs';

CREATE FUNCTION profdepot.ledger_publish_one(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    i record;
    looked record;
    old bigint;
    p numeric;
    its_labels text[];
    its_stream text;
    number bigint;
BEGIN
    SELECT s.application, s.caption, s.format, s.tool, s.app_version, s.loaded_at, s.content_digest,
           r.run_key, COALESCE(r.run_key, CASE WHEN s.format IN ('valgrind', 'sanitizer')
                                              THEN 'input ' || encode(s.input_digest, 'hex') END) AS group_key,
           r.commit_id, r.parent_commit_id, r.finished, COALESCE(r.started_at, s.loaded_at) AS ran_at,
           COALESCE(s.application, '') AS stream, s.stream_labels
    INTO i
    FROM profdepot.instances s
    JOIN profdepot.runs r ON r.inst_id = s.inst_id
    WHERE s.inst_id = p_inst_id;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT r.inst_id INTO old FROM profdepot.published_runs r
    WHERE r.content_digest = i.content_digest AND r.attached_to IS NULL
      AND r.run_key IS NOT DISTINCT FROM i.run_key AND r.application = i.stream
    ORDER BY r.ledger_no LIMIT 1;
    SELECT max(c.degree) FILTER (WHERE c.what = 'leaks') AS leaks, max(c.degree) FILTER (WHERE c.what = 'errors') AS errors,
           max(c.degree) FILTER (WHERE c.what = 'races') AS races
    INTO looked
    FROM profdepot.coverage c WHERE c.inst_id = p_inst_id;
    p := profdepot.ledger_position(i.stream, i.commit_id, i.parent_commit_id, i.ran_at);
    its_labels := profdepot.ledger_labels(p_inst_id);
    its_stream := profdepot.stream_labels(its_labels);
    -- The labels differ only if the definition of streams changed during the load.
    IF i.stream_labels <> its_stream THEN
        UPDATE profdepot.instances SET stream_labels = its_stream WHERE inst_id = p_inst_id;
    END IF;
    number := profdepot.ledger_next('run', p_inst_id);
    INSERT INTO profdepot.published_runs (inst_id, ledger_no, application, labels, position,
        attached_to, fold_no, run_key, group_key, version, commit_id, parent_commit_id, ran_at, loaded_at, finished, leaks, errors,
        races, caption, format, tool, content_digest, stream_labels)
    VALUES (p_inst_id, number, i.stream, its_labels, p,
            old, CASE WHEN old IS NOT NULL THEN 0 END, i.run_key, i.group_key, i.app_version, i.commit_id, i.parent_commit_id,
            i.ran_at, i.loaded_at, i.finished, looked.leaks, looked.errors, looked.races, i.caption, i.format, i.tool,
            i.content_digest, its_stream);
    IF old IS NOT NULL THEN
        DELETE FROM profdepot.sighting_blocks WHERE inst_id = p_inst_id;
    END IF;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_publish_one(bigint) IS 'adds a loaded result set to the ledger; called by ledger_publish';

-- Copies the runs of a fold from published_runs to the fold.
CREATE FUNCTION profdepot.ledger_fold_runs(p_application text, p_fold_no integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE profdepot.folds f
    SET ledger_nos = c.ledger_nos, positions = c.positions, run_keys = c.run_keys, group_keys = c.group_keys,
        versions = c.versions, commit_ids = c.commit_ids, tools = c.tools, ran_at = c.ran_at, labels = c.labels,
        finished = c.finished, leaks = c.leaks, errors = c.errors, races = c.races, parent_commit_ids = c.parent_commit_ids
    FROM (SELECT array_agg(r.ledger_no ORDER BY o.n) AS ledger_nos, array_agg(r.position ORDER BY o.n) AS positions,
                 array_agg(r.run_key ORDER BY o.n) AS run_keys, array_agg(r.group_key ORDER BY o.n) AS group_keys,
                 array_agg(r.version ORDER BY o.n) AS versions, array_agg(r.commit_id ORDER BY o.n) AS commit_ids,
                 array_agg(r.tool ORDER BY o.n) AS tools, array_agg(r.ran_at ORDER BY o.n) AS ran_at,
                 array_agg(array_to_string(r.labels, E'\n') ORDER BY o.n) AS labels,
                 array_agg(r.finished ORDER BY o.n) AS finished, array_agg(r.leaks ORDER BY o.n) AS leaks,
                 array_agg(r.errors ORDER BY o.n) AS errors, array_agg(r.races ORDER BY o.n) AS races,
                 array_agg(r.parent_commit_id ORDER BY o.n) AS parent_commit_ids
          FROM profdepot.folds g
          CROSS JOIN LATERAL unnest(g.inst_ids) WITH ORDINALITY o (inst_id, n)
          LEFT JOIN profdepot.published_runs r ON r.inst_id = o.inst_id
          WHERE g.application = p_application AND g.fold_no = p_fold_no) c
    WHERE f.application = p_application AND f.fold_no = p_fold_no;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_fold_runs(text, integer) IS 'copies the runs of a fold from published_runs to the fold';

-- Moves the sightings of an application's 256 oldest unfolded runs from sighting_blocks to a fold, if at least
-- 512 runs are unfolded. This does not change the answers about history. A run that moved to
-- another application is not folded: a fold belongs to one application, but such a run has belonged to several.
CREATE FUNCTION profdepot.ledger_fold(p_application text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
    n integer;
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(7305094182308);
    SELECT array_agg(h.inst_id ORDER BY h.ledger_no) INTO ids
    FROM (SELECT r.inst_id, r.ledger_no FROM profdepot.published_runs r
          WHERE r.application = p_application AND r.fold_no IS NULL
            AND NOT EXISTS (SELECT FROM profdepot.earlier_runs e WHERE e.inst_id = r.inst_id)
          ORDER BY r.ledger_no LIMIT 512) h;
    IF COALESCE(cardinality(ids), 0) < 512 THEN
        RETURN false;
    END IF;
    ids := ids[1:256];
    SELECT COALESCE(max(f.fold_no), 0) + 1 INTO n FROM profdepot.folds f WHERE f.application = p_application;
    INSERT INTO profdepot.folds (application, fold_no, inst_ids) VALUES (p_application, n, ids);
    INSERT INTO profdepot.folded_findings (application, identity, kind, fold_no, seen, runs, names, class_names,
        module_names, routine_classes, routine_names, source_files, wordings, source_lines, places, counts, sizes)
    WITH seen AS MATERIALIZED (
        SELECT o.n::smallint AS run, u.*
        FROM unnest(ids) WITH ORDINALITY o (inst_id, n)
        JOIN profdepot.sighting_blocks b ON b.inst_id = o.inst_id
        CROSS JOIN LATERAL unnest(b.identities, b.kinds, b.names, b.class_names, b.module_names,
            b.routine_classes, b.routine_names, b.source_files, b.source_lines, b.places, b.counts, b.sizes)
            u (identity, kind, name, class_name, module_name, routine_class, routine_name, source_file,
               source_line, places, count, size)
    ), wordings AS MATERIALIZED (
        SELECT s.identity, s.kind, s.name, s.class_name, s.module_name, s.routine_class, s.routine_name, s.source_file,
               row_number() OVER (PARTITION BY s.identity, s.kind ORDER BY min(s.run), s.name) AS wording
        FROM seen s
        GROUP BY s.identity, s.kind, s.name, s.class_name, s.module_name, s.routine_class, s.routine_name, s.source_file
    )
    SELECT p_application, f.identity, f.kind, n, f.seen, f.runs, w.names, w.class_names, w.module_names,
           w.routine_classes, w.routine_names, w.source_files, CASE WHEN cardinality(w.names) > 1 THEN f.wordings ELSE '{}' END,
           f.source_lines, f.places, f.counts, f.sizes
    FROM (SELECT s.identity, s.kind, bit_or(set_bit(0::bit(256), s.run - 1, 1)) AS seen,
                 array_agg(s.run ORDER BY s.run) AS runs,
                 array_agg(w.wording::smallint ORDER BY s.run) AS wordings,
                 array_agg(s.source_line ORDER BY s.run) AS source_lines,
                 array_agg(s.places ORDER BY s.run) AS places, array_agg(s.count ORDER BY s.run) AS counts,
                 array_agg(s.size ORDER BY s.run) AS sizes
          FROM seen s
          JOIN wordings w USING (identity, kind, name, class_name, module_name, routine_class, routine_name,
                                 source_file)
          GROUP BY s.identity, s.kind) f
    JOIN (SELECT w.identity, w.kind, array_agg(w.name ORDER BY w.wording) AS names,
                 array_agg(w.class_name ORDER BY w.wording) AS class_names,
                 array_agg(w.module_name ORDER BY w.wording) AS module_names,
                 array_agg(w.routine_class ORDER BY w.wording) AS routine_classes,
                 array_agg(w.routine_name ORDER BY w.wording) AS routine_names,
                 array_agg(w.source_file ORDER BY w.wording) AS source_files
          FROM wordings w
          GROUP BY w.identity, w.kind) w USING (identity, kind);
    DELETE FROM profdepot.sighting_blocks WHERE inst_id = ANY (ids);
    UPDATE profdepot.published_runs SET fold_no = n WHERE inst_id = ANY (ids);
    PERFORM profdepot.ledger_fold_runs(p_application, n);
    RETURN true;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_fold(text) IS 'moves the sightings of an application''s 256 oldest unfolded runs to a fold, if at least 512 runs are unfolded; returns true if it moved them';

-- The commit is asynchronous. If the server crashes right after the commit, the whole transaction is lost, and the next
-- load publishes the same runs again. In a distributed depot, the commit is synchronous. Otherwise a crash of the
-- coordinator could lose the coordinator's part of the transaction, although the other servers keep their parts: they
-- write them to disk immediately.
CREATE FUNCTION profdepot.ledger_publish() RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
    id bigint;
    a text;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true)
    WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_extension e WHERE e.extname = 'citus');
    PERFORM pg_catalog.pg_advisory_xact_lock(7305094182308);
    ids := ARRAY(SELECT r.inst_id FROM profdepot.unpublished_runs r ORDER BY r.inst_id);
    FOREACH id IN ARRAY ids LOOP
        PERFORM profdepot.ledger_publish_one(id);
        DELETE FROM profdepot.unpublished_runs WHERE inst_id = id;
    END LOOP;
    FOR a IN SELECT DISTINCT r.application FROM profdepot.published_runs r WHERE r.inst_id = ANY (ids) LOOP
        WHILE profdepot.ledger_fold(a) LOOP
            NULL;
        END LOOP;
    END LOOP;
    RETURN cardinality(ids);
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_publish() IS 'adds all committed loads to the ledger, and returns their number';

-- Takes runs out of a fold. The fold then has fewer runs.
CREATE FUNCTION profdepot.ledger_fold_remove(p_application text, p_fold_no integer, p_runs smallint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    others bit(256) := ~0::bit(256);
    k smallint;
BEGIN
    FOREACH k IN ARRAY p_runs LOOP
        others := set_bit(others, k - 1, 0);
    END LOOP;
    UPDATE profdepot.folded_findings d
    SET seen = d.seen & others,
        runs = ARRAY(SELECT d.runs[a] FROM generate_subscripts(d.runs, 1) a WHERE d.runs[a] <> ALL (p_runs) ORDER BY a),
        wordings = ARRAY(SELECT d.wordings[a] FROM generate_subscripts(d.wordings, 1) a WHERE d.runs[a] <> ALL (p_runs) ORDER BY a),
        source_lines = ARRAY(SELECT d.source_lines[a] FROM generate_subscripts(d.runs, 1) a WHERE d.runs[a] <> ALL (p_runs) ORDER BY a),
        places = ARRAY(SELECT d.places[a] FROM generate_subscripts(d.runs, 1) a WHERE d.runs[a] <> ALL (p_runs) ORDER BY a),
        counts = ARRAY(SELECT d.counts[a] FROM generate_subscripts(d.runs, 1) a WHERE d.runs[a] <> ALL (p_runs) ORDER BY a),
        sizes = ARRAY(SELECT d.sizes[a] FROM generate_subscripts(d.runs, 1) a WHERE d.runs[a] <> ALL (p_runs) ORDER BY a)
    WHERE d.application = p_application AND d.fold_no = p_fold_no AND d.runs && p_runs;
    DELETE FROM profdepot.folded_findings d
    WHERE d.application = p_application AND d.fold_no = p_fold_no AND d.runs = '{}';
    FOREACH k IN ARRAY p_runs LOOP
        UPDATE profdepot.folds f SET inst_ids[k] = NULL
        WHERE f.application = p_application AND f.fold_no = p_fold_no;
    END LOOP;
    PERFORM profdepot.ledger_fold_runs(p_application, p_fold_no);
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_fold_remove(text, integer, smallint[]) IS 'removes the sightings of runs from a fold; p_runs has the subscripts of the runs in folds.inst_ids';

-- Moves the sightings of runs from their folds back to sighting_blocks. Each fold is read and written once, however
-- many of its runs are moved. The inner loop writes one block at a time, because the blocks of a distributed depot are on
-- other servers than the fold.
CREATE FUNCTION profdepot.ledger_unfold(p_inst_ids bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    r record;
    members bigint[];
    ks smallint[];
    b record;
BEGIN
    FOR r IN
        SELECT p.application, p.fold_no, array_agg(p.inst_id) AS inst_ids
        FROM profdepot.published_runs p
        WHERE p.inst_id = ANY (p_inst_ids) AND p.fold_no > 0
        GROUP BY p.application, p.fold_no
        ORDER BY p.application, p.fold_no
    LOOP
        SELECT f.inst_ids INTO members
        FROM profdepot.folds f WHERE f.application = r.application AND f.fold_no = r.fold_no;
        ks := ARRAY(SELECT array_position(members, u.inst_id)::smallint FROM unnest(r.inst_ids) u (inst_id));
        FOR b IN
            WITH seen AS (
                SELECT d.runs[a.a] AS k, d.identity, d.kind, COALESCE(d.wordings[a.a], 1) AS wording, d.names, d.class_names,
                       d.module_names, d.routine_classes, d.routine_names, d.source_files,
                       d.source_lines[a.a] AS source_line, d.places[a.a] AS places, d.counts[a.a] AS count, d.sizes[a.a] AS size,
                       row_number() OVER (PARTITION BY d.runs[a.a] ORDER BY d.identity, d.kind) - 1 AS n
                FROM profdepot.folded_findings d
                CROSS JOIN LATERAL generate_subscripts(d.runs, 1) a (a)
                WHERE d.application = r.application AND d.fold_no = r.fold_no AND d.runs && ks AND d.runs[a.a] = ANY (ks)
            )
            SELECT s.k, (s.n / 256 + 1)::integer AS block_no, array_agg(s.identity ORDER BY s.n) AS identities,
                   array_agg(s.kind ORDER BY s.n) AS kinds, array_agg(s.names[s.wording] ORDER BY s.n) AS names,
                   array_agg(s.class_names[s.wording] ORDER BY s.n) AS class_names,
                   array_agg(s.module_names[s.wording] ORDER BY s.n) AS module_names,
                   array_agg(s.routine_classes[s.wording] ORDER BY s.n) AS routine_classes,
                   array_agg(s.routine_names[s.wording] ORDER BY s.n) AS routine_names,
                   array_agg(s.source_files[s.wording] ORDER BY s.n) AS source_files,
                   array_agg(s.source_line ORDER BY s.n) AS source_lines, array_agg(s.places ORDER BY s.n) AS places,
                   array_agg(s.count ORDER BY s.n) AS counts, array_agg(s.size ORDER BY s.n) AS sizes
            FROM seen s
            GROUP BY s.k, s.n / 256
        LOOP
            INSERT INTO profdepot.sighting_blocks (inst_id, block_no, identities, kinds, names, class_names, module_names,
                routine_classes, routine_names, source_files, source_lines, places, counts, sizes)
            VALUES (members[b.k], b.block_no, b.identities, b.kinds, b.names, b.class_names, b.module_names, b.routine_classes,
                    b.routine_names, b.source_files, b.source_lines, b.places, b.counts, b.sizes);
        END LOOP;
        PERFORM profdepot.ledger_fold_remove(r.application, r.fold_no, ks);
    END LOOP;
    UPDATE profdepot.published_runs SET fold_no = NULL WHERE inst_id = ANY (p_inst_ids) AND fold_no > 0;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_unfold(bigint[]) IS 'moves the sightings of runs from their folds back to sighting_blocks; does nothing for runs that are not folded';

CREATE FUNCTION profdepot.ledger_copy_sightings(p_inst_id bigint, p_from bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM profdepot.sighting_blocks b WHERE b.inst_id = p_inst_id;
    IF FOUND THEN
        RETURN;
    END IF;
    INSERT INTO profdepot.sighting_blocks (inst_id, block_no, identities, kinds, names, class_names, module_names,
        routine_classes, routine_names, source_files, source_lines, places, counts, sizes)
    SELECT p_inst_id, b.block_no, b.identities, b.kinds, b.names, b.class_names, b.module_names, b.routine_classes,
           b.routine_names, b.source_files, b.source_lines, b.places, b.counts, b.sizes
    FROM profdepot.sighting_blocks b WHERE b.inst_id = p_from;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_copy_sightings(bigint, bigint) IS 'gives a run the sightings of another run with the same content that is not folded, unless it has sightings already';

CREATE FUNCTION profdepot.ledger_keep_earlier(p_inst_id bigint, p_ledger_no bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO profdepot.earlier_runs (inst_id, ledger_no, application, position, ran_at, attached_to)
    SELECT p.inst_id, p_ledger_no, p.application, p.position, p.ran_at, p.attached_to
    FROM profdepot.published_runs p
    WHERE p.inst_id = p_inst_id AND p_ledger_no IS NOT NULL;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_keep_earlier(bigint, bigint) IS 'copies a run to earlier_runs before the event with this ledger number changes it; does nothing without a number';

-- A repetition of a run has no sightings of its own. If the run is forgotten or moves to another application, its first
-- repetition inherits the run's sightings and position, and the other repetitions are attached to the first repetition.
CREATE FUNCTION profdepot.ledger_inherit(p_inst_id bigint, p_ledger_no bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    r record;
    heir bigint;
    id bigint;
BEGIN
    SELECT p.position, p.ran_at, p.content_digest INTO r
    FROM profdepot.published_runs p WHERE p.inst_id = p_inst_id;
    FOR id IN
        SELECT p.inst_id FROM profdepot.published_runs p
        WHERE p.content_digest = r.content_digest AND p.attached_to = p_inst_id
        ORDER BY p.ledger_no
    LOOP
        PERFORM profdepot.ledger_keep_earlier(id, p_ledger_no);
        IF heir IS NULL THEN
            heir := id;
            PERFORM profdepot.ledger_copy_sightings(heir, p_inst_id);
            UPDATE profdepot.published_runs
            SET attached_to = NULL, fold_no = NULL, position = r.position, ran_at = r.ran_at
            WHERE inst_id = heir;
        ELSE
            UPDATE profdepot.published_runs SET attached_to = heir WHERE inst_id = id;
        END IF;
    END LOOP;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_inherit(bigint, bigint) IS 'gives the sightings of a run that is not folded to its first repetition; with a ledger number, earlier_runs keeps the state before this event';

CREATE FUNCTION profdepot.ledger_prepare_moves(p_inst_ids bigint[], p_application text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(7305094182308);
    PERFORM profdepot.ledger_unfold(ARRAY(
        SELECT COALESCE(p.attached_to, p.inst_id) FROM profdepot.published_runs p
        WHERE p.inst_id = ANY (p_inst_ids) AND p.application <> p_application));
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_prepare_moves(bigint[], text) IS 'takes runs out of their folds before ledger_move moves each of them to the application, so that every fold is written once';

-- The run gets a new position among the runs of its new application. earlier_runs keeps the old position, and the
-- sightings leave the fold, because a fold belongs to one application.
CREATE FUNCTION profdepot.ledger_move(p_inst_id bigint, p_application text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    r record;
    n bigint;
    place numeric;
    old bigint;
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(7305094182308);
    SELECT p.application, p.commit_id, p.parent_commit_id, p.ran_at, p.run_key, p.content_digest, p.attached_to INTO r
    FROM profdepot.published_runs p WHERE p.inst_id = p_inst_id;
    IF NOT FOUND OR r.application = p_application THEN
        RETURN;
    END IF;
    SELECT o.inst_id INTO old FROM profdepot.published_runs o
    WHERE o.content_digest = r.content_digest AND o.attached_to IS NULL
      AND o.run_key IS NOT DISTINCT FROM r.run_key AND o.application = p_application
    ORDER BY o.ledger_no LIMIT 1;
    place := profdepot.ledger_position(p_application, r.commit_id, r.parent_commit_id, r.ran_at);
    n := profdepot.ledger_next('application', p_inst_id, NULL, p_application);
    PERFORM profdepot.ledger_keep_earlier(p_inst_id, n);
    IF r.attached_to IS NULL THEN
        PERFORM profdepot.ledger_unfold(ARRAY[p_inst_id]);
        PERFORM profdepot.ledger_inherit(p_inst_id, n);
    ELSE
        PERFORM profdepot.ledger_unfold(ARRAY[r.attached_to]);
        PERFORM profdepot.ledger_copy_sightings(p_inst_id, r.attached_to);
    END IF;
    UPDATE profdepot.published_runs
    SET application = p_application, position = place, attached_to = old, fold_no = NULL
    WHERE inst_id = p_inst_id;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_move(bigint, text) IS 'moves a run to the history of another application, and records the move; does nothing if history does not know the run or the application is the same';

CREATE FUNCTION profdepot.ledger_forget(p_inst_id bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    a text;
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(7305094182308);
    SELECT p.application INTO a FROM profdepot.published_runs p WHERE p.inst_id = p_inst_id;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM profdepot.ledger_unfold(ARRAY[p_inst_id]);
    PERFORM profdepot.ledger_inherit(p_inst_id, NULL);
    DELETE FROM profdepot.sighting_blocks WHERE inst_id = p_inst_id;
    DELETE FROM profdepot.published_runs WHERE inst_id = p_inst_id;
    DELETE FROM profdepot.runs WHERE inst_id = p_inst_id;
    DELETE FROM profdepot.coverage WHERE inst_id = p_inst_id;
    PERFORM profdepot.ledger_next('forgotten', p_inst_id, NULL, a);
    RETURN true;
END;
$$;
COMMENT ON FUNCTION profdepot.ledger_forget(bigint) IS 'removes a run from history and records the removal; a repetition of the run takes its place; returns false if history does not know the run';
