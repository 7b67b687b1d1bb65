#!/usr/bin/env bash
# Tests that a trend with filters reads the figures of many result sets together, and that these figures equal those
# of single result sets.
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

# Result sets with classes, threads and errors, in three applications; result sets with samples; and one with leak kinds.
for seed in 1 2 3; do
    "$builddir/examples/generate-example" --out "$tmp/set$seed" --objects 300 --stacks 60 --depth 3-6 \
        --routines 50 --errors 20 --seed $seed || bail_out "no input"
    run load -q --application "made $seed" "$tmp/set$seed"
done
export_make "$tmp/export"
run load -q "$tmp/export"
printf 'main;work;sort 3\nmain;work 4\nmain;idle 9\n' >"$tmp/a.folded"
printf 'main;work;sort 5\nmain;wait 1\n' >"$tmp/b.folded"
run load -q "$tmp/a.folded"
run load -q "$tmp/b.folded"
cat >"$tmp/valgrind.xml" <<'END'
<?xml version="1.0"?>
<valgrindoutput>
<protocolversion>4</protocolversion><protocoltool>memcheck</protocoltool>
<preamble><line>Memcheck</line></preamble><pid>1</pid><ppid>0</ppid><tool>memcheck</tool>
<args><vargv><exe>valgrind</exe></vargv><argv><exe>./app</exe></argv></args>
<status><state>RUNNING</state><time>00:00:00:00.1</time></status>
<error><unique>0x1</unique><tid>1</tid><kind>InvalidRead</kind><what>Invalid read of size 4</what>
<stack><frame><ip>0x1</ip><obj>/app</obj><fn>Work</fn></frame><frame><ip>0x2</ip><obj>/app</obj><fn>main</fn></frame></stack></error>
<status><state>FINISHED</state><time>00:00:01:00.1</time></status>
<error><unique>0x2</unique><tid>1</tid><kind>Leak_DefinitelyLost</kind>
<xwhat><text>40 bytes in 2 blocks</text><leakedbytes>40</leakedbytes><leakedblocks>2</leakedblocks></xwhat>
<stack><frame><ip>0x3</ip><obj>/lib/malloc.so</obj><fn>malloc</fn></frame><frame><ip>0x2</ip><obj>/app</obj><fn>Sort</fn></frame></stack></error>
<error><unique>0x3</unique><tid>1</tid><kind>Leak_PossiblyLost</kind>
<xwhat><text>8 bytes in 1 blocks</text><leakedbytes>8</leakedbytes><leakedblocks>1</leakedblocks></xwhat>
<stack><frame><ip>0x3</ip><obj>/lib/malloc.so</obj><fn>malloc</fn></frame><frame><ip>0x2</ip><obj>/app</obj><fn>Work</fn></frame></stack></error>
</valgrindoutput>
END
run load -q "$tmp/valgrind.xml"
# An open result set has no totals, and one that SQL wrote has no metrics.
q "insert into instances (inst_id, caption) values (900, 'by SQL');
    insert into resource_profiler_objects (inst_id, id, rec_id, col_size) values (900, 1, 1, 77)" >/dev/null
q "select open_result_set(2)" >/dev/null

class=$(q "select col_class_name from resource_profiler_meta_classes_data where inst_id = 1 and col_class_name <> '' order by 1 limit 1")
module=$(q "select col_module_name from resource_profiler_meta_classes_data where inst_id = 1 and col_module_name <> '' order by 1 limit 1")
thread=$(q "select col_win32threadid from resource_profiler_threads where inst_id = 1 order by 1 limit 1")
error=$(q "select col_name from resource_profiler_errors where inst_id = 1 order by 1 limit 1")
routine=$(q "select col_routine_name from resource_profiler_meta_routines where inst_id = 1 order by rec_id limit 1 offset 5")

trends() {
    local metric
    for metric in live_count live_size objects; do
        "$@" $metric
        "$@" $metric --class "$class"
        "$@" $metric --class "${class:0:1}*" --class '*e*'
        "$@" $metric --class '*' --module "${module##*\\}"
        "$@" $metric --module '*app'
        "$@" $metric --routine "$routine"
        "$@" $metric --routine 'work' --routine 'sort'
        "$@" $metric --thread "$thread"
        "$@" $metric --thread '4*' --routine '*a*' --class '*'
        "$@" $metric --thread none
        "$@" $metric --class none --last 3
        "$@" $metric --name x
    done
    "$@" errors
    "$@" errors --name "$error"
    "$@" errors --name '*read*' --routine 'work'
    "$@" errors --routine "$routine"
    "$@" errors --thread "$thread"
    "$@" errors --class '*'
    "$@" samples
    "$@" samples --routine work
    "$@" samples --routine none
    "$@" samples --class x
    "$@" samples --thread 1
}

answer() {
    echo "== $*"
    "$PROFDEPOT" trend "$@" --output csv 2>&1
}
trends answer >"$tmp/together"
like "$(cat "$tmp/together")" "40|8" "the trends have values"
# A suppression of the depot can hide facts in every result set, so each result set is measured alone.
run suppress add --pattern leak:no_such_routine_at_all
is "$status" 0 "a suppression that hides nothing is added"
trends answer >"$tmp/single"
same_file "$tmp/together" "$tmp/single" "the figures are the same"
run suppress rm 1

# --- the number of statements -------------------------------------------------------------------

psql -XqAt -v ON_ERROR_STOP=1 -v first=1001 -v sets=1300 -f "$srcdir/tests/lib/clone_sets.sql" >/dev/null || bail_out "clone"
for filter in "--class *" "--routine *a*" "--thread 4*"; do
    [ -n "${PROFDEPOT_TEST_CITUS-}" ] || : >"$pg_temp_dir/run/log"
    # shellcheck disable=SC2086 # options
    out=$(set -f; PGOPTIONS="-c log_statement=all" "$PROFDEPOT" trend live_count --last 300 $filter --output csv)
    is "$(wc -l <<<"$out")" 301 "trend $filter has all result sets"
    [ -z "${PROFDEPOT_TEST_CITUS-}" ] || continue # the server's log is elsewhere
    statements=$(grep -c 'LOG:  \(execute\|statement\)' "$pg_temp_dir/run/log")
    if [ "$statements" -gt 0 ] && [ "$statements" -lt 60 ]; then
        pass "trend $filter reads them together"
    else
        fail "trend $filter reads them together"
        diag "$statements statements"
    fi
done

done_testing
