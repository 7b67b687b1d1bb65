-- Compares the result sets of a text log with the expected content; prints one line per difference.
-- The environment variable EXPECTED names a file with a JSON document in the form that corpora/textlogs uses. Three psql
-- variables must be set. The result sets are those after :before, up to :upto. :cut is true if the file is truncated.
-- Only values that the document states are compared.
\set expected `cat "$EXPECTED"`
set search_path = pg_temp, profdepot;
set client_min_messages = error;
create temp table document as select :'expected'::json as d;

-- Copies of the new result sets' rows replace the relations of the depot, because Citus joins result sets in few ways.
select format('create temp table %1$I as select * from profdepot.%1$I where inst_id = any (%2$L::bigint[])', relation,
              array(select inst_id from profdepot.instances where inst_id > :before and inst_id <= :upto))
from unnest(array['instances', 'import_issues', 'tracks', 'samples', 'metrics', 'stack_frames', 'further_stacks',
                  'resource_profiler_objects', 'resource_profiler_errors', 'resource_profiler_threads',
                  'resource_profiler_meta_classes_data']) relation
\gexec
create index on stack_frames (inst_id, stack_id);

-- Returns "module;unit;class;routine;file;line" of a frame, with the address only if nothing else is known.
create function pg_temp.frame_text(module text, unit text, class text, routine text, file text, line text, address text) returns text
language sql as $$
    select concat_ws(';', coalesce(module, ''), lower(coalesce(unit, '')), coalesce(class, ''), coalesce(routine, ''),
        coalesce(file, ''), coalesce(line, ''),
        case when coalesce(module, unit, routine, file) is null then nullif(ltrim(upper(address), '0'), '') end)
$$;
-- Addresses of valgrind's frames are stored as attributes, and are not compared. An expected routine may end with the
-- offset of the frame in its module; this offset is removed.
create function pg_temp.expected_stack(frames json, tool text) returns text
language sql as $$
    select coalesce(string_agg(pg_temp.frame_text(f ->> 'module', f ->> 'unit', f ->> 'class',
        regexp_replace(f ->> 'routine', ' +[+]0x[0-9a-f]+ +[(]0x.*[)]$', ''), f ->> 'file',
        f ->> 'line', case when tool not in ('memcheck', 'helgrind', 'drd', 'valgrind') then f ->> 'address' end),
        E'\n' order by n), '')
    from json_array_elements(frames) with ordinality x(f, n)
$$;
create function pg_temp.found_stack(inst bigint, stack integer) returns text
language sql as $$
    select coalesce(string_agg(pg_temp.frame_text(module_name, unit_name, class_name,
        case when routine_name !~ '^(0x[0-9a-f]+|\?\?)$' then routine_name end, source_file, source_line::text,
        case when routine_name ~ '^0x' then substr(routine_name, 3) end), E'\n' order by position), '')
    from stack_frames where inst_id = inst and stack_id = stack
$$;

create temp table reports as
select e.n, e.r, i.inst_id
from (select n, r from document, json_array_elements(d -> 'reports') with ordinality x(r, n)) e
full join (select inst_id, row_number() over (order by inst_id) n from instances where inst_id > :before and inst_id <= :upto) i using (n);

-- The keys that the expected objects of a report have; other keys are not compared.
create temp table stated as
select n, array(select distinct k from json_array_elements(r -> 'objects') o, json_object_keys(o) k) ||
    case when r -> 'live' is not null then '{kind}'::text[] when r ->> 'tool' = 'delphi-rtl' then '{class}'
        when r ->> 'mode' in ('state', 'snapshot') and r ->> 'tool' ~ 'fastmm' then '{kind,class}' else '{}' end
    as object_keys
from reports;

