-- Two result sets, before and after. Their names contain characters that markup, folded stacks and
-- XML must escape. Expects the psql variables before and after. Leaves both result sets open.
SET search_path = profdepot;
INSERT INTO instances (inst_id, caption) VALUES
    (:before, 'before <b>&amp;</b>'), (:after, 'after ]]> "quoted" ''once''');
INSERT INTO resource_profiler_meta_routines
    (inst_id, id, parent_id, rec_id, col_module_name, col_class_name, col_routine_name,
     col_source_file, col_source_line)
SELECT i, r.id, -1, r.id, r.module, r.class, r.routine, r.file, r.line
FROM (VALUES (0, 'app.exe', '', 'main', 'main.c', 10),
             (1, 'app.exe', 'T<script>alert(1)</script>', 'run', 'a&b.pas', 20),
             (2, 'lib.dll', NULL, 'semi;colon', NULL, NULL),
             (3, 'lib.dll', NULL, E'end]]> of "it" & \x01\n\u202e''', NULL, NULL),
             (4, 'only<module>.dll', NULL, NULL, NULL, NULL),
             (5, NULL, NULL, NULL, NULL, NULL),
             (6, 'lib.dll', NULL, 'Ärger 漢字 ' || U&'\FFFE' || 'x', NULL, NULL))
    AS r (id, module, class, routine, file, line),
    (VALUES (:before::bigint), (:after::bigint)) AS s (i);
-- The innermost frame comes first. In stack 4, a routine recurs. There is no routine 7.
INSERT INTO stacks (inst_id, stack_id, routine_ids)
SELECT i, t.id, t.path
FROM (VALUES (1, '{1,0}'::bigint[]), (2, '{2,1,0}'), (3, '{3,1,0}'), (4, '{1,2,1,0}'),
             (5, '{4,0}'), (6, '{5,4,0}'), (7, '{6,7,0}'), (8, '{0}')) AS t (id, path),
    (VALUES (:before::bigint), (:after::bigint)) AS s (i);
INSERT INTO resource_profiler_objects
    (inst_id, id, parent_id, rec_id, col_classrid, col_size, stack_id, stack_first_id)
SELECT s.i, o.id, -1, o.id, 1, o.size, o.stack, o.id * 10
FROM (VALUES (:before, 0, 100, 1), (:before, 1, 50, 2), (:before, 2, 30, 3), (:before, 3, 20, 5),
             (:before, 4, 10, NULL), (:before, 5, 5, 8),
             (:after, 0, 120, 1), (:after, 1, 25, 2), (:after, 2, 40, 4), (:after, 3, 20, 5),
             (:after, 4, 10, 6), (:after, 5, 15, 7), (:after, 6, 3, NULL), (:after, 7, 2, 3))
    AS o (i, id, size, stack), (VALUES (:before::bigint), (:after::bigint)) AS s (i)
WHERE o.i = s.i;
