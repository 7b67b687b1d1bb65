-- Until the first release, tools/remake-initial makes this file from the files in schema/: edit those instead.

-- schema/000_depot.sql

-- The schema and its table of migrations. Both may exist already: an administrator may have created
-- the schema for its owner, and a depot at version 0 has an empty table.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'profdepot') THEN
        CREATE SCHEMA profdepot;
    END IF;
END;
$$;
COMMENT ON SCHEMA profdepot IS 'profdepot: profiler results in the relational shape of AQTime''s Resource profiler';

CREATE TABLE IF NOT EXISTS profdepot.schema_migrations (
    version integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (version)
);
COMMENT ON TABLE profdepot.schema_migrations IS 'migrations applied to this depot, one row per migration';
COMMENT ON COLUMN profdepot.schema_migrations.version IS 'number of the migration; the highest is the depot''s version';
COMMENT ON COLUMN profdepot.schema_migrations.name IS 'name of the migration, as in its file name';
COMMENT ON COLUMN profdepot.schema_migrations.checksum IS 'SHA-256 of the migration file when it was applied';
COMMENT ON COLUMN profdepot.schema_migrations.applied_at IS 'time when the migration was applied, or when the depot was created with it';

-- schema/100_result_sets.sql

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

-- schema/110_runs.sql

-- Runs: how the program was executed, and what the profiler looked for.

CREATE TABLE profdepot.runs ( -- row: run_row digest=no
    inst_id bigint NOT NULL,
    run_key text COLLATE "C",
    started_at timestamptz, -- member=started_us
    ended_at timestamptz, -- member=ended_us
    version text COLLATE "C",
    commit_id text COLLATE "C",
    parent_commit_id text COLLATE "C",
    environment text COLLATE "C",
    finished boolean,
    PRIMARY KEY (inst_id)
);
CREATE INDEX runs_key ON profdepot.runs (run_key) WHERE run_key IS NOT NULL;
COMMENT ON TABLE profdepot.runs IS 'one row per loaded result set: the run that it comes from';
COMMENT ON COLUMN profdepot.runs.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.runs.run_key IS 'key that the result sets of one execution share, as given at load; NULL if not given';
COMMENT ON COLUMN profdepot.runs.started_at IS 'when the run started; NULL if the input does not say';
COMMENT ON COLUMN profdepot.runs.ended_at IS 'when the run ended; NULL if the input does not say';
COMMENT ON COLUMN profdepot.runs.version IS 'version of the application';
COMMENT ON COLUMN profdepot.runs.commit_id IS 'commit that the application was built from, as given at load';
COMMENT ON COLUMN profdepot.runs.parent_commit_id IS 'parent of that commit, as given at load';
COMMENT ON COLUMN profdepot.runs.environment IS 'where the program ran, such as the name of a CI job, as given at load';
COMMENT ON COLUMN profdepot.runs.finished IS 'whether the profiler wrote its end marker; NULL if its format has no end marker';

CREATE TABLE profdepot.budget_verdicts (
    inst_id bigint NOT NULL,
    budget_no integer NOT NULL,
    budget text COLLATE "C" NOT NULL,
    verdict text COLLATE "C" NOT NULL,
    reason text COLLATE "C",
    checked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (inst_id, budget_no),
    CHECK (verdict IN ('passed', 'broken', 'skipped', 'unjudged'))
);
COMMENT ON TABLE profdepot.budget_verdicts IS 'the verdicts of the newest recorded check of a result set; no row if no check was recorded';
COMMENT ON COLUMN profdepot.budget_verdicts.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.budget_verdicts.budget_no IS 'number of the budget in its file, from 1';
COMMENT ON COLUMN profdepot.budget_verdicts.budget IS 'name of the budget';
COMMENT ON COLUMN profdepot.budget_verdicts.verdict IS 'passed, broken, skipped or unjudged, as in the output of profdepot check';
COMMENT ON COLUMN profdepot.budget_verdicts.reason IS 'the worst excess of each exceeded limit, or why the budget could not be judged';
COMMENT ON COLUMN profdepot.budget_verdicts.checked_at IS 'time of the check';

CREATE TABLE profdepot.coverage ( -- row: coverage_row digest=no
    inst_id bigint NOT NULL,
    what text COLLATE "C" NOT NULL,
    degree text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    PRIMARY KEY (inst_id, what),
    CHECK (what IN ('leaks', 'errors', 'races', 'heap', 'samples', 'spans')),
    CHECK (degree IN ('none', 'partial', 'sampled', 'full'))
);
COMMENT ON TABLE profdepot.coverage IS 'what the run of a result set looked for; no row if unknown';
COMMENT ON COLUMN profdepot.coverage.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.coverage.what IS 'leaks, errors, races, heap, samples or spans';
COMMENT ON COLUMN profdepot.coverage.degree IS 'none: not looked for; partial: the search did not end; sampled: only samples were examined; full';
COMMENT ON COLUMN profdepot.coverage.source IS 'how this is known: the format, an option of the profiler, or --looked-for';

-- schema/112_ledger.sql

-- The ledger: everything that history depends on, in the order in which the depot learned it. Runs, findings and
-- the ledger outlive the result sets. Ledger rows are never changed or deleted, so an earlier answer can be computed
-- again from its ledger number.

CREATE TABLE profdepot.ledger (
    ledger_no bigint NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    event text COLLATE "C" NOT NULL,
    inst_id bigint,
    labels text[] COLLATE "C",
    subject text COLLATE "C",
    PRIMARY KEY (ledger_no),
    CHECK (event IN ('run', 'labels', 'application', 'stream labels', 'stream parent', 'suppression', 'review', 'alias', 'owners', 'forgotten'))
);
CREATE INDEX ledger_moves ON profdepot.ledger (event, inst_id, ledger_no) WHERE event <> 'run';
COMMENT ON TABLE profdepot.ledger IS 'what history depends on, in the order in which the depot learned it';
COMMENT ON COLUMN profdepot.ledger.ledger_no IS 'number of the event, from 1 without gaps; a value for --as-of';
COMMENT ON COLUMN profdepot.ledger.recorded_at IS 'when the event was recorded';
COMMENT ON COLUMN profdepot.ledger.event IS 'run: a load was published; labels, application: a result set''s labels or application changed; stream labels, stream parent: the definition of streams changed; suppression, review, alias, owners: one of these was added, changed or removed; forgotten: a run was removed from history';
COMMENT ON COLUMN profdepot.ledger.inst_id IS 'run, labels, application, forgotten: the result set';
COMMENT ON COLUMN profdepot.ledger.labels IS 'labels: the result set''s labels after the change, such as branch=main; stream labels: the keys; stream parent: the labels of the parent';
COMMENT ON COLUMN profdepot.ledger.subject IS 'suppression: its name; review, alias: the finding; application: the new application; forgotten: the application';

-- Loads that are committed but not yet published.
CREATE TABLE profdepot.unpublished_runs (
    inst_id bigint NOT NULL,
    PRIMARY KEY (inst_id)
);
COMMENT ON TABLE profdepot.unpublished_runs IS 'loaded result sets that are not in the ledger yet; usually empty';
COMMENT ON COLUMN profdepot.unpublished_runs.inst_id IS 'the result set';

CREATE TABLE profdepot.published_runs (
    inst_id bigint NOT NULL,
    ledger_no bigint NOT NULL,
    application text COLLATE "C" NOT NULL,
    labels text[] COLLATE "C" NOT NULL,
    position numeric NOT NULL,
    attached_to bigint,
    fold_no integer,
    run_key text COLLATE "C",
    group_key text COLLATE "C",
    version text COLLATE "C",
    commit_id text COLLATE "C",
    parent_commit_id text COLLATE "C",
    ran_at timestamptz NOT NULL,
    loaded_at timestamptz NOT NULL,
    finished boolean,
    leaks text COLLATE "C",
    errors text COLLATE "C",
    races text COLLATE "C",
    caption text COLLATE "C",
    format text COLLATE "C",
    tool text COLLATE "C",
    content_digest uuid,
    stream_labels text COLLATE "C" NOT NULL DEFAULT '',
    PRIMARY KEY (inst_id)
);
CREATE INDEX published_runs_order ON profdepot.published_runs (application, position, ledger_no);
CREATE INDEX published_runs_time ON profdepot.published_runs (application, ran_at, position);
CREATE INDEX published_runs_commit ON profdepot.published_runs (application, commit_id) WHERE commit_id IS NOT NULL;
CREATE INDEX published_runs_parent ON profdepot.published_runs (application, parent_commit_id) WHERE parent_commit_id IS NOT NULL;
CREATE INDEX published_runs_content ON profdepot.published_runs (content_digest);
CREATE INDEX published_runs_stream ON profdepot.published_runs (profdepot.stream_kind(application, stream_labels, ''), loaded_at DESC);
CREATE INDEX published_runs_hot ON profdepot.published_runs (application, ledger_no) WHERE fold_no IS NULL;
COMMENT ON TABLE profdepot.published_runs IS 'one row per published result set: what history knows about its run; the row outlives the result set';
COMMENT ON COLUMN profdepot.published_runs.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.published_runs.ledger_no IS 'ledger number at which the depot learned of the run';
COMMENT ON COLUMN profdepot.published_runs.application IS 'the profiled application; empty if not given; earlier_runs has earlier values';
COMMENT ON COLUMN profdepot.published_runs.labels IS 'labels at publication, such as branch=main; the ledger has later changes';
COMMENT ON COLUMN profdepot.published_runs.position IS 'determines the order of the application''s runs: by commit if commits are known, otherwise by start time, otherwise by load time';
COMMENT ON COLUMN profdepot.published_runs.attached_to IS 'an earlier run with the same content and run key, if this load repeats it; the repetition is not counted';
COMMENT ON COLUMN profdepot.published_runs.fold_no IS 'number of the fold that contains the run''s sightings; NULL while they are in sighting_blocks, as always for runs that earlier_runs contains; 0 if the run repeats an earlier run and has no sightings';
COMMENT ON COLUMN profdepot.published_runs.run_key IS 'key that the result sets of one execution share';
COMMENT ON COLUMN profdepot.published_runs.group_key IS 'history counts result sets with the same group key as one run; the group key is the run key; if there is no run key and the input is the log of a detector, it is the digest of the input, because such a log can contain several processes; otherwise it is NULL, and the result set is a separate run';
COMMENT ON COLUMN profdepot.published_runs.version IS 'version of the application';
COMMENT ON COLUMN profdepot.published_runs.commit_id IS 'commit that the application was built from';
COMMENT ON COLUMN profdepot.published_runs.parent_commit_id IS 'parent of that commit';
COMMENT ON COLUMN profdepot.published_runs.ran_at IS 'when the run started, or else when it was loaded';
COMMENT ON COLUMN profdepot.published_runs.loaded_at IS 'time of the load';
COMMENT ON COLUMN profdepot.published_runs.finished IS 'whether the profiler wrote its end marker; NULL if its format has no end marker';
COMMENT ON COLUMN profdepot.published_runs.leaks IS 'how thoroughly the run looked for leaks, as in coverage; NULL if unknown';
COMMENT ON COLUMN profdepot.published_runs.errors IS 'how thoroughly the run looked for errors';
COMMENT ON COLUMN profdepot.published_runs.races IS 'how thoroughly the run looked for races';
COMMENT ON COLUMN profdepot.published_runs.caption IS 'caption of the result set at publication';
COMMENT ON COLUMN profdepot.published_runs.format IS 'format of the input';
COMMENT ON COLUMN profdepot.published_runs.tool IS 'profiler that produced the result';
COMMENT ON COLUMN profdepot.published_runs.content_digest IS 'digest of the result set''s content';
COMMENT ON COLUMN profdepot.published_runs.stream_labels IS 'the current labels that, together with the application, identify the stream, as in instances';

-- When a result set moves to another application, this table keeps what published_runs contained before. At
-- ledger number N, a run has the values of its first row with a larger number, or else those of published_runs.
CREATE TABLE profdepot.earlier_runs (
    inst_id bigint NOT NULL,
    ledger_no bigint NOT NULL,
    application text COLLATE "C" NOT NULL,
    position numeric NOT NULL,
    ran_at timestamptz NOT NULL,
    attached_to bigint,
    PRIMARY KEY (inst_id, ledger_no)
);
CREATE INDEX earlier_runs_order ON profdepot.earlier_runs (ledger_no);
COMMENT ON TABLE profdepot.earlier_runs IS 'earlier values of published_runs: one row per run and change of an application that affected the run';
COMMENT ON COLUMN profdepot.earlier_runs.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.earlier_runs.ledger_no IS 'ledger number of the change; the row applies to smaller numbers, down to the run''s previous row';
COMMENT ON COLUMN profdepot.earlier_runs.application IS 'application before the change';
COMMENT ON COLUMN profdepot.earlier_runs.position IS 'position before the change';
COMMENT ON COLUMN profdepot.earlier_runs.ran_at IS 'ran_at before the change';
COMMENT ON COLUMN profdepot.earlier_runs.attached_to IS 'attached_to before the change';

-- The findings of each result set. They are stored in blocks, because with one row per finding a load would spend more
-- time on index entries than on the findings. The arrays are in the order of the columns of the view sightings.
CREATE TABLE profdepot.sighting_blocks (
    inst_id bigint NOT NULL,
    block_no integer NOT NULL,
    identities uuid[] NOT NULL,
    kinds text[] COLLATE "C" NOT NULL,
    names text[] COLLATE "C" NOT NULL,
    class_names text[] COLLATE "C" NOT NULL,
    module_names text[] COLLATE "C" NOT NULL,
    routine_classes text[] COLLATE "C" NOT NULL,
    routine_names text[] COLLATE "C" NOT NULL,
    source_files text[] COLLATE "C" NOT NULL,
    source_lines integer[] NOT NULL,
    places integer[] NOT NULL,
    counts bigint[] NOT NULL,
    sizes numeric[] NOT NULL,
    PRIMARY KEY (inst_id, block_no)
);
ALTER TABLE profdepot.sighting_blocks
    ALTER identities SET STATISTICS 0,
    ALTER kinds SET STATISTICS 0,
    ALTER names SET STATISTICS 0,
    ALTER class_names SET STATISTICS 0,
    ALTER module_names SET STATISTICS 0,
    ALTER routine_classes SET STATISTICS 0,
    ALTER routine_names SET STATISTICS 0,
    ALTER source_files SET STATISTICS 0,
    ALTER source_lines SET STATISTICS 0,
    ALTER places SET STATISTICS 0,
    ALTER counts SET STATISTICS 0,
    ALTER sizes SET STATISTICS 0;
COMMENT ON TABLE profdepot.sighting_blocks IS 'findings of result sets, at most 256 per block; the view sightings has one row per finding';
COMMENT ON COLUMN profdepot.sighting_blocks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.sighting_blocks.block_no IS 'number of the block, from 1';
COMMENT ON COLUMN profdepot.sighting_blocks.identities IS 'identity of each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.kinds IS 'kind of each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.names IS 'the detector''s word for each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.class_names IS 'class of each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.module_names IS 'module of each own frame';
COMMENT ON COLUMN profdepot.sighting_blocks.routine_classes IS 'class of each own frame''s routine';
COMMENT ON COLUMN profdepot.sighting_blocks.routine_names IS 'routine of each own frame';
COMMENT ON COLUMN profdepot.sighting_blocks.source_files IS 'source file of each own frame';
COMMENT ON COLUMN profdepot.sighting_blocks.source_lines IS 'line of each own frame; 0 if unknown';
COMMENT ON COLUMN profdepot.sighting_blocks.places IS 'number of different stacks of each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.counts IS 'blocks, objects or errors of each finding';
COMMENT ON COLUMN profdepot.sighting_blocks.sizes IS 'bytes of each leak; NULL for errors, and if the size is unknown';

-- Older sightings, ordered by finding. A fold contains the sightings of 256 runs of one application. Every question
-- about history needs some columns of published_runs. The fold repeats these columns for its runs, because reading
-- them from arrays takes a quarter of the time that reading the rows takes.
CREATE TABLE profdepot.folds (
    application text COLLATE "C" NOT NULL,
    fold_no integer NOT NULL,
    inst_ids bigint[] NOT NULL,
    ledger_nos bigint[],
    positions numeric[],
    run_keys text[] COLLATE "C",
    group_keys text[] COLLATE "C",
    versions text[] COLLATE "C",
    commit_ids text[] COLLATE "C",
    tools text[] COLLATE "C",
    ran_at timestamptz[],
    labels text[] COLLATE "C",
    finished boolean[],
    leaks text[] COLLATE "C",
    errors text[] COLLATE "C",
    races text[] COLLATE "C",
    parent_commit_ids text[] COLLATE "C",
    PRIMARY KEY (application, fold_no)
);
-- The view sightings reads one element of the array per sighting. If the array was compressed, each
-- of these reads would decompress all of it.
ALTER TABLE profdepot.folds ALTER inst_ids SET STORAGE PLAIN;
COMMENT ON TABLE profdepot.folds IS 'groups of runs whose sightings are in folded_findings';
COMMENT ON COLUMN profdepot.folds.application IS 'the profiled application';
COMMENT ON COLUMN profdepot.folds.fold_no IS 'number of the fold within the application, from 1';
COMMENT ON COLUMN profdepot.folds.inst_ids IS 'the result sets; NULL if a run was removed from the fold';
COMMENT ON COLUMN profdepot.folds.ledger_nos IS 'ledger_no of each run in published_runs; NULL for a removed run; the next 13 arrays have the other columns';
COMMENT ON COLUMN profdepot.folds.positions IS 'position of each run';
COMMENT ON COLUMN profdepot.folds.run_keys IS 'run_key of each run';
COMMENT ON COLUMN profdepot.folds.group_keys IS 'group_key of each run';
COMMENT ON COLUMN profdepot.folds.versions IS 'version of each run';
COMMENT ON COLUMN profdepot.folds.commit_ids IS 'commit_id of each run';
COMMENT ON COLUMN profdepot.folds.tools IS 'tool of each run';
COMMENT ON COLUMN profdepot.folds.ran_at IS 'ran_at of each run';
COMMENT ON COLUMN profdepot.folds.labels IS 'labels of each run, separated by line feeds';
COMMENT ON COLUMN profdepot.folds.finished IS 'finished of each run';
COMMENT ON COLUMN profdepot.folds.leaks IS 'leaks of each run';
COMMENT ON COLUMN profdepot.folds.errors IS 'errors of each run';
COMMENT ON COLUMN profdepot.folds.races IS 'races of each run';
COMMENT ON COLUMN profdepot.folds.parent_commit_ids IS 'parent_commit_id of each run';

