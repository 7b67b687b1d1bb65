#!/usr/bin/env bash
# Kills the loader or its server process with kill -9 at random moments: a load must be stored completely or not
# at all, and the next load must succeed. Of two simultaneous loads of the same content, exactly one must store it.
#
#	KILL_ROUNDS=20	the number of kills
#	KILL_SEED=N	the seed that an earlier run printed; it selects the same moments again
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

rounds=${KILL_ROUNDS:-20}
seed=${KILL_SEED:-$((${EPOCHREALTIME#*.} % 32768))}
generate=$builddir/examples/generate-example

pg_temp_start
tmp=$(mktemp -d "${TMPDIR:-/tmp}/profdepot-test.XXXXXX") || bail_out "the temporary folder cannot be created"
trap 'status=$?; rm -rf "$tmp"; (exit $status); pg_temp_stop' EXIT
depot_make
diag "KILL_SEED=$seed KILL_ROUNDS=$rounds"
RANDOM=$seed

q() {
    psql -XqAt -v ON_ERROR_STOP=1 -c "$1"
}

# each_relation FORMAT SEPARATOR: prints FORMAT for every relation with a column inst_id; %1$ is its name.
each_relation() {
    q "SELECT string_agg(format('$1', c.relname), '$2' ORDER BY c.relname) FROM pg_class c
        WHERE c.relnamespace = 'profdepot'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'inst_id')"
}
count_rows=$(each_relation 'SELECT %1$L AS relation, count(*) FROM profdepot.%1$I' ' UNION ALL ')
# A load is complete even if the ledger does not contain it yet, so the ledger's relations are not counted.
count_rows="SELECT * FROM ($count_rows) r WHERE relation NOT IN ('ledger', 'published_runs', 'unpublished_runs')"
# Citus does not join tables of the coordinator and other tables, so awk compares their numbers.
select_ids=$(each_relation 'SELECT DISTINCT %1$L AS relation, inst_id FROM profdepot.%1$I' ' UNION ALL ')
remove_new=$(each_relation 'DELETE FROM profdepot.%1$I WHERE inst_id > :base' '; ')

# Prints the row count of each relation, and the names of relations with rows that belong to no result set.
depot_state() {
    q "$count_rows ORDER BY 1" | tr '\n' ' '
    q "SELECT * FROM ($select_ids) r ORDER BY relation <> 'instances', relation" |
        awk -F '|' '$1 == "instances" { known[$2] } !($2 in known) && !seen[$1]++ { print "stray rows in " $1 }'
}

# Removes all result sets except the first.
forget_new() {
    q "${remove_new//:base/$base}"
}

# Waits until the server process of a killed loader has ended, because it can still change the depot.
settle() {
    local tries=600
    while [ $tries -gt 0 ]; do
        case $(psql -XqAt -c "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'profdepot%'" 2>/dev/null) in
        0) return ;;
        esac
        sleep 0.05
        tries=$((tries - 1))
    done
    bail_out "the server does not restart, or a load does not end"
}

microseconds() {
    echo "${EPOCHREALTIME/[.,]/}"
}

# Sets $moment to a random time during a load, in microseconds. One in four of these times is close to the commit.
choose_moment() {
    local share=$((RANDOM * 950 / 32768))
    [ $((RANDOM % 4)) -ne 0 ] || share=$((500 + RANDOM * 400 / 32768))
    moment=$((duration * share / 1000))
}

sleep_until() {
    local left=$(($1 - $(microseconds)))
    [ $left -le 0 ] || sleep "$((left / 1000000)).$(printf %06d $((left % 1000000)))"
}

# kill_round WHOM: starts a load and kills WHOM. Sets $outcome to "unchanged", to "complete" or to an error message.
kill_round() {
    local start loader victim='' status=0 state
    choose_moment
    start=$(microseconds)
    "$PROFDEPOT" load --quiet "$tmp/input" >"$tmp/out" 2>&1 &
    loader=$!
    if [ "$1" = server ]; then
        victim=$(q "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'profdepot%' LIMIT 1")
        sleep_until $((start + moment))
        # The process ID must still belong to a server process.
        [ -z "$victim" ] || ! grep -qs postgres "/proc/$victim/cmdline" || kill -9 "$victim" 2>/dev/null
    else
        sleep_until $((start + moment))
        kill -9 "$loader" 2>/dev/null
    fi
    wait "$loader" 2>/dev/null || status=$?
    settle
    state=$(depot_state)
    if [ "$state" = "$before" ]; then
        outcome=unchanged
        [ $status -ne 0 ] || outcome="unchanged, although the loader reports success"
    elif [ "$state" = "$after" ]; then
        outcome=complete
        # The load ended before the kill, so the machine may be faster now than during the
        # measurement. The next kills come earlier, until the duration is measured again.
        duration=$moment
        forget_new
    else
        outcome="partial: $state"
        forget_new
    fi
    if [ "$1" = server ] && [ $status -ne 0 ] && { [ $status -gt 5 ] || ! grep -q '^profdepot: ' "$tmp/out"; }; then
        outcome="the loader reports no error, status $status: $(cat "$tmp/out")"
    fi
}

# Loads without a kill and measures the duration. The moments of the next kills depend on this duration.
load_fully() {
    local start
    start=$(microseconds)
    "$PROFDEPOT" load --quiet "$tmp/input" >"$tmp/out" 2>&1 || return 1
    duration=$(($(microseconds) - start))
    [ "$(depot_state)" = "$after" ]
}

"$generate" --out "$tmp/first" --objects 500 --seed 1 || bail_out "the export cannot be generated"
"$generate" --out "$tmp/input" --objects 40000 --stacks 5000 --depth 8-20 --routines 800 --errors 200 --seed 2
ok "a first result set is loaded" "$PROFDEPOT" load --quiet "$tmp/first"
base=$(q "SELECT max(inst_id) FROM profdepot.instances")
before=$(depot_state)
start=$(microseconds)
ok "an undisturbed load succeeds" "$PROFDEPOT" load --quiet "$tmp/input"
duration=$(($(microseconds) - start))
after=$(depot_state)
isnt "$after" "$before" "a load adds rows"
unlike "$after" 'stray' "a load leaves no row without a result set"
forget_new
is "$(depot_state)" "$before" "the new result set can be removed"
q "INSERT INTO profdepot.result_set_labels (inst_id, key, value) VALUES ($base + 1000, 'k', 'v')"
like "$(depot_state)" 'stray rows in result_set_labels' "the check detects a row without a result set"
forget_new
diag "a load takes $((duration / 1000)) ms"

kills=0
for ((round = 1; round <= rounds; round++)); do
    whom=loader
    [ $((RANDOM % 3)) -ne 0 ] || whom=server
    kill_round $whom
    [ "$outcome" = complete ] || kills=$((kills + 1))
    like "$outcome" '^(unchanged|complete)$' "kill $round: $whom killed after $((moment / 1000)) ms: $outcome"
    if [ $((round % 10)) -eq 0 ]; then
        ok "the next load succeeds" load_fully
        forget_new
        q VACUUM
    fi
done
ok "$kills of $rounds kills interrupted a load" test $((kills * 4)) -ge "$rounds"

# --- the same content in two simultaneous loads -----------------------------------------------------------------

# states FILE...: prints the states of the loads, sorted.
states() {
    grep -ho '"state":"[a-z]*"' "$@" | sort | tr '\n' ' '
}

for ((round = 1; round <= 3; round++)); do
    "$PROFDEPOT" load --output json "$tmp/input" >"$tmp/a" 2>"$tmp/a.errors" &
    a=$!
    "$PROFDEPOT" load --output json "$tmp/input" >"$tmp/b" 2>"$tmp/b.errors" &
    b=$!
    status=0
    wait $a || status=$?
    wait $b || status=$?
    is "$status" 0 "two simultaneous loads of the same content both succeed"
    is "$(states "$tmp/a" "$tmp/b")" '"state":"known" "state":"loaded" ' "one of the two loads stores the content, and the other reports it as known"
    is "$(depot_state)" "$after" "the content is stored once"
    forget_new
done
ok "load --jobs 2 accepts the same input twice" "$PROFDEPOT" load --jobs 2 --output json "$tmp/input" "$tmp/input"
is "$(depot_state)" "$after" "the content is stored once"
done_testing
