-- Trees with shapes that no exporter writes. Leaves the result sets open.
SET search_path = profdepot;
INSERT INTO instances (inst_id, caption) VALUES (900, 'odd samples'), (901, 'odd spans');
INSERT INTO resource_profiler_meta_routines (inst_id, id, parent_id, rec_id, col_module_name, col_routine_name)
SELECT i, r, -1, r, 'm' || r % 2, 'r' || r FROM generate_series(0, 9) r, (VALUES (900), (901)) s (i);

INSERT INTO metrics (inst_id, metric_no, name, family, unit, title) VALUES
    (900, 1, 'time', 'samples', 'seconds', 'Time'), (900, 2, 'size', 'samples', 'bytes', 'Size'),
    (901, 1, 'wall', 'spans', 'milliseconds', 'Wall'), (901, 2, 'cpu', 'spans', 'milliseconds', 'CPU');
INSERT INTO tracks (inst_id, track_id, kind, name, metric_no)
VALUES (900, 1, 'thread', 'a', 1), (900, 2, 'thread', 'b', 2), (901, 1, 'thread', 'a', 1), (901, 2, 'thread', 'b', 2);
-- The innermost frame comes first. NULL and 77 are unknown routines.
INSERT INTO stacks (inst_id, stack_id, routine_ids) VALUES
    (900, 1, '{0}'), (900, 2, '{1,0}'), (900, 3, '{0,1,0}'), (900, 4, '{1,0,1,0}'), (900, 5, '{2,NULL,0}'),
    (900, 6, '{3,77,0}'), (900, 7, '{4}'), (900, 8, '{5,4}'), (900, 9, '{6,6,6,6}'), (900, 10, '{}');
INSERT INTO sample_rows (inst_id, id, track_id, stack_id, at, weights) VALUES
    (900, 1, 1, 1, 0, '{1.5,100}'), (900, 2, 1, 2, 1, '{0.000000000000000001,50}'),
    (900, 3, 1, 3, 2, '{-4,7}'), (900, 4, 1, 4, 3, '{3.25,0}'), (900, 5, 1, 5, 4, '{1e15,1}'),
    (900, 6, 1, 6, 5, '{2,2}'), (900, 7, 1, 7, 6, '{1,1}'), (900, 8, 1, 8, 7, '{-1,4}'),
    (900, 9, 1, 9, 8, '{1,9}'), (900, 10, 1, 10, 9, '{8,8}'), (900, 11, 1, NULL, 10, '{16,16}'),
    (900, 12, 2, 2, 0, '{1000}'), (900, 13, 1, 2, 11, '{0.00000000000000000049,0}');

INSERT INTO span_rows (inst_id, id, parent_id, track_id, kind, name, routine_id, start, duration) VALUES
    -- children that overlap, and a child with another metric
    (901, 1, NULL, 1, 'step', 'a', 0, 0, 10), (901, 2, 1, 1, 'step', 'b', 1, 0, 8),
    (901, 3, 1, 1, 'step', 'c', 2, 1, 8), (901, 4, 2, 2, 'step', 'd', 3, 1, 2),
    -- a parent with a greater id than its child
    (901, 5, 9, 1, 'step', 'e', 4, 3, 0.5), (901, 9, 1, 1, 'step', 'f', 5, 3, 1.125),
    -- a child of a span that is not a call, and a child of a frame with an unknown routine
    (901, 10, 1, 1, 'mark', 'g', NULL, 3, 1), (901, 11, 10, 1, 'step', 'h', 6, 3, 1),
    (901, 12, NULL, 1, 'frame', NULL, NULL, 20, 4), (901, 13, 12, 1, 'step', 'i', 7, 20, 3),
    -- no duration, a negative duration, a routine that recurs, a parent that does not exist
    (901, 14, 13, 1, 'step', 'j', 8, 20, NULL), (901, 15, 14, 1, 'step', 'k', 9, 20, 2),
    (901, 16, NULL, 1, 'step', 'l', 0, 30, -3), (901, 17, 2, 1, 'step', 'm', 0, 0, 4),
    (901, 18, 12345, 1, 'step', 'n', 3, 30, 1.000000000000000000499);
