#!/usr/bin/env bash
# Tests db distribute and db rebalance. Without PROFDEPOT_TEST_CITUS (see tests/lib/pg-citus.sh), the parts that need
# Citus are not tested.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

program=$PROFDEPOT
pg_temp_start
PROFDEPOT=$program # the program itself, not the script of pg-citus.sh that distributes each new depot
tmp=$(mktemp -d)
trap 'serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT

run db distribute --dry-run
is "$status" 4 "without a depot, db distribute fails"
like "$errors" 'the depot is absent' "the message says that there is no depot"
like "$errors" 'hint: run: profdepot db migrate' "the hint names the command that creates it"
"$PROFDEPOT" db init >/dev/null 2>&1 || bail_out "the depot cannot be created"

# --- the steps ---
run db distribute --dry-run
is "$status" 0 "--dry-run succeeds"
printf '%s\n' "$out" >"$tmp/steps"
for table in $(q "select relname from pg_class where relnamespace = 'profdepot'::regnamespace and relkind = 'r'"); do
    grep -Ec "(distribute|copy|keep) $table( |\$)" "$tmp/steps" | sed "s/^/$table /"
done | grep -v ' 1$' >"$tmp/odd"
is "$(cat "$tmp/odd")" "" "each table of the depot has one step"
like "$out" 'distribute instances over 32 shards' "there are 32 shards by default"
like "$out" 'nothing was changed' "--dry-run says that nothing was changed"
like "$("$PROFDEPOT" db distribute --dry-run --shards 7)" 'instances over 7 shards' "--shards gives the number of shards"
run db distribute --shards 0
is "$status" 2 "--shards 0 is a usage error"

if [ -z "${PROFDEPOT_TEST_CITUS-}" ]; then
    like "$out$(cat "$tmp/steps")" 'create the extension citus' "the first step creates the extension"
    run db distribute
    is "$status" 4 "on a server without Citus, db distribute fails"
    is "$out" "" "it prints no step that it cannot take"
    like "$errors" 'the server has no Citus' "the message names the reason"
    like "$errors" 'hint: install Citus on every server' "the hint says what to install"
    is "$(q "select count(*) from pg_extension where extname = 'citus'")" 0 "the failed command changes nothing"
    run db rebalance
    is "$status" 4 "db rebalance fails if the depot is not distributed"
    like "$errors" 'hint: run: profdepot db distribute' "the hint of db rebalance names db distribute"
    run db distribute --dry-run --workers "postgresql://postgres@localhost:1/$PGDATABASE"
    is "$status" 2 "the coordinator must have an address that the other servers can reach"
    like "$errors" 'cannot reach the coordinator at a UNIX socket' "the message says that the socket is unsuitable"
    is "$out" "" "no step is printed, because none can be taken"
    is "$("$PROFDEPOT" db status --output json | grep -c '"servers": \[\]')" 1 "db status lists no servers"
    done_testing
    exit
fi

# --- on a cluster ---
workers=()
for uri in "${pg_citus_uris[@]:1}"; do
    workers+=("$(pg_citus_uri "$uri" "$PGDATABASE")")
done

# on_workers SQL: prints the distinct answers of the workers, which is one line if all workers give the same answer.
on_workers() {
    local uri
    for uri in "${workers[@]}"; do
        pg_citus_sql "$uri" "$1"
    done | sort -u
}

# The workers have another time zone than the sessions of the program, and their search_path has tables without rows.
for uri in "${workers[@]}"; do
    psql -Xq -v ON_ERROR_STOP=1 -d "$uri" -c 'create schema decoy' -c 'create table decoy.instances (inst_id bigint)' \
        -c 'create table decoy.stacks (inst_id bigint, stack_id integer)' -c 'grant usage on schema decoy to public' \
        -c "alter database \"$PGDATABASE\" set timezone = 'America/New_York'" \
        -c "alter database \"$PGDATABASE\" set search_path = decoy" || bail_out "a worker cannot be prepared"
done

