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
