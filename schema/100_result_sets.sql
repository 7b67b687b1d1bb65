-- Result sets and their metadata. Every relation is keyed by inst_id; AQTime's documented columns come
-- first.

CREATE SEQUENCE profdepot.instances_inst_id_seq AS bigint;
COMMENT ON SEQUENCE profdepot.instances_inst_id_seq IS 'result set numbers; the loader takes the next free number';

-- A load draws its number before it knows whether it will store anything. If it stores nothing, it gives the
-- number back. While a number is drawn or given back, the lock prevents other loads from doing the same.
CREATE FUNCTION profdepot.draw_inst_id() RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    PERFORM pg_catalog.pg_advisory_lock(7305094182307);
    LOOP -- skips numbers that a user's own INSERT or an earlier result set has used
        n := nextval('profdepot.instances_inst_id_seq');
        PERFORM FROM profdepot.instances i WHERE i.inst_id = n;
        CONTINUE WHEN FOUND;
        PERFORM FROM profdepot.published_runs r WHERE r.inst_id = n;
        EXIT WHEN NOT FOUND;
    END LOOP;
    PERFORM pg_catalog.pg_advisory_unlock(7305094182307);
    PERFORM profdepot.ensure_partition(n);
    RETURN n;
END;
$$;
COMMENT ON FUNCTION profdepot.draw_inst_id() IS 'returns a free result set number, which no other caller gets';

