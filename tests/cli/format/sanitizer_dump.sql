-- Prints the content of a sanitizer's result set, one fact per line. :inst is its INST_ID.
set search_path = profdepot;

create temporary view stack_text as
select s.inst_id, s.stack_id, string_agg(concat(coalesce(r.col_routine_name, '-'),
        case when r.col_source_file is not null then ' ' || r.col_source_file end,
        case when l.col_source_line is not null then ':' || l.col_source_line end,
        case when r.col_module_name is not null then ' (' || r.col_module_name || ')' end),
    ' < ' order by u.position) as frames
from stacks s
cross join lateral unnest(s.routine_ids, coalesce(s.line_ids, array_fill(-1::bigint, array[cardinality(s.routine_ids)])))
    with ordinality u(routine_id, line_id, position)
join resource_profiler_meta_routines r on r.inst_id = s.inst_id and r.rec_id = u.routine_id
left join resource_profiler_meta_lines l
    on l.inst_id = s.inst_id and l.parent_id = r.id and l.rec_id = u.line_id
where s.inst_id = :inst
group by s.inst_id, s.stack_id;

select 'set', coalesce(tool, '-'), coalesce(application, '-'), attributes from instances where inst_id = :inst;
select 'thread', id, name, coalesce(col_win32threadid::text, '-') from resource_profiler_threads where inst_id = :inst order by id;
select 'object', o.id, c.col_class_name, coalesce(c.col_module_name, '-'), o.col_size, o.block_count, o.leak_kind,
    o.attributes, s.frames
from resource_profiler_objects o
join resource_profiler_meta_classes_data c on c.inst_id = o.inst_id and c.rec_id = o.col_classrid
left join stack_text s on s.inst_id = o.inst_id and s.stack_id = o.stack_id
where o.inst_id = :inst order by o.id;
select 'error', e.id, case e.col_kind when 1 then 'error' else 'warning' end, e.col_name, e.col_description, e.count,
    coalesce(t.name, '-'), coalesce(s.frames, '-'), e.attributes
from resource_profiler_errors e
left join resource_profiler_threads t on t.inst_id = e.inst_id and t.id = e.parent_id
left join stack_text s on s.inst_id = e.inst_id and s.stack_id = e.stack_id
where e.inst_id = :inst order by e.id;
select f.owner, f.owner_id, f.position, f.role, coalesce(f.description, '-'), coalesce(f.thread_id::text, '-'),
    coalesce(s.frames, '-')
from further_stacks f
left join stack_text s on s.inst_id = f.inst_id and s.stack_id = f.stack_id
where f.inst_id = :inst order by f.owner, f.owner_id, f.position;
select 'suppression', name, syntax, kind, pattern, count, bytes from result_set_suppressions where inst_id = :inst order by 2;
select 'issue', severity, code, source, line, message from import_issues where inst_id = :inst order by severity, code, line;
