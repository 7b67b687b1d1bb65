#!/usr/bin/env bash
# Tests that every report and every command that asks the depot has the same answers from any plan, and whatever
# statistics PostgreSQL has: those of 1, 200 or 10,000 other result sets, of all result sets, or no statistics. Shows the
# questions that read many more blocks than with other statistics. plans.sh has more questions about larger result sets.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

# The plan of each statement goes to the server's log.
PG_TEMP_OPTIONS="-c autovacuum=off -c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=-1"
PG_TEMP_OPTIONS+=" -c auto_explain.log_analyze=on -c auto_explain.log_timing=off -c auto_explain.log_buffers=on"
PG_TEMP_OPTIONS+=" -c auto_explain.log_nested_statements=on -c auto_explain.log_format=json"
pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
log=$pg_temp_dir/run/log
sets=10000
shapes() {
    python3 "$srcdir/tests/cli/report/shapes.py" "$@"
}

# One input of each kind. The first two are large enough for different plans.
for seed in 1 2; do
    "$builddir/examples/generate-example" --out "$tmp/large$seed" --objects 3000 --stacks 800 --depth 6-12 \
        --routines 300 --errors 200 --seed $seed || bail_out "no input"
done
golden=$srcdir/tests/golden
inputs=("$tmp/large1" "$tmp/large2" "$golden/inputs/valgrind.xml" "$golden/heap/raw.heaptrack" "$golden/heap/massif.out"
    "$golden/heap/dhat-heap.json" "$golden/inputs/callgrind.out" "$golden/chrome/timings.json"
    "$golden/miniprofiler/shop.ndjson" "$golden/miniprofiler/dotnet4.json" "$golden/inputs/sanitizer.txt"
    "$golden/inputs/kernelscope.json" "$golden/textlogs/crt.txt" "$golden/inputs/speedscope-sampled.speedscope.json"
    "$golden/inputs/collapsed.folded")
export BUDGETS=$tmp/budgets.json
echo '{"budgets": [{"of": "leaks", "max_count": 1}, {"of": "errors", "max_count": 1}]}' >"$BUDGETS"

# The result sets of the inputs have the same numbers in every depot.
load_inputs() {
    q "select setval('instances_inst_id_seq', $sets)" >/dev/null
    "$PROFDEPOT" load -q --application Shapes --app-version 7.7 --run shapes --label kind=shapes "${inputs[@]}" >"$tmp/out" 2>&1 ||
        bail_out "load: $(cat "$tmp/out")"
    q "update instances set load_seconds = 1"
}

clone() {
    psql -XqAt -v ON_ERROR_STOP=1 -v first="$1" -v sets="$2" -f "$srcdir/tests/lib/clone_sets.sql" >/dev/null || bail_out "clone"
}

# depot N: selects a new depot with $sets other result sets and the inputs. Its statistics are of N other result sets.
depot() {
    psql -Xq -d postgres -c "create database shapes_$1 template $template" || bail_out "no database"
    export PGDATABASE=shapes_$1 PROFDEPOT_DB="postgresql://$PGUSER@/shapes_$1?host=$PGHOST"
    [ "$1" -eq 1 ] || clone 2 "$1"
    q "analyze"
    [ "$1" -eq "$sets" ] || clone $(($1 + 1)) $sets
    load_inputs
}

# ask NAME: asks with the current statistics, and checks the answers and plans.
passes=()
ask() {
    psql -Xq -c "alter database $PGDATABASE set auto_explain.log_min_duration = 0"
    : >"$log"
    shapes ask "$PROFDEPOT" "$tmp/questions" "$tmp/pass${#passes[@]}" "$log" || bail_out "the questions were not asked"
    psql -Xq -c "alter database $PGDATABASE reset auto_explain.log_min_duration"
    is "$(shapes compare "$tmp/questions" "$tmp/first" "$tmp/pass${#passes[@]}")" "" "$1: the answers are the same"
    passes+=("$1")
}

export_make "$tmp/small"
"$PROFDEPOT" load -q --application Orders --label branch=main "$tmp/small" >/dev/null || bail_out "load"
run retain add --older-than 9000d --keep 5
template=$PGDATABASE

# --- the same answers from any plan, in a depot without other result sets -------------------------

psql -Xq -d postgres -c "create database shapes_0 template $template" || bail_out "no database"
export PGDATABASE=shapes_0 PROFDEPOT_DB="postgresql://$PGUSER@/shapes_0?host=$PGHOST"
load_inputs
q "analyze"
ids=$(q "select string_agg(inst_id::text, ' ' order by inst_id) from instances where inst_id > $sets")
# shellcheck disable=SC2086 # words
missing=$(shapes choose "$PROFDEPOT" "$tmp/questions" "$tmp/first" $ids)
is "$missing" "" "every report has rows for one of the inputs, and every command answers"
for settings in "enable_hashagg=off enable_hashjoin=off enable_material=off work_mem=64kB" \
    "enable_nestloop=off enable_indexscan=off enable_indexonlyscan=off" \
    "enable_sort=off enable_mergejoin=off enable_seqscan=off enable_memoize=off enable_incremental_sort=off"; do
    # shellcheck disable=SC2086 # words
    PGOPTIONS=$(printf -- '-c %s ' $settings)
    export PGOPTIONS
    shapes ask "$PROFDEPOT" "$tmp/questions" "$tmp/other"
    unset PGOPTIONS
    is "$(shapes compare "$tmp/questions" "$tmp/first" "$tmp/other")" "" "the answers are the same with $settings"
done

# --- the same work with any statistics ------------------------------------------------------------

for others in 1 200 $sets; do
    depot "$others"
    ask "statistics of $others"
done
q "delete from pg_statistic where starelid in
    (select c.oid from pg_class c where c.relnamespace = 'profdepot'::regnamespace);
    update pg_class set reltuples = -1, relpages = 0 where relnamespace = 'profdepot'::regnamespace"
ask "no statistics"
q "analyze"
ask "all statistics"
for i in "${!passes[@]}"; do
    files=()
    for n in "${!passes[@]}"; do
        [ "$n" = "$i" ] || files+=("$tmp/pass$n")
    done
    # These are hints for work on plans, not failures.
    diag "${passes[i]}, more work than with other statistics: $(shapes plans "$tmp/questions" "${files[@]}" "$tmp/pass$i")"
done

done_testing
