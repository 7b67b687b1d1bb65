-- title: Classes
-- facts: objects
-- params: inst_id class module min_count min_size
-- order: live_count desc, class, module, live_size desc, id
-- column: class text "Class Name"
-- column: module text "Module Name"
-- column: live_count integer count "Live Count" sum
-- column: live_size integer bytes "Live Size" sum
-- column: peak_created integer count "Peak Created" sum
-- column: peak_size integer bytes "Peak Size" sum
-- column: total_created integer count "Total Created" sum
-- column: total_size integer bytes "Total Size" sum
-- column: id integer "ID" machine
-- Corresponds to AQTime's Classes Data panel and includes classes without live objects.
SELECT n.class, n.module, n.live_count, n.live_size, n.peak_created, n.peak_size,
       n.total_created, n.total_size, n.id
FROM (SELECT COALESCE(NULLIF(c.col_class_name, ''), m.class_name, '') AS class,
             COALESCE(NULLIF(c.col_module_name, ''), m.module_name, '') AS module,
             c.col_live_count AS live_count, c.col_live_size AS live_size,
             c.col_peak_created AS peak_created, c.col_peak_size AS peak_size,
             c.col_total_created AS total_created, c.col_total_size AS total_size, c.id
      FROM profdepot.resource_profiler_classes_data c
      LEFT JOIN profdepot.class_names m ON m.inst_id = :inst_id::bigint AND m.rec_id = c.rec_id
      WHERE c.inst_id = :inst_id::bigint) n
WHERE (:class::text[] IS NULL OR n.class COLLATE "und-x-icu" ILIKE ANY (:class::text[]))
  AND (:module::text[] IS NULL OR n.module COLLATE "und-x-icu" ILIKE ANY (:module::text[])
       OR regexp_replace(n.module, '^.*[/\\]', '') COLLATE "und-x-icu" ILIKE ANY (:module::text[]))
  AND (:min_count::numeric IS NULL OR n.live_count >= :min_count::numeric)
  AND (:min_size::numeric IS NULL OR n.live_size >= :min_size::numeric)