-- FastMM also lists live blocks that are not leaks.
create temp table all_objects as
select n, r ->> 'tool' as tool, o, o ->> 'kind' as kind from reports, json_array_elements(r -> 'objects') o
union all
select n, r ->> 'tool', o, 'reachable' from reports, json_array_elements(r -> 'live') o
-- Delphi's runtime lists only classes, and the sizes of large blocks.
union all
select n, r ->> 'tool', o, null from reports, json_array_elements(r -> 'classes') o where r ->> 'tool' = 'delphi-rtl'
union all
select n, r ->> 'tool', json_build_object('size', o), null from reports, json_array_elements(r -> 'large') o
where r ->> 'tool' = 'delphi-rtl'
-- FastMM's states and snapshots.
union all
select n, r ->> 'tool', (o::jsonb || jsonb_build_object('class', replace(o ->> 'class', '(unknown)', 'Unknown')))::json, 'reachable'
from reports, json_array_elements(r -> 'classes') o where r ->> 'tool' ~ 'fastmm' and r ->> 'mode' in ('state', 'snapshot')
-- In UMDH's logs, the size of a group is the total size of the group's blocks.
union all
select n, r ->> 'tool', (o::jsonb || jsonb_build_object('size', div((o ->> 'size')::numeric, (o ->> 'count')::numeric)))::json, null
from reports, json_array_elements(r -> 'groups') o;

create temp table expected_objects as
select n, case when r.kind is null and tool like 'fastmm%' then 'definite' else r.kind end as kind, coalesce(o ->> 'size', o ->> 'bytes') as size, o ->> 'indirect' as indirect,
    coalesce(o ->> 'class', 'Unknown') as class, o ->> 'thread' as thread,
    o ->> 'check' as checked, pg_temp.expected_stack(o -> 'stack', tool) as stack, coalesce((o ->> 'count')::bigint, 1) as count,
    coalesce(o -> 'numbers', json_build_array(o -> 'number')) as numbers,
    coalesce(o -> 'handles', json_build_array(o -> 'handle')) as handles
from all_objects r;

create temp table found_objects as
select r.n, o.leak_kind as kind,
    case when r.r ->> 'tool' in ('memcheck', 'valgrind') or (r.r ->> 'tool' ~ 'fastmm' and r.r ->> 'mode' is not null) then o.col_size else div(o.col_size, o.block_count) end::text as size, o.attributes::json ->> 'indirect_bytes' as indirect,
    c.col_class_name as class, t.col_win32threadid::text as thread, (o.col_get_ - 1)::text as checked,
    pg_temp.found_stack(o.inst_id, o.stack_id) as stack, o.block_count as count, o.col__ as number, o.col_address as handle
from reports r
join resource_profiler_objects o using (inst_id)
join stated s on s.n = r.n
left join resource_profiler_meta_classes_data c on c.inst_id = o.inst_id and c.rec_id = o.col_classrid
left join resource_profiler_threads t on t.inst_id = o.inst_id and t.rec_id = o.col_threadid;

create function pg_temp.leak_kind(kind text) returns text language sql as $$
    select case kind when 'DefinitelyLost' then 'definite' when 'IndirectlyLost' then 'indirect'
        when 'PossiblyLost' then 'possible' when 'StillReachable' then 'reachable'
        when 'LEAK' then 'definite' when 'POSSIBLE LEAK' then 'possible' when 'REACHABLE LEAK' then 'reachable' else kind end
$$;
create temp table object_lines as
select 'expected' as side, e.n, concat_ws('|', case when 'kind' = any(object_keys) then pg_temp.leak_kind(kind) end, size, indirect,
    case when 'class' = any(object_keys) then class end, thread, checked) || E'\n' || stack as line,
    sum(count) as count
from expected_objects e join stated using (n) group by 2, 3
union all
select 'found', f.n, concat_ws('|', case when 'kind' = any(object_keys) then kind end, size, indirect,
    case when 'class' = any(object_keys) then class end, case when 'thread' = any(object_keys) then thread end,
    case when 'check' = any(object_keys) then checked end) || E'\n' || stack, sum(count)
from found_objects f join stated using (n) group by 2, 3;

create temp table expected_errors as
select r.n, m, e ->> 'kind' as kind, coalesce(e ->> 'what', e ->> 'text', e ->> 'description') as what, ltrim(e ->> 'thread', '#') as thread, e ->> 'count' as count,
    e -> 'stacks' as stacks, r.r ->> 'tool' as tool
