#!/usr/bin/env bash
# Tests frames without a symbol. In every format that shows where modules are loaded, such a frame
# consists of the module and the address in the module, so two runs of a stripped program have the
# same stacks.
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

# stacks: prints the stacks of the newest result set, and their identities
stacks() {
    q "select string_agg(coalesce(f.module_name, '-') || '+' || coalesce(f.routine_name, '-'), ' ' order by f.position),
            s.identity
        from stacks s
        join stack_frames f on f.inst_id = s.inst_id and f.stack_id = s.stack_id
        where s.inst_id = (select max(inst_id) from instances)
        group by s.stack_id, s.identity order by 1"
}

# same TEXT STACKS: calls write_file for two base addresses, and checks that both files have these stacks
same() {
    local text=$1 expected=$2 base first=""
    for base in 55d000000000 7f3300000000; do
        write_file "$base" >"$tmp/in.txt"
        run load --again "$tmp/in.txt"
        is "$status$(stacks | cut -d '|' -f 1)" "0$expected" "$text: a frame is represented by its module and the address in the module"
        [ -n "$first" ] || first=$(stacks)
    done
    is "$(stacks)" "$first" "$text: two runs have the same stacks"
}

write_file() { # perf script --show-mmap-events: the second segment of /b/app is mapped at the offset 0x1000
    printf 'app 12/12 1.000000: PERF_RECORD_MMAP2 12/12: [0x%x(0x2000) @ 0x1000 08:01 5 0]: r-xp /b/app\n' $((0x$1 + 0x1000))
    printf 'app 12/12 1.100000: PERF_RECORD_MMAP2 12/12: [0x%x(0x1000) @ 0 00:00 0 0]: r-xp //anon\n' $((0x$1 + 0x9000))
    printf '\napp 12/12 2.000000: 100 cycles:\n\t%x [unknown] (/b/app)\n\t%x main+0x4 (/b/app)\n\n' $((0x$1 + 0x1234)) $((0x$1 + 0x1300))
}
same "perf with mappings" "/b/app+0x1234 /b/app+main"

write_file() { # perf script -F +dsoff
    printf 'app 12 2.000000: 100 cycles:\n\t%x [unknown] (/b/app+0x1234)\n\t%x main+0x4 (/b/app+0x1300)\n\n' \
        $((0x$1 + 0x1234)) $((0x$1 + 0x1300))
}
same "perf with offsets" "/b/app+0x1234 /b/app+main"

write_file() {
    printf '==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x%x bp 0x1 sp 0x1 T0)\n' $((0x$1 + 0x1234))
    printf '    #0 0x%x  (/b/app+0x1234) (BuildId: 83d8801f1d37b9e278ab7caacf0994bf434d5e7b)\n' $((0x$1 + 0x1234))
    printf '    #1 0x%x in main (/b/app+0x1300)\n\n==1==ABORTING\n' $((0x$1 + 0x1300))
}
same "sanitizer" "/b/app+0x1234 /b/app+main"

write_file() {
    printf 'heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x%x\n\nMAPPED_LIBRARIES:\n' $((0x$1 + 0x1234))
    printf '%x-%x r--p 00000000 08:01 5 /b/app\n' $((0x$1)) $((0x$1 + 0x1000))
    printf '%x-%x r-xp 00001000 08:01 5 /b/app\n' $((0x$1 + 0x1000)) $((0x$1 + 0x3000))
}
same "tcmalloc" "/b/app+0x1234"

write_file() {
    printf 'heap_v2/1\n  t*: 1: 8 [0: 0]\n@ 0x%x\n  t*: 1: 8 [0: 0]\n\nMAPPED_LIBRARIES:\n' $((0x$1 + 0x1234))
    printf '%x-%x r--p 00000000 08:01 5 /b/app\n' $((0x$1)) $((0x$1 + 0x1000))
    printf '%x-%x r-xp 00001000 08:01 5 /b/app\n' $((0x$1 + 0x1000)) $((0x$1 + 0x3000))
}
same "jemalloc" "/b/app+0x1234"

# callgrind writes the address in the object, with leading zeros.
printf 'events: Ir\npositions: line\nob=/b/app\nfl=???\nfn=0x0000000000001234\n0 5\n' >"$tmp/in.txt"
run load --again "$tmp/in.txt"
is "$status$(q "select col_module_name || '+' || col_routine_name from resource_profiler_meta_routines
    where inst_id = (select max(inst_id) from instances)")" "0/b/app+0x1234" "callgrind: a frame is represented by its module and the address in the module"

done_testing
