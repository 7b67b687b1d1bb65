#!/usr/bin/env bash
# Tests logs with sanitizer reports: the output of GCC's and clang's runtimes, prefixes that CI
# systems add, several processes in one log, and other files. The reports in tests/golden/sanitizer
# come from real programs.
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
golden=$srcdir/tests/golden/sanitizer
corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}

newest() {
    q "select max(inst_id) from instances"
}

dump() { # dump INST
    psql -XqAt -F ' | ' -v ON_ERROR_STOP=1 -v "inst=$1" -f "$srcdir/tests/cli/format/sanitizer_dump.sql"
}

# refuses TEXT FILE: checks that the file is refused
refuses() {
    run load "$2"
    is "$status" 3 "$1: the file is refused"
    like "$errors" "no sanitizer report|not in a format that profdepot reads" "$1: the message gives the reason"
}

# --- golden logs --------------------------------------------------------------------------------

for log in "$golden"/*.txt; do
    name=${log##*/}
    run load --again "$log"
    is "$status" 0 "$name: loads"
    like "$out" "^loaded" "$name: the format is recognised by content"
    dump "$(newest)" >"$tmp/dump"
    [ -z "${SANITIZER_GOLDEN:-}" ] || cp "$tmp/dump" "${log%.txt}.expected"
    is "$(diff "${log%.txt}.expected" "$tmp/dump" | head -n 10)" "" "$name: the content of the depot is as expected"
done
ok "verify finds no differences in any result set" "$PROFDEPOT" verify

# --- corpora ------------------------------------------------------------------------------------

if [ -f "$corpora/leaks/lsan-leaks.txt" ]; then
    run load "$corpora/leaks/lsan-leaks.txt"
    inst=$(newest)
    is "$(q "select count(*), sum(col_size), sum(block_count) from resource_profiler_objects where inst_id = $inst")" \
        "4|4023|217" "lsan-leaks.txt: the sums of the leaks equal the SUMMARY"
    is "$(q "select leak_kind, sum(col_size), sum(block_count) from resource_profiler_objects where inst_id = $inst
        group by 1 order by 1")" "$(printf 'direct|1127|9\nindirect|2896|208')" "lsan-leaks.txt: the sums of direct and of indirect leaks are as expected"
    like "$("$PROFDEPOT" report leaks "$inst")" "$(printf 'total: 4 records, 217 blocks, 4,023 bytes\n%s\n%s' \
        '  directly lost: 2 records, 9 blocks, 1,127 bytes' '  indirectly lost: 2 records, 208 blocks, 2,896 bytes')" \
        "lsan-leaks.txt: the leak report has the same sums"
    run load "$corpora/leaks/asan-overflow.txt"
    inst=$(newest)
    is "$(q "select col_name, attributes->>'access', attributes->>'access_size', attributes->>'address'
        from resource_profiler_errors where inst_id = $inst")" "heap-buffer-overflow|WRITE|1|0x60200000003a" \
        "asan-overflow.txt: the error is stored with the access and the address"
    is "$(q "select role, thread_id from further_stacks where inst_id = $inst")" "allocated_at|0" \
        "asan-overflow.txt: the error has the stack that allocated the block"
    run load "$corpora/leaks/tsan-race.txt"
    inst=$(newest)
    is "$(q "select string_agg(col_name, ', ' order by id) from resource_profiler_errors where inst_id = $inst")" \
        "data race, lock-order-inversion (potential deadlock)" "tsan-race.txt: both errors are stored"
    is "$(q "select string_agg(col_win32threadid::text, ' ' order by col_win32threadid) from resource_profiler_threads where inst_id = $inst")" \
        "24793 24794 24795" "tsan-race.txt: all threads are stored"
    is "$(q "select count(*) from further_stacks where inst_id = $inst and owner = 'thread' and role = 'thread_start'")" \
        3 "tsan-race.txt: every thread has the stack that created it"
    is "$(q "select count(*) from import_issues")" "$(q "select count(*) from import_issues where source = 'ci.txt'")" \
        "the logs of the corpora have no issues"
else
    skip 1 "the corpora are missing"
fi

# --- mixed reports ------------------------------------------------------------------------------

# stacks FILE: loads a log, and prints "PROCESS KIND INNERMOST-FRAME" for each error of a process
stacks() {
    run load --again "$1"
    q "select concat_ws(' ', e.attributes ->> 'pid', e.col_name, coalesce((select f.routine_name from stack_frames f
            where f.inst_id = e.inst_id and f.stack_id = e.stack_id and f.position = 0), '-'))
        from resource_profiler_errors e where e.inst_id = $(newest) and e.attributes ->> 'pid' is not null order by 1"
}

if [ -f "$corpora/regressions/asan-mixed.txt" ]; then
    # The address in a report's head shows which stack belongs to the report.
    is "$(stacks "$corpora/regressions/asan-mixed.txt")" "14069 global-buffer-overflow ub
