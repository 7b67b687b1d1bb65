#!/usr/bin/env bash
# Tests heap profiles in text form. Their totals must equal those of jeprof, google-pprof and `go tool pprof`.
# A frame is either a symbol or an address in a library. Each sample is stored with its scaled and its raw values.
# threads.jemalloc, exact.tcmalloc and go.tcmalloc come from real programs.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
golden=$srcdir/tests/golden/heaptext

# takes FILE [ISSUES]: loads the file and sets $inst to the number of its result set.
takes() {
    run load --again "$1"
    is "$status" 0 "${1##*/}: loads"
    inst=$(q "select max(inst_id) from instances")
    is "$(q "select coalesce(string_agg(code, ' ' order by line), '') from import_issues where inst_id = $inst")" "${2:-}" \
        "${1##*/}: the import issues are as expected"
}

totals() {
    q "select metric, sum(value) from stack_totals where inst_id = $inst group by 1 order by 1" | tr '\n' ' '
}

# stacks: prints the routine names of each stack, innermost first, one line per stack
stacks() {
    q "select string_agg(concat(r.col_routine_name, '@', r.col_module_name), ' ' order by u.n)
        from stacks s cross join unnest(s.routine_ids) with ordinality u(id, n)
        join resource_profiler_meta_routines r on r.inst_id = s.inst_id and r.rec_id = u.id
        where s.inst_id = $inst group by s.stack_id order by s.stack_id"
}

# The expected totals come from jeprof --show_bytes [--alloc_space | --inuse_objects | --alloc_objects] [--thread=1].
takes "$golden/threads.jemalloc"
is "$(totals)" "alloc_objects|49746 alloc_space|40565144 inuse_objects|23237 inuse_space|13418866 \
sampled_alloc_objects|614 sampled_alloc_space|633789 sampled_inuse_objects|203 sampled_inuse_space|212921 \
thread_alloc_objects|49762 thread_alloc_space|40568892 thread_inuse_objects|23253 thread_inuse_space|13422614 " \
    "threads.jemalloc: the totals equal those of jeprof"
is "$(q "select t.name, t.kind, sum(r.weights[1]) from sample_rows r join tracks t using (inst_id, track_id)
    where inst_id = $inst and t.kind = 'thread' group by 1, 2 order by 1" 2>&1 | tr '\n' ' ')" "t0|thread|4144373 t1|thread|3087720 t2|thread|6190521 " \
    "threads.jemalloc: the totals of each thread equal those of jeprof --thread"
is "$(stacks | head -n 1)" "0xa2630@/usr/lib/x86_64-linux-gnu/libjemalloc.so.2 \
0xa2d21@/usr/lib/x86_64-linux-gnu/libjemalloc.so.2 0x95f24@/usr/lib/x86_64-linux-gnu/libjemalloc.so.2 \
0x22045@/usr/lib/x86_64-linux-gnu/libjemalloc.so.2 0x1182@/src/demo/h 0x11b2@/src/demo/h 0x121c@/src/demo/h \
0x2724a@/usr/lib/x86_64-linux-gnu/libc.so.6 0x27305@/usr/lib/x86_64-linux-gnu/libc.so.6 0x10b1@/src/demo/h" \
    "threads.jemalloc: frames are addresses within their library"
is "$(q "select application, attributes->>'sample_rate', attributes->>'total_alloc_bytes' from instances where inst_id = $inst")" \
    "/src/demo/h|65536|501525" "threads.jemalloc: the program, the sample rate and the totals of the head are stored"

takes "$golden/exact.tcmalloc"
is "$(totals)" "alloc_objects|50002 alloc_space|39000640 inuse_objects|23002 inuse_space|12000640 " \
    "exact.tcmalloc: totals are not scaled"

# The expected totals come from go tool pprof -sample_index=inuse_space -top, for this file and for the
# same heap with debug=0.
takes "$golden/go.tcmalloc"
is "$(totals)" "alloc_objects|23525 alloc_space|14428174 inuse_objects|18386 inuse_space|6003081 \
sampled_alloc_objects|27 sampled_alloc_space|534464 sampled_inuse_objects|11 sampled_inuse_space|462272 " \
    "go.tcmalloc: the totals equal those of pprof"
is "$(stacks | head -n 1)" "main.alloc@ main.fill@ main.main@ runtime.main@" "go.tcmalloc: routine names come from comments"
is "$(q "select tool, attributes->'comments'->>0 from instances where inst_id = $inst")" "Go|runtime.MemStats" \
    "go.tcmalloc: other comments are stored as attributes"

takes "$golden/symbols.tcmalloc"
is "$(stacks)" "$(printf '%s\n%s' "inner(int)@/opt/my app/bin/server outer<std::pair<int, int> >(void*)@/opt/my app/bin/server \
main@/opt/my app/bin/server 0x1234@/lib/libx.so.1 0xdeadbeef@" "main@/opt/my app/bin/server")" \
    "symbols.tcmalloc: the stacks contain symbols, inlined functions, addresses in libraries, and other addresses"
is "$(q "select sum(value) from stack_totals where inst_id = $inst and metric = 'sampled_alloc_space'")" 100000 \
    "symbols.tcmalloc: the raw values of samples are stored"

takes "$golden/old.jemalloc" "left-out left-out report-cut"
is "$(totals)" "inuse_objects|3 inuse_space|300 " \
    "old.jemalloc: values are not scaled because the rate is 1, and only live objects have totals"

# --- truncated and invalid files --------------------------------------------

printf 'heap_v2/\n' >"$tmp/a"
run load "$tmp/a"
is "$status" 3 "a file without a rate is refused"
like "$errors" "line 1: no sample rate after \"heap_v2/\"" "the message names the missing rate"
printf 'heap_v2/99999999999999999999\n  t*: 1: 2 [0: 0]\n' >"$tmp/b"
run load "$tmp/b"
is "$status" 3 "a rate of more than 64 bits is refused"
printf 'heap profile: 1: 9223372036854775807 [1: 9223372036854775807] @ heap_v2/524288\n1: 9223372036854775807 [1: 9223372036854775807] @ 0xffffffffffffffff\n' \
    >"$tmp/c"
takes "$tmp/c" "report-cut"
printf 'heap profile: 1: 18446744073709551616 [1: 1] @ heapprofile\n' >"$tmp/d"
run load "$tmp/d"
is "$status" 3 "totals of more than 63 bits are refused"
printf 'heap profile: 2: 20 [2: 20] @ heapprofile\n1: 10 [1: 10] @ 0x1\n1: 10 [1: 10] @ 0xfffffffffffffffff\nMAPPED_LIBRARIES:\n' >"$tmp/e"
takes "$tmp/e" "left-out summary"
for begin in $'heap_v2/524288\n  t*: 1: 5 [0: 0]' 'heap profile: 1: 5 [1: 5] @ heapprofile'; do
    printf '%s\n\001\377 binary\nmore of it\n' "$begin" >"$tmp/f"
    run load "$tmp/f"
    like "$status $errors" '^3 .*no line after it is valid' "a line ${begin%%[$'\n':]*} with garbage after it is refused"
done
mkdir "$tmp/folder"
cp "$golden/exact.tcmalloc" "$tmp/folder/p.0001.heap"
cp "$golden/go.tcmalloc" "$tmp/folder/p.0002.heap"
run load --again "$tmp/folder"
like "$out" "p.0001.heap.*p.0002.heap" "each file in a folder becomes a result set"
ok "verify finds no differences in any result set" "$PROFDEPOT" verify
done_testing
