#!/usr/bin/env bash
# Tests a log that grew for years. One load adds its 10,000 reports, each from a different process and in one of two
# formats. The number of locks must be bounded. After the log has grown, a second load must add only the new reports.
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

# reports FROM TO: prints messages of Delphi's runtime that alternate with memcheck reports. Some messages are equal.
reports() {
    awk -v from="$1" -v to="$2" 'BEGIN {
        for (i = from; i <= to; i++) {
            if (i % 2) {
                printf "An unexpected memory leak has occurred. The unexpected small block leaks are:\n\n"
                printf "13 - 20 bytes: TBasket x %d\n\n", 1 + i % 10
                continue
            }
            p = "==" i "=="
            print p " Memcheck, a memory error detector"
            print p " Command: ./orders"
            print p " "
            print p " 24 bytes in 1 blocks are definitely lost in loss record 1 of 1"
            print p "    at 0x48417B4: malloc (vg_replace_malloc.c:380)"
            print p "    by 0x10919E: main (orders.c:" i % 100 + 1 ")"
            print p " "
            print p " ERROR SUMMARY: 1 errors from 1 contexts (suppressed: 0 from 0)"
        }
    }'
}

count() {
    q "select count(*) from instances"
}

# --- cancelling --------------------------------------------------------------------------------------------

reports 1 10000 >"$tmp/log.txt"
"$PROFDEPOT" load "$tmp/log.txt" >/dev/null 2>&1 &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
isnt "$?" 0 "a load that is cancelled fails"
is "$(count)" 0 "nothing is stored"

# --- many reports, and more of them --------------------------------------------------------------------------

run load "$tmp/log.txt"
is "$status" 0 "a log with 10,000 reports is loaded"
is "$(count)" 10000 "each report is a result set"
is "$(q "select string_agg(format || ' ' || n, ', ' order by format) from (select format, count(*) n from instances group by 1) x")" \
    "delphirtl 5000, valgrind 5000" "of both formats"
is "$(q "select count(*) from unpublished_runs")" 0 "history knows all of them"
# Each tenth message is equal to the first one.
is "$(q "select count(distinct content_digest) from instances")" 10000 "equal reports remain different ones"

reports 10001 10006 >>"$tmp/log.txt"
run load "$tmp/log.txt"
is "$(grep -c "^loaded " <<<"$out") $(grep -c "^known " <<<"$out")" "6 10000" "only the new reports are loaded"
is "$(count)" 10006 "the depot has each report once"
run load "$tmp/log.txt"
is "$(grep -c "^loaded " <<<"$out") $(count)" "0 10006" "the same log is known"

# --- two loads at once ----------------------------------------------------------------------------------------

reports 20001 20300 >"$tmp/first.txt"
reports 20101 20400 >"$tmp/second.txt"
for file in first second first; do
    "$PROFDEPOT" load "$tmp/$file.txt" >/dev/null 2>&1 &
done
wait
is "$(q "select count(distinct content_digest) = count(*), count(*) filter (where format = 'valgrind') from instances")" "t|5203" \
    "logs that are loaded at the same time store each report once"
done_testing
