-- The routines whose names match a pattern.
-- params: inst_id routine
SELECT r.rec_id
FROM profdepot.resource_profiler_meta_routines r
WHERE r.inst_id = :inst_id::bigint AND r.rec_id IS NOT NULL
  AND COALESCE(r.col_routine_name, '') COLLATE "und-x-icu" ILIKE ANY (:routine::text[])
