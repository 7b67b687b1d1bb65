-- AQTime's INSTANCES row of one result set. It has the original caption even if the result set was
-- renamed, so that the content stays the same. A result set without a format was written by SQL
-- statements, and has only one caption.
-- params: inst_id number
SELECT CASE WHEN t.format IS NULL THEN t.caption ELSE t.source_caption END AS caption,
       t.counter_description,
       t.counter_frequency,
       t.counter_name,
       :number::bigint AS inst_id
FROM profdepot.instances t
WHERE t.inst_id = :inst_id::bigint
