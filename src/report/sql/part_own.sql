-- The own frame of each stack in `used`: the innermost frame whose module or class matches a glob.
-- Without globs it is the first frame outside of system libraries. If all frames are in system libraries, it is the
-- first frame outside of allocators. For requests without globs, closed result sets store the place of each own frame.
-- With statistics of a tiny result set only, the planner expects one stack, and would join each leak with all frames and
-- lines again. It never does this for a full join, so the joins are full joins, and WHERE selects the rows of a narrower join.
stored_own AS MATERIALIZED (
    SELECT :own::text[] IS NULL AND i.state = 'closed' AS own
    FROM profdepot.instances i
    WHERE i.inst_id = :inst_id::bigint
),
frame_kinds AS MATERIALIZED (
    SELECT DISTINCT ON (r.rec_id)
           r.rec_id, r.id, COALESCE(r.col_module_name, '') AS module, COALESCE(r.col_class_name, '') AS class,
           COALESCE(NULLIF(r.col_routine_name, ''), '(unknown routine)') AS routine,
           COALESCE(r.col_source_file, '') AS file, r.col_source_line AS line,
           CASE WHEN (SELECT t.own FROM stored_own t) THEN NULL
                WHEN :own::text[] IS NULL
               THEN NOT profdepot.is_system_frame(r.col_module_name, r.col_class_name,
                                                  r.col_routine_name, r.col_source_file, r.col_unit_name)
               ELSE COALESCE(r.col_module_name, '') COLLATE "und-x-icu" ILIKE ANY (:own::text[])
                    OR regexp_replace(COALESCE(r.col_module_name, ''), '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY (:own::text[])
                    OR COALESCE(r.col_class_name, '') COLLATE "und-x-icu" ILIKE ANY (:own::text[])
           END AS is_own,
           CASE WHEN (SELECT t.own FROM stored_own t) THEN NULL
                ELSE :own::text[] IS NULL AND NOT profdepot.is_allocator_frame(r.col_routine_name)
           END AS is_second
    FROM profdepot.resource_profiler_meta_routines r
    WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
    ORDER BY r.rec_id, r.id
),
-- Looks up one frame at a time until the first match, because joining all frames took five times as long.
-- CASE and OFFSET prevent the planner from joining all frames anyway.
own_places AS MATERIALIZED (
    SELECT s.stack_id, s.routine_ids[s.own_place] AS routine_id, s.line_ids[s.own_place] AS line_id
    FROM profdepot.stacks s
    WHERE s.inst_id = :inst_id::bigint AND (SELECT t.own FROM stored_own t)
      AND s.stack_id IN (SELECT u.stack_id FROM used u)
    UNION ALL
    SELECT p.stack_id, p.routine_ids[p.n] AS routine_id, p.line_ids[p.n] AS line_id
    FROM (SELECT s.stack_id, s.routine_ids, s.line_ids,
                 COALESCE((SELECT u.n
                           FROM (SELECT unnest(s.routine_ids) AS id,
                                        generate_subscripts(s.routine_ids, 1) AS n) u
                           WHERE CASE WHEN u.id IN (SELECT k.rec_id FROM frame_kinds k WHERE k.is_own)
                                 THEN true END
                           LIMIT 1),
                          (SELECT u.n
                           FROM (SELECT unnest(s.routine_ids) AS id,
                                        generate_subscripts(s.routine_ids, 1) AS n) u
                           WHERE CASE WHEN u.id IN (SELECT k.rec_id FROM frame_kinds k WHERE k.is_second)
                                 THEN true END
                           LIMIT 1)) AS n
          FROM profdepot.stacks s
          WHERE s.inst_id = :inst_id::bigint AND NOT (SELECT t.own FROM stored_own t)
            AND s.stack_id IN (SELECT u.stack_id FROM used u)
          OFFSET 0) p
),
own_lines AS (
    SELECT l.parent_id, l.rec_id, min(l.col_source_line) AS line
    FROM profdepot.resource_profiler_meta_lines l
    WHERE l.inst_id = :inst_id::bigint
    GROUP BY l.parent_id, l.rec_id
),
own_frames AS (
    SELECT w.*,
           ' in ' || CASE WHEN w.own_class <> '' THEN w.own_class || '.' ELSE '' END || w.own_routine
               || CASE WHEN w.own_file <> ''
                      THEN ', ' || reverse(split_part(reverse(translate(w.own_file, '\', '/')), '/', 1))
                          || COALESCE(':' || w.own_line, '')
                      WHEN w.own_module <> ''
                      THEN ', ' || reverse(split_part(reverse(translate(w.own_module, '\', '/')), '/', 1))
                      ELSE '' END AS own_words
    FROM (SELECT p.stack_id, k.module AS own_module, k.class AS own_class, k.routine AS own_routine,
                 k.file AS own_file, COALESCE(l.line, k.line) AS own_line
          FROM own_places p
          FULL JOIN frame_kinds k ON k.rec_id = p.routine_id
          FULL JOIN own_lines l ON l.parent_id = k.id AND l.rec_id = p.line_id
          WHERE (p.stack_id IS NULL OR k.rec_id IS NULL) IS FALSE) w
)
