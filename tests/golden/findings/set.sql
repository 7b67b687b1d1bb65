-- Errors, leaks and heap samples as readers store them. Expects the psql variable inst. Leaves the
-- result set open.
SET search_path = profdepot;
INSERT INTO instances (inst_id, caption, format) VALUES (:inst, 'findings', 'trial');
INSERT INTO resource_profiler_threads (inst_id, id, parent_id, rec_id, col_win32threadid, name) VALUES
    (:inst, 0, -1, 0, 1, NULL), (:inst, 1, -1, 1, 2, 'worker'), (:inst, 2, -1, 2, NULL, 'T3');
INSERT INTO resource_profiler_meta_classes_data
    (inst_id, id, parent_id, rec_id, col_class_name, col_module_name) VALUES
    (:inst, 0, -1, 0, 'malloc', '/srv/demo/app'), (:inst, 1, -1, 1, 'strdup', '/srv/demo/app');
INSERT INTO resource_profiler_meta_routines
    (inst_id, id, parent_id, rec_id, col_module_name, col_class_name, col_routine_name, col_source_file,
     col_source_line) VALUES
    (:inst, 0, -1, 0, '/usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so', NULL, 'malloc', NULL, NULL),
    (:inst, 1, -1, 1, '/srv/demo/app', NULL, 'push', '/srv/demo/list.c', 3),
    (:inst, 2, -1, 2, '/srv/demo/app', NULL, 'main', '/srv/demo/app.c', 1),
    (:inst, 3, -1, 3, '/usr/lib/x86_64-linux-gnu/libc.so.6', NULL, 'strdup', '../string/strdup.c', NULL),
    (:inst, 4, -1, 4, '/usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so', NULL, 'free', NULL, NULL),
    (:inst, 5, -1, 5, '/srv/demo/app', 'Worker', 'run(int)', 'worker.cpp', 20),
    (:inst, 6, -1, 6, '/srv/demo/app', NULL, 'std::vector<int>::reserve(unsigned long)', '/usr/include/c++/12/bits/vector.tcc', 70),
    (:inst, 7, -1, 7, '/usr/lib/x86_64-linux-gnu/libc.so.6', NULL, 'start_thread', NULL, NULL),
    (:inst, 8, -1, 8, '/srv/demo/plugin.so', NULL, '0x1f2e', NULL, NULL);
INSERT INTO resource_profiler_meta_lines (inst_id, id, parent_id, rec_id, col_source_line) VALUES
    (:inst, 0, 1, 0, 4), (:inst, 1, 1, 1, 5), (:inst, 2, 2, 0, 7), (:inst, 3, 2, 1, 9), (:inst, 4, 5, 0, 21);
-- Stack 2 has the same frames as stack 1. In stack 5, a frame of the standard library precedes the
-- first own frame. Stack 6 has no own frame. In stack 7, the function of the first own frame has no
-- name.
INSERT INTO stacks (inst_id, stack_id, routine_ids, line_ids, hit_counts, frame_ids, rec_ids) VALUES
    (:inst, 1, '{0,1,2}', '{NULL,0,0}', NULL, NULL, NULL),
    (:inst, 2, '{0,1,2}', '{NULL,0,0}', '{NULL,NULL,NULL}', '{70,71,72}', '{0,1,2}'),
    (:inst, 3, '{3,1,2}', '{NULL,1,0}', NULL, NULL, NULL),
    (:inst, 4, '{4,2}', '{NULL,1}', NULL, NULL, NULL),
    (:inst, 5, '{0,6,5,7}', '{NULL,NULL,0,NULL}', NULL, NULL, NULL),
    (:inst, 6, '{0,7}', NULL, NULL, NULL, NULL),
    (:inst, 7, '{0,8,2}', NULL, NULL, NULL, NULL),
    (:inst, 8, '{2}', '{1}', NULL, NULL, NULL);
