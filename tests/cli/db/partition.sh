#!/usr/bin/env bash
# Tests profdepot db partition: the conversion of empty and filled depots, and the ranges of later result sets.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

unset PROFDEPOT_TEST_PARTITIONS
PG_TEMP_OPTIONS="-c autovacuum=off" # the statistics must be those of the loads
pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

ranges() {
    q "select string_agg(case when from_inst_id < 0 then '' else from_inst_id::text end || '-' || to_inst_id - 1, ' '
        order by from_inst_id) from partitions"
}
# Prints attributes of the schema. A conversion must not change them. A partitioned relation is shown as a table.
schema() {
    q "select c.relname, replace(c.relkind, 'p', 'r'), (select array_agg(x::text order by x::text) from unnest(c.relacl) x), obj_description(c.oid, 'pg_class'), c.reloptions,
            pg_get_userbyid(c.relowner)
        from pg_class c where c.relnamespace = 'profdepot'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
        and not c.relispartition and c.relname <> 'call_tree_blocks' order by 1"
    q "select c.relname, a.attname, a.attnum, a.atttypid::regtype, a.atttypmod, a.attcollation, a.attnotnull, a.attstorage,
            a.attstattarget, (select array_agg(x order by x) from unnest(a.attoptions) x where x !~ '^pg_|inherited'),
            a.attacl, col_description(c.oid, a.attnum), pg_get_expr(d.adbin, d.adrelid)
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where c.relnamespace = 'profdepot'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
        order by 1, 3"
    q "select c.relname, k.conname, pg_get_constraintdef(k.oid) from pg_class c join pg_constraint k on k.conrelid = c.oid
        where c.relnamespace = 'profdepot'::regnamespace and not c.relispartition order by 1, 2"
    q "select viewname, definition from pg_views where schemaname in ('profdepot', 'public') order by 1"
    q "select t.tgrelid::regclass, pg_get_triggerdef(t.oid), obj_description(t.oid, 'pg_trigger') from pg_trigger t
        where not t.tgisinternal order by 1, 2"
}
answers() {
    local name
    "$PROFDEPOT" list --limit 0 --output csv
    for name in leaks errors routines hot summary; do
        "$PROFDEPOT" report $name all --output csv 2>&1
    done
    "$PROFDEPOT" verify --deep --output json 2>&1
}

# --- a filled depot -----------------------------------------------------------------------------

"$builddir/examples/generate-example" --out "$tmp/large0" --objects 5000 --stacks 1500 --seed 6 || bail_out "no input"
run load -q "$tmp/large0"
is "$status $errors" "0 " "a depot that is not partitioned collects statistics after a load"
isnt "$(q "select count(*) from pg_statistic where starelid = 'resource_profiler_objects'::regclass")" 0 "the statistics exist"

for input in "$srcdir"/examples/orders-*; do
    "$PROFDEPOT" load -q "$input" >/dev/null 2>"$tmp/errors" || bail_out "load $input: $(cat "$tmp/errors")"
done
"$PROFDEPOT" category add gc --column hostname:string --column time:timestamp --column stack:stack \
    --column elapsed:elapsed >/dev/null ||
    bail_out "category"
q "create role bob; grant select on resource_profiler_objects to bob with grant option; grant select (inst_id) on stacks to bob;
    comment on view gc is 'a category'; create view public.mine as select * from stack_frames f join stacks using (inst_id, stack_id)"
schema >"$tmp/schema.before"
answers >"$tmp/answers.before"
sets=$(q "select count(*) from instances")

run db partition --size 0
is "$status" 2 "a range of 0 result sets is invalid"
run db partition --size 4 --dry-run
is "$status" 0 "--dry-run succeeds"
like "$out" "^would partition 17 relations of [0-9.]+ MiB: the first range has the result sets up to" "--dry-run shows the first range"
is "$(q "select count(*) from pg_class where relkind = 'p'") $(ranges)" "0 " "--dry-run changes nothing"

