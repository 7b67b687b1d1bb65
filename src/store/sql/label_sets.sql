-- The result sets with a label; NULL if there are more than `max_sets`. In that case no array is needed: a search that
-- begins at the newest result set soon finds result sets with the label.
SELECT CASE WHEN count(*) <= :max_sets::bigint THEN COALESCE(array_agg(x.inst_id), '{}') END
FROM (
    SELECT l.inst_id
    FROM profdepot.result_set_labels l
    WHERE l.key = :key AND left(l.value, 200) = left(:value, 200) AND l.value = :value
    LIMIT :max_sets::bigint + 1
) x
