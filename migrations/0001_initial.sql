-- Made from schema/ by tools/remake-initial until the first release: edit those files.

-- schema/000_depot.sql

-- The schema itself and what was done to it. Both may be there already: an administrator may have
-- made the schema for its owner, and a depot at version 0 has the empty table.
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
COMMENT ON TABLE profdepot.schema_migrations IS 'changes of the schema that this depot has, one row a migration';
COMMENT ON COLUMN profdepot.schema_migrations.version IS 'number of the migration; the highest is the depot''s version';
COMMENT ON COLUMN profdepot.schema_migrations.name IS 'what it did, as its file is named';
COMMENT ON COLUMN profdepot.schema_migrations.checksum IS 'SHA-256 of the file as it was applied';
COMMENT ON COLUMN profdepot.schema_migrations.applied_at IS 'when it was applied, or when the depot was made with it';

-- schema/100_result_sets.sql

-- Result sets and what is known about them.
-- Every relation is keyed by inst_id; AQTime's documented columns come first.

CREATE SEQUENCE profdepot.instances_inst_id_seq AS bigint;
COMMENT ON SEQUENCE profdepot.instances_inst_id_seq IS 'numbers of result sets; the loader draws until one is free';

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
    PRIMARY KEY (inst_id),
    CHECK (state IN ('open', 'closed')),
    CHECK (thread_key IN ('rec_id', 'id'))
);
ALTER SEQUENCE profdepot.instances_inst_id_seq OWNED BY profdepot.instances.inst_id;
COMMENT ON TABLE profdepot.instances IS 'AQTime''s INSTANCES: one row a result set, with the metadata that profdepot keeps of it';
COMMENT ON COLUMN profdepot.instances.inst_id IS 'INST_ID: number of the result set in this depot; the exporter''s number is source_inst_id';
COMMENT ON COLUMN profdepot.instances.caption IS 'CAPTION: name of the result set, as exported or as given at load';
COMMENT ON COLUMN profdepot.instances.counter_description IS 'COUNTER_DESCRIPTION: as exported; not used by the Resource profiler';
COMMENT ON COLUMN profdepot.instances.counter_frequency IS 'COUNTER_FREQUENCY: as exported; not used by the Resource profiler';
COMMENT ON COLUMN profdepot.instances.counter_name IS 'COUNTER_NAME: as exported; not used by the Resource profiler';
COMMENT ON COLUMN profdepot.instances.state IS 'closed: stack_totals are there and right; open: written or changed by SQL, reports read the facts until profdepot reindex';
COMMENT ON COLUMN profdepot.instances.format IS 'format of the input, a name of profdepot formats; NULL when SQL wrote the result set';
COMMENT ON COLUMN profdepot.instances.source_name IS 'name of the input: the last part of its path';
COMMENT ON COLUMN profdepot.instances.source_inst_id IS 'the exporter''s own INST_ID';
COMMENT ON COLUMN profdepot.instances.source_caption IS 'CAPTION as exported, whatever caption was given at load';
COMMENT ON COLUMN profdepot.instances.input_digest IS 'SHA-256 of the whole input, by which a known one is skipped';
COMMENT ON COLUMN profdepot.instances.input_bytes IS 'bytes of the input, decompressed';
COMMENT ON COLUMN profdepot.instances.content_digest IS 'order-free 128-bit sum over the result set''s rows without INST_ID, by which a known result set is recognised in another export';
COMMENT ON COLUMN profdepot.instances.thread_key IS 'which column of the threads OBJECTS.COL_THREADID holds: rec_id (the rule) or id';
COMMENT ON COLUMN profdepot.instances.application IS 'profiled application, as given at load';
COMMENT ON COLUMN profdepot.instances.app_version IS 'version of the application, as given at load';
COMMENT ON COLUMN profdepot.instances.host IS 'machine that was profiled, as given at load';
COMMENT ON COLUMN profdepot.instances.tool IS 'profiler that made the result';
COMMENT ON COLUMN profdepot.instances.loader_version IS 'version of profdepot that loaded it';
COMMENT ON COLUMN profdepot.instances.loaded_at IS 'when it was loaded';
COMMENT ON COLUMN profdepot.instances.load_seconds IS 'seconds from the start of reading to the commit';

