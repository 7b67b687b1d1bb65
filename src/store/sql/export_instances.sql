-- AQTime's INSTANCES row of one result set, with the caption that was exported, so that its content
-- stays the same. One that SQL wrote has no other caption. $1: its number; $2: the number to write.
SELECT CASE WHEN t.format IS NULL THEN t.caption ELSE t.source_caption END AS caption,
       t.counter_description,
       t.counter_frequency,
       t.counter_name,
       $2::bigint AS inst_id
FROM profdepot.instances t
WHERE t.inst_id = $1::bigint
