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
