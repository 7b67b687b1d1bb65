-- Compares the depot's content for speedscope files with speedscope's own results. The cases are in
-- public.speedscope_case (name, inst_id, summary, caption, exact, saved); the result has one row per case:
-- its name, the number of compared frames, and the differences. This query computes self values and totals
-- per track from spans and samples, and also compares them with the stored totals.
set search_path = profdepot;

create temp table span_self as
select s.inst_id, s.track_id, s.id, s.parent_id, s.routine_id, s.duration,
       s.duration - coalesce(sum(c.duration), 0) as self
from public.speedscope_case k
join spans s on s.inst_id = k.inst_id
left join spans c on c.inst_id = s.inst_id and c.parent_id = s.id
group by s.inst_id, s.track_id, s.id, s.parent_id, s.routine_id, s.duration;

create temp table walked as
with recursive w as (
    select inst_id, track_id, id, routine_id, duration, self, 1 as depth, array[routine_id] as path, true as outermost
    from span_self
    where parent_id is null
    union all
    select c.inst_id, c.track_id, c.id, c.routine_id, c.duration, c.self, w.depth + 1, w.path || c.routine_id,
           c.routine_id <> all (w.path)
    from w
    join span_self c on c.inst_id = w.inst_id and c.parent_id = w.id
)
select inst_id, track_id, routine_id, duration, self, depth, outermost from w;

create temp table stack_frames as
select s.inst_id, s.stack_id, f.routine_id, min(f.n) = 1 as innermost, cardinality(s.routine_ids) as depth
from public.speedscope_case k
join stacks s on s.inst_id = k.inst_id
cross join lateral unnest(s.routine_ids) with ordinality f (routine_id, n)
group by s.inst_id, s.stack_id, f.routine_id, s.routine_ids;

create temp table had as
select inst_id, track_id, routine_id, sum(self) as self,
       sum(duration) filter (where outermost) as total, max(depth) as depth
from walked
group by inst_id, track_id, routine_id
union all
select s.inst_id, s.track_id, f.routine_id, sum(s.weight) filter (where f.innermost), sum(s.weight), max(f.depth)
from public.speedscope_case k
join samples s on s.inst_id = k.inst_id
join stack_frames f on f.inst_id = s.inst_id and f.stack_id = s.stack_id
where s.weight <> 0
group by s.inst_id, s.track_id, f.routine_id;

create temp table had_named as
select h.inst_id, h.track_id, coalesce(r.col_symbol_moniker, r.col_routine_name, '') as name,
       coalesce(r.col_source_file, '') as file,
       coalesce(r.col_source_line::text, r.attributes ->> 'line', '') as line,
       coalesce(r.attributes ->> 'col', '') as col,
       coalesce(h.self, 0)::float8 as self, coalesce(h.total, 0)::float8 as total
from had h
join resource_profiler_meta_routines r on r.inst_id = h.inst_id and r.rec_id = h.routine_id;

create temp table profile_of as
select k.name as case_name, k.inst_id, k.exact, k.saved, p.n::integer as track_id, p.profile
from public.speedscope_case k
cross join lateral json_array_elements(k.summary -> 'profiles') with ordinality p (profile, n);

create temp table wanted as
select p.case_name, p.inst_id, p.track_id, l.list, coalesce(f ->> 'name', '') as name,
       coalesce(f ->> 'file', '') as file, coalesce(f ->> 'line', '') as line, coalesce(f ->> 'col', '') as col,
       (f ->> 'self')::float8 as self, (f ->> 'total')::float8 as total, count(*) as often
from profile_of p
cross join lateral unnest(array['topSelf', 'topTotal']) l (list)
cross join lateral json_array_elements(p.profile -> l.list) f
where p.exact and not (p.saved and (f ->> 'total')::float8 = 0) -- speedscope saves no calls of zero duration
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;