14070 heap-use-after-free uaf
14071 heap-buffer-overflow heap_over
14074 stack-buffer-overflow stack_over
14075 global-buffer-overflow global_over
14077 double-free free" "asan-mixed.txt: every error has its own stack"
    is "$(q "select f.role, e.attributes ->> 'pid', count(s.routine_ids)
        from further_stacks f
        join resource_profiler_errors e on e.inst_id = f.inst_id and e.id = f.owner_id
        left join stacks s on s.inst_id = f.inst_id and s.stack_id = f.stack_id
        where f.inst_id = $(newest) and f.owner = 'error' and e.attributes ->> 'pid' in ('14070', '14074') group by 1, 2 order by 1, 2")" \
        "allocated_at|14070|1
freed_at|14070|1
other|14074|1" "asan-mixed.txt: further stacks belong to the error whose address they name"
    is "$(q "select count(*) from import_issues where inst_id = $(newest) and line < 250")" 0 \
        "asan-mixed.txt: no summary contradicts its report"
    stacks "$corpora/regressions/tsan-two-processes.txt" >"$tmp/stacks"
    is "$(cut -d ' ' -f 1 "$tmp/stacks" | sort | uniq -c | tr -s ' \n' ' ')" " 6 10413 6 10414 " \
        "tsan-two-processes.txt: each process has its six warnings"
    is "$(grep -c ' -$' "$tmp/stacks")" 0 "tsan-two-processes.txt: every warning has a stack"
    is "$(q "select code, message from import_issues where inst_id = $(newest)")" "" \
        "tsan-two-processes.txt: the count of each process is correct"
    is "$(q "select count(*) from further_stacks where inst_id = $(newest) and owner = 'thread' and stack_id is not null")" \
        "$(q "select count(*) from resource_profiler_threads where inst_id = $(newest) and col_win32threadid is not null")" \
        "tsan-two-processes.txt: every created thread has its own stack"
    sed '$s/6 warnings/9 warnings/' "$corpora/regressions/tsan-two-processes.txt" >"$tmp/nine.txt"
    stacks "$tmp/nine.txt" >"$tmp/stacks"
    like "$(q "select message from import_issues where inst_id = $(newest)")" \
        "reported 9 warnings, but the log has 6" "a wrong count is still found when two processes are mixed"
else
    skip "corpora/regressions is missing" "mixed reports of several processes"
fi

# Nothing in these lines shows to which process each stack belongs.
cat >"$tmp/two-heads.txt" <<'LOG'
==1==ERROR: AddressSanitizer: attempting double-free on 0x602000000010 in thread T0:
==2==ERROR: AddressSanitizer: attempting double-free on 0x602000000020 in thread T0:
    #0 0x55c6296feed2 in free (/b/errs+0xa5ed2)
    #1 0x55c62973ade7 in first /s/a.c:1:1

    #0 0x55c6296feed2 in free (/b/errs+0xa5ed2)
    #1 0x55c62973adf7 in second /s/a.c:2:1

==2==ABORTING
==1==ABORTING
LOG
is "$(stacks "$tmp/two-heads.txt")" "1 double-free -
2 double-free -" "a stack that may belong to two reports is unknown"
is "$(q "select message from import_issues where inst_id = $(newest)")" \
    "reports of several processes are mixed: 2 stacks are unknown" "unknown stacks are reported"

# The SUMMARY shows that the stack after the second announcement belongs to the first report.
cat >"$tmp/summaries.txt" <<'LOG'
WARNING: ThreadSanitizer: data race (pid=1)
  Write of size 4 at 0x7b0000000010 by thread T1:
WARNING: ThreadSanitizer: heap-use-after-free (pid=2)
  Write of size 8 at 0x7b0000000020 by thread T2:
    #0 first /s/a.c:1 (errs+0x1)

SUMMARY: ThreadSanitizer: data race /s/a.c:1 in first
    #0 second /s/b.c:2 (errs+0x2)

SUMMARY: ThreadSanitizer: heap-use-after-free /s/b.c:2 in second
LOG
is "$(stacks "$tmp/summaries.txt")" "1 data race -
2 heap-use-after-free -" "a stack that contradicts the SUMMARY is unknown"

# --- log files of one run -----------------------------------------------------------------------

mkdir "$tmp/folder"
sed -n '1,20p' "$golden/asan-gcc.txt" >"$tmp/folder/asan.log.100"
printf '==101==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 8 byte(s) in 1 object(s) allocated from:\n    #0 0x1 in malloc m.c:1\n    #1 0x2 in f x.c:2\n\nSUMMARY: AddressSanitizer: 8 byte(s) leaked in 1 allocation(s).\n' \
    >"$tmp/folder/asan.log.101"
sed 's/ 8 byte/ 9 byte/; s/==101==/==7==/' "$tmp/folder/asan.log.101" >"$tmp/folder/other.txt"
echo "nothing here" >"$tmp/folder/clean.txt"
before=$(newest)
run load "$tmp/folder"
is "$status" 0 "a folder loads"
is "$(q "select i.caption, (select count(*) from resource_profiler_errors e where e.inst_id = i.inst_id),
    (select sum(col_size) from resource_profiler_objects o where o.inst_id = i.inst_id)
    from instances i where inst_id > $before order by 1")" "$(printf 'asan.log|1|8\nother.txt||9' | sed 's/||/|0|/')" \
    "the files of one run become one result set, and each other file becomes a result set of its own"

