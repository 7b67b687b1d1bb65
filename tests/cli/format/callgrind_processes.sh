#!/usr/bin/env bash
# Tests callgrind's --combine-dumps=yes: the costs of a process's parts are summed, and each process becomes
# a result set.
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

# head PID PART: prints the head of a part; body NAME COST: prints its costs
head() {
    printf '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: %d\ncmd: ./app\npart: %d\n\n' "$1" "$2"
}
# Each process numbers its names from 1.
body() {
    printf 'positions: line\nevents: Ir\nsummary: %d\n\nob=(1) /app\nfl=(1) %s.c\nfn=(1) %s\n4 %d\n\ntotals: %d\n' \
        "$2" "$1" "$1" "$2" "$2"
}
sums() {
    q "select s.inst_id - $1 || ' ' || r.col_routine_name || ' ' || sum(s.weight) from samples s
        join stacks k using (inst_id, stack_id)
        join resource_profiler_meta_routines r on r.inst_id = s.inst_id and r.rec_id = k.routine_ids[1]
        where s.inst_id > $1 group by s.inst_id, r.col_routine_name order by 1" | paste -sd,
}

{
    head 11 1
    body child 5
    head 10 1
    body parent 100
    printf '\npart: 2\ndesc: Trigger: --dump-after=parent\n'
    body parent 20
} >"$tmp/callgrind.out"
run load "$tmp/callgrind.out"
is "$status" 0 "a program and its child in one file load" || diag "$errors"
like "$errors" " 2 loaded.* 0 warnings" "a program and its child become two result sets"
is "$(sums 0)" "1 child 5,2 parent 120" "the processes' names and costs are separate; costs of a process's parts add up"
is "$(q "select string_agg(process_id::text, ' ' order by inst_id) from tracks")" "11 10" "each result set has the ID of its process"
is "$(q "select string_agg(caption, ', ' order by inst_id) from instances")" \
    "callgrind.out, callgrind.out, process 10" "each result set has a caption"

run load "$tmp/callgrind.out"
like "$errors" " 0 loaded, 2 known" "known result sets are not loaded again"
{
    head 12 1
    body other 7
} >>"$tmp/callgrind.out"
run load "$tmp/callgrind.out"
like "$errors" " 1 loaded, 2 known" "if a file has grown, only its new process is loaded"
is "$(sums 2 | cut -d' ' -f2-)" "other 7" "the new result set belongs to the last process"

# A valgrind or sanitizer log can also contain several result sets.
report() {
    printf '==%d==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2 bp 0x3 sp 0x4\n' "$1"
    printf 'READ of size 1 at 0x1 thread T0\n    #0 0x1 in use_%d /src/a.c:1\n\nSUMMARY: AddressSanitizer: x\n' "$1"
}
report 71 >"$tmp/asan.log"
run load "$tmp/asan.log"
report 72 >>"$tmp/asan.log"
run load "$tmp/asan.log"
before=$(q "select count(*) from instances")
run load "$tmp/asan.log"
like "$errors" " 0 loaded" "a log that has grown is stored completely by the next load"
is "$(q "select count(*) from instances")" "$before" "loading a log again adds no result set"

# A head that names the same process, or no process, continues the current process.
{
    head 20 1
    body one 3
    head 20 2
    body one 4
    printf 'version: 1\ncreator: x\n'
    body one 5
} >"$tmp/same.out"
run load "$tmp/same.out"
like "$errors" " 1 loaded" "several heads of one process form one result set"
is "$(q "select sum(weight) from samples where inst_id = (select max(inst_id) from instances)")" 12 "the costs of several heads of one process add up"

# An error in a later process is reported with its line, and nothing is stored.
before=$(q "select count(*) from instances")
{
    head 30 1
    body one 3
    head 31 1
    printf 'events: Ir\nfn=(9)\n4 x\n'
} >"$tmp/bad.out"
run load "$tmp/bad.out"
is "$status" 3 "an invalid second process is refused"
like "$errors" "line 2[0-9]: " "the error names the line in the second process"
is "$(q "select count(*) from instances")" "$before" "the first process is not stored"
{
    head 40 1
    body one 3
    head 41 1
} >"$tmp/cut.out"
run load "$tmp/cut.out"
is "$status" 3 "a second process that consists of only a head is refused"
like "$errors" "no \"events:\" line" "the error names the missing line \"events:\""
done_testing
