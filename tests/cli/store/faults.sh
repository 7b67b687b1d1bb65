#!/usr/bin/env bash
# Makes single calls of malloc, read, write, open and fsync fail during a load. Each format is tested. The load must be
# stored completely or not at all, and the exit status must say which.
#
#	FAULT_ALL=1	every call fails once, which takes hours; without it, the test takes less than a minute,
#			because only a sample of the calls fails
#	FAULT_INPUTS=GLOB	only these inputs
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/whole.sh
. "$srcdir/tests/lib/whole.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

shim=$builddir/tests/lib/faults.so
[ -f "$shim" ] || skip_all "the library that makes calls fail was not built"
! grep -aq __asan_init "$PROFDEPOT" || skip_all "a sanitizer replaces malloc"
pg_temp_start
depot_make
whole_prepare
tmp=$(mktemp -d "${TMPDIR:-/tmp}/profdepot-test.XXXXXX") || bail_out "the temporary folder cannot be created"
trap 'status=$?; rm -rf "$tmp"; (exit $status); pg_temp_stop' EXIT

mkdir "$tmp/inputs"
cp "$srcdir"/tests/golden/inputs/* "$tmp/inputs/"
gzip -k "$tmp/inputs/massif.out"
mv "$tmp/inputs/massif.out.gz" "$tmp/inputs/packed.out.gz"
export_make "$tmp/inputs/aqtime-folder"

# load_with CALL AT HOW INPUT: loads INPUT, and makes the AT-th CALL fail in the way that HOW names (see FAULT_HOW in
# tests/lib/faults.c). Sets $status. Each load that succeeds adds a result set.
load_with() {
    status=0
    timeout 60 env LD_PRELOAD="$shim" FAULT_CALL="$1" FAULT_AT="$2" FAULT_HOW="${3%+}" FAULT_COUNT="$tmp/count" \
        ${lasts:+FAULT_LASTS=1} "$pg_temp_program" load --again --quiet "$4" >"$tmp/out" 2>"$tmp/errors" || status=$?
}

# judge ALLOWED: checks that the exit status is one of ALLOWED, and counts the loads whose status says that they are
# stored.
judge() {
    case " $1 " in
    *" $status "*) ;;
    *)
        echo "status $status: $(head -n 1 "$tmp/errors")"
        return
        ;;
    esac
    if grep -q 'not known whether' "$tmp/errors"; then
        echo unknown >>"$tmp/doubts"
    elif [ $status -eq 0 ] || [ $status -eq 5 ]; then
        echo stored >>"$tmp/stored"
    elif [ ! -s "$tmp/errors" ]; then
        echo "status $status without a message"
    fi
}

# fail_calls CALL HOW ALLOWED MOST: runs about MOST loads, and makes one CALL fail in each. With FAULT_ALL, there is a
# load for every call.
fail_calls() {
    local n said count step=1
    eval "count=\$count_$1"
    [ -n "${FAULT_ALL:-}" ] || [ "$count" -le "$4" ] || step=$(((count + $4 - 1) / $4))
    # Each input starts at a different call, so that all inputs together cover more calls.
    for ((n = 1 + number % step; n <= count && ${#wrong} < 1000; n += step)); do
        load_with "$1" $n "$2" "$input"
        said=$(judge "$3")
        [ -z "$said" ] || wrong="$wrong$1 $n $2${lasts:+ and all later ones}: $said; "
        runs=$((runs + 1))
    done
}

# lines FILE: prints the number of the file's lines, and removes the file.
lines() {
    touch "$1"
    wc -l <"$1"
    rm "$1"
}

number=0
runs=0
for input in "$tmp"/inputs/${FAULT_INPUTS:-*}; do
    name=${input##*/}
    number=$((number + 7))
    wrong=
    lasts=
    load_with malloc 0 ENOMEM "$input"
    is "$status" 0 "$name: an undisturbed load succeeds"
    one=$(whole_take)
    # shellcheck disable=SC2034 # fail_calls uses them
    read -r count_malloc count_read count_write count_open count_fsync <"$tmp/count"
    fail_calls malloc ENOMEM "0 4 5" 4
    fail_calls read EIO "0 3 4" 2
    fail_calls read EINTR 0 1
    fail_calls read short 0 2
    fail_calls write ENOSPC "0 3 4" 2
    fail_calls write short 0 1
    fail_calls open EMFILE "0 3 4" 2
    fail_calls fsync EIO "0 3 4" 1
    lasts=1
    fail_calls malloc ENOMEM "4 5" 1
    is "$wrong" "" "$name: after each fault the exit status is right"
    doubts=$(lines "$tmp/doubts")
    stored=$(lines "$tmp/stored")
    rows=$(whole_take)
    ok "$name: $rows rows of $stored loads, and perhaps of $doubts more, with $one rows each: whole or absent" \
        test $((rows % one)) -eq 0 -a $((rows / one)) -ge "$stored" -a $((rows / one)) -le $((stored + doubts))
done
diag "$runs calls failed"
done_testing
