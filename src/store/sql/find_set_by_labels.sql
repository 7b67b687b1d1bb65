-- The newest result set that has all these labels, of those loaded before another one.
-- $1 labels as "key=value", $2 the other one's number, NULL: all, $3 how many newer ones to pass.
SELECT i.inst_id
FROM profdepot.instances i
WHERE NOT EXISTS (
          SELECT FROM unnest($1::text[]) w (label)
          WHERE NOT EXISTS (
              SELECT FROM profdepot.result_set_labels l
              WHERE l.inst_id = i.inst_id AND l.key || '=' || l.value = w.label))
  AND ($2::bigint IS NULL
       OR (i.loaded_at, i.inst_id) < (SELECT n.loaded_at, n.inst_id
                                      FROM profdepot.instances n WHERE n.inst_id = $2::bigint))
ORDER BY i.loaded_at DESC, i.inst_id DESC
OFFSET $3::bigint
LIMIT 1
