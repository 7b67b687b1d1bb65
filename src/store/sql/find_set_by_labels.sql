-- The newest result set with all these labels ("key=value"). `before`: only result sets loaded before
-- this one; NULL for all. `same_tool`: only result sets with the format and tool of `before`. `skip`: number of newer
-- result sets to skip.
SELECT i.inst_id
FROM profdepot.instances i
WHERE (:labels::text[] = '{}'
       OR (SELECT count(*) FROM profdepot.result_set_labels l
           WHERE l.inst_id = i.inst_id AND l.key || '=' || l.value = ANY (:labels)) >= cardinality(:labels))
  AND (:inst_ids::bigint[] IS NULL OR i.inst_id = ANY (:inst_ids))
  AND (:before::bigint IS NULL
       OR (i.loaded_at, i.inst_id) < ((SELECT n.loaded_at FROM profdepot.instances n
                                       WHERE n.inst_id = :before::bigint), :before::bigint))
  AND (:same_tool::boolean IS NOT TRUE
       OR i.format IS NOT DISTINCT FROM (SELECT n.format FROM profdepot.instances n
                                         WHERE n.inst_id = :before::bigint)
          AND i.tool IS NOT DISTINCT FROM (SELECT n.tool FROM profdepot.instances n
                                           WHERE n.inst_id = :before::bigint))
ORDER BY i.loaded_at DESC, i.inst_id DESC
OFFSET :skip::bigint
LIMIT 1
