-- A result set and its metadata.
-- params: inst_id track
SELECT t.source_inst_id,
       CASE WHEN t.format IS NULL THEN t.caption ELSE t.source_caption END AS source_caption,
       t.counter_description,
       t.counter_frequency,
       t.counter_name,
       t.caption,
       t.application,
       t.app_version,
       t.host,
       t.tool,
       t.attributes
FROM profdepot.instances t
WHERE t.inst_id = :inst_id::bigint AND :track::bigint IS NOT NULL
