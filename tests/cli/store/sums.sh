#!/usr/bin/env bash
# Tests sums beyond 63 bits: a load either keeps them exactly, or refuses the input and names the record.
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
corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}
most=9223372036854775807

leaks() { # leaks COUNT...: prints a log with one leak per argument: $most bytes in COUNT objects
    printf '==1==ERROR: LeakSanitizer: detected memory leaks\n'
    for count; do
        printf '\nDirect leak of %s byte(s) in %s object(s) allocated from:\n    #0 0x1 in f%d a.c:1\n' \
            $most "$count" $((++n))
    done
    printf '\nSUMMARY: AddressSanitizer: 1 byte(s) leaked in 1 allocation(s).\n'
}

refuses() { # refuses FILE MESSAGE
    run load "$1"
    is "$status" 3 "${1##*/}: the input is refused"
    like "$errors" "$2" "${1##*/}: the message names the record"
    is "$(q "select count(*) from instances")" "$sets" "${1##*/}: nothing is stored"
}
sets=0

leaks $most >"$tmp/exact.txt"
run load "$tmp/exact.txt"
is "$status" 0 "a count of 2^63-1 loads"
is "$(q "select count, value from stack_totals")" "$most|$most" "count and size are exact"
sets=1

leaks $((most - 1)) 1 1 >"$tmp/three.txt"
refuses "$tmp/three.txt" "line 9: object 2: the counts up to this object add up to more than 2\^63-1"

# Sizes are exact far beyond 63 bits, because their sums have 128 bits.
leaks 1 1 1 1 1 >"$tmp/sizes.txt"
run load "$tmp/sizes.txt"
is "$(q "select sum(value) from stack_totals where inst_id > 1")" "46116860184273879035" "the sum of the sizes is exact"
sets=$(q "select count(*) from instances")
leaks 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 >"$tmp/many.txt"
refuses "$tmp/many.txt" "object 18: the sizes up to this object add up to more than 10\^20"

printf 'a;b 99999999999999999999\na;c 99999999999999999999\na;d 1\n' >"$tmp/weights.folded"
refuses "$tmp/weights.folded" "sample 2: the values up to this sample add up to more than 10\^20"

printf '%s\n' 'heap_v2/1' '  t*: 1: 1 [0: 0]' '@ 0x1 0x2' "  t*: 1: $most [0: 0]" '@ 0x3' \
    "  t1: 1: $most [0: 0]" "  t2: 1: 1 [0: 0]" >"$tmp/jemalloc.heap"
refuses "$tmp/jemalloc.heap" "the counts of a stack's threads exceed 2\^63-1 in total"

cat >"$tmp/errors.xml" <<XML
<?xml version="1.0"?>
<valgrindoutput><protocolversion>4</protocolversion><protocoltool>memcheck</protocoltool>
<pid>1</pid><ppid>1</ppid><tool>memcheck</tool>
<error><unique>0x1</unique><tid>1</tid><kind>InvalidRead</kind><what>Invalid read of size 4</what>
<stack><frame><ip>0x1</ip><fn>f</fn></frame></stack></error>
<errorcounts><pair><count>9223372036854775808</count><unique>0x1</unique></pair></errorcounts>
</valgrindoutput>
XML
refuses "$tmp/errors.xml" "error 0x1 occurred more than 2\^63-1 times"

if [ -f "$corpora/regressions/dhat-overflow.json" ]; then
    refuses "$corpora/regressions/sanitizer-overflow.txt" "line 6: object 1: the counts"
    refuses "$corpora/regressions/dhat-overflow.json" "object 1: the counts"
else
    skip "corpora/regressions is missing" "overflow.txt and overflow.json are refused"
fi

# If SQL has inserted values whose sum is too large, verify reports a difference, and still checks the other result
# sets.
q "insert into resource_profiler_objects (inst_id, id, block_count) values (1, 90, $most), (1, 91, $most)" >/dev/null
q "update instances set state = 'closed' where inst_id = 1" >/dev/null
run verify
is "$status" 1 "verify finds the difference"
like "$errors$out" "2 result sets verified|result set 1" "verify reports on the other result sets too"
unlike "$errors" "out of range" "verify sums without a limit"

done_testing
