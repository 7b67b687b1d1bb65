-- Compares the call graph of result set :inst with callgrind_annotate's output in public.annotated
-- (inclusive boolean, name text, costs numeric[]), where name is FILE:FUNCTION. Returns one row with the
-- number of comparisons, and one row per difference.
set search_path = profdepot;

-- The depot writes an unknown function's address without leading zeros.
update public.annotated set name = regexp_replace(name, ':0x0+([0-9a-f]+)$', ':0x\1');

create temp table named as
select g.*, coalesce(g.source_file, '???') || ':' || coalesce(r.col_symbol_moniker, r.col_routine_name) as name,
       coalesce(t.col_source_file, '???') || ':' || coalesce(t.col_symbol_moniker, t.col_routine_name) as target
from call_graph g
join resource_profiler_meta_routines r on r.inst_id = g.inst_id and r.rec_id = g.routine_id
left join resource_profiler_meta_routines t on t.inst_id = g.inst_id and t.rec_id = g.target_id
where g.inst_id = :inst and g.kind in ('self', 'call');

-- The self and inclusive costs of each function. The inclusive cost of a called function is the sum of the costs of the
-- calls to it.
create temp table summed as
select false as inclusive, name, n, sum(cost) as cost
from named cross join unnest(costs) with ordinality c (cost, n) where kind = 'self' group by name, n
union all
select true, target, n, sum(cost)
from named cross join unnest(costs) with ordinality c (cost, n) where kind = 'call' group by target, n
union all
select true, name, n, sum(cost)
from named cross join unnest(costs) with ordinality c (cost, n)
where name not in (select target from named where kind = 'call') group by name, n;

create temp table costs as
select inclusive, name, array_agg(cost order by n) as costs from summed group by inclusive, name
having max(cost) > 0;

-- Totals per routine; a routine is identified by file and name.
create temp table totals as
select coalesce(r.col_source_file, '???') || ':' || coalesce(r.col_symbol_moniker, r.col_routine_name) as name,
       t.metric_no as n, sum(t.total) as total
from routine_totals t
join resource_profiler_meta_routines r on r.inst_id = t.inst_id and r.rec_id = t.routine_id
where t.inst_id = :inst
group by 1, 2;

select 'compared ' || count(*) || ' of ' || (select count(*) from public.annotated)
from public.annotated a join costs c using (inclusive, name, costs)
union all
select format('%s %s: %s, wanted %s', inclusive, name, c.costs, a.costs)
from public.annotated a full join costs c using (inclusive, name)
where a.costs is distinct from c.costs
union all
select format('total of %s: %s, wanted %s', name, t.total, a.costs[t.n])
from totals t join public.annotated a using (name)
where a.inclusive and name in (select target from named where kind = 'call') and t.total <> a.costs[t.n];