INSERT INTO resource_profiler_objects
    (inst_id, id, parent_id, rec_id, col_classrid, col_threadid, col_size, block_count, stack_first_id,
     stack_id, leak_kind, attributes) VALUES
    (:inst, 0, -1, 0, 0, 0, 48, 1, 0, 1, 'definite', '{"indirect_bytes":144,"indirect_blocks":3}'),
    (:inst, 1, -1, 1, 0, 0, 16, 2, 3, 2, 'definite', NULL),
    (:inst, 2, -1, 2, 1, 0, 144, 3, 6, 3, 'indirect', NULL),
    (:inst, 3, -1, 3, 0, 1, 4000, 1, 9, 5, 'possible', NULL),
    (:inst, 4, -1, 4, 0, 0, 1234567, 1000, 13, 6, 'reachable', NULL),
    (:inst, 5, -1, 5, 0, 0, 1, 1, NULL, NULL, 'definite', '{"indirect_bytes":"none"}'),
    (:inst, 6, -1, 6, 0, 0, 72, 4, 15, 7, 'direct', NULL);
INSERT INTO resource_profiler_errors
    (inst_id, id, parent_id, rec_id, col__, col_kind, col_description, col_name, stack_first_id, stack_id, count) VALUES
    (:inst, 0, 0, 0, 1, 1, 'Invalid write of size 4', 'InvalidWrite', 0, 1, 3),
    (:inst, 1, 0, 1, 2, 1, 'Invalid write of size 4', 'InvalidWrite', 3, 2, 1),
    (:inst, 2, 1, 0, 3, 1, 'Possible data race during read at 0x10', 'Race', 6, 5, 1),
    (:inst, 3, 2, 0, 4, 1, 'Possible data race during read at 0x20', 'Race', 10, 5, 2),
    (:inst, 4, 0, 2, 5, 1, NULL, 'double-free', NULL, NULL, 1);
INSERT INTO further_stacks (inst_id, owner, owner_id, position, role, description, thread_id, stack_id) VALUES
    (:inst, 'error', 0, 1, 'freed_at', 'Address 0x10 is 0 bytes inside a block of size 40 free''d', 1, 4),
    (:inst, 'error', 0, 2, 'allocated_at', NULL, NULL, 3),
    (:inst, 'error', 2, 1, 'conflicting_access', NULL, 2, 1),
    (:inst, 'error', 4, 1, 'allocated_at', NULL, 0, NULL),
    (:inst, 'error', 4, 2, 'other', 'Address 0x0 is not on the stack', NULL, NULL),
    (:inst, 'thread', 1, 1, 'thread_start', NULL, 0, 8),
    (:inst, 'thread', 2, 1, 'thread_start', NULL, NULL, 8);
INSERT INTO metrics (inst_id, metric_no, name, family, unit, title) VALUES
    (:inst, 1, 'alloc_objects', 'samples', 'count', 'Allocations'),
    (:inst, 2, 'temporary_objects', 'samples', 'count', 'Temporary allocations'),
    (:inst, 3, 'peak_space', 'samples', 'bytes', 'Peak memory'),
    (:inst, 4, 'peak_objects', 'samples', 'count', 'Peak blocks'),
    (:inst, 5, 'max_space', 'samples', 'bytes', 'Most memory of the site');
INSERT INTO tracks (inst_id, track_id, kind, metric_no) VALUES (:inst, 1, 'heap', 1);
INSERT INTO sample_rows (inst_id, id, track_id, stack_id, weights) VALUES
    (:inst, 1, 1, 1, '{100,60,3000,30,3000}'),
    (:inst, 2, 1, 3, '{50,0,0,0,800}'),
    (:inst, 3, 1, 5, '{10,10,1000,1,1500}'),
    (:inst, 4, 1, 7, '{1,0,500,1,500}'),
    (:inst, 5, 1, NULL, '{4,2,500,4,500}');
