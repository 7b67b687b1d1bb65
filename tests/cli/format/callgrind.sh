#!/usr/bin/env bash
# Tests callgrind's profiles: the grammar, the costs (which must be those of callgrind_annotate), estimated stacks,
# and the corpora.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/callgrind.sh
. "$srcdir/tests/lib/callgrind.sh"
# shellcheck source=tests/lib/speedscope-cases.sh
. "$srcdir/tests/lib/speedscope-cases.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# valgrind writes real files while the database server starts.
options=("--dump-instr=no" "--dump-instr=yes --collect-jumps=yes" "--cache-sim=yes --branch-sim=yes"
    "--compress-strings=no --compress-pos=no --separate-recs=2")
make_real() {
    local i
    mkdir "$tmp/real"
    for i in "${!options[@]}"; do
        # shellcheck disable=SC2086
        valgrind -q --tool=callgrind ${options[i]} --callgrind-out-file="$tmp/real/cg.$i" "$tmp/prog"
    done
    valgrind -q --tool=callgrind --combine-dumps=yes --dump-every-bb=20000 --callgrind-out-file="$tmp/parts" \
        "$tmp/prog"
}
making=
if command -v valgrind >/dev/null && command -v callgrind_annotate >/dev/null && command -v cc >/dev/null; then
    cc -g -O1 -o "$tmp/prog" "$srcdir/tests/golden/callgrind/prog.c" || bail_out "the test program does not compile"
    make_real >/dev/null 2>&1 &
    making=$!
fi

pg_temp_start
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
annotate_make
corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/speedscope
golden=$srcdir/tests/golden/inputs/callgrind.out

# sampled: prints the self value of each routine, computed from the samples' stacks
sampled() {
    q "select string_agg(x.name || ' ' || x.self, ', ' order by x.id)
       from (select r.rec_id as id, r.col_routine_name as name, sum(coalesce(s.weights[1], s.weight)) as self
             from samples s join stacks k using (inst_id, stack_id)
             join resource_profiler_meta_routines r on r.inst_id = s.inst_id and r.rec_id = k.routine_ids[1]
             where s.inst_id = $inst group by 1, 2) x"
}
issues() {
    q "select string_agg(code || '@' || coalesce(line, 0), ' ' order by issue_no) from import_issues
       where inst_id = $inst and code <> 'estimated'"
}
takes() { # takes TEXT INPUT [OPTION...]
    local text=$1
    printf '%b' "$2" >"$tmp/callgrind.out"
    shift 2
    case_take "$text" "$@" "$tmp/callgrind.out"
}
refuses() { # refuses TEXT INPUT PATTERN
    printf '%b' "$2" >"$tmp/callgrind.out"
    run load --again "$tmp/callgrind.out"
    like "$status$errors" "^3.*$3" "$1: the file is refused, with the reason"
}

# --- a hand-written file ----------------------------------------------------------------------------------

case_take "golden" --strict "$golden"
is "$(q "select string_agg(concat_ws('|', name, unit, title), ', ' order by metric_no) from metrics where inst_id = $inst")" \
    "ir|none|Ir, i1mr|none|I1mr, d1mr|none|D1mr, l1m|none|L1 misses, weighed" "the file's events and the derived event become metrics"
is "$(totals ir)" "app::main() 35 109, work 50 90, (below main) 14 14, leaf 20 10" "the self and total costs of each routine are as expected"
is "$(totals l1m)" "app::main() 3 11, work 4 12, (below main) 0 0, leaf 4 4" "the self and total costs of a derived event are as expected"
is "$(sampled)" "app::main() 35, work 50, (below main) 14, leaf 20" "the estimated stacks have the same self costs"
is "$(q "select string_agg(concat_ws('|', id, kind, routine_id, source_file, source_line, target_id, target_line, count,
        followed, costs), E'\n' order by id) from call_graph where inst_id = $inst")" \
    "$(cat "$srcdir/tests/golden/callgrind/graph.out")" "the graph contains lines, inlined files, calls and jumps"