# --- a forked process, in which ThreadSanitizer continues the parent's count --------

race() {
    printf 'WARNING: ThreadSanitizer: data race (pid=7)\n  Write of size 4 at 0x1 by main thread:\n'
    printf '    #0 f%s /src/a.c:%s (a+0x%s)\n\nSUMMARY: ThreadSanitizer: data race /src/a.c:%s in f%s\n' "$1" "$1" "$1" "$1" "$1"
}
reported() {
    race 1
    race 2
    printf 'ThreadSanitizer: reported 2 warnings\n'
    printf 'ThreadSanitizer: reported %s warnings\n' 2
    race 3
    printf 'ThreadSanitizer: reported %s warnings\n' "$1"
}
reported 3 >"$tmp/fork.log"
run load "$tmp/fork.log"
is "$(q "select count(*) from import_issues where inst_id = $(newest)")" 0 "a forked process's count of reports may include its parent's reports"
reported 5 >"$tmp/less.log"
run load "$tmp/less.log"
is "$(q "select code from import_issues where inst_id = $(newest)")" summary "a count that exceeds the reports of a forked process and its parent is reported"

# --- colours, long lines, other line endings --------------------------------------------------------

sed 's/$/\r/' "$golden/tsan.txt" >"$tmp/crlf.log"
run load --again "$tmp/crlf.log"
dump "$(newest)" | sed 's/crlf\.log/tsan.txt/' >"$tmp/dump"
is "$(diff "$golden/tsan.expected" "$tmp/dump" | head -n 5)" "" "a log with CRLF has the same content as a log with LF"
{
    head -c 3000000 /dev/zero | tr '\0' 'x'
    echo
    cat "$golden/lsan.txt"
} >"$tmp/long.log"
run load --again "$tmp/long.log"
is "$status" 0 "a report after a line of 3 MB is found"
is "$(q "select count(*) from resource_profiler_objects where inst_id = $(newest)")" 17 "all leaks of a report after a line of 3 MB are found"

# --- macOS: offsets in routines, architectures of modules ------------------------

printf '==9==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 4 byte(s) in 1 object(s) allocated from:\n    #0 0x1002f4fa0 in wrap_malloc+0xa0 (libclang_rt.asan_osx_dynamic.dylib:x86_64h+0xdefa0)\n    #1 0x100000ed2 in take (app:x86_64+0x100000ed2)\n    #2 0x1000151c1 in start+0x1d1 (dyld:x86_64+0x51c1)\n\nSUMMARY: AddressSanitizer: 4 byte(s) leaked in 1 allocation(s).\n' \
    >"$tmp/mac.log"
run load "$tmp/mac.log"
is "$(dump "$(newest)" | sed -n 's/^object | 0 | \([^|]*| [^|]*\)|.* | /\1| /p')" \
    "malloc | app | wrap_malloc (libclang_rt.asan_osx_dynamic.dylib) < take (app) < start (dyld)" \
    "macOS: the names of routines and modules contain no offsets or architectures"

# --- other text -----------------------------------------------------------------------------------

printf 'all tests passed\n' >"$tmp/clean.log"
refuses "a clean log" "$tmp/clean.log"
printf 'panic: runtime error: invalid memory address or nil pointer dereference\n' >"$tmp/go.log"
refuses "a panic of Go" "$tmp/go.log"
run load --format sanitizer "$tmp/clean.log"
is "$status" 3 "--format sanitizer refuses a clean log"
like "$errors" "a run without findings writes no such line" "the hint says that a run without findings writes no report"
printf '==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2\nREAD of size 99999999999999999999 at 0xfffffffffffffffffffff thread T99999999999999999999999\n    #0 0xffffffffffffffffffff in f x.c:99999999999\n    #1 0x1 in g\n' \
    >"$tmp/huge.log"
run load "$tmp/huge.log"
is "$status" 0 "a report with numbers beyond 64 bits loads"
is "$(q "select count(*) from import_issues where inst_id = $(newest) and code = 'report-cut'")" 1 "a report without an end is reported as an issue"
printf '==1==ERROR: LeakSanitizer: detected memory leaks\nDirect leak of 99999999999999999999 byte(s) in 1 object(s) allocated from:\n    #0 0x1 in f x.c:1\nDirect leak of 5 byte(s) in 1 object(s) allocated from:\n    #0 0x1 in f x.c:1\nSUMMARY: LeakSanitizer: 5 byte(s) leaked in 1 allocation(s).\n' >"$tmp/range.log"
run load "$tmp/range.log"
is "$(q "select sum(col_size) from resource_profiler_objects where inst_id = $(newest)")" 5 "a leak whose size is out of range is left out"
is "$(q "select code from import_issues where inst_id = $(newest)")" number-range "a leak whose size is out of range is reported as an issue"
done_testing