CREATE TABLE profdepot.relations (
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    col_child_table text COLLATE "C",
    col_parent_table text COLLATE "C",
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.relations IS 'AQTime''s RELATIONS: which exported table is whose child';
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
COMMENT ON TABLE profdepot.result_set_labels IS 'free labels of a result set, such as branch=main';
COMMENT ON COLUMN profdepot.result_set_labels.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.result_set_labels.key IS 'name of the label';
COMMENT ON COLUMN profdepot.result_set_labels.value IS 'its value';

CREATE TABLE profdepot.result_set_counts (
    inst_id bigint NOT NULL,
    relation text COLLATE "C" NOT NULL,
    row_count bigint NOT NULL,
    id_sum numeric NOT NULL,
    value_sum numeric NOT NULL,
    PRIMARY KEY (inst_id, relation)
);
COMMENT ON TABLE profdepot.result_set_counts IS 'what the loader counted while reading; profdepot verify recounts it';
COMMENT ON COLUMN profdepot.result_set_counts.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.result_set_counts.relation IS 'relation, without schema, in lower case';
COMMENT ON COLUMN profdepot.result_set_counts.row_count IS 'rows';
COMMENT ON COLUMN profdepot.result_set_counts.id_sum IS 'sum of ID over the rows';
COMMENT ON COLUMN profdepot.result_set_counts.value_sum IS 'sum of the relation''s main number: size of objects and threads, live size of classes, error code, source line, routine of a frame; 0 where it has none';

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
COMMENT ON TABLE profdepot.import_issues IS 'what a load left out or doubted; at most 100 rows a code, then one with the count of the rest';
COMMENT ON COLUMN profdepot.import_issues.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.import_issues.issue_no IS 'number within the result set, from 1';
COMMENT ON COLUMN profdepot.import_issues.severity IS 'info: nothing is lost; warning: the data contradict themselves; error: a row was left out';
COMMENT ON COLUMN profdepot.import_issues.code IS 'kind of the issue, see profdepot-schema(5)';
COMMENT ON COLUMN profdepot.import_issues.source IS 'file or table of the input';
COMMENT ON COLUMN profdepot.import_issues.line IS 'line in the file, from 1';
COMMENT ON COLUMN profdepot.import_issues.byte_offset IS 'bytes into the file';
COMMENT ON COLUMN profdepot.import_issues.message IS 'what is wrong';
COMMENT ON COLUMN profdepot.import_issues.occurrences IS 'how many issues the row stands for';
COMMENT ON COLUMN profdepot.import_issues.rejected IS 'the rejected input as read, at most 64 KiB';

-- schema/200_dictionaries.sql

-- Dictionaries behind the facts: threads, classes, routines, lines.

CREATE TABLE profdepot.resource_profiler_threads (
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col_size bigint,
    col_win32threadid bigint,
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_threads IS 'threads of the profiled process';
COMMENT ON COLUMN profdepot.resource_profiler_threads.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_threads.id IS 'ID: number of the row; RESOURCE_PROFILER_ERRORS.PARENT_ID points here';
COMMENT ON COLUMN profdepot.resource_profiler_threads.parent_id IS 'PARENT_ID: as exported, -1';
COMMENT ON COLUMN profdepot.resource_profiler_threads.rec_id IS 'REC_ID: RESOURCE_PROFILER_OBJECTS.COL_THREADID points here';
COMMENT ON COLUMN profdepot.resource_profiler_threads.col_size IS 'COL_SIZE: memory used by the thread, bytes; display only';
COMMENT ON COLUMN profdepot.resource_profiler_threads.col_win32threadid IS 'COL_WIN32THREADID: the operating system''s thread id';

CREATE TABLE profdepot.resource_profiler_meta_classes_data (
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col_class_name text COLLATE "C",
    col_module_name text COLLATE "C",
    col_symbol_moniker text COLLATE "C",
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_meta_classes_data IS 'names of the classes: one row a resource type and module that called the API';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.id IS 'ID: number of the row';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.parent_id IS 'PARENT_ID: as exported, -1';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.rec_id IS 'REC_ID: RESOURCE_PROFILER_OBJECTS.COL_CLASSRID points here';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.col_class_name IS 'COL_CLASS_NAME: class, a resource type such as Bitmap';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.col_module_name IS 'COL_MODULE_NAME: module that called the allocating API';
COMMENT ON COLUMN profdepot.resource_profiler_meta_classes_data.col_symbol_moniker IS 'COL_SYMBOL_MONIKER: AQTime''s name of the symbol';

CREATE TABLE profdepot.resource_profiler_classes_data (
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
COMMENT ON TABLE profdepot.resource_profiler_classes_data IS 'counters of the classes: live, peak and total instances and sizes';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.id IS 'ID: number of the row';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.parent_id IS 'PARENT_ID: as exported, -1';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.rec_id IS 'REC_ID: the class; the same number as in RESOURCE_PROFILER_META_CLASSES_DATA';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_class_name IS 'COL_CLASS_NAME: class, a resource type such as Bitmap';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_module_name IS 'COL_MODULE_NAME: module that called the allocating API';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_live_count IS 'COL_LIVE_COUNT: instances alive when the results were taken';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_live_size IS 'COL_LIVE_SIZE: their size, bytes';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_peak_created IS 'COL_PEAK_CREATED: highest number alive at one time';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_peak_size IS 'COL_PEAK_SIZE: highest size at one time, bytes';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_total_created IS 'COL_TOTAL_CREATED: instances ever created';
COMMENT ON COLUMN profdepot.resource_profiler_classes_data.col_total_size IS 'COL_TOTAL_SIZE: size ever created, bytes';

CREATE TABLE profdepot.resource_profiler_meta_routines (
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col_hit_count bigint,
    col_compiler bigint,
    col_address numeric(20, 0),
    col_analisys_result text COLLATE "C",
    col_class_name text COLLATE "C",
    col_code_type text COLLATE "C",
    col_module_name text COLLATE "C",
    col_namespace text COLLATE "C",
    col_profilelines bigint,
    col_routine_name text COLLATE "C",
    col_source_file text COLLATE "C",
    col_source_line bigint,
    col_symbol_moniker text COLLATE "C",
    col_token bigint,
    col_unit_name text COLLATE "C",
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_meta_routines IS 'routines that occur in call stacks; frames of every format land here';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.id IS 'ID: number of the row; RESOURCE_PROFILER_META_LINES.PARENT_ID points here';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.parent_id IS 'PARENT_ID: as exported, -1';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.rec_id IS 'REC_ID: COL_ROUTINERID of the call stacks points here';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_hit_count IS 'COL_HIT_COUNT: calls that were profiled';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_compiler IS 'COL_COMPILER: 0 unknown, 1 MSVC 6, 2 Delphi 7, 3 C++Builder 6 or Delphi 6, 4 to 6 older Borland, 7 MSVS 2005';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_address IS 'COL_ADDRESS: address in memory';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_analisys_result IS 'COL_ANALISYS_RESULT: why the routine was not instrumented; spelt as AQTime spells it';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_class_name IS 'COL_CLASS_NAME: class of a method';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_code_type IS 'COL_CODE_TYPE: MSIL, x64, x86, Pseudo, PInvoke, NGen or Script';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_module_name IS 'COL_MODULE_NAME: module that holds the routine';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_namespace IS 'COL_NAMESPACE: namespace of a managed method';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_profilelines IS 'COL_PROFILELINES: profiled by lines when not 0; exporters write 0 or -1';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_routine_name IS 'COL_ROUTINE_NAME: name of the routine';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_source_file IS 'COL_SOURCE_FILE: source file';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_source_line IS 'COL_SOURCE_LINE: line where the routine begins';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_symbol_moniker IS 'COL_SYMBOL_MONIKER: AQTime''s name of the symbol';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_token IS 'COL_TOKEN: CLR token';
COMMENT ON COLUMN profdepot.resource_profiler_meta_routines.col_unit_name IS 'COL_UNIT_NAME: linkage unit of native code';

CREATE TABLE profdepot.resource_profiler_meta_lines (
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

-- schema/300_facts.sql

-- Facts. Bulk relations have their primary key only: every further index
-- costs the load.

CREATE TABLE profdepot.resource_profiler_objects (
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col_classrid bigint,
    col_get_ bigint,
    col_threadid bigint,
    col__ numeric(20, 0),
    col_address numeric(20, 0),
    col_size numeric(20, 0),
    block_count bigint NOT NULL DEFAULT 1,
    stack_first_id bigint,
    stack_id integer,
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_objects IS 'objects alive when the results were taken; a detector that reports groups gives one row a group';
COMMENT ON COLUMN profdepot.resource_profiler_objects.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_objects.id IS 'ID: number of the object; RESOURCE_PROFILER_CREATION_CALL_STACK.PARENT_ID points here';
COMMENT ON COLUMN profdepot.resource_profiler_objects.parent_id IS 'PARENT_ID: as exported, -1';
COMMENT ON COLUMN profdepot.resource_profiler_objects.rec_id IS 'REC_ID: as exported';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col_classrid IS 'COL_CLASSRID: REC_ID of the class';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col_get_ IS 'COL_GET_: ordinal of the Get Results command';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col_threadid IS 'COL_THREADID: REC_ID of the thread (ID where instances.thread_key says so)';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col__ IS 'COL__: creation number; Object Name is class, a dot and this';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col_address IS 'COL_ADDRESS: address, or the handle''s value';
COMMENT ON COLUMN profdepot.resource_profiler_objects.col_size IS 'COL_SIZE: size in bytes; of a group, the total';
COMMENT ON COLUMN profdepot.resource_profiler_objects.block_count IS 'objects that the row stands for: 1, or the blocks of a group';
COMMENT ON COLUMN profdepot.resource_profiler_objects.stack_first_id IS 'ID of the innermost frame of its creation call stack; NULL without stack';
COMMENT ON COLUMN profdepot.resource_profiler_objects.stack_id IS 'its creation call stack in stacks; NULL without stack';

CREATE TABLE profdepot.resource_profiler_errors (
    inst_id bigint NOT NULL,
    id bigint NOT NULL,
    parent_id bigint,
    rec_id bigint,
    col__ bigint,
    col_error_code bigint,
    col_kind bigint,
    col_description text COLLATE "C",
    col_name text COLLATE "C",
    stack_first_id bigint,
    stack_id integer,
    PRIMARY KEY (inst_id, id)
);
COMMENT ON TABLE profdepot.resource_profiler_errors IS 'errors in resource management functions';
COMMENT ON COLUMN profdepot.resource_profiler_errors.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_errors.id IS 'ID: number of the error; RESOURCE_PROFILER_CALL_STACK.PARENT_ID points here';
COMMENT ON COLUMN profdepot.resource_profiler_errors.parent_id IS 'PARENT_ID: ID of the thread';
COMMENT ON COLUMN profdepot.resource_profiler_errors.rec_id IS 'REC_ID: number within the thread''s errors';
COMMENT ON COLUMN profdepot.resource_profiler_errors.col__ IS 'COL__: creation number of the error';
COMMENT ON COLUMN profdepot.resource_profiler_errors.col_error_code IS 'COL_ERROR_CODE: code that the function gave, -2^31 to 2^32-1';
COMMENT ON COLUMN profdepot.resource_profiler_errors.col_kind IS 'COL_KIND: severity, 1 error, 2 warning; others as exported';
COMMENT ON COLUMN profdepot.resource_profiler_errors.col_description IS 'COL_DESCRIPTION: description';
COMMENT ON COLUMN profdepot.resource_profiler_errors.col_name IS 'COL_NAME: function that failed';
COMMENT ON COLUMN profdepot.resource_profiler_errors.stack_first_id IS 'ID of the innermost frame of its call stack; NULL without stack';
COMMENT ON COLUMN profdepot.resource_profiler_errors.stack_id IS 'its call stack in stacks; NULL without stack';

-- schema/400_stacks.sql

-- Call stacks, stored once a result set, and AQTime's two stack relations as
-- views over them.

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
    PRIMARY KEY (inst_id, stack_id)
);
-- Statistics of arrays cost ANALYZE more than all other relations together
-- (230 ms of 380 for 30,000 stacks), and no plan of ours looks at them.
ALTER TABLE profdepot.stacks
    ALTER routine_ids SET STATISTICS 0,
    ALTER line_ids SET STATISTICS 0,
    ALTER hit_counts SET STATISTICS 0,
    ALTER frame_ids SET STATISTICS 0,
    ALTER rec_ids SET STATISTICS 0;
COMMENT ON TABLE profdepot.stacks IS 'distinct call stacks of a result set; the arrays run from the innermost frame outwards';
COMMENT ON COLUMN profdepot.stacks.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.stacks.stack_id IS 'number of the stack, from 1';
COMMENT ON COLUMN profdepot.stacks.identity IS 'the same in every result set for the same routines: see profdepot-schema(5); NULL until reindex when SQL wrote the stack';
COMMENT ON COLUMN profdepot.stacks.line_identity IS 'the same for the same routines and call lines';
COMMENT ON COLUMN profdepot.stacks.routine_ids IS 'COL_ROUTINERID of each frame';
COMMENT ON COLUMN profdepot.stacks.line_ids IS 'COL_LINERID of each frame; NULL when none has one';
COMMENT ON COLUMN profdepot.stacks.hit_counts IS 'COL_HIT_COUNT of each frame; NULL when none has one';
COMMENT ON COLUMN profdepot.stacks.frame_ids IS 'ID of each frame, of a private stack; NULL when they run on from the owner''s stack_first_id';
COMMENT ON COLUMN profdepot.stacks.rec_ids IS 'REC_ID of each frame, of a private stack; NULL when 0..n-1';

CREATE TABLE profdepot.stack_totals (
    inst_id bigint NOT NULL,
    metric text COLLATE "C" NOT NULL,
    class bigint NOT NULL,
    stack_id integer NOT NULL,
    count bigint NOT NULL,
    value numeric NOT NULL,
    PRIMARY KEY (inst_id, metric, class, stack_id)
);
COMMENT ON TABLE profdepot.stack_totals IS 'facts summed by class and stack, written at load; leaks and comparisons start here';
COMMENT ON COLUMN profdepot.stack_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.stack_totals.metric IS 'live: objects and their bytes; errors: errors, by kind';
COMMENT ON COLUMN profdepot.stack_totals.class IS 'REC_ID of the class (live) or kind (errors); -1: none';
COMMENT ON COLUMN profdepot.stack_totals.stack_id IS 'the stack; 0: none';
COMMENT ON COLUMN profdepot.stack_totals.count IS 'objects (their blocks) or errors';
COMMENT ON COLUMN profdepot.stack_totals.value IS 'bytes (live), errors (errors)';

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
COMMENT ON VIEW profdepot.resource_profiler_creation_call_stack IS 'call stacks that created the objects, one row a frame; takes INSERTs after the object exists';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.id IS 'ID: number of the frame';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.parent_id IS 'PARENT_ID: ID of the object';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.rec_id IS 'REC_ID: position in the stack, 0 is the innermost frame';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.col_hit_count IS 'COL_HIT_COUNT: as exported';
COMMENT ON COLUMN profdepot.resource_profiler_creation_call_stack.col_linerid IS 'COL_LINERID: REC_ID of the line within the routine, -1 without line';
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
COMMENT ON VIEW profdepot.resource_profiler_call_stack IS 'call stacks of the errors, one row a frame; takes INSERTs after the error exists';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.inst_id IS 'INST_ID: the result set';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.id IS 'ID: number of the frame';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.parent_id IS 'PARENT_ID: ID of the error';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.rec_id IS 'REC_ID: position in the stack, 0 is the innermost frame';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.col_routinerid IS 'COL_ROUTINERID: REC_ID of the routine';
COMMENT ON COLUMN profdepot.resource_profiler_call_stack.col_linerid IS 'COL_LINERID: REC_ID of the line within the routine where the format has call lines; not a column of AQTime''s';

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
COMMENT ON VIEW profdepot.stack_frames IS 'frames of each distinct stack with their names and shown line';
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
COMMENT ON COLUMN profdepot.stack_frames.source_line IS 'the call line where the export has one, else the routine''s first line';

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
COMMENT ON VIEW profdepot.stack_identities IS 'identity and line_identity of each stack, computed anew from the names';
COMMENT ON COLUMN profdepot.stack_identities.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.stack_identities.stack_id IS 'the stack';
COMMENT ON COLUMN profdepot.stack_identities.identity IS 'of the routines';
COMMENT ON COLUMN profdepot.stack_identities.line_identity IS 'of the routines, files and call lines';

CREATE VIEW profdepot.stack_keys AS
SELECT s.inst_id, s.stack_id, s.identity, s.line_identity
FROM profdepot.stacks s
WHERE s.line_identity IS NOT NULL
UNION ALL
SELECT s.inst_id, s.stack_id, k.identity, k.line_identity
FROM profdepot.stacks s
JOIN profdepot.stack_identities k ON k.inst_id = s.inst_id AND k.stack_id = s.stack_id
WHERE s.line_identity IS NULL;
COMMENT ON VIEW profdepot.stack_keys IS 'identities of every stack: the stored ones, computed where SQL wrote the stack';
COMMENT ON COLUMN profdepot.stack_keys.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.stack_keys.stack_id IS 'the stack';
COMMENT ON COLUMN profdepot.stack_keys.identity IS 'of the routines: matches stacks across result sets';
COMMENT ON COLUMN profdepot.stack_keys.line_identity IS 'of the routines and call lines: equal stacks of a result set';

CREATE VIEW profdepot.live_totals AS
SELECT t.inst_id, t.class, t.stack_id, t.count, t.value AS size
FROM profdepot.instances i
JOIN profdepot.stack_totals t ON t.inst_id = i.inst_id
WHERE i.state = 'closed' AND t.metric = 'live'
UNION ALL
SELECT o.inst_id, COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0),
       sum(o.block_count)::bigint, COALESCE(sum(o.col_size), 0)
FROM profdepot.instances i
JOIN profdepot.resource_profiler_objects o ON o.inst_id = i.inst_id
WHERE i.state <> 'closed'
GROUP BY o.inst_id, COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0);
COMMENT ON VIEW profdepot.live_totals IS 'live objects summed by class and stack: from stack_totals, from the facts while a result set is open';
COMMENT ON COLUMN profdepot.live_totals.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.live_totals.class IS 'REC_ID of the class; -1: none';
COMMENT ON COLUMN profdepot.live_totals.stack_id IS 'the stack; 0: none';
COMMENT ON COLUMN profdepot.live_totals.count IS 'live objects';
COMMENT ON COLUMN profdepot.live_totals.size IS 'their size, bytes';

CREATE VIEW profdepot.class_names AS
SELECT n.inst_id, n.rec_id,
       max(n.col_class_name) AS class_name,
       max(n.col_module_name) AS module_name
FROM (
    SELECT m.inst_id, m.rec_id, NULLIF(m.col_class_name, '') AS col_class_name,
           NULLIF(m.col_module_name, '') AS col_module_name
    FROM profdepot.resource_profiler_meta_classes_data m
    UNION ALL
    SELECT c.inst_id, c.rec_id, NULLIF(c.col_class_name, ''), NULLIF(c.col_module_name, '')
    FROM profdepot.resource_profiler_classes_data c
    WHERE NOT EXISTS (SELECT FROM profdepot.resource_profiler_meta_classes_data m
                      WHERE m.inst_id = c.inst_id AND m.rec_id = c.rec_id)
) n
GROUP BY n.inst_id, n.rec_id;
COMMENT ON VIEW profdepot.class_names IS 'class and module by REC_ID: META_CLASSES_DATA first, CLASSES_DATA where that lacks the class';
COMMENT ON COLUMN profdepot.class_names.inst_id IS 'the result set';
COMMENT ON COLUMN profdepot.class_names.rec_id IS 'REC_ID of the class';
COMMENT ON COLUMN profdepot.class_names.class_name IS 'class, a resource type such as Bitmap';
COMMENT ON COLUMN profdepot.class_names.module_name IS 'module that called the allocating API';

-- schema/500_functions.sql

-- INSERTs through the stack views, statistics for the loader, reindex.

-- Opens a result set: what the loader summed no longer holds.
CREATE FUNCTION profdepot.open_result_set(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE profdepot.instances SET state = 'open'
    WHERE inst_id = p_inst_id AND state <> 'open';
    IF FOUND THEN
        DELETE FROM profdepot.stack_totals WHERE inst_id = p_inst_id;
    END IF;
END;
$$;
COMMENT ON FUNCTION profdepot.open_result_set(bigint) IS 'marks a result set as changed by SQL and drops its totals';

-- Puts one frame into the stack that its owner has, or starts one. A stack
-- that others share is copied first; the copy keeps the IDs as they were.
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
        -- Locks the result set's row, so that two writers draw different numbers.
        PERFORM FROM profdepot.instances WHERE inst_id = p_inst_id FOR UPDATE;
        n := COALESCE(cardinality(s.routine_ids), 0);
        s.inst_id := p_inst_id;
        -- Not max(): on a table that was vacuumed while empty the planner would read all.
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

-- Every look-up below is by primary key. A plan that was made while the tables
-- were vacuumed and empty would scan them all the same: seconds became minutes.
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
    -- Frames mostly come in order: one behind the others of a stack that SQL is
    -- writing. Such a stack has no identity yet, and its result set is open.
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
COMMENT ON FUNCTION profdepot.insert_creation_call_stack() IS 'INSERTs into RESOURCE_PROFILER_CREATION_CALL_STACK';

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
    -- Frames mostly come in order: one behind the others of a stack that SQL is
    -- writing. Such a stack has no identity yet, and its result set is open.
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
COMMENT ON FUNCTION profdepot.insert_call_stack() IS 'INSERTs into RESOURCE_PROFILER_CALL_STACK';

CREATE TRIGGER insert_frame INSTEAD OF INSERT ON profdepot.resource_profiler_creation_call_stack
    FOR EACH ROW EXECUTE FUNCTION profdepot.insert_creation_call_stack();
COMMENT ON TRIGGER insert_frame ON profdepot.resource_profiler_creation_call_stack IS 'lets AQTime''s exporter and analysts write frames; the loader never uses it';
CREATE TRIGGER insert_frame INSTEAD OF INSERT ON profdepot.resource_profiler_call_stack
    FOR EACH ROW EXECUTE FUNCTION profdepot.insert_call_stack();
COMMENT ON TRIGGER insert_frame ON profdepot.resource_profiler_call_stack IS 'lets AQTime''s exporter and analysts write frames; the loader never uses it';

-- Only an owner may ANALYZE; the loader role does it through this. Names that
-- are no tables of the depot are refused by ::regclass.
CREATE FUNCTION profdepot.analyze_relations(p_relations text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    r text;
BEGIN
    FOREACH r IN ARRAY p_relations LOOP
        EXECUTE format('ANALYZE profdepot.%I', r);
    END LOOP;
END;
$$;
REVOKE ALL ON FUNCTION profdepot.analyze_relations(text[]) FROM PUBLIC;
COMMENT ON FUNCTION profdepot.analyze_relations(text[]) IS 'ANALYZE of relations of the depot, for the loader role';

-- Closes an open result set: identities, then totals from the facts.
CREATE FUNCTION profdepot.reindex_result_set(p_inst_id bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM profdepot.instances WHERE inst_id = p_inst_id FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no result set %', p_inst_id USING ERRCODE = 'no_data_found';
    END IF;
    UPDATE profdepot.stacks s SET identity = k.identity, line_identity = k.line_identity
    FROM profdepot.stack_identities k
    WHERE s.inst_id = p_inst_id AND k.inst_id = p_inst_id AND k.stack_id = s.stack_id
      AND (s.identity IS DISTINCT FROM k.identity OR s.line_identity IS DISTINCT FROM k.line_identity);
    DELETE FROM profdepot.stack_totals WHERE inst_id = p_inst_id;
    INSERT INTO profdepot.stack_totals (inst_id, metric, class, stack_id, count, value)
    SELECT o.inst_id, 'live', COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0),
           sum(o.block_count), COALESCE(sum(o.col_size), 0)
    FROM profdepot.resource_profiler_objects o
    WHERE o.inst_id = p_inst_id
    GROUP BY o.inst_id, COALESCE(o.col_classrid, -1), COALESCE(o.stack_id, 0);
    INSERT INTO profdepot.stack_totals (inst_id, metric, class, stack_id, count, value)
    SELECT e.inst_id, 'errors', COALESCE(e.col_kind, -1), COALESCE(e.stack_id, 0), count(*), count(*)
    FROM profdepot.resource_profiler_errors e
    WHERE e.inst_id = p_inst_id
    GROUP BY e.inst_id, COALESCE(e.col_kind, -1), COALESCE(e.stack_id, 0);
    DELETE FROM profdepot.result_set_counts WHERE inst_id = p_inst_id;
    INSERT INTO profdepot.result_set_counts (inst_id, relation, row_count, id_sum, value_sum)
    SELECT p_inst_id, c.relation, c.row_count, c.id_sum, c.value_sum
    FROM profdepot.count_result_set(p_inst_id) c;
    UPDATE profdepot.instances SET state = 'closed' WHERE inst_id = p_inst_id;
END;
$$;
COMMENT ON FUNCTION profdepot.reindex_result_set(bigint) IS 'makes identities, totals and counts of a result set anew and closes it';

-- Rows and sums as they stand in the depot, for verify. Stack rows are
-- counted by arithmetic: IDs run on from stack_first_id where none is stored.
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
    RETURN QUERY
    SELECT 'resource_profiler_creation_call_stack', COALESCE(sum(u.n), 0)::bigint,
           COALESCE(sum(u.ids), 0), COALESCE(sum(u.routines), 0)
    FROM (SELECT s.n, s.routines,
                 COALESCE(s.ids, o.stack_first_id::numeric * s.n + s.n::numeric * (s.n - 1) / 2) AS ids
          FROM profdepot.resource_profiler_objects o
          JOIN (SELECT t.stack_id, cardinality(t.routine_ids) AS n,
                       (SELECT COALESCE(sum(x), 0) FROM unnest(t.routine_ids) x) AS routines,
                       (SELECT sum(x) FROM unnest(t.frame_ids) x) AS ids
                FROM profdepot.stacks t WHERE t.inst_id = p_inst_id) s ON s.stack_id = o.stack_id
          WHERE o.inst_id = p_inst_id) u;
    RETURN QUERY
    SELECT 'resource_profiler_call_stack', COALESCE(sum(u.n), 0)::bigint,
           COALESCE(sum(u.ids), 0), COALESCE(sum(u.routines), 0)
    FROM (SELECT s.n, s.routines,
                 COALESCE(s.ids, e.stack_first_id::numeric * s.n + s.n::numeric * (s.n - 1) / 2) AS ids
          FROM profdepot.resource_profiler_errors e
          JOIN (SELECT t.stack_id, cardinality(t.routine_ids) AS n,
                       (SELECT COALESCE(sum(x), 0) FROM unnest(t.routine_ids) x) AS routines,
                       (SELECT sum(x) FROM unnest(t.frame_ids) x) AS ids
                FROM profdepot.stacks t WHERE t.inst_id = p_inst_id) s ON s.stack_id = e.stack_id
          WHERE e.inst_id = p_inst_id) u;
END;
$$;
COMMENT ON FUNCTION profdepot.count_result_set(bigint) IS 'rows and sums of a result set as they stand, to hold against result_set_counts';