q "create materialized view public.sizes as select inst_id, sum(col_size) from resource_profiler_objects group by 1"
run db partition --size 4
is "$status" 4 "a materialized view that depends on a relation prevents the conversion"
like "$errors" "materialized view public.sizes depends on a relation of the depot" "the message names the view"
like "$errors" "hint: Drop this object" "the hint says what to do"
q "drop materialized view public.sizes"
is "$(q "select count(*) from pg_class where relkind = 'p'") $(ranges)" "0 " "the depot is unchanged"

PGOPTIONS="-c application_name=holder" psql -Xq -c "begin; select count(*) from profdepot.stacks; select pg_sleep(30)" >/dev/null 2>&1 &
holder=$!
until [ "$(q "select count(*) from pg_locks where relation = 'stacks'::regclass")" -gt 0 ]; do sleep 0.05; done
run db partition --size 4
is "$status" 4 "a depot that others are using is not converted"
like "$errors" "other sessions are using its relations" "the message gives the reason"
q "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(30)%' and pid <> pg_backend_pid()" >/dev/null
wait $holder

run db partition --size 4
is "$status" 0 "a filled depot is partitioned" || diag "$errors"
is "$errors" "" "a short conversion shows no progress"
like "$out" "^partitioned 17 relations" "the command reports the relations"
first=$(((sets / 4 + 1) * 4))
is "$(ranges)" "-$first" "the existing result sets form the first range"
schema >"$tmp/schema.after"
is "$(diff "$tmp/schema.before" "$tmp/schema.after" | grep -v "partition_size\|^[0-9,]*[acd][0-9,]*$\|^> partitions|")" "" \
    "columns, rights, comments, constraints, views and triggers are unchanged"
answers >"$tmp/answers.after"
is "$(diff "$tmp/answers.before" "$tmp/answers.after")" "" "all answers are unchanged"
run db partition --size 4
is "$status $out" "0 the depot is already partitioned, with 4 result sets per range" "partitioning again does nothing"
run db status --output json
like "$(tr -d ' \n' <<<"$out")" '"partition_size":4,"partitions":1,"complete":true\}' "db status shows the ranges"
run db migrate
is "$status" 0 "db migrate succeeds on a partitioned depot"

# --- later ranges -------------------------------------------------------------------------------

export_make "$tmp/in"
for i in 1 2 3 4 5 6 7 8; do
    cp -r "$tmp/in" "$tmp/in$i"
    export_edit "$tmp/in$i" INSTANCES "s/first/run $i/"
    "$PROFDEPOT" load -q "$tmp/in$i" >"$tmp/load$i" 2>&1 &
done
wait
is "$(cat "$tmp"/load?)" "" "simultaneous loads create ranges"
newest=$(q "select max(inst_id) from instances")
is "$(q "select count(*), count(distinct inst_id) from instances where caption like 'run%'")" "8|8" "all loads are stored"
is "$(q "select count(*) > 0 from partitions where to_inst_id > $newest")" t "the range of the newest result set exists"
is "$(q "select count(*) from pg_inherits i join pg_class c on c.oid = i.inhparent where c.relnamespace = 'profdepot'::regnamespace
    and c.relkind = 'p'")" $((17 * $(q "select count(*) from partitions"))) "every range has a table in each relation"
run verify --deep
is "$status" 0 "all result sets are complete"
part=$(q "select partition_name('', from_inst_id) from partitions where $newest >= from_inst_id and $newest < to_inst_id")
# settings SUFFIX: the settings of the tables with this suffix.
settings() {
    q "select replace(c.relname, '$1', ''), a.attname, a.attstattarget, a.attstorage, c.reloptions,
            (select array_agg(x order by x) from unnest(a.attoptions) x where x !~ '^pg_')
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        where c.relname like '%\\$1' and c.relkind = 'r' order by 1, 2"
}
is "$(settings "$part")" "$(settings _p0)" "new tables have the statistics settings and storage options of the first"
isnt "$(settings _p0)" "" "the first tables have such settings"
is "$(q "explain (costs off) select * from stack_frames where inst_id = $newest" | grep -o 'on stacks_p[0-9]*' | sort -u)" \
    "on stacks$part" "a plan for one result set reads one table"