from reports r, json_array_elements(r.r -> 'errors') with ordinality x(e, m);
create temp table found_errors as
select r.n, row_number() over (partition by r.n order by e.id) as m, e.id, e.inst_id, e.col_name as kind, e.col_description as what,
    coalesce(t.col_win32threadid::text, substring(t.name from '^thread #(\d+)$')) as thread, e.count::text, e.stack_id
from reports r
join resource_profiler_errors e using (inst_id)
left join resource_profiler_threads t on t.inst_id = e.inst_id and t.rec_id = e.parent_id;
create temp table expected_error_stacks as
select n, m, string_agg(case s ->> 'role' when 'spotted_at' then 'other' else s ->> 'role' end || E'\n' ||
    pg_temp.expected_stack(s -> 'frames', tool), E'\n' order by s ->> 'role' <> 'error', k) as stacks
from expected_errors, json_array_elements(stacks) with ordinality x(s, k)
where json_array_length(s -> 'frames') > 0 group by 1, 2;
create temp table found_error_stacks as
select n, m, string_agg(role || E'\n' || stack, E'\n' order by position) as stacks
from (select n, m, 0 as position, 'error' as role, pg_temp.found_stack(inst_id, stack_id) as stack from found_errors where stack_id is not null
    union all
    select e.n, e.m, f.position, f.role, pg_temp.found_stack(f.inst_id, f.stack_id)
    from found_errors e join further_stacks f on f.inst_id = e.inst_id and f.owner = 'error' and f.owner_id = e.id
    where f.stack_id is not null) x group by 1, 2;

-- UMDH's comparisons.
create temp table expected_changes as
select r.n, concat_ws('|', s ->> 'trace', s ->> 'bytes_delta', s ->> 'bytes_new', s ->> 'bytes_old', s ->> 'count_new', s ->> 'count_old') ||
    E'\n' || pg_temp.expected_stack(s -> 'stack', 'umdh') as line
from reports r, json_array_elements(r.r -> 'stacks') s where r.r ->> 'tool' = 'umdh';
create temp table found_changes as
select r.n, s.attributes ->> 'trace' || '|' || array_to_string(s.weights, '|') || E'\n' || pg_temp.found_stack(s.inst_id, s.stack_id) as line
from reports r join samples s using (inst_id) where r.r ->> 'tool' = 'umdh';

-- Adds the difference between two snapshots of FastMM. For a list of FastMM's samples, adds their number, and the
-- first, last and largest value of each column.
insert into expected_changes
select r.n, concat_ws('|', pg_temp.frame_text(null, null, null, replace(c ->> 'class', '(unknown)', 'Unknown'), null, null, null), (c ->> 'bytes_b')::bigint - (c ->> 'bytes_a')::bigint,
    (c ->> 'count_b')::bigint - (c ->> 'count_a')::bigint, c ->> 'bytes_b', c ->> 'bytes_a', c ->> 'count_b', c ->> 'count_a')
from reports r, json_array_elements(r.r -> 'classes') c where r.r ->> 'mode' = 'difference'
union all
select r.n, 'samples|' || (r.r ->> 'samples') from reports r where r.r ->> 'mode' = 'samples'
union all
select r.n, concat_ws('|', c, case when c = 'wall_clock' then v else trim_scale(v::numeric)::text end, p)
from reports r, json_array_elements_text(r.r -> 'columns') with ordinality x(c, k), unnest('{first,last,peak}'::text[]) p,
    lateral (select case when p = 'peak' then r.r -> p ->> c else r.r -> p ->> (k::int - 1) end as v) y
