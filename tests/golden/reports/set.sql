-- A result set for cases that do not occur in the corpora.
-- Expects the psql variable inst. Leaves the result set open.
SET search_path = profdepot;
INSERT INTO instances (inst_id, caption) VALUES (:inst, 'golden');
INSERT INTO resource_profiler_threads (inst_id, id, parent_id, rec_id, col_win32threadid) VALUES
    (:inst, 0, -1, 1, 4711), (:inst, 1, -1, 2, 4712);
-- Classes 10 and 20 have the same names, so reports show them as one class. Class 40 is only in
-- CLASSES_DATA.
INSERT INTO resource_profiler_meta_classes_data
    (inst_id, id, parent_id, rec_id, col_class_name, col_module_name) VALUES
    (:inst, 0, -1, 10, 'Pen', '<b>gdi</b>|*'),
    (:inst, 1, -1, 20, 'Pen', '<b>gdi</b>|*'),
    (:inst, 2, -1, 30, 'Bitmap', 'a.dll');
INSERT INTO resource_profiler_classes_data
    (inst_id, id, parent_id, rec_id, col_class_name, col_module_name, col_live_count, col_live_size,
     col_peak_created, col_peak_size, col_total_created, col_total_size) VALUES
    (:inst, 0, -1, 10, '', NULL, 2, 12, 3, 20, 9, 90),
    (:inst, 1, -1, 20, 'Pen', '<b>gdi</b>|*', 1, 8, 1, 8, 1, 8),
    (:inst, 2, -1, 30, 'Bitmap', 'a.dll', 3, 0, 3, 0, 3, 0),
    (:inst, 3, -1, 40, 'Ärger', 'ÖL.dll', 0, 0, 5, 18446744073709551615, 5, 18446744073709551615);
-- Routines 5 and 6 have the same names, so reports show them as one routine.
INSERT INTO resource_profiler_meta_routines
    (inst_id, id, parent_id, rec_id, col_module_name, col_class_name, col_routine_name,
     col_source_file, col_source_line, col_unit_name) VALUES
    (:inst, 0, -1, 5, 'm.dll', 'C', 'f', 'f.c', 10, 'u'),
    (:inst, 1, -1, 6, 'm.dll', 'C', 'f', 'f.c', 10, 'u'),
    (:inst, 2, -1, 7, 'n.dll', '', 'g', 'g.c', 1, ''),
    (:inst, 3, -1, 8, 'n.dll', 'D', 'h', NULL, NULL, NULL);
INSERT INTO resource_profiler_meta_lines (inst_id, id, parent_id, rec_id, col_source_line) VALUES
    (:inst, 0, 0, 0, 11), (:inst, 1, 0, 1, 12), (:inst, 2, 2, 0, 2);
-- Objects 0 and 1: the stacks have the same routines but different lines, and f recurs. Object 2:
-- there is no stack, and the thread does not exist. Object 3: the class and the routine do not
-- exist. Objects 4 and 5: only the numbers and the stacks differ. Object 6: the stack contains both
-- routines f.
INSERT INTO resource_profiler_objects
    (inst_id, id, parent_id, rec_id, col_classrid, col_get_, col_threadid, col__, col_address, col_size) VALUES
    (:inst, 0, -1, 0, 10, 1, 1, 1, 4096, 8),
    (:inst, 1, -1, 1, 20, 1, 1, 2, 18446744073705122959, 8),
    (:inst, 2, -1, 2, 30, 1, 77, 3, 0, 0),
    (:inst, 3, -1, 3, 99, 1, 1, 4, 16, 0),
    (:inst, 4, -1, 4, 30, 1, 2, 5, 16, 0),
    (:inst, 5, -1, 5, 30, 1, 2, 6, 16, 0),
    (:inst, 6, -1, 6, 10, 1, 2, 7, 16, 4);
INSERT INTO resource_profiler_creation_call_stack
    (inst_id, id, parent_id, rec_id, col_routinerid, col_linerid, col_hit_count) VALUES
    (:inst, 0, 0, 0, 5, 0, 1), (:inst, 1, 0, 1, 7, -1, 1), (:inst, 2, 0, 2, 5, 1, 1),
    (:inst, 3, 1, 0, 5, 1, 1), (:inst, 4, 1, 1, 7, -1, 1), (:inst, 5, 1, 2, 5, 1, 1),
    (:inst, 6, 3, 0, 99, -1, 1),
    (:inst, 7, 5, 0, 7, -1, 1),
    (:inst, 8, 4, 0, 8, -1, 1),
    (:inst, 9, 6, 0, 5, 0, 1), (:inst, 10, 6, 1, 6, -1, 1), (:inst, 11, 6, 2, 7, 0, 1);
INSERT INTO resource_profiler_errors
    (inst_id, id, parent_id, rec_id, col__, col_error_code, col_kind, col_name, col_description) VALUES
    (:inst, 0, 0, 0, 1, -2147024809, 1, 'CreatePen', E'tab\there'),
    (:inst, 1, 5, 0, 2, 6, 7, 'CloseHandle', NULL),
    (:inst, 2, 0, 1, 3, NULL, NULL, NULL, '');
INSERT INTO resource_profiler_call_stack (inst_id, id, parent_id, rec_id, col_routinerid) VALUES
    (:inst, 0, 0, 0, 7), (:inst, 1, 0, 1, 5);
INSERT INTO import_issues (inst_id, issue_no, severity, code, source, line, byte_offset, message, rejected)
    VALUES (:inst, 1, 'error', 'bad-number', 'x.csv', 3, 77, 'letters', '\x41ff5c0a');
