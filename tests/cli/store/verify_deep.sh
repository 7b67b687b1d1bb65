#!/usr/bin/env bash
# Tests that "verify --deep" finds every corruption of a single row: a change of any column, a deletion and a
# duplication. Each corruption is tested in each relation.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

export_make "$tmp/export"
golden=$srcdir/tests/golden/inputs
inputs=("$tmp/export" "$golden"/{aqtimexml.xml,callgrind.out,chrome.json,kernelscope.json,sanitizer-tsan.txt}
    "$golden/speedscope-evented.speedscope.json")
run load -q --label branch=main --run r1 "${inputs[@]}"
is "$status" 0 "inputs that fill all relations are loaded"
[ "$status" -eq 0 ] || diag "$errors"
run verify --deep
like "$status $errors" '^0 .*, 0 differ, 0 open' "verify --deep finds no difference after the loads"

# --- every format -------------------------------------------------------------------------------

run load -q --again "$golden"/*
run verify --deep
like "$status $errors" '^0 .*, 0 differ, 0 open' "verify --deep finds no difference in any format"
run label latest v=2 --caption renamed
run verify --deep
is "$status" 0 "a label or caption that profdepot changes is not a difference"
run label latest --remove v --remove branch
run verify --deep
is "$status" 0 "a label that profdepot removes is not a difference"
run reindex "$(q "select max(inst_id) from call_graph")" "$(q "select max(inst_id) from span_rows")" \
    "$(q "select max(inst_id) from sample_blocks")" "$(q "select max(inst_id) from resource_profiler_objects")"
is "$status" 0 "result sets of several kinds are reindexed"
run verify --deep
is "$status" 0 "verify --deep finds no difference after a reindex"
run rm --all --forget
is "$(q "select count(*) from result_set_checksums")" 0 "rm also removes the checksums"

# --- one corruption at a time -------------------------------------------------------------------

run load -q --again --label branch=main --run r1 "${inputs[@]}"
run stream set
run verify --deep
like "$status $errors" '^0 .*, 0 differ, 0 open' "verify --deep finds no difference after a change of the streams"
run stream set branch

# Leaves out posted batches and their progress, which belong to open result sets. Also leaves out the history and the
# verdicts of checks, which are not part of the content of result sets.
q "create view public.base as
    select c.oid, c.relname as relation from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'inst_id'
    where c.relnamespace = 'profdepot'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname !~ '^posted_'
    and c.relname not in ('ledger', 'published_runs', 'earlier_runs', 'unpublished_runs', 'sighting_blocks', 'budget_verdicts')"
is "$(q "select string_agg(relation, ' ') from public.base
    where query_to_xml('select 1 from profdepot.' || relation || ' limit 1', false, false, '')::text !~ '<row'")" "" \
    "every relation has rows"

# Without its constraints, a table accepts rows that only a damaged index or file could contain.
q "create schema saved" >/dev/null
q "select format('create table saved.%1\$I as select * from profdepot.%1\$I;', relation) from public.base
    union all
    select format('alter table profdepot.%I drop constraint %I cascade;', b.relation, k.conname)
    from public.base b join pg_constraint k on k.conrelid = b.oid
    union all
    select format('alter table profdepot.%I alter column %I drop not null;', b.relation, a.attname)
    from public.base b join pg_attribute a on a.attrelid = b.oid and a.attnum > 0 and a.attnotnull" >"$tmp/prepare.sql"
psql -Xq -v ON_ERROR_STOP=1 -f "$tmp/prepare.sql" >/dev/null 2>&1 || bail_out "the constraints cannot be removed"

# Prints "ROUND|RELATION|WHAT|SQL" per corruption. A round corrupts a row in each of many relations, and verify must name
# them all. The relations that describe all others are corrupted alone.
q "with c as (
        select b.relation, a.attname as name, format_type(a.atttypid, null) as type,
               format('update profdepot.%I set %I = ', b.relation, a.attname) as head,
               format(' where ctid = (select ctid from profdepot.%1\$I order by %2\$I is null limit 1)',
                   b.relation, a.attname) as tail
        from public.base b join pg_attribute a on a.attrelid = b.oid and a.attnum > 0 and not a.attisdropped),
    x (relation, what, sql) as (
    select relation, name, head || case
            when name = 'state' then '''open'''
            when name = 'inst_id' then '99999'
            when type = 'boolean' then format('%I is not true', name)
            when type = 'text' then format('concat(%I, ''x'')', name)
            when type = 'json' then '''{\"corrupt\":1}'''
            when type = 'uuid' then format('md5(%I::text)::uuid', name)
            when type = 'bytea' then format('coalesce(%I, '''') || ''x''::bytea', name)
            when type like 'timestamp%' then format('coalesce(%I, now()) + interval ''1 us''', name)
            when type like '%[]' then format('array_append(%I, null)', name)
            else format('coalesce(%I, 0) + 1', name) end || tail
    from c
    union all
    select relation, 'inst_id is null', head || 'null' || tail from c where name = 'inst_id'
    union all
    select relation, 'row deleted', format('delete from profdepot.%1\$I where ctid = (select min(ctid) from profdepot.%1\$I)', relation)
    from public.base
    union all
    select relation, 'row duplicated', format('insert into profdepot.%1\$I select * from profdepot.%1\$I limit 1', relation)
    from public.base)
    select case when relation in ('instances', 'result_set_counts', 'result_set_checksums') then relation || '.' else '' end
               || row_number() over (partition by relation order by what), relation, what, sql
    from x order by 1" >"$tmp/corruptions"

run verify --deep
like "$status $errors" '^0 .*, 0 differ, 0 open' "verify --deep finds no difference before the corruptions"

all=0
found=0
for round in $(cut -d '|' -f 1 "$tmp/corruptions" | uniq); do
    grep "^$round|" "$tmp/corruptions" >"$tmp/round"
    cut -d '|' -f 4- "$tmp/round" | sed 's/$/;/' >"$tmp/round.sql"
    psql -Xq -v ON_ERROR_STOP=1 -f "$tmp/round.sql" >/dev/null || bail_out "round $round"
    run verify --deep --output csv
    while IFS='|' read -r _ relation what _; do
        all=$((all + 1))
        if [ "$status" -eq 1 ] && { [[ $round == *.* ]] || grep -q ",$relation," <<<"$out"; }; then
            found=$((found + 1))
        else
            diag "not found: $relation, $what: status $status $errors"
        fi
    done <"$tmp/round"
    cut -d '|' -f 2 "$tmp/round" |
        sed 's/.*/truncate profdepot.&; insert into profdepot.& select * from saved.&;/' >"$tmp/round.sql"
    psql -Xq1 -v ON_ERROR_STOP=1 -f "$tmp/round.sql" >/dev/null || bail_out "the depot cannot be restored"
done
diag "verify --deep finds $found of $all corruptions"
is "$found" "$all" "verify --deep finds every corruption"
[ "$all" -gt 250 ] && result=ok || result="$all"
is "$result" ok "more than 250 corruptions are tried"

# --- what is printed ----------------------------------------------------------------------------

run verify --deep
is "$status" 0 "the restored depot has no differences"
set=$(q "select min(inst_id) from instances")
q "update instances set host = 'y' where inst_id = $set; delete from instances where inst_id > $set + 1"
run verify --deep
is "$status" 1 "verify --deep exits with status 1 if there are differences"
like "$out" 'instances +checksum of all rows' "verify --deep names the relation whose rows changed"
like "$out" 'rows without a result set +0 +[1-9]' "verify --deep counts the rows without a result set"
run verify
unlike "$out" 'checksum|without a result set' "without --deep, verify does not compare checksums"
run verify --deep "$set"
like "$status $out" '^1 .*instances' "verify --deep accepts an INST_ID"

done_testing
