#!/usr/bin/env bash
# Tests valgrind's heap trees (--xtree-memory, --xtree-leak), which use callgrind's format: units, totals
# and stacks of hand-written and real files.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/callgrind.sh
. "$srcdir/tests/lib/callgrind.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
annotate_make
golden=$srcdir/tests/golden/callgrind

take() {
    run load --again --strict "$1"
    is "$status" 0 "${1##*/} loads"
    [ "$status" -eq 0 ] || diag "$errors"
    inst=$(q "select max(inst_id) from instances")
}
units() {
    q "select string_agg(name || ' ' || unit, ', ' order by metric_no) from metrics where inst_id = $inst and $1"
}
# stacks METRIC...: prints the stacks with their values, outermost frame first
stacks() {
    local metric columns="" number
    for metric; do
        number=$(q "select metric_no from metrics where inst_id = $inst and name = '$metric'")
        columns="$columns || ' ' || sum(s.weights[$number])"
    done
    q "select string_agg(line, E'\n' order by line collate \"C\") from (
         select (select string_agg(r.col_routine_name, ';' order by n desc)
                 from unnest(k.routine_ids) with ordinality x (id, n)
                 join resource_profiler_meta_routines r on r.inst_id = s.inst_id and r.rec_id = x.id) $columns as line
         from samples s join stacks k using (inst_id, stack_id) where s.inst_id = $inst
         group by s.inst_id, s.stack_id, k.routine_ids) y"
}
# own: prints the sum of each event's self costs
own() {
    q "select string_agg(coalesce(t.sum, 0)::text, ' ' order by m.metric_no) from metrics m
       left join (select metric_no, sum(self) from routine_totals where inst_id = $inst group by 1) t using (metric_no)
       where m.inst_id = $inst"
}
stated() { # stated FILE
    sed -n 's/^totals: *//p' "$1" | tr -s ' ' | sed 's/ $//'
}

# --- hand-written files ------------------------------------------------------------------------------------

take "$golden/memory.kcg"
is "$(units true)" "curb bytes, curbk count, totb bytes, totbk count, totfdb bytes, totfdbk count" "metrics have the units bytes and count"
is "$(stacks curb totb totfdbk)" "main;lose;make 300 300 0
main;make 64 64 0
main;make_chain;make 80 80 0
main;make_chain;strdup 25 25 0
main;use_and_free 0 0 10
main;use_and_free;make 0 10000 0" "live, allocated and freed memory become metrics"
is "$(own)" "$(stated "$golden/memory.kcg")" "memory: the self costs add up to the totals in the file"
is "$(q "select application || '|' || tool from instances where inst_id = $inst")" "./heap|xtree-1" "the command and the tool are stored"

take "$golden/leak.kcg"
is "$(units "metric_no <= 9")" \
    "rb bytes, pb bytes, ib bytes, db bytes, dib bytes, rbk count, pbk count, ibk count, dbk count" "the leak kinds become metrics"
is "$(units "unit not in ('bytes', 'count')")" "" "every event has a unit"
is "$(q "select count(*), count(distinct name), count(distinct title) from metrics where inst_id = $inst")" "27|27|27" \
    "DIB and dIB become two metrics"
is "$(stacks rb ib db dib ibk dbk)" "main;lose;make;malloc 0 0 300 0 0 3
main;make;malloc 64 0 0 0 0 0
main;make_chain;make;malloc 0 64 105 89 4 1
main;make_chain;strdup;malloc 0 25 0 0 5 0" "reachable, lost, and indirectly lost memory become metrics"
is "$(own)" "$(stated "$golden/leak.kcg")" "leaks: the self costs add up to the totals in the file"
is "$(q "select col_routine_name from resource_profiler_meta_routines where inst_id = $inst and col_source_file is null")" \
    "malloc" "the source file of malloc is unknown, so its column is NULL"

# --- real files ----------------------------------------------------------------------------------------

if command -v valgrind >/dev/null && command -v callgrind_annotate >/dev/null && command -v cc >/dev/null; then
    cc -g -O0 -o "$tmp/heap" "$golden/heap.c" || bail_out "the test program does not compile"
    valgrind -q --leak-check=full --show-leak-kinds=all --xtree-leak=yes --xtree-leak-file="$tmp/leak.kcg" \
        --xtree-memory=full --xtree-memory-file="$tmp/memory.kcg" "$tmp/heap" >/dev/null 2>&1
    valgrind -q --tool=helgrind --xtree-memory=allocs --xtree-memory-file="$tmp/allocs.kcg" "$tmp/heap" >/dev/null 2>&1
    for file in leak memory allocs; do
        take "$tmp/$file.kcg"
        is "$(own)" "$(stated "$tmp/$file.kcg")" "real $file.kcg: the self costs add up to the totals in the file"
        # The calls in these trees have the count 0, so callgrind_annotate would count their cost as self cost.
        sed 's/^calls=0 /calls=1 /' "$tmp/$file.kcg" >"$tmp/called.kcg"
        like "$(annotated "$tmp/called.kcg")" '^compared ([1-9][0-9]*) of \1$' "real $file.kcg: the costs equal callgrind_annotate's"
    done
else
    skip 1 "valgrind is not installed"
fi
done_testing
