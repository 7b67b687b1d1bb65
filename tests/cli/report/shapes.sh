#!/usr/bin/env bash
# Tests that every report and every command that asks the depot has the same answers from any plan, and whatever
# statistics PostgreSQL has: those of 1, 200 or 10,000 other result sets, of all result sets, or no statistics. Also tests
# that no question reads many more blocks than with the best statistics. plans.sh has more questions about larger result
# sets.
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
    q "update instances set load_seconds = 1 where inst_id > $sets"
}

clone() {
    psql -XqAt -v ON_ERROR_STOP=1 -v first="$1" -v sets="$2" -f "$srcdir/tests/lib/clone_sets.sql" >/dev/null || bail_out "clone"
}

depot() {
    psql -Xq -d postgres -c "create database $1 template $template" || bail_out "no database"
    export PGDATABASE=$1 PROFDEPOT_DB="postgresql://$PGUSER@/$1?host=$PGHOST"
}

# The statistics are in two catalogues. A user cannot write to them, but a superuser can.
of_depot="c.relnamespace = 'profdepot'::regnamespace"
remember() {
    PGOPTIONS="-c allow_system_table_mods=on" q "analyze;
        create table public.columns_$1 as
            select s.* from pg_statistic s join pg_class c on c.oid = s.starelid where $of_depot;
        create table public.sizes_$1 as
            select c.oid, c.reltuples, c.relpages from pg_class c where $of_depot" || bail_out "no statistics"
}

forget() {
    q "delete from pg_statistic s using pg_class c where c.oid = s.starelid and $of_depot;
        update pg_class c set reltuples = -1, relpages = 0 where $of_depot" || bail_out "forget"
}

recall() {
    forget
    PGOPTIONS="-c allow_system_table_mods=on" q "insert into pg_statistic select * from public.columns_$1;
        update pg_class c set reltuples = s.reltuples, relpages = s.relpages
            from public.sizes_$1 s where s.oid = c.oid" ||
        bail_out "recall"
    q "select analyze_relations(s.inst_id, array_agg(s.relation) || '{stack_totals}')
        from result_set_counts s join pg_class c on $of_depot and c.relname = s.relation and c.relkind = 'r'
        where s.inst_id > $sets and s.row_count >= 1000
        group by s.inst_id order by s.inst_id" >/dev/null || bail_out "analyze_relations"
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

depot shapes_0
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

# The inputs are loaded last. After each change of the statistics, the depot collects the same statistics as after a load.
depot shapes_all
remember 1
clone 2 200
remember 200
clone 201 $sets
remember $sets
load_inputs
for others in 1 200 $sets; do
    recall "$others"
    ask "statistics of $others"
done
forget
ask "no statistics"
q "analyze"
ask "all statistics"
for i in "${!passes[@]}"; do
    files=()
    for n in "${!passes[@]}"; do
        [ "$n" = "$i" ] || files+=("$tmp/pass$n")
    done
    is "$(shapes plans "$tmp/questions" "${files[@]}" "$tmp/pass$i")" "" "${passes[i]}: no question reads too much"
done

done_testing