comments="select count(*) from pg_description d join pg_class c on c.oid = d.objoid
    where c.relnamespace = 'profdepot'::regnamespace and c.relkind in ('r', 'v')"
before=$(q "$comments")
for file in "$srcdir"/examples/orders-before "$srcdir"/examples/orders-host.kernelscope.ndjson \
    "$srcdir"/examples/orders-page.trace.json "$srcdir"/examples/orders-start.speedscope.json; do
    "$PROFDEPOT" load "$file" >/dev/null 2>"$tmp/load" || bail_out "$(cat "$tmp/load")"
done
sets=$(q "select string_agg(inst_id::text, ' ' order by inst_id) from instances")

# answers FILE: writes the depot's reports on its result sets to FILE.
answers() {
    local set
    {
        "$PROFDEPOT" list --output json --limit 0
        for set in $sets; do
            "$PROFDEPOT" show "$set"
            "$PROFDEPOT" report summary "$set"
            "$PROFDEPOT" flame "$set" --output folded
        done
        "$PROFDEPOT" report leaks 1
        PGTZ=Asia/Tokyo "$PROFDEPOT" show 1
        PGTZ=Asia/Tokyo "$PROFDEPOT" list --output json --limit 0
        PGTZ=Asia/Tokyo "$PROFDEPOT" stream list --output json
        "$PROFDEPOT" history --output json
    } >"$1" 2>&1
}

answers "$tmp/plain"
# Another session keeps the rows of stacks, so that the command stops there and can be killed.
psql -Xq -c begin -c "lock table profdepot.stacks in row exclusive mode" -c "select pg_sleep(600)" >/dev/null 2>&1 &
holder=$!
until [ "$(q "select count(*) from pg_locks where relation = 'profdepot.stacks'::regclass")" -gt 0 ]; do sleep 0.05; done
for after in 0.5 2 4; do
    timeout -s KILL $after "$PROFDEPOT" db distribute --shards 8 --workers "${workers[0]}" >/dev/null 2>&1
done
"$PROFDEPOT" db distribute --progress --shards 8 --workers "${workers[0]}" >"$tmp/first" 2>"$tmp/meter" &
pid=$!
wait_until 120 grep -q '^stacks ' "$tmp/meter"
like "$(grep '^stacks' "$tmp/meter")" 'stacks \(relation [0-9]+ of [0-9]+\): +0 % of' "the progress names the relation"
kill -9 $pid
wait $pid 2>/dev/null
run list
is "$status" 4 "commands reject a depot that is distributed in part"
like "$errors" 'the depot is distributed only in part' "the message names the reason"
like "$errors" 'hint: "profdepot db distribute" runs, or was interrupted' "the hint names the command"
run list --db "${workers[0]}"
like "$errors" 'the depot is distributed only in part' "on a worker, the message is the same"
run db migrate
is "$status" 4 "db migrate rejects the depot, too"
run db rebalance
like "$errors" 'hint: run: profdepot db distribute' "the hint of db rebalance names db distribute"
like "$("$PROFDEPOT" db status)" 'depot: *partly distributed' "db status shows the state"
q "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()" >/dev/null
wait $holder
run db distribute --shards 8 --workers "${workers[0]}"
is "$status" 0 "after several kills, the command finishes its work"
is "$(grep -cE '^distribute (instances|resource_profiler_objects) ' <<<"$out")" 0 "it does not repeat finished relations"
is "$(grep -cE '^distribute stacks( \([0-9.]+ MB\))?$' <<<"$out")" 1 "it continues with the first unfinished relation"
answers "$tmp/distributed"
same_file "$tmp/distributed" "$tmp/plain" "the distributed depot gives the same answers"
is "$("$PROFDEPOT" verify --deep 2>&1 | tail -n 1)" "$(wc -w <<<"$sets") result sets verified, 0 differ, 0 open" \
    "verify finds every row"
is "$(q "select count(*) from pg_dist_partition p where p.partmethod = 'h' and pg_relation_size(p.logicalrelid) > 0")" 0 \
    "no local copy is left on the coordinator"
is "$(q "select count(distinct colocationid) from pg_dist_partition where partmethod = 'h'")" 1 \
    "all tables of a result set are colocated"
