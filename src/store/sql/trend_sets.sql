-- The result sets of a trend, in the order of loading.
SELECT i.inst_id,
       to_char(i.loaded_at, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS loaded,
       i.caption,
       i.application,
       i.app_version,
       (SELECT string_agg(l.key || '=' || l.value, ' ' ORDER BY l.key)
        FROM profdepot.result_set_labels l
        WHERE l.inst_id = i.inst_id) AS labels
FROM profdepot.instances i
WHERE i.inst_id = ANY (:inst_ids::bigint[])
ORDER BY i.loaded_at, i.inst_id
