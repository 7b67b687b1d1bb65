-- Adds the saved comments that are missing now. Columns are found by their numbers, which have not changed.
DO $$
DECLARE
    k record;
BEGIN
    FOR k IN
        SELECT t.relname, t.relkind, t.description, a.attname
        FROM profdepot_comments AS t
        JOIN pg_catalog.pg_class AS c ON c.relname = t.relname
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname = 'profdepot'
        LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = t.column_no AND t.column_no > 0
        WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_description AS d
                          WHERE d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objoid = c.oid
                            AND d.objsubid = t.column_no)
    LOOP
        IF k.attname IS NOT NULL THEN
            EXECUTE format('COMMENT ON COLUMN profdepot.%I.%I IS %L', k.relname, k.attname, k.description);
        ELSIF k.relkind = 'v' THEN
            EXECUTE format('COMMENT ON VIEW profdepot.%I IS %L', k.relname, k.description);
        ELSE
            EXECUTE format('COMMENT ON TABLE profdepot.%I IS %L', k.relname, k.description);
        END IF;
    END LOOP;
END;
$$