CREATE FUNCTION profdepot.give_back_inst_id(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_catalog.pg_advisory_lock(7305094182307);
    PERFORM setval('profdepot.instances_inst_id_seq', p_inst_id, false)
    FROM profdepot.instances_inst_id_seq s
    WHERE s.last_value + s.is_called::integer = p_inst_id + 1;
    PERFORM pg_catalog.pg_advisory_unlock(7305094182307);
END;
$$;
COMMENT ON FUNCTION profdepot.give_back_inst_id(bigint) IS 'makes an unused number from draw_inst_id available again; does nothing if a later number has been drawn';

-- An index entry cannot contain a long text, so the indexes of streams contain a hash. Each backslash is doubled, because
-- the conversion to bytea would read it as the start of an escape.
CREATE FUNCTION profdepot.stream_kind(p_application text, p_labels text, p_format text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN encode(substr(sha256(replace(COALESCE(p_application, '') || chr(29) || p_labels || chr(29) || COALESCE(p_format, ''),
                                        E'\\', E'\\\\')::bytea), 1, 16), 'hex')::uuid;
END;
$$;
COMMENT ON FUNCTION profdepot.stream_kind(text, text, text) IS 'hash of an application, instances.stream_labels and a format';

CREATE TABLE profdepot.instances (
    inst_id bigint NOT NULL DEFAULT nextval('profdepot.instances_inst_id_seq'),
    caption text COLLATE "C",
    counter_description text COLLATE "C",
    counter_frequency text COLLATE "C",
    counter_name text COLLATE "C",
    state text COLLATE "C" NOT NULL DEFAULT 'open',
    format text COLLATE "C",
    source_name text COLLATE "C",
    source_inst_id bigint,
    source_caption text COLLATE "C",
    input_digest bytea,
    input_bytes bigint,
    content_digest uuid,
    thread_key text COLLATE "C" NOT NULL DEFAULT 'rec_id',
    application text COLLATE "C",
    app_version text COLLATE "C",
    host text COLLATE "C",
    tool text COLLATE "C",
    loader_version text COLLATE "C",
    loaded_at timestamptz NOT NULL DEFAULT now(),
    load_seconds double precision,
    attributes json,
    live_summed boolean NOT NULL DEFAULT true,
    live_distinct boolean NOT NULL DEFAULT false,
    touched bigint,
    posted bigint[],
    stream_labels text COLLATE "C" NOT NULL DEFAULT '', -- copy=no
    PRIMARY KEY (inst_id),
    CHECK (state IN ('open', 'closed')),
    CHECK (thread_key IN ('rec_id', 'id'))
);
-- These indexes find known contents, known inputs, the newest result sets, and the newest ones of a stream.
CREATE INDEX instances_content ON profdepot.instances (content_digest);
CREATE INDEX instances_input ON profdepot.instances (input_digest);
CREATE INDEX instances_loaded ON profdepot.instances (loaded_at DESC, inst_id DESC);
CREATE INDEX instances_stream ON profdepot.instances (profdepot.stream_kind(application, stream_labels, format), loaded_at DESC, inst_id DESC);
CREATE INDEX instances_application ON profdepot.instances (application, loaded_at DESC, inst_id DESC);
-- These indexes find the result sets of lists that are filtered by one of these properties. They have only the first part
-- of a text, because an index entry cannot contain a long text.
CREATE INDEX instances_version ON profdepot.instances (left(app_version, 200), loaded_at DESC, inst_id DESC);
CREATE INDEX instances_format ON profdepot.instances (left(format, 200), loaded_at DESC, inst_id DESC);
CREATE INDEX instances_host ON profdepot.instances (left(host, 200), loaded_at DESC, inst_id DESC);
CREATE INDEX instances_tool ON profdepot.instances (left(tool, 200), loaded_at DESC, inst_id DESC);
ALTER SEQUENCE profdepot.instances_inst_id_seq OWNED BY profdepot.instances.inst_id;
COMMENT ON TABLE profdepot.instances IS 'AQTime''s INSTANCES: one row per result set, with its metadata';
COMMENT ON COLUMN profdepot.instances.inst_id IS 'INST_ID: number of the result set in this depot; the exporter''s number is source_inst_id';
COMMENT ON COLUMN profdepot.instances.caption IS 'CAPTION: name of the result set, as exported or as given at load';
COMMENT ON COLUMN profdepot.instances.counter_description IS 'COUNTER_DESCRIPTION: as exported; not used by the Resource profiler';
COMMENT ON COLUMN profdepot.instances.counter_frequency IS 'COUNTER_FREQUENCY: as exported; not used by the Resource profiler';
COMMENT ON COLUMN profdepot.instances.counter_name IS 'COUNTER_NAME: as exported; not used by the Resource profiler';
COMMENT ON COLUMN profdepot.instances.state IS 'closed: stack_totals and call_tree are complete; open: SQL has written or changed the result set, and reports read the facts until profdepot reindex closes it';
COMMENT ON COLUMN profdepot.instances.format IS 'format of the input, a name from profdepot formats; NULL if SQL wrote the result set';
COMMENT ON COLUMN profdepot.instances.source_name IS 'name of the input: the last part of its path';
COMMENT ON COLUMN profdepot.instances.source_inst_id IS 'the exporter''s own INST_ID';
COMMENT ON COLUMN profdepot.instances.source_caption IS 'CAPTION as exported, even if another caption was given at load';
COMMENT ON COLUMN profdepot.instances.input_digest IS 'SHA-256 of the whole input; a known input is skipped';
COMMENT ON COLUMN profdepot.instances.input_bytes IS 'bytes of the input, decompressed';
COMMENT ON COLUMN profdepot.instances.content_digest IS '128-bit sum over the result set''s rows without INST_ID; it does not depend on the order of the rows, and identifies the same result set in another export';
COMMENT ON COLUMN profdepot.instances.thread_key IS 'column of RESOURCE_PROFILER_THREADS to which OBJECTS.COL_THREADID refers: rec_id (usual) or id';
COMMENT ON COLUMN profdepot.instances.application IS 'profiled application, as given at load';
COMMENT ON COLUMN profdepot.instances.app_version IS 'version of the application, as given at load';
COMMENT ON COLUMN profdepot.instances.host IS 'machine that was profiled, as given at load';
COMMENT ON COLUMN profdepot.instances.tool IS 'profiler that produced the result';
COMMENT ON COLUMN profdepot.instances.loader_version IS 'version of profdepot that loaded the result set';
COMMENT ON COLUMN profdepot.instances.loaded_at IS 'time of the load';
COMMENT ON COLUMN profdepot.instances.load_seconds IS 'seconds from the start of reading to the commit';
COMMENT ON COLUMN profdepot.instances.attributes IS 'values that belong to the whole input and have no column; an export writes them again';
COMMENT ON COLUMN profdepot.instances.live_summed IS 'whether stack_totals has the object sums once the result set is closed; if nearly every object has its own stack, the loader omits the sums, and live_totals reads the objects instead';
COMMENT ON COLUMN profdepot.instances.live_distinct IS 'true if the loader found that each class has one name, and that no two rows of live_totals have the same class name and equal stacks; reports on a closed result set then need not group classes or leaks';
COMMENT ON COLUMN profdepot.instances.posted IS 'open result sets of posted events or profiles: number of samples, highest ID of a sample, number of spans and highest ID of a span, before the last transaction that stored some; NULL otherwise';
COMMENT ON COLUMN profdepot.instances.touched IS 'open result sets of posted events: random number of the transaction that last stored events; NULL otherwise';
COMMENT ON COLUMN profdepot.instances.stream_labels IS 'the labels that, together with the application, identify the result set''s stream; key and value are separated by chr(31), labels by chr(30); if SQL writes labels, profdepot reindex sets the value';

CREATE TABLE profdepot.relations ( -- row: relation_row digest=no
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    col_child_table text COLLATE "C",
    col_parent_table text COLLATE "C",
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.relations IS 'AQTime''s RELATIONS: parent and child tables of the export';
COMMENT ON COLUMN profdepot.relations.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.relations.id IS 'ID: number of the relation';
COMMENT ON COLUMN profdepot.relations.col_child_table IS 'COL_CHILD_TABLE: name of the child table';
COMMENT ON COLUMN profdepot.relations.col_parent_table IS 'COL_PARENT_TABLE: name of the parent table, NULL for a top-level table';

CREATE TABLE profdepot.result_set_labels (
    inst_id bigint NOT NULL,
    key text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (inst_id, key)
);
-- Indexes only the first part of a value, because an index entry cannot contain a long text.
CREATE INDEX result_set_labels_value ON profdepot.result_set_labels (key, left(value, 200), inst_id);
COMMENT ON TABLE profdepot.result_set_labels IS 'a result set''s labels, chosen freely, such as branch=main';
COMMENT ON COLUMN profdepot.result_set_labels.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.result_set_labels.key IS 'name of the label';
COMMENT ON COLUMN profdepot.result_set_labels.value IS 'value of the label';

CREATE TABLE profdepot.result_set_counts (
    inst_id bigint NOT NULL,
    relation text COLLATE "C" NOT NULL,
    row_count bigint NOT NULL,
    id_sum numeric NOT NULL,
    value_sum numeric NOT NULL,
    PRIMARY KEY (inst_id, relation)
);
COMMENT ON TABLE profdepot.result_set_counts IS 'rows and sums that the loader counted; profdepot verify compares them with the depot';
COMMENT ON COLUMN profdepot.result_set_counts.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.result_set_counts.relation IS 'name of the relation, without schema, in lower case';
COMMENT ON COLUMN profdepot.result_set_counts.row_count IS 'number of rows';
COMMENT ON COLUMN profdepot.result_set_counts.id_sum IS 'sum of the rows'' IDs; for further stacks, sum of the owners'' IDs';
COMMENT ON COLUMN profdepot.result_set_counts.value_sum IS 'sum of the relation''s main number: size of objects and threads, live size of classes, error code, source line, routine of a frame, first value of a sample, duration of a span, matches of a suppression, position of a further stack, routine of a call graph row; 0 if the relation has no such number';

CREATE TABLE profdepot.result_set_checksums (
    inst_id bigint NOT NULL,
    relation text COLLATE "C" NOT NULL,
    checksum uuid NOT NULL,
    PRIMARY KEY (inst_id, relation)
);
COMMENT ON TABLE profdepot.result_set_checksums IS 'checksums of a closed result set''s rows, one per relation with rows; profdepot verify --deep compares them with the depot';
COMMENT ON COLUMN profdepot.result_set_checksums.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.result_set_checksums.relation IS 'name of the relation, without schema, in lower case';
COMMENT ON COLUMN profdepot.result_set_checksums.checksum IS '128-bit sum of the XXH3 hashes of the relation''s rows in binary COPY format; it does not depend on the order of the rows';

CREATE TABLE profdepot.import_issues (
    inst_id bigint NOT NULL,
    issue_no integer NOT NULL,
    severity text COLLATE "C" NOT NULL,
    code text COLLATE "C" NOT NULL,
    source text COLLATE "C",
    line bigint,
    byte_offset bigint,
    message text COLLATE "C" NOT NULL,
    occurrences bigint NOT NULL DEFAULT 1,
    rejected bytea,
    PRIMARY KEY (inst_id, issue_no),
    CHECK (severity IN ('info', 'warning', 'error'))
);
COMMENT ON TABLE profdepot.import_issues IS 'problems found by a load; at most 100 rows per code, then one row with the number of further issues';
COMMENT ON COLUMN profdepot.import_issues.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.import_issues.issue_no IS 'number within the result set, from 1';
COMMENT ON COLUMN profdepot.import_issues.severity IS 'info: nothing is lost; warning: the data contradict each other; error: a row was skipped';
COMMENT ON COLUMN profdepot.import_issues.code IS 'kind of the issue, see profdepot-schema(5)';
COMMENT ON COLUMN profdepot.import_issues.source IS 'file or table of the input';
COMMENT ON COLUMN profdepot.import_issues.line IS 'line in the file, from 1';
COMMENT ON COLUMN profdepot.import_issues.byte_offset IS 'offset in the file, in bytes';
COMMENT ON COLUMN profdepot.import_issues.message IS 'description of the problem';
COMMENT ON COLUMN profdepot.import_issues.occurrences IS 'number of issues that the row represents';
COMMENT ON COLUMN profdepot.import_issues.rejected IS 'the rejected input as read, at most 64 KiB';