is "$(q "$comments")" "$before" "no comment is lost"
reads=()
for view in $(q "select relname from pg_class where relnamespace = 'profdepot'::regnamespace and relkind = 'v' order by 1"); do
    reads+=(-c "select 1 from (select * from profdepot.$view where inst_id = any ('{1,2}') offset 0) v limit 0")
    reads+=(-c "select 1 from (select * from profdepot.$view offset 0) v limit 0")
done
if [ "$(q "show server_version_num")" -ge 170000 ]; then
    ok "queries of several result sets may read every view" psql -Xq -v ON_ERROR_STOP=1 "${reads[@]}"
fi
run db distribute --dry-run
is "$(grep -cE '^(distribute|copy|keep|free) ' <<<"$out")" 0 "nothing is left to do"
is "$(q "select count(*) from pg_dist_node")" 2 "the cluster has two servers"

ok "a further server can be added" "$PROFDEPOT" db distribute "${workers[@]/#/--workers=}"
(
    for ((i = 0; i < 6; i++)); do
        "$PROFDEPOT" load --again "$srcdir/examples/orders-start.speedscope.json" >>"$tmp/loads" 2>&1 ||
            echo failed >>"$tmp/failures"
    done
) &
# A prepared transaction in another database of the server delays the moves.
other=${pg_citus_uris[1]}
held=profdepot_held_$$
psql -Xq -d "$other" -c begin -c 'select pg_current_xact_id()' -c "prepare transaction '$held'" >/dev/null ||
    bail_out "a transaction cannot be prepared"
"$PROFDEPOT" db rebalance >"$tmp/moves" 2>&1 &
mover=$!
wait_until 60 grep -q "^waiting for the transaction $held" "$tmp/moves"
like "$(cat "$tmp/moves")" "$held, which was prepared [0-9]+ s ago \\(.*database [^ ]+\\); .*ROLLBACK PREPARED" \
    "db rebalance reports the transaction that it waits for"
pg_citus_sql "$other" "rollback prepared '$held'"
wait "$mover"
is "$?" 0 "db rebalance moves shards after this transaction has ended"
wait
ok "loads continue while shards move" test ! -e "$tmp/failures"
is "$("$PROFDEPOT" verify --deep 2>&1 | tail -n 1)" "$(($(wc -w <<<"$sets") + 6)) result sets verified, 0 differ, 0 open" \
    "no row is lost while shards move"
"$PROFDEPOT" db status --output json >"$tmp/status"
is "$(q "select count(*) from json_array_elements(\$json\$$(cat "$tmp/status")\$json\$::json -> 'servers') s
    where (s ->> 'shards')::int > 0")" "${#workers[@]}" "db status lists the shards of each worker"
like "$("$PROFDEPOT" db status)" 'imbalance: *the largest server has [0-9.]+ times the average' \
    "db status shows the imbalance"

# --- the other servers ---
own="p.pronamespace = 'profdepot'::regnamespace and p.prorettype <> 'trigger'::regtype"
is "$(on_workers "select count(*) from pg_proc p where $own")" "$(q "select count(*) from pg_proc p where $own")" \
    "every worker has the functions"
views="from pg_class where relnamespace = 'profdepot'::regnamespace and relkind = 'v'"
is "$(on_workers "select count(*) $views and has_table_privilege('profdepot_reader', oid, 'select')")" \
    "$(q "select count(*) $views")" "on every worker, the reader role may read the views"
is "$(on_workers "select count(*) from pg_roles where rolname ~ '^profdepot_(loader|reader)\$' and rolcanlogin")" 2 \
    "on every worker, the roles exist and may log in"
is "$(on_workers "show default_toast_compression")" lz4 "every worker compresses long values with lz4"
is "$(on_workers "show jit")" off "no worker compiles queries"
is "$(q "select count(*) from run_command_on_shards('profdepot.stacks', \$\$select attoptions::text from pg_attribute
    where attrelid = '%s'::regclass and attname = 'inst_id'\$\$) where result !~ 'n_distinct=-0.001'")" 0 \
    "every shard has the planner's options"
