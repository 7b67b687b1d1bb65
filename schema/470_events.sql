-- The category that kernelscope's tracer sends.
DO $$
BEGIN
    PERFORM profdepot.category_add('offcputime',
        ARRAY['hostname', 'time', 'process', 'pid', 'stack', 'elapsed'],
        ARRAY['string', 'timestamp', 'string', 'int', 'stack', 'elapsed'],
        ARRAY['Hostname', 'Time', 'Process', 'Pid', 'Stack', 'Elapsed']);
    UPDATE profdepot.categories SET built_in = true WHERE name = 'offcputime';
END;
$$;
