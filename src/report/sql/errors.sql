-- title: Errors
-- facts: errors
-- detectors: record
-- params: inst_id thread routine excluded_errors owner owner_files
-- order: id
-- column: number integer "#"
-- column: kind text "Kind"
-- column: name text "Name"
-- column: error_code integer "Error Code"
-- column: error_code_hex text "Hex"
-- column: description text "Description"
-- column: os_thread_id integer "Thread"
-- column: count integer count "Errors" machine
-- column: id integer id "ID"
-- column: stack frames "Call Stack"
-- column: owner text "Owner" owner routine
-- Corresponds to AQTime's Errors panel. Count is the number of times that the error occurred. The hex code
-- shows the low 32 bits, as Windows writes an HRESULT.
SELECT e.col__ AS number,
       CASE e.col_kind WHEN 1 THEN 'Error' WHEN 2 THEN 'Warning'
            ELSE 'unknown' || COALESCE(' (' || e.col_kind || ')', '') END COLLATE "C" AS kind,
       e.col_name AS name,
       e.col_error_code AS error_code,
       '0x' || lpad(upper(to_hex(e.col_error_code & 4294967295)), 8, '0') COLLATE "C" AS error_code_hex,
       e.col_description AS description,
       t.col_win32threadid AS os_thread_id,
       e.count,
       e.id,
       (SELECT s.routine_ids::text || COALESCE(s.line_ids::text, '')
        FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = e.stack_id) AS stack,
       (SELECT s.routine_ids[s.own_place] FROM profdepot.stacks s
        WHERE s.inst_id = :inst_id::bigint AND s.stack_id = e.stack_id) AS owner
FROM profdepot.resource_profiler_errors e
LEFT JOIN profdepot.resource_profiler_threads t ON t.inst_id = :inst_id::bigint AND t.id = e.parent_id
WHERE e.inst_id = :inst_id::bigint
  AND (:thread::text[] IS NULL OR t.col_win32threadid::text ILIKE ANY (:thread::text[]))
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
  AND (:excluded_errors::bigint[] IS NULL OR e.id <> ALL (:excluded_errors::bigint[]))
