-- Event categories: the columns in the rows that a sender posts. The catalogue is configuration,
-- not part of a result set: a distributed depot has a copy on every server.

CREATE TABLE profdepot.categories (
    name text COLLATE "C" NOT NULL,
    built_in boolean NOT NULL DEFAULT false,
    PRIMARY KEY (name),
    CHECK (name ~ '^[a-z][a-z0-9_]{0,40}$')
);
COMMENT ON TABLE profdepot.categories IS 'event categories; each has a view with its name';
COMMENT ON COLUMN profdepot.categories.name IS 'name of the category, as senders use it';
COMMENT ON COLUMN profdepot.categories.built_in IS 'whether the category is part of every depot and cannot be deleted';

CREATE TABLE profdepot.category_columns (
    category text COLLATE "C" NOT NULL REFERENCES profdepot.categories ON DELETE CASCADE,
    position integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    pretty_name text COLLATE "C" NOT NULL,
    PRIMARY KEY (category, position),
    UNIQUE (category, name),
    CHECK (name ~ '^[a-z][a-z0-9_]{0,40}$'),
    CHECK (type IN ('string', 'timestamp', 'int', 'stack', 'elapsed'))
);
COMMENT ON TABLE profdepot.category_columns IS 'columns of the categories; hostname and time have one value per batch, the other columns one value per row';
COMMENT ON COLUMN profdepot.category_columns.category IS 'the category';
COMMENT ON COLUMN profdepot.category_columns.position IS 'place of the column, from 1';
COMMENT ON COLUMN profdepot.category_columns.name IS 'name of the column, as senders use it';
COMMENT ON COLUMN profdepot.category_columns.type IS 'string; timestamp; int: 64-bit integer; stack: frames joined by semicolons, innermost first; elapsed: microseconds, 64-bit integer';
COMMENT ON COLUMN profdepot.category_columns.pretty_name IS 'display name of the column';

