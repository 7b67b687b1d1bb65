-- Groups of errors that have the same text and equal stacks, each with its first error. Addresses and
-- process numbers in the description are ignored.
chosen AS (
    SELECT e.id, e.col_kind, e.col_name, e.col_error_code, e.parent_id, e.stack_id, e.count, k.key,
           regexp_replace(COALESCE(e.col_description, ''), '0x[0-9a-fA-F]+|pid=[0-9]+', '#', 'g') AS words
    FROM (SELECT x.* FROM profdepot.resource_profiler_errors x WHERE x.inst_id = :inst_id::bigint) e
    FULL JOIN (SELECT s.stack_id, s.line_identity AS key
               FROM profdepot.stack_keys s WHERE s.inst_id = :inst_id::bigint) k
        ON k.stack_id = e.stack_id -- not a nested loop, see part_own
    LEFT JOIN profdepot.resource_profiler_threads t ON t.inst_id = :inst_id::bigint AND t.id = e.parent_id
    WHERE (e.id IS NULL) IS FALSE
      AND (:thread::text[] IS NULL OR t.col_win32threadid::text ILIKE ANY (:thread::text[]))
      AND (:excluded_errors::bigint[] IS NULL OR e.id <> ALL (:excluded_errors::bigint[]))
      AND (:kind::text[] IS NULL
           OR COALESCE(e.col_name, '') COLLATE "und-x-icu" ILIKE ANY (:kind::text[]))
      AND (:routine::text[] IS NULL
           OR e.stack_id IN (
               SELECT s.stack_id FROM profdepot.stacks s
               WHERE s.inst_id = :inst_id::bigint
                 AND s.routine_ids && ARRAY(
                     SELECT r.rec_id FROM profdepot.resource_profiler_meta_routines r
                     WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
                       AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu"
                           ILIKE ANY (:routine::text[]))))
      AND (:owner::text[] IS NULL
           OR e.stack_id IN (
               SELECT f.stack_id FROM profdepot.own_frames f
               WHERE f.inst_id = :inst_id::bigint AND f.source_file = ANY (:owner_files::text[])))
),
groups AS (
    SELECT min(c.id) AS id, count(*) AS records, sum(c.count)::bigint AS count,
           count(DISTINCT c.parent_id) AS threads
    FROM chosen c
    GROUP BY c.col_kind, c.col_name, c.col_error_code, c.words, c.key
),
used AS (
    SELECT c.stack_id FROM groups g JOIN chosen c ON c.id = g.id WHERE c.stack_id IS NOT NULL
),
thread_words AS MATERIALIZED (
    SELECT t.id, t.rec_id,
           CASE WHEN COALESCE(t.name, '') = ''
                THEN 'thread ' || COALESCE(t.col_win32threadid, t.rec_id, t.id)
                WHEN t.name ~* '^(main )?thread' THEN t.name
                ELSE 'thread ' || t.name END
           || CASE WHEN COALESCE(t.name, '') <> '' AND t.col_win32threadid IS NOT NULL
                  THEN ' (' || t.col_win32threadid || ')' ELSE '' END AS words
    FROM profdepot.resource_profiler_threads t
    WHERE t.inst_id = :inst_id::bigint
),
-- The further stacks of each error, then the creation stacks of its threads. Each stack has a heading.
further AS (
    SELECT g.id, 1 AS part, x.position::bigint AS place, x.role, x.stack_id,
           CASE x.role
               WHEN 'freed_at' THEN 'freed by'
               WHEN 'allocated_at' THEN CASE WHEN EXISTS (
                       SELECT FROM profdepot.further_stacks f
                       WHERE f.inst_id = :inst_id::bigint AND f.owner = 'error' AND f.owner_id = g.id
                         AND f.role = 'freed_at')
                   THEN 'previously allocated by' ELSE 'allocated by' END
               WHEN 'origin' THEN 'value created by'
               WHEN 'conflicting_access' THEN 'conflicting access by'
               WHEN 'lock_first' THEN 'lock first taken by'
               WHEN 'lock_later' THEN 'lock later taken by'
               WHEN 'thread_start' THEN COALESCE(t.words, 'thread') || ' created by'
               WHEN 'opened_at' THEN 'opened by'
               WHEN 'closed_at' THEN 'closed by'
               ELSE COALESCE(rtrim(x.description, ': '), 'at') END
           || CASE WHEN x.role IN ('thread_start', 'other') THEN '' ELSE COALESCE(' ' || t.words, '') END
           || CASE WHEN x.role = 'other' THEN '' ELSE COALESCE(' (' || rtrim(x.description, ': ') || ')', '') END AS words
    FROM groups g
    JOIN profdepot.further_stacks x
        ON x.inst_id = :inst_id::bigint AND x.owner = 'error' AND x.owner_id = g.id
    LEFT JOIN thread_words t ON t.rec_id = x.thread_id
    UNION ALL
    SELECT n.id, 2, n.thread_id, x.role, x.stack_id,
           t.words || ' created by' || COALESCE(' ' || b.words, '')
    FROM (SELECT g.id, c.parent_id AS thread_id FROM groups g JOIN chosen c ON c.id = g.id
          UNION
          SELECT g.id, t.id
          FROM groups g
          JOIN profdepot.further_stacks x
              ON x.inst_id = :inst_id::bigint AND x.owner = 'error' AND x.owner_id = g.id
          JOIN thread_words t ON t.rec_id = x.thread_id) n
    JOIN thread_words t ON t.id = n.thread_id
    JOIN profdepot.further_stacks x
        ON x.inst_id = :inst_id::bigint AND x.owner = 'thread' AND x.owner_id = n.thread_id
    LEFT JOIN thread_words b ON b.rec_id = x.thread_id AND b.id <> t.id
    WHERE NOT EXISTS (SELECT FROM profdepot.further_stacks f
                      WHERE f.inst_id = :inst_id::bigint AND f.owner = 'error' AND f.owner_id = n.id
                        AND f.role = 'thread_start' AND f.stack_id = x.stack_id)
),
stacks_told AS (
    SELECT f.id,
           string_agg(f.role || chr(31) || translate(f.words, chr(30) || chr(31), '  ') || chr(31)
                      || COALESCE(s.routine_ids::text || COALESCE(s.line_ids::text, ''), ''),
                      chr(30) ORDER BY f.part, f.place) AS stacks
    FROM further f
    LEFT JOIN profdepot.stacks s ON s.inst_id = :inst_id::bigint AND s.stack_id = f.stack_id
    GROUP BY f.id
)