PROFDEPOT_DB=${workers[0]} "$PROFDEPOT" report leaks 1 >"$tmp/worker" 2>&1
"$PROFDEPOT" report leaks 1 >"$tmp/coordinator" 2>&1
same_file "$tmp/worker" "$tmp/coordinator" "a report on a connection to a worker is the same"

# --- time zones, settings and rights ---
is "$(on_workers "show timezone") $(on_workers "show search_path")" "America/New_York decoy" \
    "the workers keep their own time zone and search_path"
settings="select md5(string_agg(concat_ws(' ', p.proname, pg_get_function_identity_arguments(p.oid), p.proconfig::text), ','
    order by p.proname collate \"C\", pg_get_function_identity_arguments(p.oid) collate \"C\")) from pg_proc p where $own"
is "$(on_workers "$settings")" "$(q "$settings")" "on every worker, the functions have the same search_path and settings"
for uri in "$PROFDEPOT_DB" "${workers[@]}"; do
    is "$({
        cat "$srcdir/src/db/sql/session_depot.sql"
        echo "\\g /dev/null"
        echo "begin; set local work_mem = '61MB'; set local jit = on;"
        echo "select distinct current_setting(left(i.format, 0) || 'work_mem') from profdepot.instances i;"
    } | psql -XqAt -d "$uri")" 61MB "SET LOCAL reaches every server that reads rows (${uri##*@})"
done

loaded_at=$(q "select loaded_at from profdepot.instances where inst_id = 1")
q "update profdepot.instances set loaded_at = '2020-01-31 12:00+00' where inst_id = 1" >/dev/null
for uri in "$PROFDEPOT_DB" "${workers[0]}"; do
    PGTZ=Pacific/Kiritimati serve_begin --db "$uri"
    is "$(curl -s "$base/v1/facets?output=csv" | tr -d '\r' | grep '^month,2020')" "month,2020-02,1" \
        "facets count the months of the session's time zone (${uri##*@})"
    serve_end
done
q "update profdepot.instances set loaded_at = '$loaded_at' where inst_id = 1" >/dev/null

# rights ROLE: a query for the rights of a role. On the workers, views are only read.
rights() {
    printf '%s\n' "select md5(string_agg(x.item, ',' order by x.item collate \"C\")) from (
        select c.relname || ' ' || p from pg_class c cross join unnest(array['select', 'insert', 'update', 'delete']) p
        where c.relnamespace = 'profdepot'::regnamespace and (c.relkind = 'r' or c.relkind = 'v' and p = 'select')
            and has_table_privilege('$1', c.oid, p)
        union all
        select concat_ws(' ', p.proname, pg_get_function_identity_arguments(p.oid)) from pg_proc p where $own and has_function_privilege('$1', p.oid, 'execute')) x (item)"
}
for role in profdepot_loader profdepot_reader; do
    is "$(on_workers "$(rights $role)")" "$(q "$(rights $role)")" "$role has the same rights on every worker"
done
loaded=$(q "select count(*) from profdepot.instances")
for uri in "$PROFDEPOT_DB" "${workers[@]}"; do
    login=postgresql://profdepot_loader@${uri##*@}
    run load --db "$login" --again "$srcdir/examples/orders-start.speedscope.json"
    is "$status" 0 "profdepot_loader can load (${uri##*@})"
    [ "$status" = 0 ] || diag "$errors"
done
is "$(q "select count(*) - $loaded from profdepot.instances")" $((${#workers[@]} + 1)) "every load is stored"
last=$(q "select max(inst_id) from profdepot.instances")
run rm --db "$login" "$last"
is "$status" 0 "profdepot_loader can remove a result set"
run rm --db "postgresql://profdepot_reader@${login##*@}" 1
unlike "$status" '^0$' "profdepot_reader cannot remove a result set"
is "$("$PROFDEPOT" verify --deep 2>&1 | tail -n 1 | sed 's/.*verified, //')" "0 differ, 0 open" "verify finds every row"
done_testing
