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
