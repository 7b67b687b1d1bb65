-- Compares the depot with the known contents of each real file, and returns one row per difference.
-- :expected is the JSON for all files; :before is the last result set that was loaded before them.
-- Citus cannot query other servers for each row of a query. Therefore this script reads local copies.
create temp table instances as table profdepot.instances;
create temp table resource_profiler_objects as table profdepot.resource_profiler_objects;
create temp table resource_profiler_errors as table profdepot.resource_profiler_errors;
create temp table resource_profiler_threads as table profdepot.resource_profiler_threads;
create temp table further_stacks as table profdepot.further_stacks;
create temp table resource_profiler_creation_call_stack as table profdepot.resource_profiler_creation_call_stack;
create temp table resource_profiler_call_stack as table profdepot.resource_profiler_call_stack;
with expected as (
    select key as file, value as e from json_each(:'expected'::json)
    where key like '%.xml' and value -> 'pid' is not null),
sets as (
    select e.file, e.e, i.inst_id, i.tool, i.attributes::json as attributes
    from expected e left join pg_temp.instances i on i.source_name like '%' || e.file and i.inst_id > :before),
records as (
    select inst_id, stack_id,
        case leak_kind when 'definite' then 'Leak_DefinitelyLost' when 'indirect' then 'Leak_IndirectlyLost'
            when 'possible' then 'Leak_PossiblyLost' when 'reachable' then 'Leak_StillReachable' end as kind
    from pg_temp.resource_profiler_objects
    union all select inst_id, stack_id, col_name from pg_temp.resource_profiler_errors),
told (file, what, expected, found) as (
    select file, 'pid', e ->> 'pid', attributes ->> 'pid' from sets
    union all select file, 'tool', e ->> 'tool', tool from sets
    union all select file, 'error records', e ->> 'error_records',
        (select count(*) from pg_temp.resource_profiler_errors r where r.inst_id = s.inst_id)::text from sets s
    union all select file, 'kinds', (select jsonb_object_agg(key, value) from json_each_text(e -> 'kinds'))::text,
        (select jsonb_object_agg(kind, n::text) from (select kind, count(*) n from records r
            where r.inst_id = s.inst_id group by kind) k)::text from sets s
    union all select file, 'leaks',
        (select jsonb_object_agg(key, value::jsonb - 'bytes_as_printed') from json_each(e -> 'leaks'))::text,
        (select jsonb_object_agg(kind, jsonb_build_object('blocks', blocks, 'direct_bytes', bytes, 'records', n))
            from (select leak_kind, 'Leak_' || case leak_kind when 'definite' then 'DefinitelyLost'
                when 'indirect' then 'IndirectlyLost' when 'possible' then 'PossiblyLost' else 'StillReachable' end as kind,
                sum(block_count)::bigint as blocks, sum(col_size) as bytes, count(*) as n
                from pg_temp.resource_profiler_objects o where o.inst_id = s.inst_id group by leak_kind) k)::text from sets s
    union all select file, 'leaked bytes as printed',
        (select sum((value ->> 'bytes_as_printed')::bigint) from json_each(e -> 'leaks'))::text,
        (select sum(col_size + coalesce((o.attributes::json ->> 'indirect_bytes')::bigint, 0))
            from pg_temp.resource_profiler_objects o where o.inst_id = s.inst_id)::text from sets s
    union all select file, 'error counts', (select jsonb_object_agg(key, value) from json_each_text(e -> 'errorcounts'))::text,
        (select jsonb_object_agg(r.attributes::json ->> 'unique', count::text)
            from pg_temp.resource_profiler_errors r where r.inst_id = s.inst_id)::text from sets s
    union all select file, 'threads', (select string_agg(value, ' ' order by value) from json_array_elements_text(e -> 'threads')),
        (select string_agg(distinct t.col_win32threadid::text, ' ' order by t.col_win32threadid::text)
            from pg_temp.resource_profiler_threads t where t.inst_id = s.inst_id and t.col_win32threadid is not null) from sets s
    union all select file, 'further stacks', e ->> 'further_stacks',
        (select count(*) from pg_temp.further_stacks f where f.inst_id = s.inst_id and f.owner <> 'thread')::text from sets s
    union all select file, 'distinct first stacks', e ->> 'distinct_first_stacks',
        (select count(distinct stack_id) from records r where r.inst_id = s.inst_id)::text from sets s
    union all select file, 'frames in first stacks', e ->> 'frames_in_first_stacks',
        ((select count(*) from pg_temp.resource_profiler_creation_call_stack f where f.inst_id = s.inst_id)
         + (select count(*) from pg_temp.resource_profiler_call_stack f where f.inst_id = s.inst_id))::text from sets s)
select file || ': ' || what || ': expected ' || coalesce(expected, 'nothing') || ', found ' || coalesce(found, 'nothing')
from told where expected is distinct from found order by file, what;
