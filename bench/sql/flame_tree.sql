-- A result set with :stacks random stacks of up to :depth frames. Each frame has few callees, so stacks
-- share their outer frames as in real programs. Needs the psql variables inst, seed, stacks and depth.
-- Leaves the result set open.
SET search_path = profdepot;
SELECT setseed(:seed);
INSERT INTO instances (inst_id, caption) VALUES (:inst, 'flame');
INSERT INTO resource_profiler_meta_routines
    (inst_id, id, parent_id, rec_id, col_module_name, col_class_name, col_routine_name, col_source_file)
SELECT :inst, i, -1, i, 'module' || i % 37 || '.so', '', 'namespace' || i % 11 || '::routine_' || i,
       'file' || i % 101 || '.cc'
FROM generate_series(0, 9999) i;
-- A stack begins with its outermost frame. Each further frame is one of the three callees of its caller.
INSERT INTO stacks (inst_id, stack_id, routine_ids)
WITH RECURSIVE walk AS (
    SELECT s AS stack_id, 0 AS k, 0::bigint AS routine_id, ARRAY[0::bigint] AS path,
           (:depth * (0.4 + 0.6 * random()))::integer AS depth
    FROM generate_series(1, :stacks) s
    UNION ALL
    SELECT w.stack_id, w.k + 1, n.routine_id, n.routine_id || w.path, w.depth
    FROM walk w
    CROSS JOIN LATERAL (
        SELECT (w.routine_id * 3 + floor(3 * random() ^ 1.5 + 0 * w.stack_id)::bigint + w.k * 7) % 10000
               AS routine_id) n
    WHERE w.k < w.depth
)
SELECT :inst, w.stack_id, w.path FROM walk w WHERE w.k = w.depth;
INSERT INTO resource_profiler_objects
    (inst_id, id, parent_id, rec_id, col_classrid, col_size, stack_id, stack_first_id)
SELECT :inst, s.stack_id, -1, s.stack_id, 1, floor(16 + 100000 * random() ^ 8), s.stack_id, s.stack_id
FROM stacks s WHERE s.inst_id = :inst;
