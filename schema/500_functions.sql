-- Functions for times and sums, for INSERTs through the stack views, for the loader's statistics, and for reindex.

-- Servers can have different time zones, so a statement passes the time zone of its own session.
CREATE FUNCTION profdepot.time_text(p_time timestamptz, p_zone text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    shown constant timestamp := p_time AT TIME ZONE p_zone;
    ahead constant interval := shown - (p_time AT TIME ZONE 'UTC');
BEGIN
    RETURN to_char(shown, 'YYYY-MM-DD"T"HH24:MI:SS') || CASE WHEN ahead < interval '0' THEN '-' ELSE '+' END
        || to_char(GREATEST(ahead, -ahead), 'HH24:MI');
END;
$$;
COMMENT ON FUNCTION profdepot.time_text(timestamptz, text) IS 'a time in a time zone, with the zone''s offset from UTC, such as 2026-11-26T20:04:30+01:00';

-- Built-in sum() keeps 100 to 200 bytes per group. If nearly every row is a group of its own, these bytes take
-- most of the memory and a quarter of the time.
CREATE AGGREGATE profdepot.light_sum(bigint) (
    SFUNC = int8pl, STYPE = bigint, COMBINEFUNC = int8pl, PARALLEL = SAFE
);
COMMENT ON AGGREGATE profdepot.light_sum(bigint) IS 'a sum that needs little memory per group; fails if it exceeds the range of bigint';
CREATE AGGREGATE profdepot.light_sum(numeric) (
    SFUNC = numeric_add, STYPE = numeric, COMBINEFUNC = numeric_add, PARALLEL = SAFE
);
COMMENT ON AGGREGATE profdepot.light_sum(numeric) IS 'a sum that needs little memory per group';

-- Marks a result set as open, because a change by SQL makes the loader's sums invalid.
CREATE FUNCTION profdepot.open_result_set(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE profdepot.instances SET state = 'open'
    WHERE inst_id = p_inst_id AND state <> 'open';
    IF FOUND THEN
        DELETE FROM profdepot.stack_totals WHERE inst_id = p_inst_id;
        DELETE FROM profdepot.call_tree_blocks WHERE inst_id = p_inst_id;
        DELETE FROM profdepot.routine_totals WHERE inst_id = p_inst_id;
        DELETE FROM profdepot.result_set_checksums WHERE inst_id = p_inst_id;
    END IF;
END;
$$;
COMMENT ON FUNCTION profdepot.open_result_set(bigint) IS 'marks a result set as changed by SQL and deletes its totals, call trees and checksums';

-- Adds one frame to its owner's stack, or starts a stack. A shared stack is copied first; the frames keep
-- their IDs in the copy.
CREATE FUNCTION profdepot.add_frame(p_inst_id bigint, p_stack_id integer, p_first_id bigint,
    p_id bigint, p_rec_id bigint, p_routine_id bigint, p_line_id bigint, p_hit_count bigint)
RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    s profdepot.stacks;
    at integer := 0;
    n integer;
BEGIN
    IF p_id IS NULL OR p_rec_id IS NULL THEN
        RAISE EXCEPTION 'a call stack row needs ID and REC_ID' USING ERRCODE = 'not_null_violation';
    END IF;
    IF p_stack_id IS NOT NULL THEN
        SELECT * INTO s FROM profdepot.stacks
        WHERE inst_id = p_inst_id AND stack_id = p_stack_id;
    END IF;
    IF s.stack_id IS NULL OR s.frame_ids IS NULL THEN
        -- Locks the result set's row, so that two writers take different numbers.
        PERFORM FROM profdepot.instances WHERE inst_id = p_inst_id FOR UPDATE;
        n := COALESCE(cardinality(s.routine_ids), 0);
        s.inst_id := p_inst_id;
        -- Does not use max(): if the table was vacuumed while it was empty, the planner would
        -- choose to read the whole table.
        s.stack_id := 1 + COALESCE((SELECT t.stack_id FROM profdepot.stacks t
            WHERE t.inst_id = p_inst_id ORDER BY t.stack_id DESC LIMIT 1), 0);
        s.routine_ids := COALESCE(s.routine_ids, '{}');
        s.frame_ids := ARRAY(SELECT p_first_id + i FROM generate_series(0, n - 1) i);
        s.rec_ids := COALESCE(s.rec_ids, ARRAY(SELECT i::bigint FROM generate_series(0, n - 1) i));
        s.line_ids := COALESCE(s.line_ids, array_fill(NULL::bigint, ARRAY[n]));
        s.hit_counts := COALESCE(s.hit_counts, array_fill(NULL::bigint, ARRAY[n]));
        INSERT INTO profdepot.stacks (inst_id, stack_id, routine_ids, line_ids, hit_counts, frame_ids, rec_ids)
        VALUES (s.inst_id, s.stack_id, s.routine_ids, s.line_ids, s.hit_counts, s.frame_ids, s.rec_ids);
    END IF;
    n := cardinality(s.routine_ids);
    s.line_ids := COALESCE(s.line_ids, array_fill(NULL::bigint, ARRAY[n]));
    s.hit_counts := COALESCE(s.hit_counts, array_fill(NULL::bigint, ARRAY[n]));
    at := n;
    WHILE at > 0 AND s.rec_ids[at] > p_rec_id LOOP
        at := at - 1;
    END LOOP;
    UPDATE profdepot.stacks SET
        identity = NULL,
        line_identity = NULL,
        own_place = NULL,
        own_identity = NULL,
        routine_ids = s.routine_ids[1:at] || p_routine_id || s.routine_ids[at + 1:],
        line_ids = s.line_ids[1:at] || p_line_id || s.line_ids[at + 1:],
        hit_counts = s.hit_counts[1:at] || p_hit_count || s.hit_counts[at + 1:],
        frame_ids = s.frame_ids[1:at] || p_id || s.frame_ids[at + 1:],
        rec_ids = s.rec_ids[1:at] || p_rec_id || s.rec_ids[at + 1:]
    WHERE inst_id = p_inst_id AND stack_id = s.stack_id;
    RETURN s.stack_id;
END;
$$;
COMMENT ON FUNCTION profdepot.add_frame(bigint, integer, bigint, bigint, bigint, bigint, bigint, bigint) IS 'adds a frame to a private stack and returns the stack''s number';

-- Sequential scans are off, because every look-up below is by primary key. Otherwise, if a plan was made
-- while the tables were empty, it would scan the tables, and an insert would take minutes instead of seconds.
CREATE FUNCTION profdepot.insert_creation_call_stack() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    o record;
    number integer;
BEGIN
    SELECT stack_id, stack_first_id INTO o FROM profdepot.resource_profiler_objects
    WHERE inst_id = NEW.inst_id AND id = NEW.parent_id FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no object % in result set %', NEW.parent_id, NEW.inst_id
            USING ERRCODE = 'foreign_key_violation',
                  HINT = 'Insert the row of RESOURCE_PROFILER_OBJECTS before its call stack.';
    END IF;
    -- Frames usually arrive in order, so each one is appended to a stack that earlier INSERTs have begun.
    -- Such a stack has no identity yet, and its result set is open.
    UPDATE profdepot.stacks s SET
        routine_ids = s.routine_ids || NEW.col_routinerid,
        line_ids = s.line_ids || NEW.col_linerid,
        hit_counts = s.hit_counts || NEW.col_hit_count,
        frame_ids = s.frame_ids || NEW.id,
        rec_ids = s.rec_ids || NEW.rec_id
    WHERE s.inst_id = NEW.inst_id AND s.stack_id = o.stack_id AND s.identity IS NULL
      AND s.rec_ids[cardinality(s.frame_ids)] <= NEW.rec_id AND NEW.id IS NOT NULL
      AND s.line_ids IS NOT NULL AND s.hit_counts IS NOT NULL;
    IF FOUND THEN
        RETURN NEW;
    END IF;
    number := profdepot.add_frame(NEW.inst_id, o.stack_id, o.stack_first_id, NEW.id, NEW.rec_id,
        NEW.col_routinerid, NEW.col_linerid, NEW.col_hit_count);
    IF o.stack_id IS DISTINCT FROM number THEN
        UPDATE profdepot.resource_profiler_objects
        SET stack_id = number, stack_first_id = COALESCE(stack_first_id, NEW.id)
        WHERE inst_id = NEW.inst_id AND id = NEW.parent_id;
    END IF;
    PERFORM profdepot.open_result_set(NEW.inst_id);
    RETURN NEW;
END;
$$;
COMMENT ON FUNCTION profdepot.insert_creation_call_stack() IS 'handles INSERTs into RESOURCE_PROFILER_CREATION_CALL_STACK';

CREATE FUNCTION profdepot.insert_call_stack() RETURNS trigger
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    e record;
    number integer;
BEGIN
    SELECT stack_id, stack_first_id INTO e FROM profdepot.resource_profiler_errors
    WHERE inst_id = NEW.inst_id AND id = NEW.parent_id FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no error % in result set %', NEW.parent_id, NEW.inst_id
            USING ERRCODE = 'foreign_key_violation',
                  HINT = 'Insert the row of RESOURCE_PROFILER_ERRORS before its call stack.';
    END IF;
    -- Frames usually arrive in order, so each one is appended to a stack that earlier INSERTs have begun.
    -- Such a stack has no identity yet, and its result set is open.
    UPDATE profdepot.stacks s SET
        routine_ids = s.routine_ids || NEW.col_routinerid,
        line_ids = s.line_ids || NEW.col_linerid,
        hit_counts = s.hit_counts || NULL::bigint,
        frame_ids = s.frame_ids || NEW.id,
        rec_ids = s.rec_ids || NEW.rec_id
    WHERE s.inst_id = NEW.inst_id AND s.stack_id = e.stack_id AND s.identity IS NULL
      AND s.rec_ids[cardinality(s.frame_ids)] <= NEW.rec_id AND NEW.id IS NOT NULL
      AND s.line_ids IS NOT NULL AND s.hit_counts IS NOT NULL;
    IF FOUND THEN
        RETURN NEW;
    END IF;
    number := profdepot.add_frame(NEW.inst_id, e.stack_id, e.stack_first_id, NEW.id, NEW.rec_id,
        NEW.col_routinerid, NEW.col_linerid, NULL);
    IF e.stack_id IS DISTINCT FROM number THEN
        UPDATE profdepot.resource_profiler_errors
        SET stack_id = number, stack_first_id = COALESCE(stack_first_id, NEW.id)
        WHERE inst_id = NEW.inst_id AND id = NEW.parent_id;
    END IF;
    PERFORM profdepot.open_result_set(NEW.inst_id);
    RETURN NEW;
END;
$$;
COMMENT ON FUNCTION profdepot.insert_call_stack() IS 'handles INSERTs into RESOURCE_PROFILER_CALL_STACK';

CREATE TRIGGER insert_frame INSTEAD OF INSERT ON profdepot.resource_profiler_creation_call_stack
    FOR EACH ROW EXECUTE FUNCTION profdepot.insert_creation_call_stack();
COMMENT ON TRIGGER insert_frame ON profdepot.resource_profiler_creation_call_stack IS 'call stacks that created the objects, one row per frame; accepts INSERTs once the object exists';
CREATE TRIGGER insert_frame INSTEAD OF INSERT ON profdepot.resource_profiler_call_stack
    FOR EACH ROW EXECUTE FUNCTION profdepot.insert_call_stack();
COMMENT ON TRIGGER insert_frame ON profdepot.resource_profiler_call_stack IS 'call stacks of the errors, one row per frame; accepts INSERTs once the error exists';

-- Only an owner may ANALYZE, so the loader role uses this function, which is limited to tables of the depot. A load
-- waits until the function ends. Therefore the function analyzes a relation only if the planner expects far too few
-- rows in the result set, which happens in a depot of a few small result sets. It samples only 3,000 rows. In a
-- partitioned depot, it analyzes only the table of the result set's range. In a distributed depot, it analyzes only the
-- shards of the result set, and only on their server: call it in a query on the result set's row of INSTANCES.
CREATE FUNCTION profdepot.analyze_relations(p_inst_id bigint, p_relations text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET default_statistics_target = 10 AS $$
DECLARE
    r text;
    distributed boolean := false;
    range_start bigint;
    part text;
    plan json;
    expected bigint;
    few boolean;
BEGIN
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        EXECUTE 'SELECT count(*) > 0 FROM pg_catalog.pg_dist_partition p
            WHERE p.logicalrelid = ''profdepot.instances''::regclass' INTO distributed;
    END IF;
    IF NOT distributed THEN
        SELECT p.from_inst_id INTO range_start FROM profdepot.partitions p
        WHERE p_inst_id >= p.from_inst_id AND p_inst_id < p.to_inst_id;
    END IF;
    FOREACH r IN ARRAY p_relations LOOP
        IF distributed THEN
            EXECUTE 'SELECT $1 || ''_'' || pg_catalog.get_shard_id_for_distribution_column(format(''profdepot.%I'', $1)::regclass, $2)'
                INTO r USING r, p_inst_id;
            CONTINUE WHEN to_regclass(format('profdepot.%I', r)) IS NULL;
        END IF;
        EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM profdepot.%I WHERE inst_id = %s', r, p_inst_id) INTO plan;
        expected := (plan->0->'Plan'->>'Plan Rows')::numeric;
        CONTINUE WHEN expected >= 500;
        EXECUTE format('SELECT count(*) < $2 FROM (SELECT FROM profdepot.%I WHERE inst_id = $1 LIMIT $2) x', r)
            INTO few USING p_inst_id, greatest(1000, 32 * expected);
        IF NOT few THEN
            part := COALESCE(profdepot.partition_name(r, range_start), r);
            EXECUTE format('ANALYZE (SKIP_LOCKED) profdepot.%I',
                CASE WHEN to_regclass(format('profdepot.%I', part)) IS NULL THEN r ELSE part END);
        END IF;
    END LOOP;
END;
$$;
REVOKE ALL ON FUNCTION profdepot.analyze_relations(bigint, text[]) FROM PUBLIC;
COMMENT ON FUNCTION profdepot.analyze_relations(bigint, text[]) IS 'for the loader role: runs ANALYZE on the relations in which the planner expects far too few rows of the result set';

-- Closes an open result set: computes identities and metrics, then totals from the facts. The old
-- call trees are deleted; profdepot builds the new ones.
CREATE FUNCTION profdepot.reindex_result_set(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    stack_ids integer[];
    places integer[];
    identities uuid[];
    c record;
BEGIN
    PERFORM FROM profdepot.instances WHERE inst_id = p_inst_id FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no result set %', p_inst_id USING ERRCODE = 'no_data_found';
    END IF;
    UPDATE profdepot.stacks s SET identity = k.identity, line_identity = k.line_identity
    FROM profdepot.stack_identities k
    WHERE s.inst_id = p_inst_id AND k.inst_id = p_inst_id AND k.stack_id = s.stack_id
      AND (s.identity IS DISTINCT FROM k.identity OR s.line_identity IS DISTINCT FROM k.line_identity);
    SELECT array_agg(k.stack_id), array_agg(k.own_place), array_agg(k.own_identity) INTO stack_ids, places, identities
    FROM profdepot.stack_owns(p_inst_id) k;
    UPDATE profdepot.stacks s SET own_place = k.own_place, own_identity = k.own_identity
    FROM unnest(stack_ids, places, identities) k (stack_id, own_place, own_identity)
    WHERE s.inst_id = p_inst_id AND k.stack_id = s.stack_id
      AND (s.own_place IS DISTINCT FROM k.own_place OR s.own_identity IS DISTINCT FROM k.own_identity);
    DELETE FROM profdepot.routine_identity_blocks WHERE inst_id = p_inst_id;
    INSERT INTO profdepot.routine_identity_blocks (inst_id, block_no, routine_ids, identities)
    SELECT p_inst_id, 1 + k.n / 1024, array_agg(k.rec_id ORDER BY k.n), array_agg(k.identity ORDER BY k.n)
    FROM (SELECT r.rec_id, row_number() OVER (ORDER BY r.rec_id) - 1 AS n,
                 encode(substr(sha256(convert_to(r.name, 'UTF8')), 1, 16), 'hex')::uuid AS identity
          FROM (SELECT DISTINCT ON (t.rec_id) t.rec_id,
                       profdepot.normal_frame_name(t.col_unit_name, t.col_class_name, t.col_routine_name) AS name
                FROM profdepot.resource_profiler_meta_routines t
                WHERE t.inst_id = p_inst_id AND t.rec_id IS NOT NULL
                ORDER BY t.rec_id, t.id) r
          WHERE r.name <> '') k
    GROUP BY k.n / 1024;
    PERFORM profdepot.complete_metrics(p_inst_id);
    DELETE FROM profdepot.call_tree_blocks WHERE inst_id = p_inst_id;
    DELETE FROM profdepot.routine_totals WHERE inst_id = p_inst_id;
    DELETE FROM profdepot.stack_totals WHERE inst_id = p_inst_id;
    INSERT INTO profdepot.stack_totals (inst_id, metric, class, stack_id, count, value)
    SELECT p_inst_id, t.metric, t.class, t.stack_id, t.count, t.value
    FROM profdepot.fact_totals t
    WHERE t.inst_id = p_inst_id;
    DELETE FROM profdepot.result_set_counts WHERE inst_id = p_inst_id;
    FOR c IN SELECT * FROM profdepot.count_result_set(p_inst_id) LOOP
        INSERT INTO profdepot.result_set_counts (inst_id, relation, row_count, id_sum, value_sum)
        VALUES (p_inst_id, c.relation, c.row_count, c.id_sum, c.value_sum);
    END LOOP;
    UPDATE profdepot.instances SET state = 'closed', live_summed = true, live_distinct = false, posted = NULL
    WHERE inst_id = p_inst_id;
    PERFORM profdepot.stream_place(p_inst_id);
END;
$$;
COMMENT ON FUNCTION profdepot.reindex_result_set(bigint) IS 'recomputes a result set''s identities, metrics, totals and counts, and closes the result set; deletes its call trees; only the command "profdepot reindex" builds new ones';

-- A result set has live_count only if it has objects, live_size only if an object has a size, and metrics of errors
-- only if it has errors.
CREATE FUNCTION profdepot.complete_metrics(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    m record;
BEGIN
    FOR m IN
        SELECT v.name, v.family, v.unit, v.title,
               CASE v.family
                   WHEN 'objects' THEN EXISTS (SELECT FROM profdepot.resource_profiler_objects o
                                               WHERE o.inst_id = p_inst_id
                                                 AND (v.name = 'live_count' OR o.col_size IS NOT NULL))
                   ELSE EXISTS (SELECT FROM profdepot.resource_profiler_errors e WHERE e.inst_id = p_inst_id)
               END AS present
        FROM (VALUES (1, 'live_count', 'objects', 'count', 'Live objects'),
                     (2, 'live_size', 'objects', 'bytes', 'Live size'),
                     (3, 'errors', 'errors', 'count', 'Errors')) v (place, name, family, unit, title)
        -- The default metric of the objects comes first. This is live_count if the objects of some class have no
        -- size, and otherwise live_size.
        ORDER BY CASE WHEN v.name <> 'live_size' THEN v.place
                      WHEN EXISTS (SELECT FROM profdepot.resource_profiler_objects o
                                   WHERE o.inst_id = p_inst_id AND o.col_classrid IS NOT NULL
                                   GROUP BY o.col_classrid HAVING COALESCE(sum(o.col_size), 0) = 0) THEN v.place
                      ELSE 0 END
    LOOP
        IF NOT m.present THEN
            DELETE FROM profdepot.metrics t WHERE t.inst_id = p_inst_id AND t.name = m.name;
        ELSIF NOT EXISTS (SELECT FROM profdepot.metrics t WHERE t.inst_id = p_inst_id AND t.name = m.name) THEN
            INSERT INTO profdepot.metrics (inst_id, metric_no, name, family, unit, title)
            SELECT p_inst_id, 1 + COALESCE(max(t.metric_no), 0), m.name, m.family, m.unit, m.title
            FROM profdepot.metrics t WHERE t.inst_id = p_inst_id;
        END IF;
    END LOOP;
END;
$$;
COMMENT ON FUNCTION profdepot.complete_metrics(bigint) IS 'adds the metrics for objects and errors if there are such facts, and removes them otherwise';

-- Current row counts and sums in the depot, for verify. If a stack does not store its frames' IDs,
-- they are consecutive, and their sum follows from stack_first_id and the number of frames.
CREATE FUNCTION profdepot.count_result_set(p_inst_id bigint)
RETURNS TABLE (relation text, row_count bigint, id_sum numeric, value_sum numeric)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT 'relations', count(*), COALESCE(sum(t.id), 0), 0::numeric
    FROM profdepot.relations t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'resource_profiler_threads', count(*), COALESCE(sum(t.id), 0), COALESCE(sum(t.col_size), 0)
    FROM profdepot.resource_profiler_threads t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'resource_profiler_meta_classes_data', count(*), COALESCE(sum(t.id), 0), 0::numeric
    FROM profdepot.resource_profiler_meta_classes_data t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'resource_profiler_classes_data', count(*), COALESCE(sum(t.id), 0), COALESCE(sum(t.col_live_size), 0)
    FROM profdepot.resource_profiler_classes_data t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'resource_profiler_meta_routines', count(*), COALESCE(sum(t.id), 0), COALESCE(sum(t.col_source_line), 0)
    FROM profdepot.resource_profiler_meta_routines t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'resource_profiler_meta_lines', count(*), COALESCE(sum(t.id), 0), COALESCE(sum(t.col_source_line), 0)
    FROM profdepot.resource_profiler_meta_lines t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'resource_profiler_objects', count(*), COALESCE(sum(t.id), 0), COALESCE(sum(t.col_size), 0)
    FROM profdepot.resource_profiler_objects t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'resource_profiler_errors', count(*), COALESCE(sum(t.id), 0), COALESCE(sum(t.col_error_code), 0)
    FROM profdepot.resource_profiler_errors t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'stacks', count(*), COALESCE(sum(t.stack_id), 0)::numeric, COALESCE(sum(cardinality(t.routine_ids)), 0)::numeric
    FROM profdepot.stacks t WHERE t.inst_id = p_inst_id;
    -- If the planner expects one stack, it may read all objects once per stack. It never does this for a full join.
    -- With a full join, the server also adds up the frames of a stack only once.
    RETURN QUERY
    SELECT 'resource_profiler_creation_call_stack', COALESCE(sum(s.n) FILTER (WHERE o.inst_id IS NOT NULL), 0)::bigint,
           COALESCE(sum(COALESCE(s.ids, o.stack_first_id::numeric * s.n + s.n::numeric * (s.n - 1) / 2)) FILTER (WHERE o.inst_id IS NOT NULL), 0),
           COALESCE(sum(s.routines) FILTER (WHERE o.inst_id IS NOT NULL), 0)
    FROM (SELECT t.inst_id, t.stack_id, t.stack_first_id
          FROM profdepot.resource_profiler_objects t WHERE t.inst_id = p_inst_id) o
    FULL JOIN (SELECT t.stack_id, cardinality(t.routine_ids) AS n,
                      (SELECT COALESCE(sum(x), 0) FROM unnest(t.routine_ids) x) AS routines,
                      (SELECT sum(x) FROM unnest(t.frame_ids) x) AS ids
               FROM profdepot.stacks t WHERE t.inst_id = p_inst_id) s ON s.stack_id = o.stack_id;
    RETURN QUERY
    SELECT 'resource_profiler_call_stack', COALESCE(sum(s.n) FILTER (WHERE e.inst_id IS NOT NULL), 0)::bigint,
           COALESCE(sum(COALESCE(s.ids, e.stack_first_id::numeric * s.n + s.n::numeric * (s.n - 1) / 2)) FILTER (WHERE e.inst_id IS NOT NULL), 0),
           COALESCE(sum(s.routines) FILTER (WHERE e.inst_id IS NOT NULL), 0)
    FROM (SELECT t.inst_id, t.stack_id, t.stack_first_id
          FROM profdepot.resource_profiler_errors t WHERE t.inst_id = p_inst_id) e
    FULL JOIN (SELECT t.stack_id, cardinality(t.routine_ids) AS n,
                      (SELECT COALESCE(sum(x), 0) FROM unnest(t.routine_ids) x) AS routines,
                      (SELECT sum(x) FROM unnest(t.frame_ids) x) AS ids
               FROM profdepot.stacks t WHERE t.inst_id = p_inst_id) s ON s.stack_id = e.stack_id;
    RETURN QUERY
    SELECT 'metrics', count(*), COALESCE(sum(t.metric_no), 0)::numeric, 0::numeric
    FROM profdepot.metrics t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'tracks', count(*), COALESCE(sum(t.track_id), 0)::numeric, 0::numeric
    FROM profdepot.tracks t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'further_stacks', count(*), COALESCE(sum(t.owner_id), 0), COALESCE(sum(t.position), 0)::numeric
    FROM profdepot.further_stacks t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'result_set_suppressions', count(*), COALESCE(sum(t.id), 0), COALESCE(sum(t.count), 0)
    FROM profdepot.result_set_suppressions t WHERE t.inst_id = p_inst_id;
    RETURN QUERY
    SELECT 'call_graph', count(*), COALESCE(sum(t.id), 0), COALESCE(sum(t.routine_id), 0)::numeric
    FROM profdepot.call_graph t WHERE t.inst_id = p_inst_id;
    -- The loader sums in units of 10^-18.
    RETURN QUERY
    SELECT 'samples', COALESCE(sum(u.n), 0)::bigint, trim_scale(COALESCE(sum(u.ids), 0)),
           trim_scale(COALESCE(sum(u.value), 0))
    FROM (SELECT cardinality(b.stack_ids)::numeric AS n,
                 b.first_id::numeric * cardinality(b.stack_ids)
                     + cardinality(b.stack_ids)::numeric * (cardinality(b.stack_ids) - 1) / 2 AS ids,
                 CASE WHEN b.weights IS NOT NULL
                     THEN (SELECT sum(x) FROM unnest(b.weights) x) * b.value_unit
                     ELSE (SELECT sum(round(x, 18)) FROM unnest(b.exact_weights) x)
                 END AS value
          FROM profdepot.sample_blocks b WHERE b.inst_id = p_inst_id
          UNION ALL
          SELECT 1, r.id, round(r.weights[1], 18)
          FROM profdepot.sample_rows r WHERE r.inst_id = p_inst_id) u;
    RETURN QUERY
    SELECT 'spans', COALESCE(sum(u.n), 0)::bigint, trim_scale(COALESCE(sum(u.ids), 0)),
           trim_scale(COALESCE(sum(u.value), 0))
    FROM (SELECT cardinality(b.ids)::numeric AS n,
                 b.base_id::numeric * cardinality(b.ids) + (SELECT sum(x) FROM unnest(b.ids) x) AS ids,
                 CASE WHEN b.starts IS NOT NULL
                     THEN (SELECT sum(x.stop) FILTER (WHERE x.start IS NOT NULL) - sum(x.start) FILTER (WHERE x.stop IS NOT NULL)
                           FROM unnest(b.starts, b.stops) x (start, stop)) * b.time_unit
                     ELSE (SELECT sum(round(x.stop, 18) - round(x.start, 18))
                           FROM unnest(b.exact_starts, b.exact_stops) x (start, stop))
                 END AS value
          FROM profdepot.span_blocks b WHERE b.inst_id = p_inst_id
          UNION ALL
          SELECT 1, r.id, round(r.duration, 18)
          FROM profdepot.span_rows r WHERE r.inst_id = p_inst_id) u;
END;
$$;
COMMENT ON FUNCTION profdepot.count_result_set(bigint) IS 'a result set''s current row counts and sums, to compare with result_set_counts';
