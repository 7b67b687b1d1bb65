-- Ranges of result sets. "profdepot db partition" turns the large relations into partitioned tables; each of these
-- relations then has a separate table for every range of INST_IDs. A range is removed by dropping its tables.

CREATE TABLE profdepot.partitions (
    from_inst_id bigint NOT NULL,
    to_inst_id bigint NOT NULL,
    removed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (from_inst_id),
    CHECK (from_inst_id < to_inst_id)
);
COMMENT ON TABLE profdepot.partitions IS 'ranges of result sets of a partitioned depot; RELATION_pNUMBER is the table of the range that begins with NUMBER; only functions of the depot change the rows';
COMMENT ON COLUMN profdepot.partitions.from_inst_id IS 'first INST_ID of the range; the first range has the smallest bigint, and its tables end in _p0';
COMMENT ON COLUMN profdepot.partitions.to_inst_id IS 'first INST_ID after the range';
COMMENT ON COLUMN profdepot.partitions.removed IS 'whether all result sets of the range are removed; its tables are emptied and dropped as soon as no reader needs them';

CREATE FUNCTION profdepot.partition_name(p_relation text, p_from bigint) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN p_relation || '_p' || CASE p_from WHEN -9223372036854775808 THEN 0 ELSE p_from END;
END;
$$;
COMMENT ON FUNCTION profdepot.partition_name(text, bigint) IS 'name of a relation''s table for the range that begins with this INST_ID';