CREATE TABLE profdepot.folded_findings (
    application text COLLATE "C" NOT NULL,
    identity uuid NOT NULL,
    kind text COLLATE "C" NOT NULL,
    fold_no integer NOT NULL,
    seen bit(256) NOT NULL,
    runs smallint[] NOT NULL,
    names text[] COLLATE "C" NOT NULL,
    class_names text[] COLLATE "C" NOT NULL,
    module_names text[] COLLATE "C" NOT NULL,
    routine_classes text[] COLLATE "C" NOT NULL,
    routine_names text[] COLLATE "C" NOT NULL,
    source_files text[] COLLATE "C" NOT NULL,
    wordings smallint[] NOT NULL,
    source_lines integer[] NOT NULL,
    places integer[] NOT NULL,
    counts bigint[] NOT NULL,
    sizes numeric[] NOT NULL,
    PRIMARY KEY (application, identity, kind, fold_no)
);
ALTER TABLE profdepot.folded_findings
    ALTER seen SET STATISTICS 0,
    ALTER runs SET STATISTICS 0,
    ALTER names SET STATISTICS 0,
    ALTER class_names SET STATISTICS 0,
    ALTER module_names SET STATISTICS 0,
    ALTER routine_classes SET STATISTICS 0,
    ALTER routine_names SET STATISTICS 0,
    ALTER source_files SET STATISTICS 0,
    ALTER wordings SET STATISTICS 0,
    ALTER source_lines SET STATISTICS 0,
    ALTER places SET STATISTICS 0,
    ALTER counts SET STATISTICS 0,
    ALTER sizes SET STATISTICS 0;
COMMENT ON TABLE profdepot.folded_findings IS 'sightings of one finding in the runs of one fold; the view sightings has one row per run';
COMMENT ON COLUMN profdepot.folded_findings.application IS 'the profiled application';
COMMENT ON COLUMN profdepot.folded_findings.identity IS 'identity of the finding';
COMMENT ON COLUMN profdepot.folded_findings.kind IS 'kind of the finding';
COMMENT ON COLUMN profdepot.folded_findings.fold_no IS 'number of the fold';
COMMENT ON COLUMN profdepot.folded_findings.seen IS 'one bit for each run of the fold: bit n is 1 if the finding was seen in the run with subscript n + 1';
COMMENT ON COLUMN profdepot.folded_findings.runs IS 'the runs in which the finding was seen, as subscripts of folds.inst_ids';
COMMENT ON COLUMN profdepot.folded_findings.names IS 'the detector''s different words for the finding; this and the next 5 arrays have one element per wording';
COMMENT ON COLUMN profdepot.folded_findings.class_names IS 'class of the finding';
COMMENT ON COLUMN profdepot.folded_findings.module_names IS 'module of the own frame';
COMMENT ON COLUMN profdepot.folded_findings.routine_classes IS 'class of the own frame''s routine';
COMMENT ON COLUMN profdepot.folded_findings.routine_names IS 'routine of the own frame';
COMMENT ON COLUMN profdepot.folded_findings.source_files IS 'source file of the own frame';
COMMENT ON COLUMN profdepot.folded_findings.wordings IS 'for each of these runs, the subscript of its wording in the arrays above; empty if there is only one wording';
COMMENT ON COLUMN profdepot.folded_findings.source_lines IS 'line of the own frame in each of these runs; 0 if unknown';
COMMENT ON COLUMN profdepot.folded_findings.places IS 'number of different stacks in each of these runs';
COMMENT ON COLUMN profdepot.folded_findings.counts IS 'blocks, objects or errors in each of these runs';
COMMENT ON COLUMN profdepot.folded_findings.sizes IS 'bytes in each of these runs; NULL for errors, and if the size is unknown';

CREATE VIEW profdepot.sightings AS
SELECT b.inst_id, u.identity, u.kind, u.name, u.class_name, u.module_name, u.routine_class, u.routine_name,
       u.source_file, NULLIF(u.source_line, 0) AS source_line, u.places, u.count, u.size
FROM profdepot.sighting_blocks b
CROSS JOIN LATERAL unnest(b.identities, b.kinds, b.names, b.class_names, b.module_names, b.routine_classes,
                          b.routine_names, b.source_files, b.source_lines, b.places, b.counts, b.sizes)
    u (identity, kind, name, class_name, module_name, routine_class, routine_name, source_file, source_line,
       places, count, size)
UNION ALL
SELECT f.inst_ids[u.run], d.identity, d.kind, d.names[w.wording], d.class_names[w.wording], d.module_names[w.wording],
       d.routine_classes[w.wording], d.routine_names[w.wording], d.source_files[w.wording],
       NULLIF(u.source_line, 0), u.places, u.count, u.size
FROM profdepot.folds f
JOIN profdepot.folded_findings d ON d.application = f.application AND d.fold_no = f.fold_no
CROSS JOIN LATERAL unnest(d.runs, d.wordings, d.source_lines, d.places, d.counts, d.sizes)
    u (run, wording, source_line, places, count, size)
CROSS JOIN LATERAL (SELECT COALESCE(u.wording, 1::smallint) AS wording) w;
COMMENT ON VIEW profdepot.sightings IS 'one row per finding and result set; the rows outlive the result set';
COMMENT ON COLUMN profdepot.sightings.inst_id IS 'the result set in which the finding was seen';
COMMENT ON COLUMN profdepot.sightings.identity IS 'identity of the finding: equal for all builds and detectors, see profdepot-schema(5)';
COMMENT ON COLUMN profdepot.sightings.kind IS 'leak, access, race and so on, or "error" followed by the detector''s word';
COMMENT ON COLUMN profdepot.sightings.name IS 'the detector''s word for the finding, such as definite or InvalidRead; empty if the detector has no word for it';
COMMENT ON COLUMN profdepot.sightings.class_name IS 'class of the finding; empty if unknown';
COMMENT ON COLUMN profdepot.sightings.module_name IS 'module of the own frame; empty if unknown, like the next three columns';
COMMENT ON COLUMN profdepot.sightings.routine_class IS 'class of the own frame''s routine';
COMMENT ON COLUMN profdepot.sightings.routine_name IS 'routine of the own frame';
COMMENT ON COLUMN profdepot.sightings.source_file IS 'source file of the own frame';
COMMENT ON COLUMN profdepot.sightings.source_line IS 'line of the own frame; NULL if unknown';
COMMENT ON COLUMN profdepot.sightings.places IS 'number of different stacks of the finding in the result set';
COMMENT ON COLUMN profdepot.sightings.count IS 'blocks, objects or errors';
COMMENT ON COLUMN profdepot.sightings.size IS 'bytes; NULL for errors, and if the size is unknown';

CREATE TABLE profdepot.reviews (
    ledger_no bigint NOT NULL,
    identity uuid NOT NULL,
    status text COLLATE "C" NOT NULL,
    fixed_in text COLLATE "C",
    author text COLLATE "C",
    reason text COLLATE "C",
    ticket text COLLATE "C",
    until date,
    PRIMARY KEY (ledger_no),
    CHECK (status IN ('open', 'confirmed', 'false-positive', 'intentional', 'fixed'))
);
CREATE INDEX reviews_finding ON profdepot.reviews (identity, ledger_no);
COMMENT ON TABLE profdepot.reviews IS 'decisions about findings; for each finding, the newest one applies';
COMMENT ON COLUMN profdepot.reviews.ledger_no IS 'ledger number of the review';
COMMENT ON COLUMN profdepot.reviews.identity IS 'identity of the finding';
COMMENT ON COLUMN profdepot.reviews.status IS 'open, confirmed, false-positive, intentional or fixed';
COMMENT ON COLUMN profdepot.reviews.fixed_in IS 'fixed: the version that has the fix';
COMMENT ON COLUMN profdepot.reviews.author IS 'who decided';
COMMENT ON COLUMN profdepot.reviews.reason IS 'why';
COMMENT ON COLUMN profdepot.reviews.ticket IS 'link to the ticket';
COMMENT ON COLUMN profdepot.reviews.until IS 'last day (UTC) on which the review applies; NULL if it has no end. The review expires at the first ledger entry after that day';

CREATE TABLE profdepot.finding_aliases (
    ledger_no bigint NOT NULL,
    identity uuid NOT NULL,
    same_as uuid NOT NULL,
    author text COLLATE "C",
    reason text COLLATE "C",
    PRIMARY KEY (ledger_no)
);
COMMENT ON TABLE profdepot.finding_aliases IS 'different identities of one finding, for example because the rule for identities has changed, because frames have names only in newer runs, or because detectors write the names differently';
COMMENT ON COLUMN profdepot.finding_aliases.ledger_no IS 'ledger number of the alias';
COMMENT ON COLUMN profdepot.finding_aliases.identity IS 'the identity in sightings';
COMMENT ON COLUMN profdepot.finding_aliases.same_as IS 'the identity under which history shows the finding';
COMMENT ON COLUMN profdepot.finding_aliases.author IS 'who decided';
COMMENT ON COLUMN profdepot.finding_aliases.reason IS 'why';

-- schema/114_ledger_functions.sql

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

-- schema/115_owners.sql

-- The owners of source files: configuration, not part of a result set. A distributed depot has a copy
-- on every server. Rows are added and never changed, so that an earlier answer can be computed again.

CREATE TABLE profdepot.owner_files (
    ledger_no bigint NOT NULL,
    set_at timestamptz NOT NULL DEFAULT now(),
    author text COLLATE "C",
    content text COLLATE "C" NOT NULL,
    PRIMARY KEY (ledger_no)
);
COMMENT ON TABLE profdepot.owner_files IS 'versions of the CODEOWNERS file that gives the owners of source files; the newest one applies; see profdepot-owners(1)';
COMMENT ON COLUMN profdepot.owner_files.ledger_no IS 'number of the change that added this version';
COMMENT ON COLUMN profdepot.owner_files.set_at IS 'time when this version was added';
COMMENT ON COLUMN profdepot.owner_files.author IS 'author of the change';
COMMENT ON COLUMN profdepot.owner_files.content IS 'content of the file; empty if the owners were removed';

-- schema/120_settings.sql

-- Settings of the depot, and the streams that they define.

CREATE TABLE profdepot.settings (
    name text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (name),
    CHECK (name IN ('stream_labels', 'stream_parent', 'partition_size'))
);
COMMENT ON TABLE profdepot.settings IS 'settings of the depot';
COMMENT ON COLUMN profdepot.settings.name IS 'stream_labels: keys of the labels that, together with the application, identify a stream; stream_parent: labels of the stream from which the other streams of an application branch off, such as branch=main; partition_size: number of result sets per range, if the depot is partitioned';
COMMENT ON COLUMN profdepot.settings.value IS 'value of the setting; keys or labels, separated by commas';
INSERT INTO profdepot.settings (name, value) VALUES ('stream_labels', 'branch'), ('stream_parent', 'branch=main');

CREATE VIEW profdepot.result_set_streams AS
SELECT i.inst_id,
       i.application,
       (SELECT string_agg(l.key || '=' || l.value, ' ' ORDER BY l.key)
        FROM profdepot.result_set_labels l
        JOIN profdepot.settings s ON s.name = 'stream_labels' AND l.key = ANY (string_to_array(s.value, ','))
        WHERE l.inst_id = i.inst_id) AS labels
FROM profdepot.instances i;
COMMENT ON VIEW profdepot.result_set_streams IS 'the stream of each result set: an ordered history of runs';
COMMENT ON COLUMN profdepot.result_set_streams.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.result_set_streams.application IS 'the profiled application';
COMMENT ON COLUMN profdepot.result_set_streams.labels IS 'the result set''s labels whose keys are in the setting stream_labels, such as branch=main';

-- schema/122_streams.sql

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

-- schema/125_findings.sql

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

-- schema/200_dictionaries.sql

-- Dictionaries for the facts: threads, classes, routines, lines.

