#!/usr/bin/env bash
# Tests that reports give the same rows whatever plan PostgreSQL chooses, and that no plan handles many more rows
# than the result set has, whatever statistics PostgreSQL has.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

# The plan of each statement goes to the server's log.
PG_TEMP_OPTIONS="-c autovacuum=off -c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0"
PG_TEMP_OPTIONS+=" -c auto_explain.log_analyze=on -c auto_explain.log_timing=off -c auto_explain.log_format=json"
pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
log=$pg_temp_dir/run/log

# The depot has many small result sets when PostgreSQL collects statistics. Then two large result sets are loaded
# without new statistics, as if the connections of their loads were lost after COMMIT.
small=100
export_make "$tmp/small"
"$PROFDEPOT" load -q "$tmp/small" >/dev/null || bail_out "load"
psql -XqAt -v ON_ERROR_STOP=1 -v first=2 -v sets=$small -f "$srcdir/tests/lib/clone_sets.sql" >/dev/null || bail_out "clone"
q "analyze"
q "create or replace function analyze_relations(p_inst_id bigint, p_relations text[])
    returns void language plpgsql as 'begin end'" || bail_out "analyze_relations"
for seed in 1 2; do
    "$builddir/examples/generate-example" --out "$tmp/large$seed" --objects 5000 --stacks 1500 --depth 6-12 \
        --routines 500 --errors 300 --seed $seed || bail_out "no input"
    "$PROFDEPOT" load -q "$tmp/large$seed" >/dev/null || bail_out "load"
done
first=$((small + 1))
second=$((small + 2))

# questions COMMAND...: calls the command with the arguments of each question.
questions() {
    local by report
    for by in lines names class stack routine module thread own record; do
        "$@" report leaks $second --by $by
    done
    for by in each record; do
        "$@" report errors $second --by $by
    done
    for report in summary classes objects threads routines modules lines duplicates calltypes issues measures hot tree; do
        "$@" report $report $second
    done
    for by in object class stack routine module own; do
        "$@" diff $first $second --by $by
    done
    "$@" diff $first $second --metric errors
    "$@" trend live_size --last 1000
    "$@" trend live_size --last 1000 --class '*' --routine '*a*'
    "$@" trend live_count --last 1000 --thread '*'
    "$@" trend errors --last 1000 --routine '*a*'
    "$@" show $second
    "$@" verify $second
}

# busiest: prints the largest number of rows that a node of the logged plans has read or returned.
busiest() {
    python3 - "$log" <<'END'
import json, re, sys

def rows(node):
    handled = node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Join Filter", 0)
    return max([handled * node.get("Actual Loops", 1)] + [rows(n) for n in node.get("Plans", [])])

text = open(sys.argv[1], errors="replace").read()
most = 0
for plan in re.findall(r"plan:\n((?:\t.*\n)+)", text):
    most = max(most, rows(json.loads(plan, strict=False)["Plan"]))
print(most)
END
}

# A large result set has about 15,000 objects, stacks and totals. Without an index, a join would have to process millions of rows.
most=50000
bounded() {
    local handled
    : >"$log"
    "$PROFDEPOT" "$@" >"$tmp/out" 2>"$tmp/errors" || diag "$(cat "$tmp/errors")"
    handled=$(busiest)
    if [ "$handled" -gt 0 ] && [ "$handled" -le "$most" ]; then
        pass "$*, $statistics: no plan handles more than $most rows"
    else
        fail "$*, $statistics: no plan handles more than $most rows"
        diag "$handled rows"
    fi
}

statistics="statistics of small result sets"
questions bounded
q "delete from pg_statistic where starelid in
    (select c.oid from pg_class c where c.relnamespace = 'profdepot'::regnamespace);
    update pg_class set reltuples = -1, relpages = 0 where relnamespace = 'profdepot'::regnamespace"
statistics="no statistics"
questions bounded
q "analyze"
statistics="all statistics"
questions bounded

# --- the same rows from any plan ----------------------------------------------------------------

# keep ARGUMENT...: prints a digest of the output of profdepot ARGUMENT...
keep() {
    "$PROFDEPOT" "$@" 2>&1 | sha256sum | sed "s/-/$*/"
}
q "alter database $PGDATABASE set auto_explain.log_min_duration = -1"
questions keep >"$tmp/expected"
isnt "$(wc -l <"$tmp/expected")" 0 "the reports answer"
for settings in "enable_hashagg enable_hashjoin enable_material" "enable_nestloop enable_indexscan" \
    "enable_sort enable_mergejoin enable_seqscan"; do
    PGOPTIONS=""
    for setting in $settings; do
        PGOPTIONS+=" -c $setting=off"
    done
    export PGOPTIONS
    is "$(questions keep | diff "$tmp/expected" - | grep '^>')" "" "the reports are the same without $settings"
    unset PGOPTIONS
done

# --- statistics of one tiny result set ------------------------------------------------------------

# PostgreSQL then expects a row or two of each relation in every other result set. With nested loops, these reports would
# take minutes.
pg_temp_database tiny
depot_make
"$PROFDEPOT" load -q "$tmp/small" >/dev/null || bail_out "load"
q "analyze"
q "create or replace function analyze_relations(p_inst_id bigint, p_relations text[])
    returns void language plpgsql as 'begin end'" || bail_out "analyze_relations"
"$PROFDEPOT" load -q "$tmp/large1" >/dev/null || bail_out "load"
for question in leaks "leaks --by record" "leaks --by stack" "leaks --by own" errors "errors --by record" classes objects \
    routines threads modules tree hot callers; do
    # shellcheck disable=SC2086 # words
    timeout 60 "$PROFDEPOT" report $question 2 --output csv >"$tmp/out" 2>&1
    is "$? $(wc -l <"$tmp/out" | sed 's/^[01]$/too few/; s/^[0-9]*$/some/') rows" "0 some rows" "$question with statistics of one tiny result set"
done
for command in show "verify --deep" flame; do
    # shellcheck disable=SC2086 # words
    ok "$command with statistics of one tiny result set" timeout 60 "$PROFDEPOT" $command 2
done

done_testing