-- The SELECT list of a category's view. The tracks and samples have columns for hostname, time, process, pid,
-- the first stack and the first elapsed value of an event. The other values of an event are in attributes.
CREATE FUNCTION profdepot.category_select(p_category text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    c record;
    shown text;
    list text := '';
    texts text := '';
    has_stack boolean := false;
    has_elapsed boolean := false;
    -- Adds the seconds to the epoch, because to_timestamp() is inexact for times far from 1970.
    at constant text := '(timestamp ''epoch'' + floor(r.at)::double precision * interval ''1 second'')';
BEGIN
    FOR c IN SELECT k.name, k.type FROM profdepot.category_columns k
             WHERE k.category = p_category ORDER BY k.position LOOP
        IF c.name = 'hostname' THEN
            shown := 't.host';
        ELSIF c.name = 'time' THEN
            shown := at || ' + ((r.at - floor(r.at)) * 1000000)::double precision * interval ''1 microsecond''';
            texts := texts || ', COALESCE(r.attributes ->> ''time'', to_char(' || at
                || ', ''YYYY-MM-DD HH24:MI:SS'') || substr((r.at - floor(r.at))::text, 2)) COLLATE "C" AS time_text';
        ELSIF c.name = 'process' AND c.type = 'string' THEN
            shown := 't.process_name';
        ELSIF c.name = 'pid' AND c.type = 'int' THEN
            shown := 'COALESCE(t.thread_id, (r.attributes ->> ''pid'')::bigint)';
        ELSIF c.type = 'stack' AND NOT has_stack THEN
            has_stack := true;
            shown := 'k.stack';
        ELSIF c.type = 'elapsed' AND NOT has_elapsed THEN
            has_elapsed := true;
            shown := 'r.weight::bigint';
        ELSIF c.type IN ('int', 'elapsed') THEN
            shown := format('(r.attributes ->> %L)::bigint', c.name);
        ELSIF c.type = 'timestamp' THEN
            -- A time with a time zone is shown in UTC, like the time of the batch.
            shown := format('CASE WHEN (r.attributes ->> %1$L) ~ '':.*[Z+-]''
                THEN (r.attributes ->> %1$L)::timestamptz AT TIME ZONE ''UTC''
                ELSE (r.attributes ->> %1$L)::timestamp END', c.name);
            texts := texts || format(', (r.attributes ->> %L) COLLATE "C" AS %I', c.name, c.name || '_text');
        ELSE
            shown := format('(r.attributes ->> %L) COLLATE "C"', c.name);
        END IF;
        list := list || format(', %s AS %I', shown, c.name);
    END LOOP;
    RETURN list || texts;
END;
$$;
COMMENT ON FUNCTION profdepot.category_select(text) IS 'SQL for the columns that follow inst_id and id in a category''s view';

CREATE FUNCTION profdepot.category_comment(p_category text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    c record;
BEGIN
    EXECUTE format('COMMENT ON VIEW profdepot.%I IS %L', p_category,
        'events of the category ' || p_category || ', one row per event; id gives the order of their arrival');
    EXECUTE format('COMMENT ON COLUMN profdepot.%I.inst_id IS %L', p_category, 'the result set');
    EXECUTE format('COMMENT ON COLUMN profdepot.%I.id IS %L', p_category, 'number of the event in the result set');
    FOR c IN SELECT k.name, k.type, k.pretty_name FROM profdepot.category_columns k
             WHERE k.category = p_category ORDER BY k.position LOOP
        EXECUTE format('COMMENT ON COLUMN profdepot.%I.%I IS %L', p_category, c.name,
            c.pretty_name || CASE c.type WHEN 'elapsed' THEN ', microseconds'
                WHEN 'stack' THEN ', innermost frame first'
                WHEN 'timestamp' THEN ', by the sender''s clock, or in UTC if the text names a time zone; NULL if it is not a valid time'
                ELSE '' END);
        IF c.type = 'timestamp' THEN
            EXECUTE format('COMMENT ON COLUMN profdepot.%I.%I IS %L', p_category, c.name || '_text',
                c.pretty_name || ', as the sender wrote it');
        END IF;
    END LOOP;
END;
$$;
COMMENT ON FUNCTION profdepot.category_comment(text) IS 'comments of a category''s view';

-- Runs with its owner's rights, because the loader role declares categories but does not own the
-- schema.
CREATE FUNCTION profdepot.category_add(p_category text, p_columns text[], p_types text[], p_pretty_names text[])
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    item text;
BEGIN
    IF EXISTS (SELECT FROM profdepot.categories k WHERE k.name = p_category) THEN
        RAISE EXCEPTION 'the category "%" exists already', p_category USING ERRCODE = 'duplicate_object',
            HINT = '"profdepot category rm" deletes a category without events.';
    END IF;
    FOREACH item IN ARRAY p_category || p_columns LOOP
        IF item !~ '^[a-z][a-z0-9_]{0,40}$' THEN
            RAISE EXCEPTION '"%" is not a valid name for a category or column', item USING ERRCODE = 'invalid_name',
                HINT = 'A name is a lower-case letter, followed by up to 40 lower-case letters, digits and underscores.';
        END IF;
    END LOOP;
    -- Columns can be SQL keywords, because senders choose their names. Queries can quote them.
    IF EXISTS (SELECT FROM pg_get_keywords() k WHERE k.word = p_category AND k.catcode IN ('R', 'T')) THEN
        RAISE EXCEPTION '"%" is an SQL keyword', p_category USING ERRCODE = 'reserved_name';
    END IF;
    IF p_category IN ('hostname', 'time') THEN
        RAISE EXCEPTION '"%" is a member of every batch of events, so it cannot be a category', p_category
            USING ERRCODE = 'reserved_name';
    END IF;
    FOREACH item IN ARRAY p_columns LOOP
        IF item IN ('inst_id', 'id') OR p_columns @> ARRAY[regexp_replace(item, '_text$', '')]
            AND item LIKE '%\_text' AND p_types[array_position(p_columns, regexp_replace(item, '_text$', ''))] = 'timestamp' THEN
            RAISE EXCEPTION 'the view already has a column "%"', item USING ERRCODE = 'duplicate_column';
        END IF;
    END LOOP;
    IF p_category LIKE 'pg\_%' OR to_regclass('profdepot.' || p_category) IS NOT NULL
        OR to_regtype('profdepot.' || p_category) IS NOT NULL THEN
        RAISE EXCEPTION 'the depot already has a relation "%"', p_category USING ERRCODE = 'duplicate_table';
    END IF;
    IF p_types[array_position(p_columns, 'hostname')] IS DISTINCT FROM 'string'
        OR p_types[array_position(p_columns, 'time')] IS DISTINCT FROM 'timestamp' THEN
        RAISE EXCEPTION 'a category must have the columns hostname (string) and time (timestamp)'
            USING ERRCODE = 'invalid_column_definition';
    END IF;
    INSERT INTO profdepot.categories (name) VALUES (p_category);
    INSERT INTO profdepot.category_columns (category, position, name, type, pretty_name)
    SELECT p_category, u.n, u.name, u.type, u.pretty_name
    FROM unnest(p_columns, p_types, p_pretty_names) WITH ORDINALITY AS u (name, type, pretty_name, n);
    -- Citus refuses an outer join with a column of samples for several result sets, because samples is a union.
    EXECUTE format('CREATE VIEW profdepot.%I AS SELECT r.inst_id, r.id%s
        FROM profdepot.tracks t
        JOIN profdepot.samples r ON r.inst_id = t.inst_id AND r.track_id = t.track_id
        LEFT JOIN (
            SELECT s.inst_id, s.stack_id, string_agg(m.col_routine_name, %L ORDER BY f.n) AS stack
            FROM profdepot.stacks s
            CROSS JOIN LATERAL unnest(s.routine_ids) WITH ORDINALITY AS f (routine_id, n)
            JOIN profdepot.resource_profiler_meta_routines m ON m.inst_id = s.inst_id AND m.rec_id = f.routine_id
            GROUP BY s.inst_id, s.stack_id
        ) k ON k.inst_id = t.inst_id AND k.stack_id = r.stack_id
        WHERE t.category = %L', p_category, profdepot.category_select(p_category), ';', p_category);
    PERFORM profdepot.category_comment(p_category);
END;
$$;
REVOKE ALL ON FUNCTION profdepot.category_add(text, text[], text[], text[]) FROM PUBLIC;
COMMENT ON FUNCTION profdepot.category_add(text, text[], text[], text[]) IS 'declares an event category and creates its view';

CREATE FUNCTION profdepot.category_remove(p_category text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    used bigint;
BEGIN
    PERFORM FROM profdepot.categories WHERE name = p_category AND NOT built_in FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no declared category "%"', p_category USING ERRCODE = 'undefined_object';
    END IF;
    -- In a distributed depot, DROP VIEW fails if the transaction has already used several connections to a server.
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    SELECT count(DISTINCT t.inst_id) INTO used FROM profdepot.tracks t WHERE t.category = p_category;
    IF used > 0 THEN
        RAISE EXCEPTION '% result set% events of the category "%"', used,
            CASE WHEN used = 1 THEN ' holds' ELSE 's hold' END, p_category
            USING ERRCODE = 'object_in_use', HINT = '"profdepot rm" removes result sets.';
    END IF;
    EXECUTE format('DROP VIEW profdepot.%I', p_category);
    DELETE FROM profdepot.categories WHERE name = p_category;
END;
$$;
REVOKE ALL ON FUNCTION profdepot.category_remove(text) FROM PUBLIC;
COMMENT ON FUNCTION profdepot.category_remove(text) IS 'deletes a category that has no result sets, and the category''s view';