CREATE TABLE profdepot.resource_profiler_threads ( -- row: thread_row
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col_size bigint,
    col_win32threadid bigint, -- member=os_thread_id
    name text COLLATE "C", -- digest=last
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_threads IS 'threads of the profiled process';
COMMENT ON COLUMN profdepot.resource_profiler_threads.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_threads.id IS 'ID: number of the row; RESOURCE_PROFILER_ERRORS.PARENT_ID points here';
COMMENT ON COLUMN profdepot.resource_profiler_threads.parent_id IS 'PARENT_ID: as exported, which is -1 because the relation is top-level';
COMMENT ON COLUMN profdepot.resource_profiler_threads.rec_id IS 'REC_ID: RESOURCE_PROFILER_OBJECTS.COL_THREADID points here';
COMMENT ON COLUMN profdepot.resource_profiler_threads.col_size IS 'COL_SIZE: memory used by the thread, bytes; display only';
COMMENT ON COLUMN profdepot.resource_profiler_threads.col_win32threadid IS 'COL_WIN32THREADID: the operating system''s thread id';
COMMENT ON COLUMN profdepot.resource_profiler_threads.name IS 'name of the thread, if the format has names of threads';

CREATE TABLE profdepot.resource_profiler_meta_classes_data ( -- row: class_row
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col_class_name text COLLATE "C",
    col_module_name text COLLATE "C",
    col_symbol_moniker text COLLATE "C",
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_meta_classes_data IS 'class names: one row per resource type and module that called the API';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.id IS 'ID: number of the row';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.parent_id IS 'PARENT_ID: as exported, which is -1 because the relation is top-level';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.rec_id IS 'REC_ID: RESOURCE_PROFILER_OBJECTS.COL_CLASSRID points here';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.col_class_name IS 'COL_CLASS_NAME: class, a resource type such as Bitmap';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.col_module_name IS 'COL_MODULE_NAME: module that called the allocating API';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.col_symbol_moniker IS 'COL_SYMBOL_MONIKER: AQTime''s name of the symbol';

CREATE TABLE profdepot.resource_profiler_classes_data ( -- row: class_data_row
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col_class_name text COLLATE "C",
    col_module_name text COLLATE "C",
    col_live_count numeric(20, 0),
    col_live_size numeric(20, 0),
    col_peak_created numeric(20, 0),
    col_peak_size numeric(20, 0),
    col_total_created numeric(20, 0),
    col_total_size numeric(20, 0),
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_classes_data IS 'class counters: live, peak and total instances and sizes';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.id IS 'ID: number of the row';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.parent_id IS 'PARENT_ID: as exported, which is -1 because the relation is top-level';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.rec_id IS 'REC_ID: the class; the same number as in RESOURCE_PROFILER_META_CLASSES_DATA';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_class_name IS 'COL_CLASS_NAME: class, a resource type such as Bitmap';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_module_name IS 'COL_MODULE_NAME: module that called the allocating API';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_live_count IS 'COL_LIVE_COUNT: instances alive when the results were taken';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_live_size IS 'COL_LIVE_SIZE: size of the live instances, bytes';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_peak_created IS 'COL_PEAK_CREATED: highest number of instances alive at one time';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_peak_size IS 'COL_PEAK_SIZE: highest size of live instances at one time, bytes';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_total_created IS 'COL_TOTAL_CREATED: instances ever created';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_total_size IS 'COL_TOTAL_SIZE: size of all instances ever created, bytes';

CREATE TABLE profdepot.resource_profiler_meta_routines ( -- row: routine_row
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col_hit_count bigint,
    col_compiler bigint,
    col_address numeric(20, 0),
    col_analisys_result text COLLATE "C", -- member=analysis_result
    col_class_name text COLLATE "C",
    col_code_type text COLLATE "C",
    col_module_name text COLLATE "C",
    col_namespace text COLLATE "C", -- member=name_space
    col_profilelines bigint, -- member=profile_lines
    col_routine_name text COLLATE "C",
    col_source_file text COLLATE "C",
    col_source_line bigint,
    col_symbol_moniker text COLLATE "C",
    col_token bigint,
    col_unit_name text COLLATE "C",
    attributes json, -- digest=last
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_meta_routines IS 'routines that occur in call stacks; used for the frames of every format';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.id IS 'ID: number of the row; RESOURCE_PROFILER_META_LINES.PARENT_ID points here';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.parent_id IS 'PARENT_ID: as exported, which is -1 because the relation is top-level';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.rec_id IS 'REC_ID: COL_ROUTINERID of the call stacks points here';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_hit_count IS 'COL_HIT_COUNT: number of profiled calls';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_compiler IS 'COL_COMPILER: 0 unknown, 1 MSVC 6, 2 Delphi 7, 3 C++Builder 6 or Delphi 6, 4 to 6 older Borland, 7 MSVS 2005';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_address IS 'COL_ADDRESS: address in memory';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_analisys_result IS 'COL_ANALISYS_RESULT: why the routine was not instrumented; AQTime''s spelling';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_class_name IS 'COL_CLASS_NAME: class of a method';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_code_type IS 'COL_CODE_TYPE: MSIL, x64, x86, Pseudo, PInvoke, NGen or Script';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_module_name IS 'COL_MODULE_NAME: module that contains the routine';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_namespace IS 'COL_NAMESPACE: namespace of a managed method';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_profilelines IS 'COL_PROFILELINES: not 0 if the routine was profiled line by line; exporters write 0 or -1';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_routine_name IS 'COL_ROUTINE_NAME: name of the routine';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_source_file IS 'COL_SOURCE_FILE: source file';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_source_line IS 'COL_SOURCE_LINE: line where the routine begins';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_symbol_moniker IS 'COL_SYMBOL_MONIKER: AQTime''s name of the symbol';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_token IS 'COL_TOKEN: CLR token';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_unit_name IS 'COL_UNIT_NAME: linkage unit of native code';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.attributes IS 'values of the format that have no column, such as a column number';

CREATE TABLE profdepot.resource_profiler_meta_lines ( -- row: line_row
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col_source_line bigint,
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_meta_lines IS 'source lines of routines; REC_ID restarts with each routine';
COMMENT ON COLUMN profdepot.resource_profiler_meta_lines.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_meta_lines.id IS 'ID: number of the row';
COMMENT ON COLUMN profdepot.resource_profiler_meta_lines.parent_id IS 'PARENT_ID: ID of the routine in RESOURCE_PROFILER_META_ROUTINES';
COMMENT ON COLUMN profdepot.resource_profiler_meta_lines.rec_id IS 'REC_ID: number of the line within its routine; COL_LINERID of the creation call stacks points here, together with the routine';
COMMENT ON COLUMN profdepot.resource_profiler_meta_lines.col_source_line IS 'COL_SOURCE_LINE: line number in the routine''s source file';

-- schema/250_tracks.sql

-- Metrics, and the tracks that samples and spans belong to.

CREATE TABLE profdepot.metrics (
    inst_id bigint NOT NULL,
    metric_no integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    family text COLLATE "C" NOT NULL,
    unit text COLLATE "C" NOT NULL,
    title text COLLATE "C",
    aggregate text COLLATE "C",
    PRIMARY KEY (inst_id, metric_no),
    CHECK (family IN ('objects', 'errors', 'samples', 'spans', 'gauges')),
    CHECK (aggregate IN ('max', 'last', 'mean') AND family = 'gauges' OR aggregate IS NULL)
);
COMMENT ON TABLE profdepot.metrics IS 'metrics of a result set; stack_totals, call_tree and routine_totals contain their sums';
COMMENT ON COLUMN profdepot.metrics.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.metrics.metric_no IS 'number of the metric, from 1; the first of a sample''s values belongs to its track''s metric, and the others belong to the metrics that follow it';
COMMENT ON COLUMN profdepot.metrics.name IS 'name, such as live_size, samples or milliseconds; unique in the result set';
COMMENT ON COLUMN profdepot.metrics.family IS 'kind of facts that the metric measures: objects, errors, samples, spans or gauges; the values of a gauge are samples over time that are never added up';
COMMENT ON COLUMN profdepot.metrics.unit IS 'count, bytes, nanoseconds, microseconds, milliseconds, seconds or none';
COMMENT ON COLUMN profdepot.metrics.title IS 'display name';
COMMENT ON COLUMN profdepot.metrics.aggregate IS 'for a gauge: the statistic that represents the run in trends, checks and comparisons: max (default), last or mean';

-- The metrics of a result set are ordered by rank, then by metric_no. The first metric is the default.
CREATE FUNCTION profdepot.metric_rank(p_family text) RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN CASE p_family WHEN 'objects' THEN 0 WHEN 'errors' THEN 2 WHEN 'gauges' THEN 3 ELSE 1 END;
END;
$$;
COMMENT ON FUNCTION profdepot.metric_rank(text) IS 'rank of a family of metrics; the metric with the lowest rank and metric_no is the result set''s default';

CREATE TABLE profdepot.tracks ( -- row: track_row
    inst_id bigint NOT NULL,
    track_id integer NOT NULL, -- member=id
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C",
    source_id text COLLATE "C",
    category text COLLATE "C",
    host text COLLATE "C",
    user_name text COLLATE "C",
    process_name text COLLATE "C",
    process_id bigint,
    thread_id bigint,
    metric_no integer, -- member=metric
    start numeric,
    duration numeric,
    started timestamptz, -- member=started_us
    attributes json,
    PRIMARY KEY (inst_id, track_id)
);
COMMENT ON TABLE profdepot.tracks IS 'tracks of samples and spans: a thread, a MiniProfiler profile, or a profile in a speedscope file';
COMMENT ON COLUMN profdepot.tracks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.tracks.track_id IS 'number of the track, from 1';
COMMENT ON COLUMN profdepot.tracks.kind IS 'thread, profile, process, or another word that the format uses';
COMMENT ON COLUMN profdepot.tracks.name IS 'name of the thread or profile';
COMMENT ON COLUMN profdepot.tracks.source_id IS 'the producer''s own key, such as a profile''s Id';
COMMENT ON COLUMN profdepot.tracks.category IS 'for events: name of the event category';
COMMENT ON COLUMN profdepot.tracks.host IS 'machine';
COMMENT ON COLUMN profdepot.tracks.user_name IS 'user of the request';
COMMENT ON COLUMN profdepot.tracks.process_name IS 'name of the process, as the producer gives it';
COMMENT ON COLUMN profdepot.tracks.process_id IS 'the operating system''s process id';
COMMENT ON COLUMN profdepot.tracks.thread_id IS 'the operating system''s thread id';
COMMENT ON COLUMN profdepot.tracks.metric_no IS 'metric of the track''s spans, or of the first value of its samples';
COMMENT ON COLUMN profdepot.tracks.start IS 'start of the track on its own clock, in the metric''s unit';
COMMENT ON COLUMN profdepot.tracks.duration IS 'duration, in the metric''s unit';
COMMENT ON COLUMN profdepot.tracks.started IS 'date and time when the track started, if the producer recorded it';
COMMENT ON COLUMN profdepot.tracks.attributes IS 'values of the format that have no column';

-- schema/260_categories.sql

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

-- schema/270_suppressions.sql

-- The depot's suppressions: configuration, not part of a result set. A distributed depot has a copy
-- on every server.

CREATE TABLE profdepot.suppressions (
    id bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    syntax text COLLATE "C" NOT NULL,
    pattern text COLLATE "C" NOT NULL,
    reason text COLLATE "C",
    author text COLLATE "C",
    created timestamptz NOT NULL DEFAULT now(),
    expires date,
    PRIMARY KEY (id),
    CHECK (syntax IN ('valgrind', 'lsan'))
);
COMMENT ON TABLE profdepot.suppressions IS 'known leaks and errors, which reports omit; see profdepot-suppress(1)';
COMMENT ON COLUMN profdepot.suppressions.id IS 'number of the suppression, from 1';
COMMENT ON COLUMN profdepot.suppressions.name IS 'name of the suppression: the first line in valgrind''s syntax, the whole line in the sanitizers'' syntax';
COMMENT ON COLUMN profdepot.suppressions.syntax IS 'valgrind: { NAME TOOL:KIND FRAMES }; lsan: TYPE:PATTERN, as the sanitizers read it';
COMMENT ON COLUMN profdepot.suppressions.pattern IS 'the suppression as written, without comments';
COMMENT ON COLUMN profdepot.suppressions.reason IS 'reason for the suppression';
COMMENT ON COLUMN profdepot.suppressions.author IS 'author of the suppression';
COMMENT ON COLUMN profdepot.suppressions.created IS 'time when the suppression was added';
COMMENT ON COLUMN profdepot.suppressions.expires IS 'last day (UTC) on which the suppression applies; NULL if it never expires';

-- Each pattern is stored once: adding it again updates its name, reason, author and expiry.
CREATE FUNCTION profdepot.suppression_add(p_name text, p_syntax text, p_pattern text, p_reason text, p_author text, p_expires date)
RETURNS TABLE (number bigint, is_new boolean)
LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE profdepot.suppressions IN SHARE ROW EXCLUSIVE MODE;
    PERFORM profdepot.ledger_next('suppression', NULL, NULL, p_name);
    RETURN QUERY
    UPDATE profdepot.suppressions s
    SET name = p_name, reason = COALESCE(p_reason, s.reason), author = p_author, expires = p_expires
    WHERE s.pattern = p_pattern
    RETURNING s.id, false;
    IF FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY
    INSERT INTO profdepot.suppressions AS s (id, name, syntax, pattern, reason, author, expires)
    SELECT 1 + COALESCE(max(o.id), 0), p_name, p_syntax, p_pattern, p_reason, p_author, p_expires
    FROM profdepot.suppressions o
    RETURNING s.id, true;
END;
$$;
COMMENT ON FUNCTION profdepot.suppression_add(text, text, text, text, text, date) IS 'adds a suppression, or updates the suppression with this pattern; returns its number and whether it is new';

CREATE FUNCTION profdepot.suppression_remove(p_ids bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
DECLARE
    r record;
BEGIN
    FOR r IN DELETE FROM profdepot.suppressions s WHERE s.id = ANY (p_ids) RETURNING s.id, s.name LOOP
        PERFORM profdepot.ledger_next('suppression', NULL, NULL, r.name);
        RETURN NEXT r.id;
    END LOOP;
END;
$$;
COMMENT ON FUNCTION profdepot.suppression_remove(bigint[]) IS 'deletes suppressions and returns the numbers of those that existed';

-- schema/275_retention.sql

-- Rules that select result sets for removal: configuration, not part of a result set.

CREATE TABLE profdepot.retention_rules (
    rule_no bigint NOT NULL,
    application text COLLATE "C",
    format text COLLATE "C",
    labels text[] COLLATE "C" NOT NULL,
    older_than bigint,
    keep bigint,
    created timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (rule_no),
    CHECK (older_than > 0),
    CHECK (keep >= 0),
    CHECK (older_than IS NOT NULL OR keep IS NOT NULL)
);
COMMENT ON TABLE profdepot.retention_rules IS 'rules that select old result sets; the command "profdepot retain run" removes these result sets';
COMMENT ON COLUMN profdepot.retention_rules.rule_no IS 'number of the rule, from 1';
COMMENT ON COLUMN profdepot.retention_rules.application IS 'application of the result sets; NULL for all';
COMMENT ON COLUMN profdepot.retention_rules.format IS 'format of the result sets; NULL for all';
COMMENT ON COLUMN profdepot.retention_rules.labels IS 'labels of the result sets, such as branch=main; a result set must have all of them';
COMMENT ON COLUMN profdepot.retention_rules.older_than IS 'the rule removes only result sets that were loaded longer ago than this number of seconds; NULL for any age';
COMMENT ON COLUMN profdepot.retention_rules.keep IS 'number of result sets that the rule keeps in any case: the newest ones that match it; NULL for 0';
COMMENT ON COLUMN profdepot.retention_rules.created IS 'time when the rule was added';

-- schema/277_budgets.sql

-- The depot's budgets: configuration, not part of a result set.

CREATE TABLE profdepot.budgets (
    application text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    author text COLLATE "C",
    changed timestamptz NOT NULL DEFAULT now(),
    document text COLLATE "C" NOT NULL,
    PRIMARY KEY (application),
    CHECK (version > 0)
);
COMMENT ON TABLE profdepot.budgets IS 'the budgets for checks without a file of their own: one budget file per application; see profdepot-budget(1)';
COMMENT ON COLUMN profdepot.budgets.application IS 'application of the result sets; empty for applications that have no budgets of their own';
COMMENT ON COLUMN profdepot.budgets.version IS 'number of the change, from 1; a change of an older version is refused';
COMMENT ON COLUMN profdepot.budgets.author IS 'author of the change';
COMMENT ON COLUMN profdepot.budgets.changed IS 'time of the change';
COMMENT ON COLUMN profdepot.budgets.document IS 'the budgets as JSON; see profdepot-check(1)';

-- schema/300_facts.sql

-- Facts. Bulk relations have only their primary key: every further index slows the load.

CREATE TABLE profdepot.resource_profiler_objects ( -- row: object_row
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col_classrid bigint, -- member=class_id
    col_get_ bigint, -- member=get_number
    col_threadid bigint, -- member=thread_id
    col__ numeric(20, 0), -- member=number
    col_address numeric(20, 0),
    col_size numeric(20, 0),
    block_count bigint NOT NULL DEFAULT 1,
    stack_first_id bigint,
    stack_id integer, -- member=stack
    leak_kind text COLLATE "C", -- digest=second
    attributes json, -- digest=second
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_objects IS 'objects alive when the results were taken; for a detector that reports groups of blocks, one row per group';
COMMENT ON COLUMN profdepot.resource_profiler_objects.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_objects.id IS 'ID: number of the object; RESOURCE_PROFILER_CREATION_CALL_STACK.PARENT_ID points here';
COMMENT ON COLUMN profdepot.resource_profiler_objects.parent_id IS 'PARENT_ID: as exported, which is -1 because the relation is top-level';
COMMENT ON COLUMN profdepot.resource_profiler_objects.rec_id IS 'REC_ID: as exported';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col_classrid IS 'COL_CLASSRID: REC_ID of the class';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col_get_ IS 'COL_GET_: ordinal of the Get Results command';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col_threadid IS 'COL_THREADID: REC_ID of the thread, or its ID if instances.thread_key is id';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col__ IS 'COL__: creation number; the Object Name is the class, a dot and this number';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col_address IS 'COL_ADDRESS: address, or the handle''s value';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col_size IS 'COL_SIZE: size in bytes; for a group, the total of its blocks';
COMMENT ON COLUMN profdepot.resource_profiler_objects.block_count IS 'number of objects in the row: 1, or the number of blocks in the group';
COMMENT ON COLUMN profdepot.resource_profiler_objects.stack_first_id IS 'ID of the innermost frame of the object''s creation call stack; NULL if there is no stack';
COMMENT ON COLUMN profdepot.resource_profiler_objects.stack_id IS 'number of the object''s creation call stack in stacks; NULL if there is no stack';
COMMENT ON COLUMN profdepot.resource_profiler_objects.leak_kind IS 'kind of leak, for a leak detector''s group: definite, indirect, possible, reachable; direct if the detector distinguishes only direct and indirect leaks';
COMMENT ON COLUMN profdepot.resource_profiler_objects.attributes IS 'values of the format that have no column, such as indirect_bytes';

CREATE TABLE profdepot.resource_profiler_errors ( -- row: error_row
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col__ bigint, -- member=number
    col_error_code bigint,
    col_kind bigint,
    col_description text COLLATE "C",
    col_name text COLLATE "C",
    stack_first_id bigint,
    stack_id integer, -- member=stack
    count bigint NOT NULL DEFAULT 1, -- digest=second
    attributes json, -- digest=second
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_errors IS 'errors in resource management functions';
COMMENT ON COLUMN profdepot.resource_profiler_errors.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_errors.id IS 'ID: number of the error; RESOURCE_PROFILER_CALL_STACK.PARENT_ID points here';
COMMENT ON COLUMN profdepot.resource_profiler_errors.parent_id IS 'PARENT_ID: ID of the thread';
COMMENT ON COLUMN profdepot.resource_profiler_errors.rec_id IS 'REC_ID: number within the thread''s errors';
COMMENT ON COLUMN profdepot.resource_profiler_errors.col__ IS 'COL__: creation number of the error';
COMMENT ON COLUMN profdepot.resource_profiler_errors.col_error_code IS 'COL_ERROR_CODE: code returned by the function, -2^31 to 2^32-1';
COMMENT ON COLUMN profdepot.resource_profiler_errors.col_kind IS 'COL_KIND: severity: 1 for an error, 2 for a warning; other values as exported';
COMMENT ON COLUMN profdepot.resource_profiler_errors.col_description IS 'COL_DESCRIPTION: description';
COMMENT ON COLUMN profdepot.resource_profiler_errors.col_name IS 'COL_NAME: function that failed, or the detector''s name for the kind of error';
COMMENT ON COLUMN profdepot.resource_profiler_errors.stack_first_id IS 'ID of the innermost frame of the error''s call stack; NULL if there is no stack';
COMMENT ON COLUMN profdepot.resource_profiler_errors.stack_id IS 'number of the error''s call stack in stacks; NULL if there is no stack';
COMMENT ON COLUMN profdepot.resource_profiler_errors.count IS 'number of occurrences';
COMMENT ON COLUMN profdepot.resource_profiler_errors.attributes IS 'values of the format that have no column, such as the address';

-- schema/400_stacks.sql

-- Call stacks, each stored once per result set, and AQTime's two stack relations as views over them.

CREATE TABLE profdepot.stacks (
    inst_id bigint NOT NULL,
    stack_id integer NOT NULL,
    identity uuid,
    line_identity uuid,
    routine_ids bigint[] NOT NULL,
    line_ids bigint[],
    hit_counts bigint[],
    frame_ids bigint[],
    rec_ids bigint[],
    own_place integer,
    own_identity uuid,
    PRIMARY KEY (inst_id, stack_id)
);
-- ANALYZE spends more time on arrays than on all the other relations together (230 of 380 ms for
-- 30,000 stacks), and no query plan of profdepot uses these statistics.
ALTER TABLE profdepot.stacks
    ALTER routine_ids SET STATISTICS 0,
    ALTER line_ids SET STATISTICS 0,
    ALTER hit_counts SET STATISTICS 0,
    ALTER frame_ids SET STATISTICS 0,
    ALTER rec_ids SET STATISTICS 0;
COMMENT ON TABLE profdepot.stacks IS 'distinct call stacks of a result set; the arrays start at the innermost frame';
COMMENT ON COLUMN profdepot.stacks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.stacks.stack_id IS 'number of the stack, from 1';
COMMENT ON COLUMN profdepot.stacks.identity IS 'equal in all result sets for stacks with the same routines, see profdepot-schema(5); if SQL wrote the stack, NULL until profdepot reindex';
COMMENT ON COLUMN profdepot.stacks.line_identity IS 'equal in all result sets for stacks with the same routines and call lines';
COMMENT ON COLUMN profdepot.stacks.routine_ids IS 'COL_ROUTINERID of each frame';
COMMENT ON COLUMN profdepot.stacks.line_ids IS 'COL_LINERID of each frame; NULL if no frame has one';
COMMENT ON COLUMN profdepot.stacks.hit_counts IS 'COL_HIT_COUNT of each frame; NULL if no frame has one';
COMMENT ON COLUMN profdepot.stacks.frame_ids IS 'ID of each frame of a private stack; NULL if they are consecutive from the owner''s stack_first_id';
COMMENT ON COLUMN profdepot.stacks.rec_ids IS 'REC_ID of each frame of a private stack; NULL if they are 0..n-1';
COMMENT ON COLUMN profdepot.stacks.own_place IS 'subscript of the own frame in the arrays: the innermost frame outside of system libraries, or else the innermost frame outside of allocators; NULL if there is no such frame, and while the result set is open';
COMMENT ON COLUMN profdepot.stacks.own_identity IS 'equal in all result sets for stacks whose own frames have the same names, see profdepot-schema(5); NULL if no frame has a name, and while the result set is open';

CREATE TABLE profdepot.stack_totals (
    inst_id bigint NOT NULL,
    metric text COLLATE "C" NOT NULL,
    class bigint NOT NULL,
    stack_id integer NOT NULL,
    count bigint NOT NULL,
    value numeric,
    PRIMARY KEY (inst_id, metric, class, stack_id)
);
COMMENT ON TABLE profdepot.stack_totals IS 'facts summed by class and stack, written by the load; leak reports and comparisons read the views live_totals and sample_totals';
COMMENT ON COLUMN profdepot.stack_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.stack_totals.metric IS '"live": objects and their bytes; "errors": errors by kind, including repetitions; otherwise the name of a metric of samples';
COMMENT ON COLUMN profdepot.stack_totals.class IS 'live: REC_ID of the class; errors: kind; samples: track; -1 if there is no class or kind';
COMMENT ON COLUMN profdepot.stack_totals.stack_id IS 'the stack; 0 if there is no stack';
COMMENT ON COLUMN profdepot.stack_totals.count IS 'number of objects (counted in blocks), errors or samples';
COMMENT ON COLUMN profdepot.stack_totals.value IS 'bytes (live), errors (errors), or the sum of the samples'' values to 18 decimals; NULL if no object has a size';

CREATE VIEW profdepot.resource_profiler_creation_call_stack AS
SELECT o.inst_id,
       COALESCE(f.frame_id, o.stack_first_id + f.n - 1) AS id,
       o.id AS parent_id,
       COALESCE(f.rec_id, f.n - 1) AS rec_id,
       f.hit_count AS col_hit_count,
       f.line_id AS col_linerid,
       f.routine_id AS col_routinerid
FROM profdepot.resource_profiler_objects o
JOIN profdepot.stacks s ON s.inst_id = o.inst_id AND s.stack_id = o.stack_id
CROSS JOIN LATERAL unnest(s.routine_ids, s.line_ids, s.hit_counts, s.frame_ids, s.rec_ids)
    WITH ORDINALITY AS f (routine_id, line_id, hit_count, frame_id, rec_id, n);
COMMENT ON VIEW profdepot.resource_profiler_creation_call_stack IS 'call stacks that created the objects, one row per frame; accepts INSERTs once the object exists';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.id IS 'ID: number of the frame';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.parent_id IS 'PARENT_ID: ID of the object';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.rec_id IS 'REC_ID: position in the stack, 0 is the innermost frame';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.col_hit_count IS 'COL_HIT_COUNT: as exported';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.col_linerid IS 'COL_LINERID: REC_ID of the line within the routine, -1 if there is no line';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.col_routinerid IS 'COL_ROUTINERID: REC_ID of the routine';

CREATE VIEW profdepot.resource_profiler_call_stack AS
SELECT e.inst_id,
       COALESCE(f.frame_id, e.stack_first_id + f.n - 1) AS id,
       e.id AS parent_id,
       COALESCE(f.rec_id, f.n - 1) AS rec_id,
       f.routine_id AS col_routinerid,
       f.line_id AS col_linerid
FROM profdepot.resource_profiler_errors e
JOIN profdepot.stacks s ON s.inst_id = e.inst_id AND s.stack_id = e.stack_id
CROSS JOIN LATERAL unnest(s.routine_ids, s.line_ids, s.frame_ids, s.rec_ids)
    WITH ORDINALITY AS f (routine_id, line_id, frame_id, rec_id, n);
COMMENT ON VIEW profdepot.resource_profiler_call_stack IS 'call stacks of the errors, one row per frame; accepts INSERTs once the error exists';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.id IS 'ID: number of the frame';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.parent_id IS 'PARENT_ID: ID of the error';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.rec_id IS 'REC_ID: position in the stack, 0 is the innermost frame';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.col_routinerid IS 'COL_ROUTINERID: REC_ID of the routine';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.col_linerid IS 'COL_LINERID: REC_ID of the line within the routine, if the format has call lines; not an AQTime column';

CREATE VIEW profdepot.stack_frames AS
SELECT s.inst_id,
       s.stack_id,
       (f.n - 1)::integer AS position,
       f.routine_id,
       f.line_id,
       r.col_module_name AS module_name,
       r.col_class_name AS class_name,
       r.col_routine_name AS routine_name,
       r.col_unit_name AS unit_name,
       r.col_source_file AS source_file,
       COALESCE(l.col_source_line, r.col_source_line) AS source_line
FROM profdepot.stacks s
CROSS JOIN LATERAL unnest(s.routine_ids, s.line_ids) WITH ORDINALITY AS f (routine_id, line_id, n)
LEFT JOIN profdepot.resource_profiler_meta_routines r
    ON r.inst_id = s.inst_id AND r.rec_id = f.routine_id
LEFT JOIN profdepot.resource_profiler_meta_lines l
    ON l.inst_id = s.inst_id AND l.parent_id = r.id AND l.rec_id = f.line_id;
COMMENT ON VIEW profdepot.stack_frames IS 'frames of each distinct stack with their names and the displayed line';
COMMENT ON COLUMN profdepot.stack_frames.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.stack_frames.stack_id IS 'the stack';
COMMENT ON COLUMN profdepot.stack_frames.position IS '0 is the innermost frame';
COMMENT ON COLUMN profdepot.stack_frames.routine_id IS 'REC_ID of the routine';
COMMENT ON COLUMN profdepot.stack_frames.line_id IS 'REC_ID of the line within the routine';
COMMENT ON COLUMN profdepot.stack_frames.module_name IS 'module of the routine';
COMMENT ON COLUMN profdepot.stack_frames.class_name IS 'class of the routine';
COMMENT ON COLUMN profdepot.stack_frames.routine_name IS 'name of the routine; NULL when the routine is unknown';
COMMENT ON COLUMN profdepot.stack_frames.unit_name IS 'linkage unit of the routine';
COMMENT ON COLUMN profdepot.stack_frames.source_file IS 'source file';
COMMENT ON COLUMN profdepot.stack_frames.source_line IS 'the call line if the export has one, otherwise the routine''s first line';

CREATE VIEW profdepot.own_frames AS
SELECT s.inst_id,
       s.stack_id,
       r.col_module_name AS module_name,
       r.col_class_name AS class_name,
       r.col_routine_name AS routine_name,
       r.col_source_file AS source_file,
       COALESCE(l.col_source_line, r.col_source_line) AS source_line,
       s.own_identity
FROM profdepot.stacks s
JOIN profdepot.resource_profiler_meta_routines r
    ON r.inst_id = s.inst_id AND r.rec_id = s.routine_ids[s.own_place]
LEFT JOIN profdepot.resource_profiler_meta_lines l
    ON l.inst_id = s.inst_id AND l.parent_id = r.id AND l.rec_id = s.line_ids[s.own_place];
COMMENT ON VIEW profdepot.own_frames IS 'the own frame of each stack of closed result sets, see stacks.own_place';
COMMENT ON COLUMN profdepot.own_frames.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.own_frames.stack_id IS 'the stack';
COMMENT ON COLUMN profdepot.own_frames.module_name IS 'module of the routine';
COMMENT ON COLUMN profdepot.own_frames.class_name IS 'class of the routine';
COMMENT ON COLUMN profdepot.own_frames.routine_name IS 'name of the routine; NULL when the routine is unknown';
COMMENT ON COLUMN profdepot.own_frames.source_file IS 'source file';
COMMENT ON COLUMN profdepot.own_frames.source_line IS 'the call line if the export has one, otherwise the routine''s first line';
COMMENT ON COLUMN profdepot.own_frames.own_identity IS 'equal in all result sets for stacks whose own frames have the same names';

CREATE VIEW profdepot.stack_identities AS
SELECT h.inst_id,
       h.stack_id,
       encode(substr(sha256(string_agg(h.name_hash, ''::bytea ORDER BY h.position)), 1, 16), 'hex')::uuid AS identity,
       encode(substr(sha256(string_agg(h.line_hash, ''::bytea ORDER BY h.position)), 1, 16), 'hex')::uuid AS line_identity
FROM (
    SELECT f.inst_id, f.stack_id, f.position,
           substr(sha256(convert_to(concat_ws(chr(31), COALESCE(f.module_name, ''),
               COALESCE(f.class_name, ''), COALESCE(f.routine_name, '')), 'UTF8')), 1, 16) AS name_hash,
           substr(sha256(convert_to(concat_ws(chr(31), COALESCE(f.module_name, ''),
               COALESCE(f.class_name, ''), COALESCE(f.routine_name, ''), COALESCE(f.source_file, ''),
               COALESCE(f.source_line::text, '')), 'UTF8')), 1, 16) AS line_hash
    FROM profdepot.stack_frames f
) h
GROUP BY h.inst_id, h.stack_id;
COMMENT ON VIEW profdepot.stack_identities IS 'identity and line_identity of each stack, computed again from the names';
COMMENT ON COLUMN profdepot.stack_identities.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.stack_identities.stack_id IS 'the stack';
COMMENT ON COLUMN profdepot.stack_identities.identity IS 'identity of the routines';
COMMENT ON COLUMN profdepot.stack_identities.line_identity IS 'identity of the routines, files and call lines';

CREATE VIEW profdepot.stack_keys AS
SELECT s.inst_id, s.stack_id, s.identity, s.line_identity
FROM profdepot.stacks s
WHERE s.line_identity IS NOT NULL
UNION ALL
-- Computes the same as stack_identities, but only for stacks without stored identities. If this view read
-- stack_identities instead, PostgreSQL might compute the identities of all stacks.
SELECT h.inst_id, h.stack_id,
       encode(substr(sha256(string_agg(h.name_hash, ''::bytea ORDER BY h.n)), 1, 16), 'hex')::uuid,
       encode(substr(sha256(string_agg(h.line_hash, ''::bytea ORDER BY h.n)), 1, 16), 'hex')::uuid
FROM (
    SELECT s.inst_id, s.stack_id, f.n,
           substr(sha256(convert_to(concat_ws(chr(31), COALESCE(r.col_module_name, ''),
               COALESCE(r.col_class_name, ''), COALESCE(r.col_routine_name, '')), 'UTF8')), 1, 16) AS name_hash,
           substr(sha256(convert_to(concat_ws(chr(31), COALESCE(r.col_module_name, ''),
               COALESCE(r.col_class_name, ''), COALESCE(r.col_routine_name, ''), COALESCE(r.col_source_file, ''),
               COALESCE(COALESCE(l.col_source_line, r.col_source_line)::text, '')), 'UTF8')), 1, 16) AS line_hash
    FROM profdepot.stacks s
    CROSS JOIN LATERAL unnest(s.routine_ids, s.line_ids) WITH ORDINALITY AS f (routine_id, line_id, n)
    LEFT JOIN profdepot.resource_profiler_meta_routines r
        ON r.inst_id = s.inst_id AND r.rec_id = f.routine_id
    LEFT JOIN profdepot.resource_profiler_meta_lines l
        ON l.inst_id = s.inst_id AND l.parent_id = r.id AND l.rec_id = f.line_id
    WHERE s.line_identity IS NULL
) h
GROUP BY h.inst_id, h.stack_id;
COMMENT ON VIEW profdepot.stack_keys IS 'identities of every stack: stored by the loader, or computed here if SQL statements wrote the stack';
COMMENT ON COLUMN profdepot.stack_keys.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.stack_keys.stack_id IS 'the stack';
COMMENT ON COLUMN profdepot.stack_keys.identity IS 'identity of the routines; matches stacks across result sets';
COMMENT ON COLUMN profdepot.stack_keys.line_identity IS 'identity of the routines and call lines; finds equal stacks within a result set';

CREATE VIEW profdepot.live_totals AS
SELECT t.inst_id, t.class, t.stack_id, t.count, t.value AS size
FROM profdepot.instances i
JOIN profdepot.stack_totals t ON t.inst_id = i.inst_id
WHERE i.state = 'closed' AND i.live_summed AND t.metric = 'live'
UNION ALL
SELECT o.inst_id, COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0),
       sum(o.block_count)::bigint, sum(o.col_size)
FROM profdepot.instances i
JOIN profdepot.resource_profiler_objects o ON o.inst_id = i.inst_id
WHERE i.state <> 'closed' OR NOT i.live_summed
GROUP BY o.inst_id, COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0);
COMMENT ON VIEW profdepot.live_totals IS 'live objects summed by class and stack; the sums come from stack_totals, but while a result set is open, or if nearly every object has its own stack, they are computed from the facts';
COMMENT ON COLUMN profdepot.live_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.live_totals.class IS 'REC_ID of the class; -1 if there is no class';
COMMENT ON COLUMN profdepot.live_totals.stack_id IS 'the stack; 0 if there is no stack';
COMMENT ON COLUMN profdepot.live_totals.count IS 'live objects';
COMMENT ON COLUMN profdepot.live_totals.size IS 'total size of the objects, bytes; NULL if no object has a size';

CREATE VIEW profdepot.class_names AS
SELECT n.inst_id, n.rec_id,
       CASE WHEN bool_or(n.meta) THEN max(n.class_name) FILTER (WHERE n.meta) ELSE max(n.class_name) END AS class_name,
       CASE WHEN bool_or(n.meta) THEN max(n.module_name) FILTER (WHERE n.meta) ELSE max(n.module_name) END AS module_name
FROM (
    SELECT m.inst_id, m.rec_id, true AS meta, NULLIF(m.col_class_name, '') AS class_name,
           NULLIF(m.col_module_name, '') AS module_name
    FROM profdepot.resource_profiler_meta_classes_data m
    UNION ALL
    SELECT c.inst_id, c.rec_id, false, NULLIF(c.col_class_name, ''), NULLIF(c.col_module_name, '')
    FROM profdepot.resource_profiler_classes_data c
) n
GROUP BY n.inst_id, n.rec_id;
COMMENT ON VIEW profdepot.class_names IS 'class and module for each REC_ID, from META_CLASSES_DATA, or from CLASSES_DATA if META_CLASSES_DATA does not have the class';
COMMENT ON COLUMN profdepot.class_names.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.class_names.rec_id IS 'REC_ID of the class';
COMMENT ON COLUMN profdepot.class_names.class_name IS 'class, a resource type such as Bitmap';
COMMENT ON COLUMN profdepot.class_names.module_name IS 'module that called the allocating API';

-- Stored in blocks, because a result set can have as many routines as stacks.
CREATE TABLE profdepot.routine_identity_blocks (
    inst_id bigint NOT NULL,
    block_no integer NOT NULL,
    routine_ids bigint[] NOT NULL,
    identities uuid[] NOT NULL,
    PRIMARY KEY (inst_id, block_no)
);
ALTER TABLE profdepot.routine_identity_blocks
    ALTER routine_ids SET STATISTICS 0,
    ALTER identities SET STATISTICS 0;
COMMENT ON TABLE profdepot.routine_identity_blocks IS 'identities of the routines of closed result sets, at most 1,024 per block; the view routine_identities has one row per routine';
COMMENT ON COLUMN profdepot.routine_identity_blocks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.routine_identity_blocks.block_no IS 'number of the block, from 1';
COMMENT ON COLUMN profdepot.routine_identity_blocks.routine_ids IS 'REC_ID of each routine that has a name';
COMMENT ON COLUMN profdepot.routine_identity_blocks.identities IS 'identity of each of these routines';

CREATE VIEW profdepot.routine_identities AS
SELECT b.inst_id, u.routine_id, u.identity
FROM profdepot.routine_identity_blocks b
CROSS JOIN LATERAL unnest(b.routine_ids, b.identities) u (routine_id, identity);
COMMENT ON VIEW profdepot.routine_identities IS 'the identity of each routine with a name, in closed result sets';
COMMENT ON COLUMN profdepot.routine_identities.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.routine_identities.routine_id IS 'REC_ID of the routine';
COMMENT ON COLUMN profdepot.routine_identities.identity IS 'equal in every result set for routines whose names have the same normal form (normal_frame_name)';

-- schema/420_samples.sql

-- Samples: weighted stacks. Plain samples are stored in blocks of arrays, other samples in rows. The
-- view combines blocks and rows. Loading 2 million samples takes 0.4 s in blocks, and 2.5 s in rows.
-- Samples of several tracks share a block if the tracks alternate, as in events of many processes.

CREATE TABLE profdepot.sample_blocks (
    inst_id bigint NOT NULL,
    first_id bigint NOT NULL,
    track_id integer,
    stack_ids integer[] NOT NULL,
    time_unit numeric,
    times bigint[],
    exact_times numeric[],
    value_unit numeric,
    weights bigint[],
    exact_weights numeric[],
    track_ids integer[],
    PRIMARY KEY (inst_id, first_id),
    CHECK ((track_id IS NULL) <> (track_ids IS NULL))
);
-- No TOAST, because a block fits into a page and compression costs more time than it saves.
ALTER TABLE profdepot.sample_blocks
    ALTER stack_ids SET STORAGE PLAIN,
    ALTER times SET STORAGE PLAIN,
    ALTER weights SET STORAGE PLAIN,
    ALTER track_ids SET STORAGE PLAIN,
    ALTER stack_ids SET STATISTICS 0,
    ALTER times SET STATISTICS 0,
    ALTER exact_times SET STATISTICS 0,
    ALTER weights SET STATISTICS 0,
    ALTER exact_weights SET STATISTICS 0,
    ALTER track_ids SET STATISTICS 0;
COMMENT ON TABLE profdepot.sample_blocks IS 'samples with one value and no attributes, one row per block of consecutive samples; read them through the view samples';
COMMENT ON COLUMN profdepot.sample_blocks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.sample_blocks.first_id IS 'ID of the first sample; the other samples have the IDs that follow';
COMMENT ON COLUMN profdepot.sample_blocks.track_id IS 'track of all samples; NULL if track_ids has one track for each sample';
COMMENT ON COLUMN profdepot.sample_blocks.stack_ids IS 'stack of each sample; 0 if there is no stack';
COMMENT ON COLUMN profdepot.sample_blocks.time_unit IS 'a sample''s time is its element of times, multiplied by this factor';
COMMENT ON COLUMN profdepot.sample_blocks.times IS 'time of each sample; NULL if the samples have no times, or if exact_times has them';
COMMENT ON COLUMN profdepot.sample_blocks.exact_times IS 'the times, if they exceed 64 bits';
COMMENT ON COLUMN profdepot.sample_blocks.value_unit IS 'a sample''s value is its element of weights, multiplied by this factor';
COMMENT ON COLUMN profdepot.sample_blocks.weights IS 'value of each sample';
COMMENT ON COLUMN profdepot.sample_blocks.exact_weights IS 'the values, if they exceed 64 bits';
COMMENT ON COLUMN profdepot.sample_blocks.track_ids IS 'track of each sample, if the tracks differ';

CREATE TABLE profdepot.sample_rows (
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    track_id integer NOT NULL,
    stack_id integer,
    at numeric,
    weights numeric[] NOT NULL,
    attributes json,
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.sample_rows IS 'samples with several values or attributes, and samples that arrive over time; read them through the view samples';
COMMENT ON COLUMN profdepot.sample_rows.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.sample_rows.id IS 'number of the sample, from 1 in the order of the source';
COMMENT ON COLUMN profdepot.sample_rows.track_id IS 'track of the sample';
COMMENT ON COLUMN profdepot.sample_rows.stack_id IS 'stack of the sample; NULL if absent';
COMMENT ON COLUMN profdepot.sample_rows.at IS 'time of the sample on the track''s clock';
COMMENT ON COLUMN profdepot.sample_rows.weights IS 'the sample''s values: the first belongs to the track''s metric, the others to the metrics that follow it';
COMMENT ON COLUMN profdepot.sample_rows.attributes IS 'values of the format that have no column';

CREATE VIEW profdepot.samples AS
SELECT b.inst_id,
       b.first_id + u.n - 1 AS id,
       COALESCE(u.track_id, b.track_id) AS track_id,
       NULLIF(u.stack_id, 0) AS stack_id,
       COALESCE(u.exact_time, u.time * b.time_unit) AS at,
       COALESCE(u.exact_weight, u.weight * b.value_unit) AS weight,
       NULL::numeric[] AS weights,
       NULL::json AS attributes
FROM profdepot.sample_blocks b
CROSS JOIN LATERAL unnest(b.stack_ids, b.times, b.exact_times, b.weights, b.exact_weights, b.track_ids)
    WITH ORDINALITY AS u (stack_id, time, exact_time, weight, exact_weight, track_id, n)
UNION ALL
SELECT r.inst_id, r.id, r.track_id, r.stack_id, r.at, r.weights[1], r.weights, r.attributes
FROM profdepot.sample_rows r;
COMMENT ON VIEW profdepot.samples IS 'weighted stacks on a track';
COMMENT ON COLUMN profdepot.samples.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.samples.id IS 'number of the sample, from 1 in the order of the source';
COMMENT ON COLUMN profdepot.samples.track_id IS 'track of the sample';
COMMENT ON COLUMN profdepot.samples.stack_id IS 'stack of the sample; NULL if absent';
COMMENT ON COLUMN profdepot.samples.at IS 'time of the sample on the track''s clock; NULL if the sample has no time';
COMMENT ON COLUMN profdepot.samples.weight IS 'value of the sample in the track''s metric';
COMMENT ON COLUMN profdepot.samples.weights IS 'all values if the sample was stored with several: the first belongs to the track''s metric, the others to the metrics that follow it';
COMMENT ON COLUMN profdepot.samples.attributes IS 'values of the format that have no column';

CREATE VIEW profdepot.gauge_samples AS
SELECT s.inst_id, m.metric_no, m.name AS metric, s.track_id, s.id, s.at, v.value
FROM profdepot.metrics m
JOIN profdepot.tracks t ON t.inst_id = m.inst_id AND t.metric_no <= m.metric_no
JOIN profdepot.samples s ON s.inst_id = m.inst_id AND s.track_id = t.track_id
CROSS JOIN LATERAL (
    SELECT CASE WHEN m.metric_no = t.metric_no THEN s.weight ELSE s.weights[m.metric_no - t.metric_no + 1] END AS value
) v
WHERE m.family = 'gauges' AND v.value IS NOT NULL;
COMMENT ON VIEW profdepot.gauge_samples IS 'values of gauges over time';
COMMENT ON COLUMN profdepot.gauge_samples.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.gauge_samples.metric_no IS 'number of the metric';
COMMENT ON COLUMN profdepot.gauge_samples.metric IS 'its name';
COMMENT ON COLUMN profdepot.gauge_samples.track_id IS 'the track';
COMMENT ON COLUMN profdepot.gauge_samples.id IS 'number of the sample';
COMMENT ON COLUMN profdepot.gauge_samples.at IS 'time of the sample on the track''s clock';
COMMENT ON COLUMN profdepot.gauge_samples.value IS 'value at that time';

CREATE VIEW profdepot.sample_totals AS
SELECT t.inst_id, m.metric_no, t.class::integer AS track_id, t.stack_id, t.count, t.value
FROM profdepot.instances i
JOIN profdepot.stack_totals t ON t.inst_id = i.inst_id
JOIN profdepot.metrics m ON m.inst_id = t.inst_id AND m.name = t.metric
WHERE i.state = 'closed' AND m.family = 'samples'
UNION ALL
SELECT s.inst_id, (k.metric_no + w.n - 1)::integer, s.track_id, COALESCE(s.stack_id, 0), count(*),
       trim_scale(COALESCE(sum(round(w.weight, 18)), 0))
FROM profdepot.instances i
JOIN profdepot.samples s ON s.inst_id = i.inst_id
JOIN profdepot.tracks k ON k.inst_id = s.inst_id AND k.track_id = s.track_id
CROSS JOIN LATERAL unnest(COALESCE(s.weights, ARRAY[s.weight])) WITH ORDINALITY w (weight, n)
LEFT JOIN profdepot.metrics m ON m.inst_id = i.inst_id AND m.metric_no = k.metric_no + w.n - 1
WHERE i.state <> 'closed' AND k.metric_no IS NOT NULL AND m.family IS DISTINCT FROM 'gauges'
GROUP BY s.inst_id, k.metric_no, w.n, s.track_id, COALESCE(s.stack_id, 0);
COMMENT ON VIEW profdepot.sample_totals IS 'samples summed by metric, track and stack; the sums come from stack_totals, but while a result set is open, they are computed from the facts';
COMMENT ON COLUMN profdepot.sample_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.sample_totals.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.sample_totals.track_id IS 'the track';
COMMENT ON COLUMN profdepot.sample_totals.stack_id IS 'the stack; 0 if there is no stack';
COMMENT ON COLUMN profdepot.sample_totals.count IS 'samples';
COMMENT ON COLUMN profdepot.sample_totals.value IS 'sum of the samples'' values, to 18 decimals';

-- The loader sums in units of 10^-18.
CREATE VIEW profdepot.fact_totals AS
SELECT o.inst_id, 'live' COLLATE "C" AS metric, COALESCE(o.col_classrid, -1) AS class,
       COALESCE(o.stack_id, 0) AS stack_id, sum(o.block_count) AS count, sum(o.col_size) AS value
FROM profdepot.resource_profiler_objects o
GROUP BY o.inst_id, COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0)
UNION ALL
SELECT e.inst_id, 'errors', COALESCE(e.col_kind, -1), COALESCE(e.stack_id, 0), sum(e.count), sum(e.count)
FROM profdepot.resource_profiler_errors e
GROUP BY e.inst_id, COALESCE(e.col_kind, -1), COALESCE(e.stack_id, 0)
UNION ALL
SELECT f.inst_id, m.name, f.track_id, f.stack_id, sum(f.n), trim_scale(sum(f.value))
FROM (
    SELECT b.inst_id, COALESCE(u.track_id, b.track_id) AS track_id, u.stack_id, 1 AS k, count(*) AS n,
           COALESCE(sum(u.weight) * b.value_unit, sum(round(u.exact_weight, 18)), 0) AS value
    FROM profdepot.sample_blocks b
    CROSS JOIN LATERAL unnest(b.stack_ids, b.weights, b.exact_weights, b.track_ids)
        u (stack_id, weight, exact_weight, track_id)
    GROUP BY b.inst_id, COALESCE(u.track_id, b.track_id), u.stack_id, b.value_unit
    UNION ALL
    SELECT r.inst_id, r.track_id, COALESCE(r.stack_id, 0), u.k::integer, count(*),
           sum(COALESCE(round(u.weight, 18), 0))
    FROM profdepot.sample_rows r
    CROSS JOIN LATERAL unnest(r.weights) WITH ORDINALITY u (weight, k)
    GROUP BY r.inst_id, r.track_id, COALESCE(r.stack_id, 0), u.k
) f
JOIN profdepot.tracks t ON t.inst_id = f.inst_id AND t.track_id = f.track_id
JOIN profdepot.metrics m ON m.inst_id = f.inst_id AND m.metric_no = t.metric_no + f.k - 1
WHERE m.family <> 'gauges'
GROUP BY f.inst_id, m.name, m.metric_no, f.track_id, f.stack_id;
COMMENT ON VIEW profdepot.fact_totals IS 'the rows that stack_totals must have for a closed result set, computed from its facts; for verify and reindex';
COMMENT ON COLUMN profdepot.fact_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.fact_totals.metric IS 'live, errors, or the metric of samples';
COMMENT ON COLUMN profdepot.fact_totals.class IS 'live: REC_ID of the class; errors: kind of the error; samples: the track; -1 if there is none';
COMMENT ON COLUMN profdepot.fact_totals.stack_id IS 'the stack; 0 if there is no stack';
COMMENT ON COLUMN profdepot.fact_totals.count IS 'blocks, errors or samples';
COMMENT ON COLUMN profdepot.fact_totals.value IS 'bytes, errors, or the sum of the samples'' values, to 18 decimals; NULL if no object has a size';

-- schema/430_spans.sql

-- Spans: intervals on a track. Plain calls of a routine are stored in blocks of arrays, all other
-- spans in rows; the view combines blocks and rows. Storing 4 million plain calls takes 0.75 s and
-- 112 MB in blocks, and 4.7 s and 443 MB in rows.

CREATE TABLE profdepot.span_blocks (
    inst_id bigint NOT NULL,
    block_no integer NOT NULL,
    track_id integer NOT NULL,
    base_id bigint NOT NULL,
    time_unit numeric,
    ids integer[] NOT NULL,
    parents integer[] NOT NULL,
    routine_ids integer[] NOT NULL,
    starts bigint[],
    stops bigint[],
    exact_starts numeric[],
    exact_stops numeric[],
    PRIMARY KEY (inst_id, block_no)
);
-- No TOAST, because a block fits into a page and compression costs more time than it saves.
ALTER TABLE profdepot.span_blocks
    ALTER ids SET STORAGE PLAIN,
    ALTER parents SET STORAGE PLAIN,
    ALTER routine_ids SET STORAGE PLAIN,
    ALTER starts SET STORAGE PLAIN,
    ALTER stops SET STORAGE PLAIN,
    ALTER ids SET STATISTICS 0,
    ALTER parents SET STATISTICS 0,
    ALTER routine_ids SET STATISTICS 0,
    ALTER starts SET STATISTICS 0,
    ALTER stops SET STATISTICS 0,
    ALTER exact_starts SET STATISTICS 0,
    ALTER exact_stops SET STATISTICS 0;
COMMENT ON TABLE profdepot.span_blocks IS 'spans that record only a call of a routine, one row per block of spans; read them through the view spans';
COMMENT ON COLUMN profdepot.span_blocks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.span_blocks.block_no IS 'number of the block, from 1';
COMMENT ON COLUMN profdepot.span_blocks.track_id IS 'track of all spans';
COMMENT ON COLUMN profdepot.span_blocks.base_id IS 'number to add to each element of ids';
COMMENT ON COLUMN profdepot.span_blocks.time_unit IS 'an element of starts or stops, multiplied by this factor, is a time on the track''s clock';
COMMENT ON COLUMN profdepot.span_blocks.ids IS 'ID of each span, minus base_id';
COMMENT ON COLUMN profdepot.span_blocks.parents IS 'ID of each span minus its parent''s ID; 0 if there is no parent';
COMMENT ON COLUMN profdepot.span_blocks.routine_ids IS 'routine of each span, a REC_ID of RESOURCE_PROFILER_META_ROUTINES';
COMMENT ON COLUMN profdepot.span_blocks.starts IS 'start of each span';
COMMENT ON COLUMN profdepot.span_blocks.stops IS 'end of each span';
COMMENT ON COLUMN profdepot.span_blocks.exact_starts IS 'the starts, if they exceed 64 bits';
COMMENT ON COLUMN profdepot.span_blocks.exact_stops IS 'the stops, if they exceed 64 bits';

CREATE TABLE profdepot.span_rows ( -- row: span_row digest=no track_metric
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    track_id integer NOT NULL, -- member=track
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C",
    routine_id bigint,
    stack_id integer, -- member=stack
    start numeric,
    duration numeric,
    first_fetch numeric,
    source_id text COLLATE "C",
    category text COLLATE "C",
    execute_type text COLLATE "C",
    command text COLLATE "C",
    errored boolean,
    attributes json,
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.span_rows IS 'spans that record more than a call of a routine; read them through the view spans';
COMMENT ON COLUMN profdepot.span_rows.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.span_rows.id IS 'number of the span';
COMMENT ON COLUMN profdepot.span_rows.parent_id IS 'ID of the enclosing span';
COMMENT ON COLUMN profdepot.span_rows.track_id IS 'track of the span';
COMMENT ON COLUMN profdepot.span_rows.kind IS 'step, call, client, measure, mark, console, stamp, event';
COMMENT ON COLUMN profdepot.span_rows.name IS 'name, as the source gives it';
COMMENT ON COLUMN profdepot.span_rows.routine_id IS 'REC_ID of the routine that represents the span in the call tree';
COMMENT ON COLUMN profdepot.span_rows.stack_id IS 'stack at the span''s start, if known';
COMMENT ON COLUMN profdepot.span_rows.start IS 'start on the track''s clock, in the metric''s unit';
COMMENT ON COLUMN profdepot.span_rows.duration IS 'duration; 0 for an instant, NULL if the span never ended';
COMMENT ON COLUMN profdepot.span_rows.first_fetch IS 'time to the first row of a call''s result';
COMMENT ON COLUMN profdepot.span_rows.source_id IS 'the producer''s own key';
COMMENT ON COLUMN profdepot.span_rows.category IS 'type of a call, category of a trace event';
COMMENT ON COLUMN profdepot.span_rows.execute_type IS 'how a call was executed, such as Reader or Open';
COMMENT ON COLUMN profdepot.span_rows.command IS 'text of a call''s command';
COMMENT ON COLUMN profdepot.span_rows.errored IS 'whether the call failed; NULL if unknown';
COMMENT ON COLUMN profdepot.span_rows.attributes IS 'values of the format that have no column';

CREATE VIEW profdepot.spans AS
SELECT b.inst_id,
       b.base_id + u.id AS id,
       CASE WHEN u.parent <> 0 THEN b.base_id + u.id - u.parent END AS parent_id,
       b.track_id,
       'frame'::text COLLATE "C" AS kind,
       r.col_routine_name AS name,
       u.routine_id::bigint AS routine_id,
       NULL::integer AS stack_id,
       COALESCE(u.exact_start, u.start * b.time_unit) AS start,
       COALESCE(u.exact_stop - u.exact_start, (u.stop - u.start) * b.time_unit) AS duration,
       NULL::numeric AS first_fetch,
       NULL::text COLLATE "C" AS source_id,
       NULL::text COLLATE "C" AS category,
       NULL::text COLLATE "C" AS execute_type,
       NULL::text COLLATE "C" AS command,
       NULL::boolean AS errored,
       NULL::json AS attributes
FROM profdepot.span_blocks b
CROSS JOIN LATERAL unnest(b.ids, b.parents, b.routine_ids, b.starts, b.stops, b.exact_starts, b.exact_stops)
    AS u (id, parent, routine_id, start, stop, exact_start, exact_stop)
LEFT JOIN profdepot.resource_profiler_meta_routines r
    ON r.inst_id = b.inst_id AND r.rec_id = u.routine_id
UNION ALL
SELECT s.inst_id, s.id, s.parent_id, s.track_id, s.kind, s.name, s.routine_id, s.stack_id, s.start,
       s.duration, s.first_fetch, s.source_id, s.category, s.execute_type, s.command, s.errored,
       s.attributes
FROM profdepot.span_rows s;
COMMENT ON VIEW profdepot.spans IS 'intervals and instants on a track';
COMMENT ON COLUMN profdepot.spans.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.spans.id IS 'number of the span';
COMMENT ON COLUMN profdepot.spans.parent_id IS 'ID of the enclosing span';
COMMENT ON COLUMN profdepot.spans.track_id IS 'track of the span';
COMMENT ON COLUMN profdepot.spans.kind IS 'step, call, client, measure, mark, console, stamp, event, or frame for a plain call of a routine';
COMMENT ON COLUMN profdepot.spans.name IS 'name, as the source gives it';
COMMENT ON COLUMN profdepot.spans.routine_id IS 'REC_ID of the routine that represents the span in the call tree';
COMMENT ON COLUMN profdepot.spans.stack_id IS 'stack at the span''s start, if known';
COMMENT ON COLUMN profdepot.spans.start IS 'start on the track''s clock, in the metric''s unit';
COMMENT ON COLUMN profdepot.spans.duration IS 'duration; 0 for an instant, NULL if the span never ended';
COMMENT ON COLUMN profdepot.spans.first_fetch IS 'time to the first row of a call''s result';
COMMENT ON COLUMN profdepot.spans.source_id IS 'the producer''s own key';
COMMENT ON COLUMN profdepot.spans.category IS 'type of a call, category of a trace event';
COMMENT ON COLUMN profdepot.spans.execute_type IS 'how a call was executed, such as Reader or Open';
COMMENT ON COLUMN profdepot.spans.command IS 'text of a call''s command';
COMMENT ON COLUMN profdepot.spans.errored IS 'whether the call failed; NULL if unknown';
COMMENT ON COLUMN profdepot.spans.attributes IS 'values of the format that have no column';

-- schema/440_further_stacks.sql

-- Further stacks and suppressions, which detectors report in addition to objects and errors.

CREATE TABLE profdepot.further_stacks ( -- row: further_stack_row
    inst_id bigint NOT NULL,
    owner text COLLATE "C" NOT NULL, -- digest=number
    owner_id bigint NOT NULL,
    position integer NOT NULL,
    role text COLLATE "C" NOT NULL,
    description text COLLATE "C",
    thread_id bigint,
    stack_id integer, -- member=stack
    PRIMARY KEY (inst_id, owner, owner_id, position),
    CHECK (owner IN ('object', 'error', 'thread'))
);
COMMENT ON TABLE profdepot.further_stacks IS 'stacks that an object, an error or a thread has in addition to its first stack: where a block was freed or allocated, the conflicting access, where a thread was created';
COMMENT ON COLUMN profdepot.further_stacks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.further_stacks.owner IS 'object, error or thread';
COMMENT ON COLUMN profdepot.further_stacks.owner_id IS 'ID of the object, error or thread';
COMMENT ON COLUMN profdepot.further_stacks.position IS 'number among the owner''s further stacks, from 1';
COMMENT ON COLUMN profdepot.further_stacks.role IS 'freed_at, allocated_at, origin, conflicting_access, lock_first, lock_later, thread_start, opened_at, closed_at or other';
COMMENT ON COLUMN profdepot.further_stacks.description IS 'description in the tool''s words';
COMMENT ON COLUMN profdepot.further_stacks.thread_id IS 'REC_ID of the thread that executed the stack';
COMMENT ON COLUMN profdepot.further_stacks.stack_id IS 'the stack; NULL if the tool reported no stack';

CREATE VIEW profdepot.further_stack_frames AS
SELECT x.inst_id,
       x.owner,
       x.owner_id,
       x.position AS stack_position,
       x.role,
       f.stack_id,
       f.position,
       f.routine_id,
       f.line_id,
       f.module_name,
       f.class_name,
       f.routine_name,
       f.unit_name,
       f.source_file,
       f.source_line
FROM profdepot.further_stacks x
JOIN profdepot.stack_frames f ON f.inst_id = x.inst_id AND f.stack_id = x.stack_id;
COMMENT ON VIEW profdepot.further_stack_frames IS 'frames of the further stacks with their names and the displayed line';
COMMENT ON COLUMN profdepot.further_stack_frames.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.further_stack_frames.owner IS 'object, error or thread';
COMMENT ON COLUMN profdepot.further_stack_frames.owner_id IS 'ID of the object, error or thread';
COMMENT ON COLUMN profdepot.further_stack_frames.stack_position IS 'number among the owner''s further stacks, from 1';
COMMENT ON COLUMN profdepot.further_stack_frames.role IS 'role of the stack, as in further_stacks';
COMMENT ON COLUMN profdepot.further_stack_frames.stack_id IS 'the stack';
COMMENT ON COLUMN profdepot.further_stack_frames.position IS '0 is the innermost frame';
COMMENT ON COLUMN profdepot.further_stack_frames.routine_id IS 'REC_ID of the routine';
COMMENT ON COLUMN profdepot.further_stack_frames.line_id IS 'REC_ID of the line within the routine';
COMMENT ON COLUMN profdepot.further_stack_frames.module_name IS 'module of the routine';
COMMENT ON COLUMN profdepot.further_stack_frames.class_name IS 'class of the routine';
COMMENT ON COLUMN profdepot.further_stack_frames.routine_name IS 'name of the routine; NULL when the routine is unknown';
COMMENT ON COLUMN profdepot.further_stack_frames.unit_name IS 'linkage unit of the routine';
COMMENT ON COLUMN profdepot.further_stack_frames.source_file IS 'source file';
COMMENT ON COLUMN profdepot.further_stack_frames.source_line IS 'the call line if the format has one, otherwise the routine''s first line';

CREATE TABLE profdepot.result_set_suppressions ( -- row: suppression_row
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    name text COLLATE "C",
    syntax text COLLATE "C",
    kind text COLLATE "C",
    pattern text COLLATE "C",
    file text COLLATE "C",
    count bigint,
    bytes bigint,
    blocks bigint,
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.result_set_suppressions IS 'suppressions in the profiler''s file; if the profiler applied a suppression, the result set does not contain the matching leaks and errors; some profilers apply suppressions only when they print a report';
COMMENT ON COLUMN profdepot.result_set_suppressions.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.result_set_suppressions.id IS 'number within the result set, from 1';
COMMENT ON COLUMN profdepot.result_set_suppressions.name IS 'name of the suppression';
COMMENT ON COLUMN profdepot.result_set_suppressions.syntax IS 'syntax of the pattern: valgrind or lsan';
COMMENT ON COLUMN profdepot.result_set_suppressions.kind IS 'kind of leak or error that is suppressed, such as Memcheck:Leak';
COMMENT ON COLUMN profdepot.result_set_suppressions.pattern IS 'the suppression as written; NULL if the profiler gives only its name';
COMMENT ON COLUMN profdepot.result_set_suppressions.file IS 'file that contains the suppression';
COMMENT ON COLUMN profdepot.result_set_suppressions.count IS 'number of matches; NULL if unknown';
COMMENT ON COLUMN profdepot.result_set_suppressions.bytes IS 'bytes of the leaks that the suppression matched; NULL if unknown';
COMMENT ON COLUMN profdepot.result_set_suppressions.blocks IS 'blocks of the leaks that the suppression matched; NULL if unknown';

-- schema/450_call_tree.sql

-- The widest nodes of the call trees, and routine costs.

-- Nodes are stored in blocks of arrays, because an index entry per node takes longer to write than the
-- node.
CREATE TABLE profdepot.call_tree_blocks (
    inst_id bigint NOT NULL,
    metric_no integer NOT NULL,
    first_rank integer NOT NULL,
    nodes integer[] NOT NULL,
    parents integer[] NOT NULL,
    depths integer[] NOT NULL,
    routine_ids bigint[] NOT NULL,
    selfs numeric[] NOT NULL,
    cut_selfs numeric[],
    totals numeric[] NOT NULL,
    folded boolean[],
    PRIMARY KEY (inst_id, metric_no, first_rank)
);
-- A block is stored out of line only if its sums have so many digits that it does not fit into a page.
ALTER TABLE profdepot.call_tree_blocks
    SET (toast_tuple_target = 8160),
    ALTER nodes SET STORAGE MAIN,
    ALTER parents SET STORAGE MAIN,
    ALTER depths SET STORAGE MAIN,
    ALTER routine_ids SET STORAGE MAIN,
    ALTER selfs SET STORAGE MAIN,
    ALTER cut_selfs SET STORAGE MAIN,
    ALTER totals SET STORAGE MAIN,
    ALTER folded SET STORAGE MAIN,
    ALTER nodes SET STATISTICS 0,
    ALTER parents SET STATISTICS 0,
    ALTER depths SET STATISTICS 0,
    ALTER routine_ids SET STATISTICS 0,
    ALTER selfs SET STATISTICS 0,
    ALTER cut_selfs SET STATISTICS 0,
    ALTER totals SET STATISTICS 0,
    ALTER folded SET STATISTICS 0;
COMMENT ON TABLE profdepot.call_tree_blocks IS 'nodes of call trees, one row per block of adjacent ranks; read them through the view call_tree';
COMMENT ON COLUMN profdepot.call_tree_blocks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.call_tree_blocks.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.call_tree_blocks.first_rank IS 'rank of the first node; the other nodes have the ranks that follow';
COMMENT ON COLUMN profdepot.call_tree_blocks.nodes IS 'number of each node in preorder';
COMMENT ON COLUMN profdepot.call_tree_blocks.parents IS 'parent of each node; -1 for the root';
COMMENT ON COLUMN profdepot.call_tree_blocks.depths IS 'number of frames above each node';
COMMENT ON COLUMN profdepot.call_tree_blocks.routine_ids IS 'routine of each node; NULL for the root and for an unknown routine';
COMMENT ON COLUMN profdepot.call_tree_blocks.selfs IS 'self value of each node, including nodes folded into it';
COMMENT ON COLUMN profdepot.call_tree_blocks.cut_selfs IS 'self value of each node if only the first 8,192 ranks are shown, including the totals of the calls that are omitted; NULL if selfs has the same values';
COMMENT ON COLUMN profdepot.call_tree_blocks.totals IS 'total of each node: its self value plus the self values of all nodes below it';
COMMENT ON COLUMN profdepot.call_tree_blocks.folded IS 'for each node: whether nodes below it were omitted; NULL if this is false for all nodes';

-- generate_series comes first, because the planner expects 1,000 rows from a series, and only 10 from
-- an array.
CREATE VIEW profdepot.call_tree AS
SELECT b.inst_id,
       b.metric_no,
       b.first_rank + t.n AS rank,
       t.node,
       NULLIF(t.parent, -1) AS parent,
       t.depth,
       t.routine_id,
       t.self,
       COALESCE(t.cut_self, t.self) AS cut_self,
       t.total,
       COALESCE(t.folded, false) AS folded
FROM profdepot.call_tree_blocks b
CROSS JOIN LATERAL ROWS FROM (generate_series(0, cardinality(b.nodes) - 1),
    unnest(b.nodes, b.parents, b.depths, b.routine_ids, b.selfs, b.cut_selfs, b.totals, b.folded))
    AS t (n, node, parent, depth, routine_id, self, cut_self, total, folded);
COMMENT ON VIEW profdepot.call_tree IS 'one call tree per metric, from the outermost calls inwards: the 65,536 widest nodes, in preorder; all other nodes are folded into their parents';
COMMENT ON COLUMN profdepot.call_tree.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.call_tree.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.call_tree.rank IS 'rank by width, from 0 for the root; for every n, the nodes with the first n ranks form a tree; the width of a node is the largest absolute total among the node and its descendants';
COMMENT ON COLUMN profdepot.call_tree.node IS 'number of the node in preorder; 0 is the root, whose total is the result set''s total';
COMMENT ON COLUMN profdepot.call_tree.parent IS 'parent of the node; NULL for the root';
COMMENT ON COLUMN profdepot.call_tree.depth IS 'number of frames above the node; 0 for the root';
COMMENT ON COLUMN profdepot.call_tree.routine_id IS 'REC_ID of the routine; NULL for the root and for an unknown routine';
COMMENT ON COLUMN profdepot.call_tree.self IS 'self value of the node, including nodes folded into it';
COMMENT ON COLUMN profdepot.call_tree.cut_self IS 'self value of the node if only the first 8,192 ranks are shown: includes the totals of the calls that are then omitted; same as self for later ranks';
COMMENT ON COLUMN profdepot.call_tree.total IS 'self value plus the self values of all nodes below the node';
COMMENT ON COLUMN profdepot.call_tree.folded IS 'whether nodes below this node were omitted; its self value includes them';

CREATE TABLE profdepot.routine_totals (
    inst_id bigint NOT NULL,
    metric_no integer NOT NULL,
    routine_id bigint NOT NULL,
    self numeric NOT NULL,
    total numeric NOT NULL,
    PRIMARY KEY (inst_id, metric_no, routine_id)
);
COMMENT ON TABLE profdepot.routine_totals IS 'self value and total of each routine; recursive calls count once';
COMMENT ON COLUMN profdepot.routine_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.routine_totals.metric_no IS 'the metric';
COMMENT ON COLUMN profdepot.routine_totals.routine_id IS 'REC_ID of the routine; -1 if unknown';
COMMENT ON COLUMN profdepot.routine_totals.self IS 'self value of the routine';
COMMENT ON COLUMN profdepot.routine_totals.total IS 'self value plus the cost of everything that the routine calls';

-- schema/455_call_graph.sql

-- Call graphs: callers, callees and costs, for formats without stacks.

CREATE TABLE profdepot.call_graph ( -- row: graph_row
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    routine_id bigint NOT NULL,
    source_file text COLLATE "C",
    source_line bigint, -- member=line
    target_id bigint,
    target_line bigint,
    count numeric,
    followed numeric,
    metric_no integer NOT NULL, -- member=metric
    costs numeric[], -- member=values count=value_count digest=no
    PRIMARY KEY (inst_id, id),
    CHECK (kind IN ('self', 'call', 'jump', 'conditional jump'))
);
COMMENT ON TABLE profdepot.call_graph IS 'exact line and call costs of routines, and jumps, as counted by callgrind; the stacks of such a result set are only estimated';
COMMENT ON COLUMN profdepot.call_graph.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.call_graph.id IS 'number of the row, from 1';
COMMENT ON COLUMN profdepot.call_graph.kind IS 'self: cost of the line itself; call: cost of a routine that is called there; jump, conditional jump: a jump from the line to another line';
COMMENT ON COLUMN profdepot.call_graph.routine_id IS 'REC_ID of the routine';
COMMENT ON COLUMN profdepot.call_graph.source_file IS 'file of the line, which differs from the routine''s file if code was inlined; NULL if unknown';
COMMENT ON COLUMN profdepot.call_graph.source_line IS 'the line; NULL if unknown';
COMMENT ON COLUMN profdepot.call_graph.target_id IS 'REC_ID of the called routine, or of the routine that contains the jump''s target; NULL for self rows';
COMMENT ON COLUMN profdepot.call_graph.target_line IS 'target line of the call or jump; NULL if unknown';
COMMENT ON COLUMN profdepot.call_graph.count IS 'number of calls, or of executions of a jump';
COMMENT ON COLUMN profdepot.call_graph.followed IS 'number of times that a conditional jump was taken';
COMMENT ON COLUMN profdepot.call_graph.metric_no IS 'metric of the first cost; the other costs belong to the metrics that follow it';
COMMENT ON COLUMN profdepot.call_graph.costs IS 'the costs; NULL for a jump';

-- The total of a routine that is called is the cost of all calls to it. The total of a routine that is
-- never called is its self cost plus the cost of the calls that it makes, as in callgrind_annotate. With
-- recursion, a total can exceed the program's total.
CREATE FUNCTION profdepot.total_call_graph(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM profdepot.call_graph g WHERE g.inst_id = p_inst_id) THEN
        RETURN;
    END IF;
    DELETE FROM profdepot.routine_totals t WHERE t.inst_id = p_inst_id;
    INSERT INTO profdepot.routine_totals (inst_id, metric_no, routine_id, self, total)
    SELECT p_inst_id, s.metric_no, s.routine_id, sum(s.self),
           CASE WHEN bool_or(s.called) THEN sum(s.entered) ELSE sum(s.self) + sum(s.calls) END
    FROM (SELECT g.metric_no + v.n::integer - 1 AS metric_no, g.routine_id, false AS called,
                 CASE g.kind WHEN 'self' THEN v.cost ELSE 0 END AS self,
                 CASE g.kind WHEN 'call' THEN v.cost ELSE 0 END AS calls,
                 0 AS entered
          FROM profdepot.call_graph g
          CROSS JOIN LATERAL unnest(g.costs) WITH ORDINALITY v (cost, n)
          WHERE g.inst_id = p_inst_id AND g.kind IN ('self', 'call')
          UNION ALL
          SELECT g.metric_no + v.n::integer - 1, g.target_id, true, 0, 0, v.cost
          FROM profdepot.call_graph g
          CROSS JOIN LATERAL unnest(g.costs) WITH ORDINALITY v (cost, n)
          WHERE g.inst_id = p_inst_id AND g.kind = 'call') s
    GROUP BY s.metric_no, s.routine_id;
END;
$$;
COMMENT ON FUNCTION profdepot.total_call_graph(bigint) IS 'computes routine totals from the call graph, for a result set that has one';

-- schema/465_user_timings.sql

-- User timings of Chrome traces. The attributes of spans contain the whole events, which this view
-- unpacks.

CREATE VIEW profdepot.user_timings AS
SELECT s.inst_id,
       s.id,
       s.track_id,
       s.kind,
       s.name,
       s.start,
       s.duration,
       s.source_id,
       s.category,
       a.lost COLLATE "C" AS lost,
       NULLIF(a."order", 0) AS devtools_order,
       COALESCE(a.event, a.last) AS event,
       a.last AS last_event,
       a."inner" AS inner_events,
       COALESCE(e.ph, b.ph) COLLATE "C" AS phase,
       COALESCE(e.pid, b.pid) COLLATE "C" AS pid,
       COALESCE(e.tid, b.tid) COLLATE "C" AS tid,
       CASE WHEN s.kind = 'measure' THEN g.detail ELSE d.detail END COLLATE "C" AS detail,
       d."navigationId" COLLATE "C" AS navigation_id,
       CASE WHEN n.started ~ '^-?[0-9][0-9.]{0,59}([eE][+-]?[0-9]{1,2})?$' THEN n.started::numeric END
           AS start_time,
       CASE WHEN n.called ~ '^-?[0-9][0-9.]{0,59}([eE][+-]?[0-9]{1,2})?$' THEN n.called::numeric END
           AS call_time,
       g."traceId" COLLATE "C" AS trace_id,
       d.message COLLATE "C" AS message,
       d.name COLLATE "C" AS stamp_name,
       d.start COLLATE "C" AS stamp_start,
       d."end" COLLATE "C" AS stamp_end,
       d.track COLLATE "C" AS stamp_track,
       d."trackGroup" COLLATE "C" AS stamp_group,
       d.color COLLATE "C" AS stamp_color,
       d.devtools COLLATE "C" AS stamp_data,
       a.track AS extension
FROM profdepot.span_rows s
CROSS JOIN LATERAL json_to_record(s.attributes)
    AS a ("order" bigint, lost text, event bigint, last bigint, "inner" json, track json, begin json, "end" json)
CROSS JOIN LATERAL json_to_record(CASE json_typeof(a.begin) WHEN 'object' THEN a.begin ELSE '{}' END)
    AS b (ph text, pid text, tid text, args json)
CROSS JOIN LATERAL json_to_record(CASE json_typeof(a."end") WHEN 'object' THEN a."end" ELSE '{}' END)
    AS e (ph text, pid text, tid text)
CROSS JOIN LATERAL json_to_record(CASE json_typeof(b.args) WHEN 'object' THEN b.args ELSE '{}' END)
    AS g (data json, detail text, "callTime" json, "startTime" json, "traceId" text)
CROSS JOIN LATERAL json_to_record(CASE json_typeof(g.data) WHEN 'object' THEN g.data ELSE '{}' END)
    AS d (detail text, "navigationId" text, "callTime" json, "startTime" json, message text, name text, start text,
          "end" text, track text, "trackGroup" text, color text, devtools text)
CROSS JOIN LATERAL (
    SELECT CASE WHEN s.kind = 'measure' THEN g."startTime" ELSE d."startTime" END::text AS started,
           CASE WHEN s.kind = 'measure' THEN g."callTime" ELSE d."callTime" END::text AS called) AS n
WHERE s.kind IN ('mark', 'measure', 'console', 'stamp', 'measure_call');
COMMENT ON VIEW profdepot.user_timings IS 'marks, measures and console timings of Chrome traces, with the data of their events';
COMMENT ON COLUMN profdepot.user_timings.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.user_timings.id IS 'number of the span, in time order';
COMMENT ON COLUMN profdepot.user_timings.track_id IS 'thread of the first event';
COMMENT ON COLUMN profdepot.user_timings.kind IS 'mark, measure, console (console.time), stamp (console.timeStamp), measure_call (the call to performance.measure)';
COMMENT ON COLUMN profdepot.user_timings.name IS 'name; a stamp''s label';
COMMENT ON COLUMN profdepot.user_timings.start IS 'start, in microseconds on the trace''s clock';
COMMENT ON COLUMN profdepot.user_timings.duration IS 'duration in microseconds; 0 for an instant, NULL if the timing never ended or never began';
COMMENT ON COLUMN profdepot.user_timings.source_id IS 'key that pairs the timing''s events: category, id and name; for a call, its traceId';
COMMENT ON COLUMN profdepot.user_timings.category IS 'category of the events';
COMMENT ON COLUMN profdepot.user_timings.lost IS 'NULL if DevTools shows the timing; otherwise the reason why it does not: ignored-name, chrome-own (written by Chrome about a navigation, not a user timing), category-list, phase, old-phase, no-id, no-args, zero-length, never-ended, never-begun, negative, repeated';
COMMENT ON COLUMN profdepot.user_timings.devtools_order IS 'position among the timings of the same kind that DevTools shows, from 1';
COMMENT ON COLUMN profdepot.user_timings.event IS 'index of the first event in the file''s array, from 0';
COMMENT ON COLUMN profdepot.user_timings.last_event IS 'index of the event that ended the timing';
COMMENT ON COLUMN profdepot.user_timings.inner_events IS 'indexes of the instant events within the timing, as DevTools lists them';
COMMENT ON COLUMN profdepot.user_timings.phase IS 'phase of the timing''s last event';
COMMENT ON COLUMN profdepot.user_timings.pid IS 'process of the timing''s last event, as written';
COMMENT ON COLUMN profdepot.user_timings.tid IS 'thread of the timing''s last event, as written';
COMMENT ON COLUMN profdepot.user_timings.detail IS 'the detail given by the page, as JSON text';
COMMENT ON COLUMN profdepot.user_timings.navigation_id IS 'navigation that a mark belongs to; NULL in workers';
COMMENT ON COLUMN profdepot.user_timings.start_time IS 'milliseconds since the page''s or worker''s time origin';
COMMENT ON COLUMN profdepot.user_timings.call_time IS 'time of the performance.measure call, in microseconds on the trace''s clock';
COMMENT ON COLUMN profdepot.user_timings.trace_id IS 'key that links a measure to its performance.measure call';
COMMENT ON COLUMN profdepot.user_timings.message IS 'for a stamp: its message';
COMMENT ON COLUMN profdepot.user_timings.stamp_name IS 'for a stamp: its label, as the page gave it';
COMMENT ON COLUMN profdepot.user_timings.stamp_start IS 'for a stamp: its start, given as a time or as the label of an earlier stamp';
COMMENT ON COLUMN profdepot.user_timings.stamp_end IS 'for a stamp: its end, given as a time or as the label of an earlier stamp';
COMMENT ON COLUMN profdepot.user_timings.stamp_track IS 'for a stamp: its track';
COMMENT ON COLUMN profdepot.user_timings.stamp_group IS 'for a stamp: the group of that track';
COMMENT ON COLUMN profdepot.user_timings.stamp_color IS 'for a stamp: colour';
COMMENT ON COLUMN profdepot.user_timings.stamp_data IS 'for a stamp: further data, as JSON text';
COMMENT ON COLUMN profdepot.user_timings.extension IS 'entry of a custom track: kind (marker, entry, stamp, link), name, group, order, start, duration, self, depth and the payload''s values';

-- schema/470_events.sql

-- The category that kernelscope's tracer sends.
DO $$
BEGIN
    PERFORM profdepot.category_add('offcputime',
        ARRAY['hostname', 'time', 'process', 'pid', 'stack', 'elapsed'],
        ARRAY['string', 'timestamp', 'string', 'int', 'stack', 'elapsed'],
        ARRAY['Hostname', 'Time', 'Process', 'Pid', 'Stack', 'Elapsed']);
    UPDATE profdepot.categories SET built_in = true WHERE name = 'offcputime';
END;
$$;

-- schema/480_posted_batches.sql

-- Names of the batches that were stored, so that a retry does not store a batch twice. These rows
-- are not part of a result set: they expire.

CREATE TABLE profdepot.posted_batches (
    batch_id text COLLATE "C" NOT NULL,
    digest uuid NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    inst_ids bigint[] NOT NULL,
    PRIMARY KEY (batch_id)
);
COMMENT ON TABLE profdepot.posted_batches IS 'batches posted with a name, kept for a week: a repeated batch is not stored again';
COMMENT ON COLUMN profdepot.posted_batches.batch_id IS 'name of the batch, as given by the sender';
COMMENT ON COLUMN profdepot.posted_batches.digest IS '128-bit hash of the batch''s body';
COMMENT ON COLUMN profdepot.posted_batches.stored_at IS 'time when the batch was stored';
COMMENT ON COLUMN profdepot.posted_batches.inst_ids IS 'result sets that the batch''s rows belong to; once all of them are removed, the batch may be posted again';

-- schema/485_jobs.sql

-- Uploads to servers, and their outcomes. The rows are not part of a result set. A server that is
-- running holds an advisory lock on its number, and a load holds such a lock on its job's number, so that the next
-- server can find the jobs that were interrupted.

CREATE TABLE profdepot.jobs (
    job text COLLATE "C" NOT NULL PRIMARY KEY,
    owner text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    input_bytes bigint NOT NULL,
    row_count bigint NOT NULL DEFAULT 0,
    server text COLLATE "C" NOT NULL,
    error_code text COLLATE "C",
    error_message text COLLATE "C",
    error_hint text COLLATE "C",
    result text COLLATE "C"
);
COMMENT ON TABLE profdepot.jobs IS 'uploads to servers, and their outcomes; kept for 30 days';
COMMENT ON COLUMN profdepot.jobs.job IS 'random number in hexadecimal digits';
COMMENT ON COLUMN profdepot.jobs.owner IS 'name of the token that sent the upload; empty for a server without tokens';
COMMENT ON COLUMN profdepot.jobs.name IS 'file name of the upload';
COMMENT ON COLUMN profdepot.jobs.state IS 'queued, running, done, failed or cancelled';
COMMENT ON COLUMN profdepot.jobs.created_at IS 'when the upload had arrived completely';
COMMENT ON COLUMN profdepot.jobs.ended_at IS 'when the job ended; null if it is queued or running';
COMMENT ON COLUMN profdepot.jobs.input_bytes IS 'size of the upload as sent';
COMMENT ON COLUMN profdepot.jobs.row_count IS 'number of rows that the job stored';
COMMENT ON COLUMN profdepot.jobs.server IS 'random number that the server chose when it started';
COMMENT ON COLUMN profdepot.jobs.error_code IS 'kind of the error; null if there is none';
COMMENT ON COLUMN profdepot.jobs.error_message IS 'message of the error';
COMMENT ON COLUMN profdepot.jobs.error_hint IS 'what the sender can do about the error';
COMMENT ON COLUMN profdepot.jobs.result IS 'JSON object that describes the result sets, as in the answer to an upload; null if it is very long';

-- schema/490_posted_progress.sql

-- The progress of each server in storing posted data. The rows are not part of a result set: a row
-- is deleted when its server ends, or when it is old. Each transaction of a server increases "groups";
-- all transactions up to this number are committed. The number is part of the key. Otherwise each update would
-- visit all old versions of the row, and while a dump or a load runs, PostgreSQL cannot remove these versions.

CREATE TABLE profdepot.posted_progress (
    server uuid NOT NULL,
    groups bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (server, groups)
);
COMMENT ON TABLE profdepot.posted_progress IS 'running servers that store posted data, and their progress; after a crash of PostgreSQL, a server reads its row to find out how much was stored, so do not change the rows of running servers';
COMMENT ON COLUMN profdepot.posted_progress.server IS 'random number that the server chose when it started';
COMMENT ON COLUMN profdepot.posted_progress.groups IS 'number of the server''s last committed transaction; all earlier transactions are committed too; 0 if there is none';
COMMENT ON COLUMN profdepot.posted_progress.changed_at IS 'start of that transaction; rows are removed after a week';

-- schema/495_statistics.sql

-- The number of rows that the planner expects in one result set. Result sets differ in size by a factor of a million,
-- and the statistics on inst_id usually describe only older ones. If all the older result sets are small, or if the
-- statistics list all of them, the planner expects one row in a new result set, and chooses plans that take minutes for
-- a million rows. Therefore these settings make the planner expect 1,000 rows in large relations. It then reads a
-- result set by index and joins by hash, which suits a small result set, too. In the other relations the planner
-- expects 10 rows. The statistics also list the 10 largest result sets. Loads do not need ANALYZE;
-- see analyze_relations.
ALTER TABLE profdepot.resource_profiler_objects ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.resource_profiler_errors ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.resource_profiler_meta_routines ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.resource_profiler_meta_lines ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.resource_profiler_classes_data ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.resource_profiler_meta_classes_data ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.stacks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.stack_totals ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.further_stacks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.sample_blocks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.sample_rows ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.span_blocks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.span_rows ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.call_tree_blocks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.routine_totals ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.call_graph ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.routine_identity_blocks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.001);
ALTER TABLE profdepot.relations ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.result_set_labels ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.result_set_counts ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.result_set_checksums ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.import_issues ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.coverage ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.resource_profiler_threads ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.tracks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.metrics ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.result_set_suppressions ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);
ALTER TABLE profdepot.sighting_blocks ALTER inst_id SET STATISTICS 10, ALTER inst_id SET (n_distinct = -0.1);

-- schema/500_functions.sql

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

-- schema/540_commands.sql

-- Converts the commands of calls, such as SQL statements, to a form in which they can be compared.

CREATE FUNCTION profdepot.command_shape(p_command text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    shape text := p_command;
BEGIN
    IF position('&' IN shape) > 0 THEN
        shape := replace(replace(replace(replace(replace(replace(shape, '&lt;', '<'), '&gt;', '>'),
            '&quot;', '"'), '&#34;', '"'), '&#39;', ''''), '&amp;', '&');
    END IF;
    shape := regexp_replace(shape, '\m[NEBXnebx]?''([^'']|'''')*''', '?', 'g');
    shape := regexp_replace(shape, '''([^'']|'''')*''', '?', 'g');
    shape := regexp_replace(shape, '\m0[xX][0-9a-fA-F]+\M', '?', 'g');
    shape := regexp_replace(shape, '\m[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\M', '?', 'g');
    shape := regexp_replace(shape, '\m[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?\M', '?', 'g');
    shape := regexp_replace(shape, '([=<>(,]\s*)-\s*\?', '\1?', 'g');
    shape := btrim(regexp_replace(shape, '\s+', ' ', 'g'));
    shape := regexp_replace(shape, '(\min ?\( ?)[@:$][\w?]+( ?, ?[@:$][\w?]+)*( ?\))', '\1?\3', 'gi');
    shape := regexp_replace(shape, '\(\s*\?(\s*,\s*\?)+\s*\)', '(?)', 'g');
    shape := regexp_replace(shape, '\(\s*\?\s*\)', '(?)', 'g');
    RETURN regexp_replace(shape, '(\(\?\)\s*,\s*)+\(\?\)', '(?)', 'g');
END
$$;
COMMENT ON FUNCTION profdepot.command_shape(text) IS 'a command in which ? replaces each text, number and GUID, one (?) replaces each list of these values and each IN list of parameters, and one blank replaces each run of blanks; the result is equal for calls that differ only in their values';

-- schema/560_frames.sql

-- Frame owners: an allocator, the system, or the program. The loader has the same rule in src/model/frame_owner.c
-- and frame_owner_pascal.c.
-- The lists are fixed, because finding identities depend on them.

-- A name can be mangled or demangled, and can have the prefix of an interceptor.
CREATE FUNCTION profdepot.is_allocator_frame(p_routine text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN COALESCE(p_routine, '') COLLATE "C" ~ (
        '^(_+interceptor_(trampoline_)?|_+asan_|__wrap_|(__GI_)?__libc_|__GI_|[jtm][eci]_|rtl_|x|g_|safe|@|Sys|SYS|Debug|Fast|FastMM_(Debug)?)?_*'
        || '(malloc|calloc|realloc|reallocarray|memalign|posix_memalign|aligned_alloc|valloc|pvalloc'
        || '|free|cfree|strdup|strndup|wcsdup|asprintf|vasprintf|mmap|mmap64|mremap|munmap|s?brk'
        || '|malloc0|malloc_n|malloc0_n|zalloc|HeapAlloc|HeapReAlloc|RtlAllocateHeap'
        || '|(Get|Free|Realloc|Alloc)Mem|(GET|FREE|REALLOC|ALLOC)MEM)'
        || '($|[ (@.\[])'
        || '|^(_+interceptor_)?operator (new|delete)|^_Z(n[aw]|d[al])[a-zA-Z0-9_]*$|^tc_(new|delete)|^Perl_safesys[a-z]+$');
END;
$$;
COMMENT ON FUNCTION profdepot.is_allocator_frame(text) IS 'whether a routine with this name only allocates or frees memory, such as malloc, operator new or an interceptor';

-- Does not use regular expressions: a session caches only 32 compiled expressions, and the other functions of this
-- file and of the next file already use nearly as many.
CREATE FUNCTION profdepot.is_pascal_system_frame(p_class text, p_routine text, p_unit text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    u text COLLATE "C" := lower(COALESCE(p_unit, '') COLLATE "C");
    r text COLLATE "C" := COALESCE(p_routine, '');
BEGIN
    RETURN split_part(u, '.', 1) = ANY ('{system,vcl,winapi,fmx,posix,macapi,androidapi,iosapi}'::text[]) AND u LIKE '%.%'
        OR u = ANY (('{system,sysinit,sysutils,classes,variants,varutils,typinfo,rtti,contnrs,syncobjs,'
            || 'dateutils,strutils,rtlconsts,sysconst,inifiles,comobj,comserv,activex,windows,'
            || 'messages,registry,ansistrings,widestrutils,generics.collections,generics.defaults,'
            || 'objpas,baseunix,cthreads,fgl,heaptrc,jcldebug,jclhookexcept,madexcept,exceptionlog,'
            || 'exceptionlog7}')::text[])
        OR u LIKE 'fastmm%'
        OR u = ANY (('{actnlist,actnman,buttons,checklst,clipbrd,comctrls,controls,dbctrls,dbgrids,dialogs,'
            || 'extctrls,extdlgs,forms,graphics,grids,imglist,jpeg,mask,menus,printers,stdactns,'
            || 'stdctrls,themes,toolwin,valedit}')::text[])
            AND COALESCE(p_class, '') LIKE 'T_%' AND substr(p_class, 2, 1) COLLATE "C" BETWEEN 'A' AND 'Z'
        OR r LIKE ANY ('{System.%,Vcl.%,Winapi.%,FMX.%,FastMM\\_%}'::text[])
        OR r = ANY (('{GetFrameBasedStackTrace,GetRawStackTrace,LogStackTrace,'
            || 'AtomicCmpExchange,AtomicDecrement,AtomicExchange,AtomicIncrement}')::text[])
        OR r LIKE '@_%' AND translate(r, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_', '') = '@';
END;
$$;
COMMENT ON FUNCTION profdepot.is_pascal_system_frame(text, text, text) IS 'whether a frame with this class, routine and unit belongs to the runtime or the libraries of Delphi or Free Pascal, or to a memory manager for them';

CREATE FUNCTION profdepot.is_system_frame(p_module text, p_class text, p_routine text, p_file text, p_unit text)
RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN profdepot.is_allocator_frame(p_routine)
        OR COALESCE(p_routine, '') COLLATE "C" ~ (
            '^(_start|_init|_dl_[a-z_]+|start_thread|thread_start|clone3?|__clone3?|__libc_start_[a-z_]+'
            || '|BaseThreadInitThunk|RtlUserThreadStart|asan_thread_start|invoke_main|_Unwind_[A-Za-z_]+|__cxa_[a-z_]+'
            || '|_*(w?mainCRTStartup|w?WinMainCRTStartup|tmainCRTStartup|scrt_common_main(_seh)?)'
            || '|_+interceptor_[a-z0-9_]+|__(asan|lsan|tsan|msan|ubsan|sanitizer)_[A-Za-z0-9_]*)$'
            || '|^([a-z_]+[ *&]+)?<?(std|core|alloc|__gnu_cxx|__cxxabiv1|__sanitizer|__asan|__lsan|__tsan)::'
            || '|^runtime\.')
        OR (COALESCE(p_routine, '') COLLATE "C" ~ '^(|\?\?|0x[0-9a-fA-F]+)$'
            AND COALESCE(p_file, '') = '' AND COALESCE(p_module, '') = '')
        OR COALESCE(p_class, '') COLLATE "C" ~ '^(std|__gnu_cxx|core|alloc)(::|$)'
        OR COALESCE(p_module, '') COLLATE "C" ~ (
            '^(/usr)?/(lib|lib32|lib64|libx32|libexec)/'
            || '|^/(System|usr/lib/system)/'
            || '|(^|/)(ld-linux[^/]*|ld-musl[^/]*|libc|libm|libdl|librt|libpthread|libstdc\+\+|libc\+\+|libc\+\+abi|libgcc_s'
            || '|libasan|liblsan|libtsan|libmsan|libubsan|libclang_rt\.[^/]*|vgpreload_[^/]*|libheaptrack[^/]*'
            || '|libjemalloc|libtcmalloc[^/]*|libmimalloc|linux-vdso|linux-gate)([-.][^/]*)?$')
        OR lower(COALESCE(p_module, '')) COLLATE "C" ~ (
            '(^|[\\/])(windows[\\/](system32|syswow64)[\\/].*|(ntdll|kernel32|kernelbase|user32|gdi32|gdiplus|ole32|oleaut32|comctl32|comdlg32'
            || '|advapi32|shell32|shlwapi|rpcrt4|combase|win32u|ws2_32|winspool|msvcrt|ucrtbase|vcruntime[0-9]*(_[0-9])?|msvcp[0-9]*'
            || '|fastmm_fulldebugmode(64)?|borlndmm)\.(dll|drv)|((db)?rtl|vcl[a-z]*|fmx[a-z]*)[0-9]*\.bpl)$')
        OR COALESCE(p_file, '') COLLATE "C" ~ (
            '(^|/)(libsanitizer|compiler-rt|sanitizer_common|mingw-w64-crt)/'
            || '|^(\.\./|\./)+(sysdeps|csu|nptl|malloc|elf|stdlib|string|io|iconv|libio|posix|misc)/'
            || '|^/usr/(include|lib)/|^/rustc/'
            || '|(^|/)vg_replace_[a-z]+\.c$')
        OR profdepot.is_pascal_system_frame(p_class, p_routine, p_unit);
END;
$$;
COMMENT ON FUNCTION profdepot.is_system_frame(text, text, text, text, text) IS 'whether a frame with this module, class, routine, source file and Pascal unit belongs to an allocator, a runtime or a system library; the own frame of a stack is usually the innermost frame for which this is false';

-- schema/565_frame_names.sql

-- The normal form of a routine's name, from which finding identities are computed. The loader has the same rule
-- in src/model/frame_name.c. This is version 2 of the rule, which must not change.

-- Removes the module, suffixes and surplus blanks from a name.
CREATE FUNCTION profdepot.trimmed_frame_name(p_name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    n text COLLATE "C" := btrim(regexp_replace(COALESCE(p_name, '') COLLATE "C", '[ \t\n\r]+', ' ', 'g'), ' ');
    cut text COLLATE "C";
BEGIN
    IF n ~ '^(\?\?|<unknown>|\(unknown\)|0x[0-9a-fA-F]+)?$' THEN
        RETURN '';
    END IF;
    n := regexp_replace(n, '^(?!operator)[A-Za-z0-9_.-]+!(?=[A-Za-z_@~])', '');
    LOOP
        cut := regexp_replace(n, '( ?\[clone [^][]{0,243}\]| \[0x[0-9a-fA-F]{1,246}\]| ?\(\.[A-Za-z0-9_.]{1,247}\)| \(in [^()]{0,246}\)'
            || '|@plt|[.](part|isra|constprop|lto_priv|llvm|cold|hot|unlikely|localalias)([.][0-9]{1,29})?'
            || '|\+0x[0-9a-fA-F]{1,16}|\+[0-9]{1,18}|@@?[A-Z][A-Z0-9]{0,30}_[0-9][0-9.]{0,20}|::h[0-9a-f]{16})$', '');
        EXIT WHEN cut = n OR cut = '';
        n := cut;
    END LOOP;
    n := regexp_replace(n, '\[abi:[A-Za-z0-9_]+\]', '', 'g');
    RETURN regexp_replace(n, '^[_@]([A-Za-z_][A-Za-z0-9_]*)@[0-9]+$', '\1');
END;
$$;
COMMENT ON FUNCTION profdepot.trimmed_frame_name(text) IS 'a name without its module, offset, symbol version and clone suffix; empty for a placeholder such as ??';

CREATE FUNCTION profdepot.undecorated_frame_name(p_name text, p_unit_known boolean) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    n text COLLATE "C" := regexp_replace(p_name COLLATE "C", '^((?:[^%$]|%[^%]*%|\$(?![xw]*q))+)\$[xw]*q.*$', '\1');
    codes text[] := '{ctr,dtr,add,sub,mul,div,mod,asg,eql,neq,lss,gtr,leq,geq,and,or,xor,land,lor,not,cmp,lsh,rsh,inc,dec,new,nwa,dele,dla,call,subs,arow}';
    names text[] := '{Create,Destroy,operator+,operator-,operator*,operator/,operator%,operator=,operator==,operator!=,operator<,operator>,operator<=,operator>=,operator&,operator|,operator^,operator&&,operator||,operator!,operator~,operator<<,operator>>,operator++,operator--,operator new,operator new[],operator delete,operator delete[],operator(),operator[],operator->}';
    code text COLLATE "C";
BEGIN
    IF n LIKE '@_%' AND (NOT p_unit_known OR position('@' IN substr(n, 2)) > 0) THEN
        n := substr(n, 2);
    END IF;
    code := substring(n, '(?:^|[@.])\$b([A-Za-z]*)$');
    IF code IS NOT NULL THEN
        n := left(n, -(length(code) + 2));
        code := COALESCE(names[array_position(codes, code)], '$b' || code);
    END IF;
    n := regexp_replace(n, '([A-Za-z0-9_%])@', '\1.', 'g');
    n := regexp_replace(n, '%([^%$]*)%', '\1', 'g');
    n := regexp_replace(n, '%([^%$]*)\$([^%]*)%', '\1<\2>', 'g');
    RETURN n || COALESCE(code, '');
END;
$$;
COMMENT ON FUNCTION profdepot.undecorated_frame_name(text, boolean) IS 'a name decorated by a Borland compiler, without decoration and parameters';

-- Demanglers spell C++ names differently. This function converts a name to one common spelling.
CREATE FUNCTION profdepot.spelled_frame_name(p_name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    n text COLLATE "C" := p_name;
    m text[];
    depth integer := 0;
    start integer := 1;
    c text COLLATE "C";
BEGIN
    n := regexp_replace(n, '\(anonymous( namespace)?\)|`anonymous namespace''', '{anonymous}', 'g');
    n := regexp_replace(n, 'std::(__cxx11|__1|__ndk1)::', 'std::', 'g');
    n := regexp_replace(n, ' __ptr64(?![A-Za-z0-9_])', '', 'g');
    n := regexp_replace(n, '(?<![A-Za-z0-9_])(class|struct|enum|union) ', '', 'g');
    n := regexp_replace(n, '(?<![A-Za-z0-9_])__int64(?![A-Za-z0-9_])', 'long long', 'g');
    n := regexp_replace(n, '\{lambda\((?:[^{}]|\{[^{}]*\}){0,240}\)#([0-9]{1,6})\}', '{lambda#\1}', 'g');
    LOOP
        m := regexp_match(n, '^(.*?)''lambda([0-9]{0,6})''(?:\([^(){}'']{0,240}\))?(.*)$');
        EXIT WHEN m IS NULL;
        n := m[1] || '{lambda#' || COALESCE(NULLIF(m[2], '')::integer + 2, 1) || '}' || m[3];
    END LOOP;
    LOOP
        m := regexp_match(n, '^(.*?)(?<![A-Za-z0-9_])\$_([0-9]{1,6})(?![A-Za-z0-9_])(.*)$');
        EXIT WHEN m IS NULL;
        n := m[1] || '{lambda#' || m[2]::integer + 1 || '}' || m[3];
    END LOOP;
    -- The return type of a template function ends at the last blank outside of brackets.
    IF n ~ ' .*(\(|operator)' THEN
        FOR i IN 1 .. length(n) LOOP
            c := substr(n, i, 1);
            IF depth = 0 AND (c = '(' OR (c = 'o' AND substr(n, i, 8) = 'operator'
                AND (i = 1 OR substr(n, i - 1, 1) !~ '[A-Za-z0-9_]'))) THEN
                n := substr(n, start);
                EXIT;
            ELSIF depth = 0 AND c = ' ' AND substr(n, i + 1, 1) <> '(' THEN
                start := i + 1;
            ELSIF c IN ('<', '{', '[', '(') THEN
                depth := depth + 1;
            ELSIF c IN ('>', '}', ']', ')') AND depth > 0 THEN
                depth := depth - 1;
            END IF;
        END LOOP;
    END IF;
    n := regexp_replace(n, ' (?=[]<>,*&()[])|(?<=[]<>,*&()[]) ', '', 'g');
    n := regexp_replace(n, '(?<=[^A-Za-z0-9_.])([0-9]+)(?:ull|ul|ll|l|u)(?![A-Za-z0-9_])', '\1', 'g');
    n := regexp_replace(n, '(?<=[<,])true(?=[,>])', '1', 'g');
    n := regexp_replace(n, '(?<=[<,])false(?=[,>])', '0', 'g');
    n := replace(n, '(void)', '()');
    RETURN replace(n, 'std::basic_string<char,std::char_traits<char>,std::allocator<char>>', 'std::string');
END;
$$;
COMMENT ON FUNCTION profdepot.spelled_frame_name(text) IS 'a demangled C++ name in one spelling for all demanglers';

CREATE FUNCTION profdepot.normal_frame_part(p_name text, p_unit_known boolean) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    n text COLLATE "C" := profdepot.trimmed_frame_name(p_name);
    plain text COLLATE "C";
    borland boolean;
    method boolean := false;
    unit integer := 0;
BEGIN
    borland := n LIKE '@%' OR n ~ '\$[xw]*qq[rs]'
        OR p_unit_known;
    IF borland AND (n LIKE '@%' OR n ~ '^((?:[^%$]|%[^%]*%|\$(?![xw]*q))+)\$[xw]*q') THEN
        method := n ~ '^((?:[^%$]|%[^%]*%|\$(?![xw]*q))+)\$[xw]+q';
        n := profdepot.undecorated_frame_name(n, p_unit_known);
    ELSE
        borland := false;
    END IF;
    plain := n;
    n := regexp_replace(n, '(?<=[A-Za-z0-9_>])\.(?=[A-Za-z_@])', '::', 'g');
    IF (borland OR n <> plain) AND n !~ '^[TEI][A-Z][A-Za-z0-9_]*(::|<)' THEN
        -- A Pascal unit is the part before the class. A class begins with T, E or I and a capital.
        unit := regexp_instr(n, '(?<=[A-Za-z0-9_:])::[TEI][A-Z][A-Za-z0-9_]*(::|<)');
        IF unit = 0 OR left(n, unit) !~ '^[A-Za-z0-9_:]*$' THEN
            unit := CASE WHEN borland AND NOT method
                THEN length(substring(n, '^((?:[A-Za-z0-9_:]+::)?)')) - 1 ELSE 0 END;
        END IF;
        unit := CASE WHEN unit > 0 THEN unit + 1 ELSE 0 END;
    END IF;
    RETURN lower(left(n, unit)) || profdepot.spelled_frame_name(substr(n, unit + 1));
END;
$$;
COMMENT ON FUNCTION profdepot.normal_frame_part(text, boolean) IS 'the normal form of a class or a routine alone';

CREATE FUNCTION profdepot.normal_frame_name(p_unit text, p_class text, p_routine text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    u text COLLATE "C" := btrim(regexp_replace(COALESCE(p_unit, '') COLLATE "C", '[ \t\n\r]+', ' ', 'g'), ' ');
    k text COLLATE "C";
    n text COLLATE "C";
BEGIN
    u := lower(u);
    IF u ~ '[.](c|cc|cpp|cxx|h|hpp|pas|pp|inc|dpr|obj|o|asm|s|m|mm|f|f90|rs|go)$' THEN
        u := '';
    END IF;
    u := regexp_replace(u, '(?<=[A-Za-z0-9_>])\.(?=[A-Za-z_@])', '::', 'g');
    n := profdepot.normal_frame_part(p_routine, u <> '');
    IF n = '' THEN
        RETURN '';
    END IF;
    IF u <> '' AND lower(left(n, length(u) + 2)) = u || '::' THEN
        n := substr(n, length(u) + 3);
    END IF;
    k := profdepot.normal_frame_part(p_class, false);
    IF k <> '' AND left(n, length(k) + 2) <> k || '::' THEN
        n := k || '::' || n;
    END IF;
    IF u <> '' THEN
        n := u || '::' || n;
    END IF;
    RETURN n;
END;
$$;
COMMENT ON FUNCTION profdepot.normal_frame_name(text, text, text) IS 'unit, class and routine of a frame in the form from which finding identities are computed, see profdepot-schema(5); empty if the routine is unknown';

-- The loader computes the same in src/model/finding.c. The rule against window functions is only
-- for views; all rows here belong to one result set.
CREATE FUNCTION profdepot.stack_owns(p_inst_id bigint)
RETURNS TABLE (stack_id integer, own_place integer, own_identity uuid)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    WITH routines AS MATERIALIZED (
        SELECT DISTINCT ON (r.rec_id) r.rec_id,
               CASE WHEN profdepot.is_allocator_frame(r.col_routine_name) THEN 2
                    WHEN profdepot.is_system_frame(r.col_module_name, r.col_class_name, r.col_routine_name,
                                                   r.col_source_file, r.col_unit_name) THEN 1
                    ELSE 0 END AS owner,
               NULLIF(profdepot.normal_frame_name(r.col_unit_name, r.col_class_name, r.col_routine_name), '') AS name
        FROM profdepot.resource_profiler_meta_routines r
        WHERE r.inst_id = p_inst_id AND r.rec_id IS NOT NULL
        ORDER BY r.rec_id, r.id
    ),
    frames AS (
        SELECT s.stack_id, f.n::integer AS n, COALESCE(r.owner, 1) AS owner,
               substr(sha256(convert_to(r.name, 'UTF8')), 1, 16) AS hash
        FROM profdepot.stacks s
        CROSS JOIN LATERAL unnest(s.routine_ids) WITH ORDINALITY f (routine_id, n)
        LEFT JOIN routines r ON r.rec_id = f.routine_id
        WHERE s.inst_id = p_inst_id
    ),
    places AS (
        SELECT f.stack_id,
               COALESCE(min(f.n) FILTER (WHERE f.owner = 0), min(f.n) FILTER (WHERE f.owner = 1)) AS place,
               bool_or(f.owner = 0 AND f.hash IS NOT NULL) AS has_own
        FROM frames f
        GROUP BY f.stack_id
    ),
    counted AS (
        SELECT f.stack_id, f.n, COALESCE(f.hash, decode(repeat('00', 16), 'hex')) AS hash
        FROM frames f
        JOIN places p ON p.stack_id = f.stack_id
        WHERE CASE WHEN p.has_own THEN f.owner = 0 ELSE f.owner = 1 AND f.hash IS NOT NULL END
    ),
    steps AS (
        SELECT c.stack_id, c.n, c.hash, lag(c.hash) OVER (PARTITION BY c.stack_id ORDER BY c.n) AS callee
        FROM counted c
    )
    SELECT p.stack_id, p.place, i.identity
    FROM places p
    LEFT JOIN (SELECT t.stack_id,
                      encode(substr(sha256(string_agg(t.hash, ''::bytea ORDER BY t.n)), 1, 16), 'hex')::uuid AS identity
               FROM steps t
               WHERE t.callee IS DISTINCT FROM t.hash
               GROUP BY t.stack_id) i ON i.stack_id = p.stack_id;
END;
$$;
COMMENT ON FUNCTION profdepot.stack_owns(bigint) IS 'own_place and own_identity of each stack of a result set, computed from the names of its frames';

-- schema/600_flame.sql

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

-- schema/700_partitions.sql

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