# This lock does not affect the tables of the ranges. The ranges of the next result set must exist before it is taken.
q "select partition_ahead()" >/dev/null
psql -Xq -c "begin; lock table only profdepot.stacks in exclusive mode; select pg_sleep(300)" >/dev/null 2>&1 &
holder=$!
until [ "$(q "select count(*) from pg_locks where relation = 'stacks'::regclass")" -gt 0 ]; do sleep 0.05; done
ok "a load writes directly into the tables of its range" timeout 60 "$PROFDEPOT" load -q --again "$tmp/in1"
q "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(300)%' and pid <> pg_backend_pid()" >/dev/null
wait $holder
# Nobody can read the first range. A list of the newest result sets must not need it.
psql -Xq -c "begin; lock table profdepot.call_tree_blocks_p0; select pg_sleep(300)" >/dev/null 2>&1 &
holder=$!
until [ "$(q "select count(*) from pg_locks where relation = 'call_tree_blocks_p0'::regclass")" -gt 0 ]; do sleep 0.05; done
ok "a list reads only the ranges of its result sets" timeout 60 "$PROFDEPOT" list -n 2
q "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(300)%' and pid <> pg_backend_pid()" >/dev/null
wait $holder
# A login without rights on the tables of the ranges writes through the relations.
q "select partition_ahead(); create role carl login; grant profdepot_loader to carl;
    select format('revoke all on profdepot.%I from profdepot_loader, public;', relname) from pg_class
        where relnamespace = 'profdepot'::regnamespace and relispartition and relkind = 'r'" |
    grep '^revoke' | psql -Xq -v ON_ERROR_STOP=1 || bail_out "revoke"
run load -q --again "$tmp/in2" --db "user=carl"
is "$status $errors" "0 " "a load without rights on the tables of the ranges succeeds"
newest=$(q "select max(inst_id) from instances")
table=$(q "select partition_name('stacks', from_inst_id) from partitions where $newest >= from_inst_id and $newest < to_inst_id")
is "$(q "select has_table_privilege('carl', 'profdepot.$table', 'insert'), has_table_privilege('carl', 'stacks', 'insert'),
    count(*) > 0 from $table where inst_id = $newest")" "f|t|t" "its rows are in a table that the login may not write"
run verify --deep "$newest"
is "$status" 0 "the result set is complete"
"$builddir/examples/generate-example" --out "$tmp/several" --sets 13 --seed 8 || bail_out "no input"
run load -q "$tmp/several"
is "$status" 0 "an input can have result sets of several ranges" || diag "$errors"
run verify --deep
is "$status" 0 "all result sets are complete"
newest=$(q "select max(inst_id) from instances")
run rm "$newest"
is "$status" 0 "rm removes a result set"
run reindex 1
is "$status" 0 "reindex succeeds"

# After a large load, statistics are collected only for the range that contains the new result set.
"$builddir/examples/generate-example" --out "$tmp/large" --objects 5000 --stacks 1500 --seed 7 || bail_out "no input"
q "select pg_stat_reset()" >/dev/null
run load -q "$tmp/large"
is "$status" 0 "a large input is loaded"
newest=$(q "select max(inst_id) from instances")
is "$(q "select string_agg(distinct substring(c.relname from '_p[0-9]+$'), ' ') from pg_statistic s
        join pg_class c on c.oid = s.starelid where c.relname ~ 'resource_profiler_objects_p[1-9]'")" \
    "$(q "select partition_name('', from_inst_id) from partitions where $newest >= from_inst_id and $newest < to_inst_id")" \
    "only the range of the load has statistics"

# --- ranges chosen by SQL, and other sizes ------------------------------------------------------

