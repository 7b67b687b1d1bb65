-- What one result set contains; the names are those in model/content.h. Coverage is included only if
-- the user stated it, because a load of the exported file derives all other coverage from the format.
SELECT v.name
FROM (VALUES
    ('objects', EXISTS (SELECT FROM profdepot.resource_profiler_objects o WHERE o.inst_id = :inst_id::bigint)),
    ('object_details', EXISTS (SELECT FROM profdepot.resource_profiler_objects o
                               WHERE o.inst_id = :inst_id::bigint
                                 AND num_nonnulls(o.col_address, o.col_threadid, o.leak_kind) > 0)),
    ('classes', EXISTS (SELECT FROM profdepot.resource_profiler_classes_data c WHERE c.inst_id = :inst_id::bigint)),
    ('errors', EXISTS (SELECT FROM profdepot.resource_profiler_errors e WHERE e.inst_id = :inst_id::bigint)),
    ('error_details', EXISTS (SELECT FROM profdepot.resource_profiler_errors e
                              WHERE e.inst_id = :inst_id::bigint
                                AND num_nonnulls(e.col_description, e.col_error_code) > 0)),
    ('further_stacks', EXISTS (SELECT FROM profdepot.further_stacks f WHERE f.inst_id = :inst_id::bigint)),
    ('suppressions', EXISTS (SELECT FROM profdepot.result_set_suppressions s WHERE s.inst_id = :inst_id::bigint)),
    ('samples', EXISTS (SELECT FROM profdepot.sample_blocks b WHERE b.inst_id = :inst_id::bigint)
                OR EXISTS (SELECT FROM profdepot.sample_rows r WHERE r.inst_id = :inst_id::bigint)),
    ('spans', EXISTS (SELECT FROM profdepot.span_blocks b WHERE b.inst_id = :inst_id::bigint)
              OR EXISTS (SELECT FROM profdepot.span_rows r WHERE r.inst_id = :inst_id::bigint)),
    ('span_details', EXISTS (SELECT FROM profdepot.span_rows r
                             WHERE r.inst_id = :inst_id::bigint
                               AND (r.attributes IS NOT NULL OR num_nonnulls(r.command, r.stack_id) > 0))),
    ('graph', EXISTS (SELECT FROM profdepot.call_graph g WHERE g.inst_id = :inst_id::bigint)),
    ('labels', EXISTS (SELECT FROM profdepot.result_set_labels l WHERE l.inst_id = :inst_id::bigint)),
    ('run', EXISTS (SELECT FROM profdepot.runs r
                    WHERE r.inst_id = :inst_id::bigint
                      AND num_nonnulls(r.run_key, r.commit_id, r.parent_commit_id, r.environment) > 0)
            OR EXISTS (SELECT FROM profdepot.coverage c
                       WHERE c.inst_id = :inst_id::bigint AND c.source = 'stated at load'))
) v (name, present)
WHERE v.present
