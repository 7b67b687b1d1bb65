-- Two result sets for the test of the depot as a source. The first has rows of nearly every kind.
SET search_path = profdepot;
INSERT INTO instances (inst_id, caption, counter_name, format, source_inst_id, source_caption, application,
    host, tool, attributes)
VALUES (11, 'mine', 'cycles', 'trial', 3, 'theirs', 'app', 'pc', 'a profiler', '{"exporter": "x@1"}'),
    (12, 'by hand', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO result_set_labels VALUES (11, 'branch', 'main'), (11, 'é', 'ü');
INSERT INTO metrics VALUES (11, 1, 'live_count', 'objects', 'count', NULL),
    (11, 2, 'wall', 'spans', 'milliseconds', 'Wall time'), (11, 3, 'cpu', 'samples', 'none', NULL),
    (11, 4, 'bytes', 'samples', 'bytes', NULL);
INSERT INTO resource_profiler_meta_routines (inst_id, id, parent_id, rec_id, col_address, col_class_name,
    col_module_name, col_namespace, col_routine_name, col_source_file, col_source_line, col_unit_name,
    col_hit_count, col_compiler, col_profilelines, col_token, col_analisys_result, col_code_type,
    col_symbol_moniker, attributes)
VALUES (11, 1, -1, 10, 18446744073709551615, 'C', 'm.dll', 'N', 'f', 'f.c', 7, 'U', 1, 2, 3, 4, 'A', 'T', 'S',
        '{"col":9}'),
    (11, 2, -1, 20, NULL, NULL, NULL, NULL, 'g', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO resource_profiler_meta_lines VALUES (11, 5, 1, 0, 70);
INSERT INTO resource_profiler_meta_classes_data VALUES (11, 0, -1, 100, 'Bitmap', 'gdi.dll', 'sym');
INSERT INTO resource_profiler_classes_data
VALUES (11, 0, -1, 100, 'Bitmap', 'gdi.dll', 1, 2, 3, 4, 5, 18446744073709551615);
INSERT INTO resource_profiler_threads VALUES (11, 0, -1, 5, NULL, 4242, 'worker');
INSERT INTO tracks
VALUES (11, 2, 'thread', 'second', NULL, 'cat', 'h', 'u', 'p', 1, 2, 3, NULL, NULL, NULL, NULL),
    (11, 1, 'profile', 'first', 'key', NULL, NULL, NULL, NULL, NULL, NULL, 2, -1.50, 1000000000000000000000.5,
        '2020-01-02 03:04:05.000006+00', '{"a":1}');
INSERT INTO stacks (inst_id, stack_id, routine_ids, line_ids, hit_counts, frame_ids, rec_ids)
VALUES (11, 2, '{20}', NULL, NULL, NULL, NULL),
    (11, 1, '{10,20,NULL}', '{0,-1,NULL}', '{1,1,2}', '{7,9,8}', '{0,1,3}');
INSERT INTO resource_profiler_objects
VALUES (11, 1, -1, 1, 100, 2, 5, 8, 4096, 20, 3, NULL, NULL, 'definite', '{"indirect_bytes":144}'), (11, 0, -1, 0, 100, 1, 5, 3, 18446744073705122959, 10, 1, 7, 1, NULL, NULL);
INSERT INTO resource_profiler_errors VALUES (11, 0, 0, 0, 1, 2147942487, 2, 'bad handle', 'DeleteObject', 0, 2, 4, '{"a":1}');
INSERT INTO further_stacks VALUES (11, 'thread', 0, 1, 'thread_start', NULL, NULL, 2),
    (11, 'error', 0, 2, 'other', 'in words', NULL, NULL), (11, 'error', 0, 1, 'freed_at', NULL, 5, 1);
INSERT INTO result_set_suppressions VALUES (11, 2, 'b', 'lsan', NULL, 'leak:b', NULL, NULL, NULL, NULL),
    (11, 1, 'a', 'valgrind', 'Memcheck:Leak', NULL, 'x.supp', 3, 30, 4);
-- In the order of IDs, samples in blocks and in rows alternate. In the table, the block with the
-- greater IDs comes first.
INSERT INTO sample_blocks VALUES (11, 6, 2, '{2,1}', NULL, NULL, NULL, NULL, NULL, '{1.10,99999999999999999999.5}'),
    (11, 1, 1, '{1,0,2}', 0.001, '{1500,1501,1502}', NULL, 10, '{1,-2,3}', NULL);
INSERT INTO sample_rows VALUES (11, 8, 2, NULL, 7.0, '{3}', NULL), (11, 4, 2, 1, 0.5, '{1,2.50}', '{"x":[1]}'),
    (11, 5, 1, NULL, NULL, '{7}', NULL);
-- The spans of a block are in the order in which they ended. Some IDs in span_rows are between
-- those of the blocks.
INSERT INTO span_blocks VALUES (11, 1, 2, 100, 0.1, '{3,2,1}', '{1,1,0}', '{10,20,10}', '{25,20,10}', '{30,40,50}', NULL, NULL),
    (11, 2, 1, 0, NULL, '{1}', '{0}', '{10}', NULL, NULL, '{1.5}', '{1234567890123456789.25}'),
    (11, 3, 2, 90, 0.1, '{2}', '{0}', '{20}', '{1}', '{2}', NULL, NULL);
INSERT INTO span_rows VALUES (11, 102000, NULL, 2, 'mark', 'late', NULL, NULL, 9, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (11, 50, 1, 1, 'client', 'get', 20, 1, 0.10, NULL, 0.05, 'id', 'sql', 'Reader', 'select 1', true, '{"s":1}'),
    (11, 95, NULL, 2, 'step', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL);