run db partition --size 10
like "$out" "^changed future ranges: 10 instead of 4" "another size applies to future ranges"
q "select ensure_partition(1000); select ensure_partition(1000)" >/dev/null
is "$(q "select from_inst_id, to_inst_id from partitions order by 1 desc limit 1")" "991|1001" "a number chosen by SQL gets its range"
end=$(q "select max(to_inst_id) from partitions where to_inst_id < 900")
q "select ensure_partition($end)" >/dev/null
is "$(q "select from_inst_id = $end, to_inst_id % 10 from partitions where from_inst_id = $end")" "t|1" \
    "a range begins where its predecessor of another size ends"
psql -Xq -c "set role profdepot_loader" -c "delete from profdepot.partitions" >"$tmp/out" 2>&1
like "$(cat "$tmp/out")" "permission denied" "the loader role cannot change the ranges"

# --- an empty depot, and a conversion that is killed --------------------------------------------

pg_temp_database empty
depot_make
run db partition
is "$status" 0 "an empty depot is partitioned"
is "$(ranges)" "-100" "the first range has 100 result sets"
run load -q "$tmp/in1"
is "$status" 0 "a result set is loaded"
is "$(ranges)" "-100 101-200" "the load creates the next range"

pg_temp_database killed
depot_make
for i in 1 2 3; do
    "$PROFDEPOT" load -q "$tmp/in$i" >/dev/null || bail_out "load"
done
"$PROFDEPOT" report leaks all --output csv >"$tmp/before"
# The conversion waits for a lock on a view, after it has changed the tables.
psql -Xq -c "begin; comment on view profdepot.stack_frames is 'held'; select pg_sleep(30)" >/dev/null 2>&1 &
holder=$!
until [ "$(q "select count(*) from pg_locks where relation = 'stack_frames'::regclass")" -gt 0 ]; do sleep 0.02; done
"$PROFDEPOT" db partition --size 2 --progress >/dev/null 2>"$tmp/meter" &
pid=$!
until [ "$(q "select count(*) from pg_locks where not granted")" -gt 0 ]; do sleep 0.02; done
wait_until 120 grep -q '^views' "$tmp/meter"
like "$(head -n 1 "$tmp/meter")" '^views: 100 % of [0-9]+ MB' "--progress shows what the conversion is working on"
kill -9 $pid
wait $pid 2>/dev/null
q "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()" >/dev/null
wait $holder
until [ "$(q "select count(*) from pg_stat_activity where datname = current_database()")" = 1 ]; do sleep 0.02; done
is "$(q "select count(*), (select count(*) from partitions), (select count(*) from settings where name = 'partition_size')
    from pg_class where relkind = 'p'")" '0|0|0' "if the conversion is killed, the depot is unchanged"
is "$("$PROFDEPOT" report leaks all --output csv)" "$(cat "$tmp/before")" "the answers are unchanged"
run db partition --size 2
is "$status" 0 "the conversion can be repeated"
is "$("$PROFDEPOT" report leaks all --output csv)" "$(cat "$tmp/before")" "the answers are unchanged"

# --- a dump -------------------------------------------------------------------------------------

run load -q "$tmp/in4"
is "$status" 0 "a result set is loaded"
"$pg_temp_bin/pg_dump" --format custom --schema profdepot --file "$tmp/dump" || bail_out "pg_dump"
ranges >"$tmp/ranges"
pg_temp_database restored
"$pg_temp_bin/pg_restore" --exit-on-error --dbname restored "$tmp/dump" >"$tmp/out" 2>&1
is "$(cat "$tmp/out")" "" "a dump of a partitioned depot is restored"
run db migrate
is "$status" 0 "the rights of the roles are granted"
run verify --deep
is "$status" 0 "the restored depot is complete"
is "$(ranges)" "$(cat "$tmp/ranges")" "the ranges are restored"
for i in 5 6; do
    run load -q "$tmp/in$i"
    is "$status" 0 "the restored depot accepts loads"
done

done_testing
