-- Compares the depot's content for the files in public.text_case (name, inst_id, summary) with speedscope's
-- summary. Returns one row per case: its name, the number of compared frames, and the differences.
-- Each profile of the summary is a track, or a metric if several profiles share one track. A frame is
-- identified by its name and :file, an SQL expression over the routine r. The sums are computed from
-- samples, and the stored totals of each metric must equal the sums of its tracks.
set search_path = profdepot;

-- Copies of the cases' rows replace the relations of the depot, because Citus joins result sets in few ways.
select format('create temp table %1$I as select * from profdepot.%1$I where inst_id = any (%2$L::bigint[])', relation,
              array(select inst_id from public.text_case))
from unnest(array['tracks', 'samples', 'stacks', 'metrics', 'routine_totals', 'resource_profiler_meta_routines']) relation
\gexec

create temp table weighed as
select k.name as case_name, s.inst_id, p.n as profile, t.metric_no + v.n - 1 as metric_no, s.stack_id, v.value
from public.text_case k
join samples s on s.inst_id = k.inst_id
join tracks t on t.inst_id = s.inst_id and t.track_id = s.track_id
cross join lateral unnest(coalesce(s.weights, array[s.weight])) with ordinality v (value, n)
cross join lateral (select json_array_length(k.summary -> 'profiles') as count,
                           (select count(*) from tracks o where o.inst_id = k.inst_id) as tracks) c
cross join lateral (select case when c.count > 1 and c.tracks = 1 then v.n
                                when v.n = 1 then t.track_id end as n) p
where p.n is not null;

create temp table had as
select w.case_name, w.profile, w.metric_no, w.inst_id, f.routine_id,
       coalesce(sum(w.value) filter (where f.innermost), 0) as self, sum(w.value) as total
from weighed w
join stacks s on s.inst_id = w.inst_id and s.stack_id = w.stack_id
cross join lateral (select u.routine_id, bool_or(u.n = 1) as innermost
                    from unnest(s.routine_ids) with ordinality u (routine_id, n) group by u.routine_id) f
group by w.case_name, w.profile, w.metric_no, w.inst_id, f.routine_id;

create temp table had_named as
select h.case_name, h.profile, coalesce(r.col_symbol_moniker, r.col_routine_name) as name, :file as file,
       h.self::float8 as self, h.total::float8 as total
from had h
join resource_profiler_meta_routines r on r.inst_id = h.inst_id and r.rec_id = h.routine_id;

create temp table profile_of as
select k.name as case_name, k.inst_id, p.n as profile, p.told
from public.text_case k
cross join lateral json_array_elements(k.summary -> 'profiles') with ordinality p (told, n);

create temp table wanted as
select distinct p.case_name, p.profile, f ->> 'name' as name, coalesce(f ->> 'file', '') as file,
       (f ->> 'self')::float8 as self, (f ->> 'total')::float8 as total
from profile_of p
cross join lateral unnest(array['topSelf', 'topTotal']) l (list)
cross join lateral json_array_elements(p.told -> l.list) f;

create function pg_temp.near(a float8, b float8) returns boolean language sql immutable as
$$select abs(a - b) <= 1e-9 * greatest(abs(a), abs(b), 1)$$;

create temp table difference (case_name text, what text);

insert into difference
select w.case_name, format('profile %s: %s (%s) self %s total %s', w.profile, w.name, w.file, w.self, w.total)
from wanted w
where not exists (select from had_named h
                  where h.case_name = w.case_name and h.profile = w.profile and h.name = w.name and h.file = w.file
                    and pg_temp.near(h.self, w.self) and pg_temp.near(h.total, w.total));

insert into difference
select p.case_name, format('profile %s: %s is %s, wanted %s', p.profile, d.what, d.had, d.wanted)
from profile_of p
left join lateral (select sum(w.value)::float8 as total, min(m.unit) as unit
                   from weighed w join metrics m on m.inst_id = w.inst_id and m.metric_no = w.metric_no
                   where w.case_name = p.case_name and w.profile = p.profile) w on true
left join lateral (select count(*) as frames from had_named h
                   where h.case_name = p.case_name and h.profile = p.profile and h.total <> 0) h on true
cross join lateral (values
    ('total', w.total::text, p.told ->> 'totalWeight',
        pg_temp.near(w.total, (p.told ->> 'totalWeight')::float8)),
    ('unit', w.unit, p.told ->> 'unit', w.unit = p.told ->> 'unit'),
    ('number of frames', h.frames::text, p.told ->> 'numFrames',
        h.frames::text = p.told ->> 'numFrames')) d (what, had, wanted, same)
where d.same is not true;

insert into difference
select k.name, format('stored totals of routine %s, metric %s: %s %s, wanted %s %s', routine_id, metric_no, r.self,
                      r.total, h.self, h.total)
from public.text_case k
join routine_totals r using (inst_id)
join (select inst_id, metric_no, routine_id, sum(self) as self, sum(total) as total
      from had group by inst_id, metric_no, routine_id) h using (inst_id, metric_no, routine_id)
where r.self <> h.self or r.total <> h.total;

select k.name, (select count(*) from wanted w where w.case_name = k.name),
       coalesce((select string_agg(what, '; ') from difference d where d.case_name = k.name), '')
from public.text_case k
order by k.name;
