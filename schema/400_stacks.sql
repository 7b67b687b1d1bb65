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
