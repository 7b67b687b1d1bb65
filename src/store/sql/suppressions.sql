-- All suppressions; columns as in enum suppression_row.
SELECT s.id, s.name, s.syntax, s.pattern, s.reason, s.author,
       to_char(s.created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created,
       to_char(s.expires, 'YYYY-MM-DD') AS expires,
       CASE WHEN s.expires < (now() AT TIME ZONE 'UTC')::date THEN 'expired' ELSE 'active' END AS state
FROM profdepot.suppressions s
ORDER BY s.id
