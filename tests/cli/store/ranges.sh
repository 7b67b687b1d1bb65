#!/usr/bin/env bash
# Tests the removal of result sets from a partitioned depot: ranges are dropped, and readers and loads notice nothing.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

PROFDEPOT_TEST_PARTITIONS=3
pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
export_make "$tmp/in"

# load N: loads N new result sets.
load() {
    local i
    for ((i = 0; i < $1; i++)); do
        sed -i "s/^\\(first\\|run [0-9]*\\),/run $((++loaded)),/" "$tmp/in/INSTANCES.csv"
        "$PROFDEPOT" load -q --application Orders "$tmp/in" >/dev/null || bail_out "load"
    done
}
loaded=0
ranges() {
    q "select string_agg(from_inst_id || case when removed then ' removed' else '' end, ', ' order by from_inst_id)
        from partitions where from_inst_id > 0 and to_inst_id <= (select last_value + 1 from instances_inst_id_seq)"
}
# facts FIRST LAST: prints, for these result sets, the number of objects, of non-empty tables, and of all tables.
facts() {
    q "select (select count(*) from resource_profiler_objects where inst_id between $1 and $2),
        count(*) filter (where pg_relation_size(oid) > 0), count(*) from pg_class
        where relnamespace = 'profdepot'::regnamespace and relkind = 'r' and relname ~ '_p$1\$'"
}
# hold SQL: runs SQL in a transaction that stays open until release. Its output goes to $tmp/held.
hold() {
    mkfifo "$tmp/fifo"
    psql -XqAt -v ON_ERROR_STOP=1 <"$tmp/fifo" >"$tmp/held" 2>&1 &
    holder=$!
    exec 9>"$tmp/fifo"
    rm "$tmp/fifo"
    printf '%s;\n' "set search_path = profdepot" "$@" "\\echo held" >&9
    until grep -q held "$tmp/held"; do sleep 0.01; done
}
release() {
    printf '%s;\n' "$@" >&9
    exec 9>&-
    wait $holder
}

# --- whole ranges -------------------------------------------------------------------------------

load 10
is "$(ranges)" "4, 7" "the complete ranges after the first"
run rm 4 5
is "$status $(ranges)" "0 4, 7" "a range with a remaining result set stays"
is "$(facts 4 6)" "2|11|17" "the facts of removed result sets are deleted"
run rm 6
is "$status $out" '0 removed result set 6 "run 6", 21 rows' "the last result set of a range is removed"
is "$(ranges) $(facts 4 6)" "7 0|0|0" "the range is dropped"
is "$(q "select count(*) from published_runs"), $(q "select count(distinct inst_id) from sighting_blocks")" "10, 10" "the history stays"
run history --output csv
is "$status" 0 "history answers"
run rm --keep 1
is "$status" 0 "all result sets but one are removed"
is "$(q "select string_agg(inst_id::text, ' ') from instances")" "10" "the newest result set stays"
is "$(ranges), $(q "select count(*) from partitions where from_inst_id < 0")" ", 0" "all complete ranges are dropped, the first one, too"
run verify --deep
is "$status" 0 "the depot is complete"
run rm --all
is "$status" 0 "rm --all succeeds"
isnt "$(q "select count(*) from partitions")" 0 "incomplete ranges stay"

# --- readers ------------------------------------------------------------------------------------

load 5 # 11 to 15
run rm 11 12
hold "begin isolation level repeatable read" "select count(*) from instances"
run rm 13 14 15
is "$status" 0 "rm succeeds while a reader has an earlier snapshot"
is "$(ranges) $(facts 13 15)" "13 removed 0|11|17" "the facts are deleted, and the range is dropped later"
release "select 'seen', count(*) from resource_profiler_objects where inst_id between 13 and 15"
like "$(cat "$tmp/held")" "seen.6" "the reader still finds the facts in its snapshot"
run verify
is "$status" 0 "no rows are left over"

# --- loads --------------------------------------------------------------------------------------

load 3 # 16 to 18
hold "begin" "insert into stacks (inst_id, stack_id, routine_ids) values (20, 1, '{}')"
run rm 16 17 18
is "$status" 0 "rm succeeds while a load is writing"
is "$(ranges) $(facts 16 18)" "13 removed, 16 removed 0|0|17" "the range is emptied, and dropped later"
release rollback
load 3 # 19 to 21
hold "begin" "select draw_inst_id()"
run rm 19 20 21
is "$status $(facts 19 21)" "0 0|0|17" "the range is not dropped while a load has drawn a number"
release "insert into instances (inst_id, caption) values (22, 'drawn')" commit
load 2 # 23 and 24
run rm 22 23 24
is "$status $(ranges)" "0 " "the next removal drops all removed ranges"

# A load has drawn its number and is still running when all other result sets of the range are removed.
load 2 # 25 and 26
hold "begin" "select draw_inst_id()" "insert into instances (inst_id, caption) values (27, 'late')" \
    "insert into resource_profiler_objects (inst_id, id) values (27, 1)"
run rm 25 26
is "$status" 0 "rm succeeds while a load writes into the same range"
release commit
is "$(facts 25 27 | cut -d '|' -f 1)" 1 "the load's rows are stored"
load 3 # 28 to 30
run rm 28 29 30
is "$status $(ranges) $(facts 25 27 | cut -d '|' -f 1)" "0 25 1" "a range with a result set is not dropped"

# --- a client that dies between the removal and the drop ---------------------------------------

load 3 # 31 to 33
q "begin; select partition_remove('{31,32,33}'); delete from instances where inst_id between 31 and 33; commit" >/dev/null
for relation in result_set_counts result_set_checksums metrics relations resource_profiler_threads result_set_labels; do
    q "delete from $relation where inst_id between 31 and 33"
done
is "$(ranges) $(facts 31 33)" "25, 31 removed 6|11|17" "the facts are still there"
run verify
is "$status" 0 "verify does not report rows of removed ranges"
load 3 # 34 to 36
run rm 34 35 36
is "$status $(ranges) $(facts 31 33)" "0 25 0|0|0" "the next removal drops the range"

# --- simultaneous loads, reports and removals ---------------------------------------------------

for worker in 1 2 3; do
    cp -r "$tmp/in" "$tmp/in$worker"
    (
        for i in 1 2 3 4 5 6; do
            sed -i "2s/^[^,]*,/worker $worker $i,/" "$tmp/in$worker/INSTANCES.csv"
            "$PROFDEPOT" load -q "$tmp/in$worker" >/dev/null || echo "load $worker $i failed"
            "$PROFDEPOT" report leaks latest --output csv >/dev/null || echo "report $worker $i failed"
            "$PROFDEPOT" rm --keep 4 >/dev/null || echo "rm $worker $i failed"
        done
    ) >"$tmp/worker$worker" 2>&1 &
done
wait
is "$(cat "$tmp"/worker? | grep -v "no result set\|already removed")" "" "simultaneous commands succeed"
run rm --keep 4
run verify --deep
is "$(q "select count(*) from instances")" 4 "4 result sets are left"
is "$(q "select count(*) from resource_profiler_objects o where not exists (select from instances i where i.inst_id = o.inst_id)")" 0 \
    "no facts of removed result sets are left"

done_testing