where r.r ->> 'mode' = 'samples' and v is not null
union all
select r.n, concat_ws('|', pg_temp.frame_text(null, null, null, c ->> 'class', null, null, null), c ->> 'bytes', c ->> 'count')
from reports r, json_array_elements(r.r -> 'changes') c;
insert into found_changes
select r.n, pg_temp.found_stack(s.inst_id, s.stack_id) || '|' || array_to_string(s.weights, '|')
from reports r join samples s using (inst_id) where r.r ->> 'mode' in ('state', 'difference')
union all
select r.n, 'samples|' || count(distinct s.attributes ->> 'sample_index') from reports r join samples s using (inst_id)
where r.r ->> 'mode' = 'samples' group by 1
union all
select n, concat_ws('|', c, trim_scale(v), p) from (
    select n, c, max(v) as peak, (array_agg(v order by row))[1] as first, (array_agg(v order by row desc))[1] as last
    from (select r.n, s.id as row, m.name as c, w.v
        from reports r join samples s using (inst_id), unnest(s.weights) with ordinality w(v, k),
            lateral (select name, row_number() over (order by metric_no) as k from metrics m
                where m.inst_id = s.inst_id and family = 'gauges') m
        where r.r ->> 'mode' = 'samples' and m.k = w.k
        union all
        select r.n, s.id, c, (s.attributes ->> c)::numeric from reports r join samples s using (inst_id),
            unnest('{sample_index,elapsed_ms}'::text[]) c where r.r ->> 'mode' = 'samples'
        union all
        -- Each track has the samples for blocks of one size.
        select r.n, s.id, c, (t.attributes ->> replace(c, 'useable', 'usable'))::numeric
        from reports r join samples s using (inst_id) join tracks t on t.inst_id = s.inst_id and t.track_id = s.track_id,
            unnest('{block_size,useable_size}'::text[]) c
        where r.r ->> 'mode' = 'samples' and t.attributes -> 'block_size' is not null) x group by 1, 2) y,
    lateral (values ('peak', peak), ('first', first), ('last', last)) z(p, v)
union all
select r.n, 'wall_clock|' || (s.attributes ->> 'wall_clock') || '|' || p from reports r,
    lateral (select p, (array_agg(s.attributes order by case when p = 'first' then s.id else -s.id end))[1] as attributes
        from samples s, unnest('{first,last}'::text[]) p where s.inst_id = r.inst_id group by 1) s
where r.r ->> 'mode' = 'samples';

