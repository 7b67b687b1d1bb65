-- What is long is compressed by lz4 where the server can: the arrays of deep stacks are most of a load,
-- and pglz took nine tenths of the time they need. Read back they are the same. No row where it cannot.
SELECT pg_catalog.set_config('default_toast_compression', 'lz4', false)
FROM pg_catalog.pg_settings AS s
WHERE s.name = 'default_toast_compression'
  AND 'lz4' = ANY (s.enumvals)