is "$(q "select application, tool from instances where inst_id = $inst")|$(q "select process_id, thread_id, kind from tracks where inst_id = $inst")" \
    "./prog --fast|callgrind-3.19.0|4711|1|profile" "the command and the tool are stored"
run report hot "$inst" --output csv
is "$(head -3 <<<"$out" | cut -d, -f1,3,7)" $'self,total,routine\n50,90,work\n35,109,app::main()' "report hot shows the same totals"
run verify "$inst"
is "$status" 0 "verify finds no differences"
q "update resource_profiler_meta_routines set col_unit_name = 'x' where inst_id = $inst; select open_result_set($inst)" >"$tmp/out"
run reindex "$inst"
is "$status|$(totals ir)" "0|app::main() 35 109, work 50 90, (below main) 14 14, leaf 20 10" "reindex computes the same totals"
graph=$inst

# --- grammar --------------------------------------------------------------------------------------------

takes "titles with units" 'event: RB : Reachable Bytes\nevent: RBk : Reachable Blocks\nevents: RB RBk Time_(10ns)\nfn=a\n1 10 2 3\n' --strict
is "$(q "select string_agg(name || ' ' || unit, ', ' order by metric_no) from metrics where inst_id = $inst")|$(totals time)" \
    "rb bytes, rbk count, time nanoseconds|a 30 30" "titles with units: metrics have these units"
takes "numbers of 64 bits" 'events: A\nfn=a\n1 18446744073709551614\n+1 0x1\n' --strict
is "$(totals a)" "a 18446744073709551615 18446744073709551615" "64-bit numbers are exact"
takes "names in brackets that are not numbers" 'events: A\nfl = x.c\nfn=(below main)\n1 1\ncfn = (a) b\ncalls=1 1\n1 4\nfn=(a) b\n1 4\n' --strict
is "$(totals a)" "(below main) 1 5, (a) b 4 4" "names in brackets are kept"
takes "a formula with an unknown event" 'event: Odd = Nothing + 1\nevents: A\nfn=a\n1 1\n'
is "$(issues)|$(totals a)" "odd-value@4|a 1 1" "a formula with an unknown event is reported"
takes "calls that cost more than their lines" 'events: A\nfn=a\n1 1\ncfn=b\ncalls=1 1\n1 5\nfn=b\n7 2\n'
is "$(issues)|$(totals a)|$(sampled)" "totals-differ@0|a 1 6, b 5 5|a 1, b 5" "calls that cost more than their lines: without totals, the difference is a self cost"
takes "calls that cost more than their lines, with totals" 'events: A\nfn=a\n1 1\ncfn=b\ncalls=1 1\n1 5\nfn=b\n7 2\ntotals: 3\n' --strict
is "$(totals a)|$(sampled)" "a 1 6, b 2 5|a 1, b 2" "calls that cost more than their lines: with totals, no self cost is added"
takes "an identical definition" 'events: A\nfn=(1) a\n1 1\nfn=(1) a\n2 1\n' --strict
is "$(totals a)" "a 2 2" "a name that is defined twice in the same way becomes one routine"
takes "totals that differ" 'version: 1\nevents: A\nfn=a\n1 1\ntotals: 2\n'
is "$(issues)" "totals-differ@5" "totals that differ are reported"
takes "a call whose costs are missing" 'events: A\nfn=a\n1 1\ncfn=b\ncalls=1 1\n'
is "$(issues)" "left-out@5" "a call whose costs are missing is reported"
takes "--lenient" 'events: A\nfn=(1) a\n1 1\nfn=(1) b\n1 1\nfn=(7)\n1 1\nwhat?\nxy=1\n1 1\n' --lenient
is "$(issues)|$(totals a)" "duplicate-id@4 missing-value@6 left-out@8 left-out@9|a 1 1, b 1 1, (7) 2 2" "--lenient accepts invalid names and lines, with issues"
refuses "a sum beyond 64 bits" 'events: A\nfn=a\n1 18446744073709551615\n1 1\n' 'line 4: sum of costs exceeds 64 bits'
refuses "a cost beyond 64 bits" 'events: A\nfn=a\n1 18446744073709551616\n' 'line 3: cost is not a number of up to 64 bits'
refuses "too many costs" 'events: A\nfn=a\n1 1 1\n' 'line 3: more costs than the 1 events'
refuses "costs without a function" 'events: A\n1 1\n' 'line 2: costs before any "fn="'
refuses "another version" 'version: 2\nevents: A\n' 'line 1: format version 2 is not supported'
refuses "a line below 0" 'events: A\nfn=a\n1 1\n-2 1\n' 'line 4: line number below 0'
refuses "no events" 'fn=a\n' 'no "events:" line'
refuses "61 events" "events:$(printf ' e%d' {1..61})\n" 'more than 60 events'