select line from (
    select 0 as n, 'reports: ' || count(n) filter (where r is not null) || ' expected, ' || count(inst_id) || ' found' as line
    from reports having count(*) filter (where r is null or inst_id is null) > 0
    union all select n, 'pid: ' || (r ->> 'pid') || ' expected, ' || coalesce(attributes ->> 'pid', 'none') || ' found'
    from reports join instances using (inst_id)
    where r ->> 'pid' is not null and r ->> 'pid' is distinct from attributes ->> 'pid'
    union all select n, 'tool: ' || (r ->> 'tool') || ' expected, ' || coalesce(tool, 'none') || ' found'
    from reports join instances using (inst_id) where r ->> 'tool' is distinct from tool
    union all select n, 'application: ' || coalesce(application, 'none') || ' found'
    from reports join instances using (inst_id)
    where coalesce(r ->> 'application', r ->> 'command') is not null and application is distinct from
        regexp_replace(coalesce(r ->> 'application', split_part(r ->> 'command', ' ', 1)), '^.*[/\\]', '')
    union all select n, 'objects: ' || coalesce(e.count, 0) || ' expected, ' || coalesce(f.count, 0) || ' found: ' || line
    from (select * from object_lines where side = 'expected') e
    full join (select * from object_lines where side = 'found') f using (n, line)
    where e.count is distinct from f.count
        -- The last object of a truncated report may be incomplete.
        and (not :'cut' and (select json_array_length(d -> 'issues') = 0 from document)
            or (select count(*) from object_lines o where o.n = coalesce(e.n, f.n) and o.side = coalesce(e.side, f.side)
                and not exists (select from object_lines p where p.side <> o.side and p.n = o.n and p.line = o.line)) > 1)
    union all select coalesce(e.n, f.n), 'changes: ' || case when f.n is null then 'expected ' else 'found ' end || coalesce(e.line, f.line)
    from expected_changes e full join found_changes f using (n, line) where e.n is null or f.n is null
    union all select n, 'radix: ' || (r ->> 'radix') || ' expected, ' || coalesce(attributes ->> 'radix', 'none') || ' found'
    from reports join instances using (inst_id) where r ->> 'radix' is distinct from attributes ->> 'radix'
    union all select n, x.key || ': ' || x.value || ' expected, ' || coalesce(attributes ->> x.key, 'none') || ' found'
    from reports join instances using (inst_id), lateral (values ('mode', r ->> 'mode'), ('time', replace(r ->> 'time', 'T', ' ')),
        ('allocated_kb', r ->> 'allocated_kb'), ('overhead_kb', r ->> 'overhead_kb'), ('efficiency', r ->> 'efficiency'),
        ('blocks', r -> 'totals' ->> 'blocks'), ('bytes', r -> 'totals' ->> 'bytes'),
        ('time_old', replace(r -> 'a' ->> 'time', 'T', ' ')), ('time_new', replace(r -> 'b' ->> 'time', 'T', ' ')),
        ('blocks_old', r -> 'a' ->> 'blocks'), ('bytes_old', r -> 'a' ->> 'bytes'), ('blocks_new', r -> 'b' ->> 'blocks'),
        ('bytes_new', r -> 'b' ->> 'bytes'), ('blocks_delta', r -> 'delta' ->> 'blocks'), ('bytes_delta', r -> 'delta' ->> 'bytes'),
        ('classes_left_out', r ->> 'more')) x(key, value)
    where r ->> 'tool' ~ 'fastmm' and r ->> 'mode' is not null and x.value is not null and x.value is distinct from attributes ->> x.key
    union all select e.n, 'numbers: ' || e.numbers || ' expected, ' || coalesce(f.numbers, 'none') || ' found'
    from (select n, string_agg(v, ' ' order by v::numeric) as numbers
        from expected_objects, json_array_elements_text(numbers) v where v is not null group by 1) e
    left join (select n, string_agg(number::text, ' ' order by number) as numbers from found_objects where number is not null group by 1) f
        using (n)
    where e.numbers is distinct from f.numbers
    union all select e.n, 'handles: ' || e.handles || ' expected, ' || coalesce(f.handles, 'none') || ' found'
    from (select n, string_agg(v, ' ' order by v) as handles
        from expected_objects, json_array_elements_text(handles) v where v is not null group by 1) e
    left join (select n, string_agg(upper(to_hex(handle::bigint)), ' ' order by upper(to_hex(handle::bigint))) as handles
        from found_objects where handle is not null group by 1) f using (n)
    where e.handles is distinct from f.handles
    union all select n, 'error ' || m || ': ' || concat_ws('; ', e.kind, e.what, e.thread, e.count) || ' expected, ' ||
        concat_ws('; ', f.kind, f.what, f.thread, f.count) || ' found'
    from expected_errors e full join found_errors f using (n, m)
    where e.n is null or f.n is null or e.what <> f.what or e.thread <> coalesce(f.thread, '') or e.count <> f.count
    union all select 0, 'kinds of errors: ' || count(distinct f.kind) || ' found, such as ' || min(f.kind) || ' for ' || min(e.kind)
    from expected_errors e join found_errors f using (n, m) group by e.kind having count(distinct f.kind) > 1
    union all select 0, 'kinds of errors: ' || min(f.kind) || ' found for ' || string_agg(distinct e.kind, ', ')
    from expected_errors e join found_errors f using (n, m) group by f.kind having count(distinct e.kind) > 1
    union all select n, 'stacks of error ' || m || E': expected\n' || coalesce(e.stacks, 'none') || E'\nfound\n' || coalesce(f.stacks, 'none')
    from expected_error_stacks e full join found_error_stacks f using (n, m) where e.stacks is distinct from f.stacks
    -- Two issues are accepted although the documents do not list them: "several-gets", for several leak checks of one
    -- process, and "totals-differ", for Dr. Memory.
    union all select n, 'issue: ' || code || ': ' || message
    from reports join import_issues using (inst_id), document
    where json_array_length(d -> 'issues') = 0 and d -> 'issues_allowed' is null and code <> 'several-gets'
        and (code <> 'totals-differ' or r ->> 'tool' <> 'drmemory')
    union all select 0, 'an issue is missing'
    from document where json_array_length(d -> 'issues') > 0
        and not exists (select from reports join import_issues using (inst_id))
    -- If an expected issue names a process, the report of this process must have an issue.
    union all select r.n, 'an issue of this report is missing'
    from document, json_array_elements(d -> 'issues') i join reports r on r.r ->> 'pid' = i ->> 'pid'
    where not exists (select from import_issues x where x.inst_id = r.inst_id)) x
order by n;