-- CREATE TABLE LIKE copies neither the storage options of the table nor the statistics settings of its columns.
CREATE FUNCTION profdepot.partition_settings(p_from regclass, p_to regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    actions text;
BEGIN
    SELECT string_agg(s.action, ', ') INTO actions
    FROM (
        SELECT format('SET (%I = %L)', o.option_name, o.option_value) AS action
        FROM pg_class c, pg_options_to_table(c.reloptions) o
        WHERE c.oid = p_from
        UNION ALL
        SELECT format('SET (toast.%I = %L)', o.option_name, o.option_value)
        FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid, pg_options_to_table(t.reloptions) o
        WHERE c.oid = p_from
    ) s;
    -- A partitioned table has no storage.
    IF actions IS NOT NULL AND (SELECT c.relkind = 'r' FROM pg_class c WHERE c.oid = p_to) THEN
        EXECUTE format('ALTER TABLE %s %s', p_to, actions);
    END IF;
    SELECT string_agg(s.action, ', ') INTO actions
    FROM (
        SELECT format('ALTER %I SET STATISTICS %s', a.attname, a.attstattarget) AS action
        FROM pg_attribute a
        WHERE a.attrelid = p_from AND a.attnum > 0 AND NOT a.attisdropped AND a.attstattarget >= 0
        UNION ALL
        SELECT format('ALTER %I SET (%I = %L)', a.attname, o.option_name, o.option_value)
        FROM pg_attribute a, pg_options_to_table(a.attoptions) o
        WHERE a.attrelid = p_from AND a.attnum > 0 AND NOT a.attisdropped
          AND o.option_name NOT LIKE 'pg\_%' -- the server's own marks
    ) s;
    IF actions IS NOT NULL THEN
        EXECUTE format('ALTER TABLE ONLY %s %s', p_to, actions);
    END IF;
END;
$$;
COMMENT ON FUNCTION profdepot.partition_settings(regclass, regclass) IS 'copies the storage options of a table and the statistics settings of its columns to another table';

-- Creates each table first and then attaches it as a partition, so that loads and reports continue. Only VACUUM and
-- sessions that attach other partitions wait for this transaction.
CREATE FUNCTION profdepot.ensure_partition(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    size numeric;
    low bigint;
    high bigint;
    parent record;
    part text;
BEGIN
    SELECT s.value::numeric INTO size FROM profdepot.settings s WHERE s.name = 'partition_size';
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- Until this transaction ends, the lock prevents partition_drop from dropping the range.
    PERFORM pg_advisory_xact_lock_shared(7305094182309);
    IF EXISTS (SELECT FROM profdepot.partitions p WHERE p_inst_id >= p.from_inst_id AND p_inst_id < p.to_inst_id) THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(7305094182308);
    IF EXISTS (SELECT FROM profdepot.partitions p WHERE p_inst_id >= p.from_inst_id AND p_inst_id < p.to_inst_id) THEN
        RETURN; -- another session has just created it
    END IF;
    low := floor((p_inst_id - 1) / size) * size + 1;
    high := low + size;
    -- Ranges have different sizes if the depot's setting has changed.
    SELECT greatest(low, max(p.to_inst_id)) INTO low FROM profdepot.partitions p WHERE p.to_inst_id <= p_inst_id;
    SELECT least(high, min(p.from_inst_id)) INTO high FROM profdepot.partitions p WHERE p.from_inst_id > p_inst_id;
    FOR parent IN
        SELECT c.relname, (SELECT max(i.inhrelid) FROM pg_inherits i WHERE i.inhparent = c.oid) AS sibling
        FROM pg_class c
        WHERE c.relnamespace = 'profdepot'::regnamespace AND c.relkind = 'p'
        ORDER BY c.relname
    LOOP
        part := format('profdepot.%I', profdepot.partition_name(parent.relname, low));
        EXECUTE format('CREATE TABLE %s (LIKE profdepot.%I INCLUDING ALL)', part, parent.relname);
        PERFORM profdepot.partition_settings(parent.sibling, part::regclass);
        EXECUTE format('ALTER TABLE profdepot.%I ATTACH PARTITION %s FOR VALUES FROM (%s) TO (%s)',
            parent.relname, part, low, high);
    END LOOP;
    INSERT INTO profdepot.partitions (from_inst_id, to_inst_id) VALUES (low, high);
END;
$$;
REVOKE ALL ON FUNCTION profdepot.ensure_partition(bigint) FROM PUBLIC;
COMMENT ON FUNCTION profdepot.ensure_partition(bigint) IS 'creates the tables of the range to which this INST_ID belongs, if the depot is partitioned and the range does not exist; to be called before facts are inserted under an INST_ID that draw_inst_id did not return';

-- A load calls this function before its transaction begins. Otherwise the load that draws the first number of a range
-- would create the range in its own transaction, and other loads would wait until it ends.
CREATE FUNCTION profdepot.partition_ahead() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    size bigint;
    next bigint;
BEGIN
    SELECT s.value::bigint INTO size FROM profdepot.settings s WHERE s.name = 'partition_size';
    IF FOUND THEN
        SELECT s.last_value + s.is_called::integer INTO next FROM profdepot.instances_inst_id_seq s;
        PERFORM profdepot.ensure_partition(next);
        PERFORM profdepot.ensure_partition(next + size);
    END IF;
END;
$$;
COMMENT ON FUNCTION profdepot.partition_ahead() IS 'creates the range of the next result set and the range after it, if the depot is partitioned';

-- Views refer to tables by OID, so they would still use the renamed tables. Therefore each view is defined again with
-- the same text, which looks up the table names again. The view keeps its comments, rights and triggers. ATTACH reads the
-- whole table to check the limit of the range. The client shows the progress that the function reports before each table.
CREATE FUNCTION profdepot.partition_depot(p_relations text[], p_size bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s' AS $$
DECLARE
    relation text;
    old regclass;
    olds oid[];
    high bigint;
    views text[];
    view text;
    item record;
    action text;
    distributed boolean := false;
    n integer := 0;
    done bigint := 0;
    total bigint;
BEGIN
    IF p_size IS NULL OR p_size < 1 THEN
        RAISE EXCEPTION 'a range must have at least one result set' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM pg_advisory_xact_lock(7305094182308);
    IF EXISTS (SELECT FROM profdepot.settings s WHERE s.name = 'partition_size') THEN
        UPDATE profdepot.settings SET value = p_size::text WHERE name = 'partition_size';
        RETURN;
    END IF;
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        EXECUTE 'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition d JOIN pg_catalog.pg_class c ON c.oid = d.logicalrelid::oid
            WHERE c.relnamespace = ''profdepot''::regnamespace)' INTO distributed;
    END IF;
    IF distributed THEN
        RAISE EXCEPTION 'the depot is distributed over several servers, so it cannot be partitioned'
            USING ERRCODE = 'feature_not_supported';
    END IF;
    EXECUTE (SELECT format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', string_agg(format('profdepot.%I', r), ', '))
             FROM unnest(p_relations) r);
    olds := ARRAY(SELECT format('profdepot.%I', r)::regclass::oid FROM unnest(p_relations) r);
    SELECT sum(pg_relation_size(o)) INTO total FROM unnest(olds) o;
    -- The lock prevents loads from drawing numbers; all numbers that are drawn later belong to later ranges.
    PERFORM pg_advisory_xact_lock(7305094182307);
    SELECT ((s.last_value + p_size) / p_size) * p_size + 1 INTO high FROM profdepot.instances_inst_id_seq s;
    SELECT greatest(high, (max(i.inst_id) / p_size + 1) * p_size + 1) INTO high FROM profdepot.instances i;
    views := ARRAY(
        SELECT format('CREATE OR REPLACE VIEW %s%s AS %s', c.oid::regclass, ' WITH (' || array_to_string(c.reloptions, ', ') || ')',
                      pg_get_viewdef(c.oid))
        FROM pg_class c
        WHERE c.relkind = 'v'
          AND c.oid IN (SELECT w.ev_class FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid
                        WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
                          AND d.refobjid = ANY (olds))
        ORDER BY c.oid);
    FOREACH relation IN ARRAY p_relations LOOP
        n := n + 1;
        RAISE INFO '% (relation % of %)', relation, n, cardinality(p_relations) USING DETAIL = format('%s of %s bytes', done, total);
        old := format('profdepot.%I', relation)::regclass;
        EXECUTE format('ALTER TABLE %s RENAME TO %I', old, relation || '_p0');
        FOR item IN
            SELECT x.relname FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid WHERE i.indrelid = old
        LOOP
            EXECUTE format('ALTER INDEX profdepot.%I RENAME TO %I', item.relname,
                relation || '_p0' || CASE WHEN starts_with(item.relname, relation) THEN substr(item.relname, length(relation) + 1)
                                          ELSE '_' || item.relname END);
        END LOOP;
        EXECUTE format('CREATE TABLE profdepot.%I (LIKE %s INCLUDING ALL) PARTITION BY RANGE (inst_id)', relation, old);
        PERFORM profdepot.partition_settings(old, format('profdepot.%I', relation)::regclass);
        FOR action IN
            SELECT format('COMMENT ON TABLE profdepot.%I IS %L', relation, obj_description(old, 'pg_class'))
            UNION ALL
            SELECT format('ALTER TABLE profdepot.%I OWNER TO %I', relation, pg_get_userbyid(c.relowner))
            FROM pg_class c WHERE c.oid = old
            UNION ALL
            SELECT format('GRANT %s ON profdepot.%I TO %s%s', x.privilege_type, relation,
                          CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END,
                          CASE WHEN x.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
            FROM pg_class c, aclexplode(c.relacl) x WHERE c.oid = old
            UNION ALL
            SELECT format('GRANT %s (%I) ON profdepot.%I TO %s%s', x.privilege_type, a.attname, relation,
                          CASE WHEN x.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END,
                          CASE WHEN x.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
            FROM pg_attribute a, aclexplode(a.attacl) x WHERE a.attrelid = old
            UNION ALL
            SELECT format('ALTER TABLE ONLY profdepot.%I ALTER %I SET (n_distinct_inherited = %L)', relation, a.attname, o.option_value)
            FROM pg_attribute a, pg_options_to_table(a.attoptions) o
            WHERE a.attrelid = old AND o.option_name = 'n_distinct'
        LOOP
            EXECUTE action;
        END LOOP;
        EXECUTE format('ALTER TABLE profdepot.%I ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%s)', relation, old, high);
        done := done + pg_relation_size(old);
    END LOOP;
    RAISE INFO 'views' USING DETAIL = format('%s of %s bytes', done, total);
    FOREACH view IN ARRAY views LOOP
        EXECUTE view;
    END LOOP;
    SELECT pg_describe_object(d.classid, d.objid, 0) AS dependent, pg_describe_object(d.refclassid, d.refobjid, 0) AS old INTO item
    FROM pg_depend d
    WHERE (d.refclassid = 'pg_class'::regclass AND d.refobjid = ANY (olds)
           OR d.refclassid = 'pg_type'::regclass AND d.refobjid IN (SELECT c.reltype FROM pg_class c WHERE c.oid = ANY (olds)))
      AND (d.classid IN ('pg_rewrite'::regclass, 'pg_policy'::regclass, 'pg_proc'::regclass, 'pg_publication_rel'::regclass)
           OR d.classid = 'pg_trigger'::regclass AND EXISTS (SELECT FROM pg_trigger t WHERE t.oid = d.objid AND NOT t.tgisinternal)
           OR d.classid = 'pg_constraint'::regclass AND EXISTS (SELECT FROM pg_constraint k WHERE k.oid = d.objid AND k.contype = 'f'));
    IF FOUND THEN
        RAISE EXCEPTION '% depends on a relation of the depot', item.dependent USING ERRCODE = 'dependent_objects_still_exist',
            DETAIL = format('The object depends on %s.', item.old),
            HINT = 'Drop this object, partition the depot, and create the object again.';
    END IF;
    INSERT INTO profdepot.partitions (from_inst_id, to_inst_id) VALUES (-9223372036854775808, high);
    INSERT INTO profdepot.settings (name, value) VALUES ('partition_size', p_size::text);
END;
$$;
COMMENT ON FUNCTION profdepot.partition_depot(text[], bigint) IS 'turns relations into tables that are partitioned by INST_ID, with this number of result sets per range; if the depot is partitioned already, changes the size of future ranges';

-- A range is complete if all its numbers have been drawn. partition_drop deletes the facts of a marked range later, so
-- that a reader with an earlier snapshot still finds them.
CREATE FUNCTION profdepot.partition_remove(p_inst_ids bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM profdepot.partitions p) THEN
        RETURN; -- the query below would fail in a distributed depot
    END IF;
    RETURN QUERY
    WITH marked AS (
        UPDATE profdepot.partitions p SET removed = true
        WHERE p.to_inst_id <= (SELECT s.last_value + s.is_called::integer FROM profdepot.instances_inst_id_seq s)
          AND EXISTS (SELECT FROM unnest(p_inst_ids) u WHERE u >= p.from_inst_id AND u < p.to_inst_id)
          AND NOT EXISTS (SELECT FROM profdepot.instances i
                          WHERE i.inst_id >= p.from_inst_id AND i.inst_id < p.to_inst_id
                            AND i.inst_id <> ALL (p_inst_ids))
        RETURNING p.from_inst_id, p.to_inst_id
    )
    SELECT u FROM unnest(p_inst_ids) u JOIN marked m ON u >= m.from_inst_id AND u < m.to_inst_id;
END;
$$;
REVOKE ALL ON FUNCTION profdepot.partition_remove(bigint[]) FROM PUBLIC;
COMMENT ON FUNCTION profdepot.partition_remove(bigint[]) IS 'prepares the removal of these result sets: marks each complete range that contains no other result sets, and returns the result sets that are in marked ranges';

CREATE FUNCTION profdepot.partition_order(p_inst_ids bigint[]) RETURNS TABLE (place bigint, range bigint, partial boolean)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM profdepot.partitions p) THEN
        RETURN QUERY SELECT n - 1, NULL::bigint, false FROM generate_series(1::bigint, cardinality(p_inst_ids)) n;
        RETURN;
    END IF;
    RETURN QUERY
    WITH listed AS (
        SELECT u.inst_id, u.n FROM unnest(p_inst_ids) WITH ORDINALITY u (inst_id, n)
    ), ranges AS MATERIALIZED (
        SELECT p.from_inst_id, p.to_inst_id,
               (SELECT count(*) FROM profdepot.instances i WHERE i.inst_id >= p.from_inst_id AND i.inst_id < p.to_inst_id)
               = (SELECT count(*) FROM listed l WHERE l.inst_id >= p.from_inst_id AND l.inst_id < p.to_inst_id) AS whole
        FROM profdepot.partitions p
        WHERE p.to_inst_id <= (SELECT s.last_value + s.is_called::integer FROM profdepot.instances_inst_id_seq s)
          AND EXISTS (SELECT FROM listed l WHERE l.inst_id >= p.from_inst_id AND l.inst_id < p.to_inst_id)
    )
    SELECT l.n - 1, CASE WHEN r.whole THEN r.from_inst_id END, COALESCE(NOT r.whole, false)
    FROM listed l
    LEFT JOIN ranges r ON l.inst_id >= r.from_inst_id AND l.inst_id < r.to_inst_id
    ORDER BY 2 DESC NULLS LAST, 3, 1;
END;
$$;
COMMENT ON FUNCTION profdepot.partition_order(bigint[]) IS 'the listed result sets in the order in which to remove them: first those in complete ranges whose result sets are all listed (range is the start of their range), then those outside of complete ranges, and last those in complete ranges that also contain other result sets (partial is true); place is the position in p_inst_ids, from 0';

-- DROP and TRUNCATE do not respect snapshots. A transaction that began to read the depot before the result sets were
-- removed may still read their facts, so the function first waits a second for such transactions. It does not wait for
-- transactions that write: they are loads, and each of their statements has a new snapshot. DROP needs locks on the
-- relations, so it happens only while nobody uses them. TRUNCATE needs locks only on the tables of the range, whose
-- result sets nobody needs.
CREATE FUNCTION profdepot.partition_drop() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
    readers text[];
    parents text;
    part record;
    tables text;
    filled text;
    action text;
    complete boolean := true;
BEGIN
    readers := ARRAY(
        SELECT l.virtualtransaction FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
        WHERE l.locktype = 'relation' AND l.pid <> pg_backend_pid()
          AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
          AND c.relnamespace = 'profdepot'::regnamespace
        GROUP BY l.virtualtransaction
        HAVING NOT bool_or(l.mode IN ('RowExclusiveLock', 'ShareUpdateExclusiveLock')));
    FOR tries IN 1..100 LOOP
        EXIT WHEN NOT EXISTS (SELECT FROM pg_locks l WHERE l.virtualtransaction = ANY (readers));
        IF tries = 100 THEN
            RETURN false;
        END IF;
        PERFORM pg_sleep(0.01);
    END LOOP;
    SELECT string_agg(format('ONLY profdepot.%I', c.relname), ', ' ORDER BY c.relname) INTO parents
    FROM pg_class c WHERE c.relnamespace = 'profdepot'::regnamespace AND c.relkind = 'p';
    FOR part IN SELECT p.* FROM profdepot.partitions p WHERE p.removed ORDER BY p.from_inst_id FOR UPDATE SKIP LOCKED LOOP
        SELECT string_agg(format('profdepot.%I', t.relname), ', '),
               string_agg(format('profdepot.%I', t.relname), ', ') FILTER (WHERE pg_relation_size(t.oid) > 0)
        INTO tables, filled
        FROM pg_class c
        JOIN pg_class t ON t.relnamespace = c.relnamespace AND t.relname = profdepot.partition_name(c.relname, part.from_inst_id)
        WHERE c.relnamespace = 'profdepot'::regnamespace AND c.relkind = 'p';
        BEGIN
            -- A transaction that has drawn a number from the range but has not written yet holds only this advisory lock.
            IF NOT pg_try_advisory_xact_lock(7305094182309) THEN
                RAISE lock_not_available;
            END IF;
            EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE NOWAIT', parents);
            action := 'DROP TABLE ' || tables;
        EXCEPTION WHEN lock_not_available THEN
            BEGIN
                action := 'TRUNCATE ' || filled;
                IF filled IS NOT NULL THEN
                    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', filled);
                END IF;
            EXCEPTION WHEN lock_not_available THEN
                action := NULL;
                complete := false;
            END;
        END;
        IF EXISTS (SELECT FROM profdepot.instances i WHERE i.inst_id >= part.from_inst_id AND i.inst_id < part.to_inst_id) THEN
            -- A transaction drew its number before the range was marked, and stored its result set afterwards.
            UPDATE profdepot.partitions p SET removed = false WHERE p.from_inst_id = part.from_inst_id;
            complete := false;
        ELSIF action IS NOT NULL THEN
            EXECUTE action;
            IF action LIKE 'DROP%' THEN
                DELETE FROM profdepot.partitions p WHERE p.from_inst_id = part.from_inst_id;
            END IF;
        END IF;
    END LOOP;
    RETURN complete;
END;
$$;
REVOKE ALL ON FUNCTION profdepot.partition_drop() FROM PUBLIC;
COMMENT ON FUNCTION profdepot.partition_drop() IS 'drops the tables of removed ranges, or at least empties them; returns false if facts of removed result sets are left, because the tables are in use';
