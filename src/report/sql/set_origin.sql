-- Where a result set comes from, for the head of a page.
SELECT i.caption,
       to_char(i.loaded_at, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS loaded_at,
       to_char(r.started_at, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') AS started_at,
       COALESCE(i.app_version, r.version) AS version,
       (SELECT string_agg(l.key || '=' || l.value, ' ' ORDER BY l.key)
        FROM profdepot.result_set_labels l
        WHERE l.inst_id = i.inst_id) AS labels
FROM profdepot.instances i
LEFT JOIN profdepot.runs r ON r.inst_id = i.inst_id
WHERE i.inst_id = :inst_id::bigint
