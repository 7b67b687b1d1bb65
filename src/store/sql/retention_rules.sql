-- The rules of retention; columns as in enum retention_column.
SELECT r.rule_no, r.application, r.format, (SELECT string_agg(regexp_replace(translate(l.label, chr(30) || chr(31), '  '), '=', chr(31)), chr(30) ORDER BY l.n)
        FROM unnest(r.labels) WITH ORDINALITY l (label, n)) AS labels,
       CASE WHEN r.older_than % 86400 = 0 THEN r.older_than / 86400 || 'd'
            WHEN r.older_than % 3600 = 0 THEN r.older_than / 3600 || 'h'
            ELSE r.older_than || 's' END AS older_than,
       r.keep, to_char(r.created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created, r.older_than AS seconds
FROM profdepot.retention_rules r
ORDER BY r.rule_no
