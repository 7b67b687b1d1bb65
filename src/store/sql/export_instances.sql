-- AQTime's INSTANCES row of one result set with the caption as exported, so that its content stays
-- the same. One that SQL wrote has no other caption.
-- params: inst_id number
SELECT CASE WHEN t.format IS NULL THEN t.caption ELSE t.source_caption END AS caption,
       t.counter_description,
       t.counter_frequency,
       t.counter_name,
       :number::bigint AS inst_id
FROM profdepot.instances t
WHERE t.inst_id = :inst_id::bigint
