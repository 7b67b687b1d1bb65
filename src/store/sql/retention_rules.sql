-- The rules of retention; columns as in enum retention_column.
SELECT r.rule_no, r.application, r.format, NULLIF(array_to_string(r.labels, ' '), '') AS labels,
       CASE WHEN r.older_than % 86400 = 0 THEN r.older_than / 86400 || 'd'
            WHEN r.older_than % 3600 = 0 THEN r.older_than / 3600 || 'h'
            ELSE r.older_than || 's' END AS older_than,
       r.keep, to_char(r.created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created, r.older_than AS seconds
FROM profdepot.retention_rules r
ORDER BY r.rule_no
