#!/usr/bin/env bash
# Tests endless lines from a pipe. Each text reader rejects or omits such a line and reports its
# position. No reader keeps the line in memory. Lines of 1 GB give the same results (4 to 13 s each).
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
long=40000000 # longer than every limit
timer=(/usr/bin/time -q -f %M -o "$tmp/peak")
# AddressSanitizer keeps freed memory, so its peak is not comparable.
if ! /usr/bin/time -q -f %M true >/dev/null 2>&1 || grep -q __asan_init "$PROFDEPOT"; then
    timer=()
fi

# long_line FORMAT HEAD BYTES: loads HEAD and a line of BYTES bytes; sets $status, $errors, $peak (KiB).
long_line() {
    # shellcheck disable=SC2059
    { printf "$2" && head -c "$3" /dev/zero | tr '\0' a && printf '\n'; } 2>/dev/null |
        "${timer[@]}" "$PROFDEPOT" load --again ${1:+--format "$1"} - >/dev/null 2>"$tmp/errors"
    status=${PIPESTATUS[1]}
    errors=$(cat "$tmp/errors")
    [ ${#timer[@]} -eq 0 ] || peak=$(tail -n 1 "$tmp/peak")
}
# in_bounds FORMAT HEAD: checks that a load needs at most 16 MiB more memory for the long line than for a line
# that is a tenth as long.
in_bounds() {
    local first
    [ ${#timer[@]} -gt 0 ] || return 0
    first=$peak
    long_line "$1" "$2" $((long / 10))
    ok "$1: memory does not depend on the length of the line" test $((first - peak)) -lt 16384
}
refuses() { # refuses FORMAT HEAD PATTERN
    long_line "$1" "$2" $long
    is "$status" 3 "${1:-any}: the long line is refused"
    like "$errors" "standard input: $3" "${1:-any}: the error names the cause"
    in_bounds "$1" "$2"
}
leaves_out() { # leaves_out FORMAT HEAD ISSUES
    long_line "$1" "$2" $long
    is "$status" 0 "$1: the input is loaded without the long line" || diag "$errors"
    is "$(q "select string_agg(code || '@' || line || ' ' || coalesce(octet_length(rejected), 0), ', ' order by issue_no)
        from import_issues where inst_id = (select max(inst_id) from instances)")" "$3" "$1: the issues name the omitted line"
    in_bounds "$1" "$2"
}

refuses '' '' 'not in a format that profdepot reads'
refuses callgrind '# callgrind format\nevents: Ir\nfn=' 'line 3: line of more than 1048576 bytes'
refuses heaptrack 'v 10500 3\ns ' 'line 2: a line has more than 1048576 bytes'
refuses massif 'desc: (none)\ncmd: x\ntime_unit: i\n' 'line 4: line has more than 1048576 bytes'
refuses dhat '{"dhatFileVersion": 2, "mode": "heap", "cmd": "' 'offset 46: a string of more than 1048576 bytes'
leaves_out collapsed 'main;a 5\n' 'left-out@2 65536'
leaves_out perf 'prog 1 1.0: 1 cycles:\n\t400 main (/bin/x)\n\n' 'left-out@4 65536'
leaves_out sanitizer '==1==ERROR: LeakSanitizer: detected memory leaks\n\n' 'report-cut@1 0, line-cut@3 0'
leaves_out jemalloc 'heap_v2/524288\n  t*: 1: 1 [0: 0]\n@ 0x4000\n  t*: 1: 1 [0: 0]\n' 'left-out@5 65536, report-cut@5 65536'
leaves_out tcmalloc 'heap profile: 1: 1 [1: 1] @ heapprofile\n 1: 1 [1: 1] @ 0x4000\n' 'left-out@3 65536, report-cut@3 65536'
leaves_out valgrind '<valgrindoutput><pid>7</pid>\n' 'unfinished@3 0'
leaves_out valgrind '<valgrindoutput><pid>7</pid>\n<error><what>' 'record-broken@2 0, unfinished@3 0'
leaves_out valgrind '<valgrindoutput><pid>7</pid>\n<error ' 'record-broken@2 0, record-broken@2 0, unfinished@3 0'
# The long line is the first line of the input.
refuses jemalloc 'heap_v2/524288\n  t*: 1: 1 [0: 0]\n' 'line 1 begins a heap profile, but no line after it is valid'
refuses tcmalloc 'heap profile: 1: 1 [1: 1] @ heapprofile\n' 'line 1 begins a heap profile, but no line after it is valid'
refuses valgrind '<valgrindoutput>\n' 'offset 0: a valgrind document begins, but nothing in it is complete'
done_testing
