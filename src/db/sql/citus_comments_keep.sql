-- Saves the comments of tables, views and columns, because Citus creates some relations again without their comments.
-- column_no is 0 for a whole relation.
CREATE TEMPORARY TABLE profdepot_comments ON COMMIT DROP AS
SELECT c.relname, c.relkind, d.objsubid AS column_no, d.description
FROM pg_catalog.pg_description AS d
JOIN pg_catalog.pg_class AS c ON c.oid = d.objoid AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'profdepot' AND c.relkind IN ('r', 'v')
