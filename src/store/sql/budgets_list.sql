-- The depot's budgets; columns as in enum budgets_column.
SELECT b.application, b.version, b.author, to_char(b.changed AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS changed, b.document
FROM profdepot.budgets b
WHERE :application::text IS NULL OR b.application = :application::text
ORDER BY b.application