# --- callgrind_annotate -----------------------------------------------------------------------------------

if [ "$making" ]; then
    wait "$making"
    run load "$tmp/real"
    is "$status" 0 "real files load"
    [ "$status" -eq 0 ] || diag "$errors"
    for file in "$tmp"/real/*; do
        i=${file##*cg.}
        inst=$(q "select max(inst_id) from instances where caption = 'cg.$i'")
        like "$(annotated "$file")" '^compared ([1-9][0-9][0-9]+) of \1$' "${options[i]}: the costs equal callgrind_annotate's"
        is "$(issues)" "" "${options[i]}: no issue is reported"
    done
    # callgrind_annotate counts a call that began in an earlier part as self cost.
    case_take "several parts" --strict "$tmp/parts"
    is "$(q "select sum(self) from routine_totals where inst_id = $inst")" \
        "$(awk '/^totals:/ { n += $2 } END { print n }' "$tmp/parts")" "several parts: the self costs add up to the sum of the parts' totals"
else
    skip 1 "valgrind is not installed"
fi

# --- the corpora -------------------------------------------------------------------------------------------

[ -d "$corpora" ] || { done_testing; exit; }
# shellcheck disable=SC2034
case_file="coalesce(r.col_source_file, '(unknown)')"
cases_begin
for dir in "$corpora"/edge/callgrind/* "$corpora"/samples/callgrind/*; do
    name=${dir##*/}
    wanted=
    case $name in
    cost-before-events) case_refused "$dir" 'costs before any "events:"' ;;
    events-twice) case_refused "$dir" '"events:" differs' ;;
    name-redefined) case_refused "$dir" 'name \(1\) was "a" and is now "b"' ;;
    name-undefined) case_refused "$dir" 'name \(7\) is used' ;;
    unknown-line) case_refused "$dir" 'not of the format: "\?\?\?"' ;;
    # For these files, speedscope fails, makes an event without a name, reads lines or jumps as
    # costs, drops a cycle, or cuts off small subtrees.
    crlf) wanted="main 20 20" ;;
    events-double-space) wanted="main 20 20" ;;
    positions-instr-line) wanted="main 30 430, f 400 400" ;;
    jump-lines) wanted="main 22 22" ;;
    fewer-costs-than-events) wanted="main 20 25, f 5 5" ;;
    only-cycle-no-root) wanted="a 10 5, b 20 20" ;;
    small-subtree-pruned) wanted="main 1000000 1000250, tiny 50 50, ok 200 200" ;;
    *) case_load "$dir" ;;
    esac
    if [ "$wanted" ]; then
        case_take "$name" "$(case_input "$dir")"
        is "$(totals ir)" "$wanted" "$name: the totals are as expected"
    fi
done
cases_check
run rm "$graph"
is "$(q "select count(*) from call_graph where inst_id = $graph")" 0 "rm removes the call graph"
done_testing