create function pg_temp.near(a float8, b float8) returns boolean language sql immutable as
$$select coalesce(abs(a - b) <= 1e-9 * greatest(abs(a), abs(b), 1e-3), true)$$;

create temp table difference (case_name text, what text);

insert into difference
select case_name, format('profile %s: %s %s:%s:%s self %s total %s: wanted %s, had %s', track_id, name, file, line, col,
                         self, total, often, had)
from (
    select w.*, (select count(*) from had_named h
                 where h.inst_id = w.inst_id and h.track_id = w.track_id and h.name = w.name and h.file = w.file
                     and h.line = w.line and h.col = w.col and pg_temp.near(h.self, w.self)
                     and pg_temp.near(h.total, w.total)) as had
    from wanted w) compared
where had < often;

insert into difference
select p.case_name, format('profile %s: %s, wanted %s', p.track_id, d.had, d.wanted)
from profile_of p
left join tracks t on t.inst_id = p.inst_id and t.track_id = p.track_id
left join metrics m on m.inst_id = t.inst_id and m.metric_no = t.metric_no
left join lateral (
    select coalesce(sum(self), 0)::float8 as busy, count(*) as frames
    from had h
    where h.inst_id = p.inst_id and h.track_id = p.track_id) h on true
cross join lateral (values
    (t.name, p.profile ->> 'name', t.name = p.profile ->> 'name'),
    (m.unit, p.profile ->> 'unit', m.unit = p.profile ->> 'unit'),
    (t.duration::text, p.profile ->> 'totalWeight',
        not p.exact or pg_temp.near(t.duration::float8, (p.profile ->> 'totalWeight')::float8)),
    (h.busy::text, p.profile ->> 'totalNonIdleWeight',
        not p.exact or pg_temp.near(h.busy, (p.profile ->> 'totalNonIdleWeight')::float8)),
    (h.frames::text, p.profile ->> 'numFrames', p.saved or h.frames::text = p.profile ->> 'numFrames')) d (had, wanted, same)
where d.same is not true;

insert into difference
select k.name, format('%s tracks, wanted %s', count(t.track_id), k.summary ->> 'numProfiles')
from public.speedscope_case k
left join tracks t on t.inst_id = k.inst_id
group by k.name, k.inst_id, k.summary ->> 'numProfiles'
having count(t.track_id) <> (k.summary ->> 'numProfiles')::bigint;

insert into difference
select k.name, format('caption %s, wanted %s', i.caption, k.caption)
from public.speedscope_case k
left join instances i on i.inst_id = k.inst_id
where k.caption is not null and i.caption is distinct from k.caption;

-- For each metric, the stored self value and total of a routine must equal the sums over all tracks.
insert into difference
select k.name, format('stored routine %s of metric %s: %s %s, wanted %s %s', routine_id, metric_no, s.self, s.total,
                      c.self, c.total)
from (
    select r.inst_id, r.metric_no, r.routine_id, r.self, r.total
    from public.speedscope_case k
    join routine_totals r on r.inst_id = k.inst_id) s
full join (
    select h.inst_id, t.metric_no, h.routine_id, sum(coalesce(h.self, 0)) as self, sum(coalesce(h.total, 0)) as total
    from had h
    join tracks t on t.inst_id = h.inst_id and t.track_id = h.track_id
    group by h.inst_id, t.metric_no, h.routine_id) c
    using (inst_id, metric_no, routine_id)
join public.speedscope_case k using (inst_id)
where not pg_temp.near(coalesce(s.self, 0)::float8, coalesce(c.self, 0)::float8)
    or not pg_temp.near(coalesce(s.total, 0)::float8, coalesce(c.total, 0)::float8);

select k.name, coalesce((select sum(often) from wanted w where w.case_name = k.name), 0),
       replace(coalesce((select string_agg(what, '; ') from difference d where d.case_name = k.name), ''), E'\n', ' ')
from public.speedscope_case k
order by k.name;
