-- The newest result set with all these labels ("key=value"). `before`: only result sets loaded before
-- this one; NULL for all. `skip`: number of newer result sets to skip.
SELECT i.inst_id
FROM profdepot.instances i
WHERE NOT EXISTS (
          SELECT FROM unnest(:labels::text[]) w (label)
          WHERE NOT EXISTS (
              SELECT FROM profdepot.result_set_labels l
              WHERE l.inst_id = i.inst_id AND l.key || '=' || l.value = w.label))
  AND (:before::bigint IS NULL
       OR (i.loaded_at, i.inst_id) < (SELECT n.loaded_at, n.inst_id
                                      FROM profdepot.instances n WHERE n.inst_id = :before::bigint))
ORDER BY i.loaded_at DESC, i.inst_id DESC
OFFSET :skip::bigint
LIMIT 1
