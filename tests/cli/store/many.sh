#!/usr/bin/env bash
# Tests commands in a depot with many result sets. A command must not read a large relation from end to end, because
# the cost of the command would then grow with the depot. This must hold whatever statistics PostgreSQL has. In this
# test, a relation of 10,000 or 20,000 facts counts as small. A command may read all of it, because the planner expects
# 1,000 rows per result set (schema/495_statistics.sql).
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

PG_TEMP_OPTIONS="-c autovacuum=off"
pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
sets=10000
middle=5000

for i in 1 2; do
    export_make "$tmp/in$i"
    export_edit "$tmp/in$i" INSTANCES "s/first/run $i/"
done
run load -q --application Orders --host build --label branch=main "$tmp/in1"
is "$status" 0 "a result set is loaded"

# PostgreSQL adds the reads of a session to its counters only when the session ends.
wait_for_counters() {
    until [ "$(q "select count(*) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()")" = 0 ]; do
        sleep 0.02
    done
}

# bounded NAME COMMAND...: checks that the command succeeds, and that it reads no large relation from end to end.
bounded() {
    local name="$1, $statistics"
    shift
    wait_for_counters
    q "select pg_stat_reset()" >/dev/null
    run "$@"
    wait_for_counters
    is "$status" 0 "$name: the command succeeds"
    is "$(q "select string_agg(s.relname, ' ' order by s.relname) from pg_stat_user_tables s
        where s.schemaname = 'profdepot' and pg_relation_size(s.relid) > 20 * 8192
            and s.seq_tup_read > s.seq_scan * case when s.relname in ('instances', 'runs', 'result_set_labels', 'published_runs')
                then $middle else 3 * $sets end")" "" "$name: no large relation is read from end to end"
}

# A service counts its reads when it ends.
facets() {
    serve_begin
    curl -sf "$base/v1/facets?output=csv" >"$tmp/facets" || diag "no facets: $(cat "$serve_log")"
    serve_end
}

# few NAME MOST COMMAND...: checks that the command reads at most this number of blocks of the depot's relations.
few() {
    local name="$1, $statistics" most=$2 blocks
    shift 2
    wait_for_counters
    q "select pg_stat_reset()" >/dev/null
    "$@"
    wait_for_counters
    blocks=$(q "select coalesce(sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)), 0)
        from pg_statio_user_tables where schemaname = 'profdepot'")
    if [ "$blocks" -gt 0 ] && [ "$blocks" -le "$most" ]; then
        pass "$name: at most $most blocks are read"
    else
        fail "$name: at most $most blocks are read"
        diag "$blocks blocks"
    fi
}

commands() {
    local filter
    # In a depot of 200 result sets, these lists read 20 to 200 blocks.
    for filter in "--host nosuch" "--tool nosuch" "--app-version nosuch" "--format nosuch"; do
        # shellcheck disable=SC2086 # words
        few "list with $filter" 100 run list -n 5 $filter
    done
    few "list of a host with many result sets" 500 run list -n 5 --host build
    # A search reads each result set, but it looks up labels only if a word occurs in a label.
    few "list with a search" 1500 run list -n 5 --search nosuch
    # 2,500 result sets have the label. The command looks up these, not the labels of all result sets.
    few "rm by number and label" 10000 run rm --keep 2500 --label quarter=yes --dry-run
    is "$status $out" "0 nothing to remove" "nothing is older than the result sets to keep"
    few "trend of an unknown metric" 6000 run trend nosuch --last 5
    few "counts per property" 3000 facets
    like "$(cat "$tmp/facets")" "total,,$sets" "the counts include all result sets"
    bounded "list" list -n 5
    bounded "list by label" list -n 5 --label branch=main
    bounded "list by a rare label" list -n 5 --label rare=yes
    bounded "list by an unknown label" list -n 5 --label rare=no
    bounded "list by application" list -n 5 --application Orders
    bounded "list by an unknown application" list -n 5 --application None
    bounded "list by run" list -n 5 --run none
    bounded "stream list" stream list
    like "$out" "Orders .*branch=main +1,000 +1,000 " "stream list counts at most 1000 result sets and runs"
    bounded "streams of the first page" sql -XAtc "SELECT * FROM stream_newest(20, 20, 1000)"
    is "$(grep -c '1000$' <<<"$out")" 20 "the first page reads the newest 20 result sets of a stream"
    bounded "show" show $middle
    bounded "load of a new input" load -q "$tmp/in2"
    bounded "load of a known input" load -q "$tmp/in2"
    bounded "verify" verify $middle
    bounded "trend" trend live_count --last 5 --application Orders
    bounded "trend of a class" trend live_count --last 5 --application Orders --class '*'
    bounded "retention" retain run
    bounded "rm by age" rm --older-than 9000d --keep 5
    bounded "report" report leaks latest
    bounded "report by label" report leaks label:rare=yes
    bounded "diff" diff $middle $((middle + 1))
    bounded "rm" rm "$(q "select max(inst_id) from instances")"
}

# Rules that select nothing, because no result set is old enough.
run retain add --older-than 9000d
run retain add --older-than 9000d --keep 100 --label branch=main
run retain add --older-than 9000d --keep 100 --application Orders
q "analyze"
psql -XqAt -v ON_ERROR_STOP=1 -v first=2 -v sets=$sets -f "$srcdir/tests/lib/clone_sets.sql" >/dev/null || bail_out "clone"
q "insert into result_set_labels (inst_id, key, value) values (3, 'rare', 'yes');
    insert into result_set_labels (inst_id, key, value) select n, 'quarter', 'yes' from generate_series(4, $sets, 4) n"
is "$(q "select count(*) from instances")" $sets "the depot has $sets result sets"
statistics="statistics of 1 set"
commands
q "delete from pg_statistic where starelid in
    (select c.oid from pg_class c where c.relnamespace = 'profdepot'::regnamespace);
    update pg_class set reltuples = -1, relpages = 0 where relnamespace = 'profdepot'::regnamespace"
statistics="no statistics"
commands
q "analyze"
statistics="statistics of all sets"
commands

# --- a page at a time ---------------------------------------------------------------------------

run trend samples
is "$status" 2 "a metric that no result set has is reported"
like "$errors" "no result set has a metric samples" "the message names the metric"

run rm --keep 500 --dry-run
is "$(grep -c '^would remove result set' <<<"$out")" $((sets - 500)) "rm --dry-run lists everything that it would remove"
run rm --keep 500
is "$status" 0 "rm --keep succeeds"
is "$(grep -c '^removed result set' <<<"$out")" $((sets - 500)) "rm --keep removes the rest in parts"
is "$(q "select count(*), min(inst_id) from instances")" "500|$((sets - 499))" "rm --keep keeps the newest result sets"
run list --limit 0 --output csv
is "$(wc -l <<<"$out")" 501 "list --limit 0 shows all result sets"
run trend live_count --last 0 --output csv
is "$(wc -l <<<"$out")" 501 "trend --last 0 follows all result sets"
is "$(q "select count(distinct inst_id) from resource_profiler_objects")" 500 "no facts are left"
run verify --output json
is "$status" 0 "the result sets that rm keeps are complete"

done_testing
