#!/usr/bin/env bash
# Tests suppressions on files of every tool, in every syntax. Each suppression that valgrind wrote must hide the record
# before it in the file. The output of --gen-suppressions for a report must hide the report's findings.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/leaks
golden=$srcdir/tests/golden
pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

load_one() {
    run load --again "$1"
    is "$status" 0 "${1##*/} loads" || diag "$errors"
    inst=$(q "select max(inst_id) from instances")
}
# records REPORT [OPTION...]: sets $rows to the number of shown records of $inst, $shown to the number of
# their blocks or errors, and $hidden to the number of suppressed blocks or errors.
records() {
    run report "$1" "$inst" --no-suppressions "${@:2}"
    rows=$(sed -n 's/^total: \([0-9,]*\) record.*/\1/p' <<<"$out" | tr -d ,)
    shown=$(sed -n 's/^total: .*, \([0-9,]*\) \(block\|error\).*/\1/p' <<<"$out" | tr -d ,)
    # The line "suppressed: " contains no "seen N times" if each error occurred once.
    hidden=$(sed -n 's/^suppressed: \([0-9]*\) record.*, \([0-9]*\) block.*/\2/p
        s/^suppressed: .*, seen \([0-9]*\) times/\1/p; s/^suppressed: \([0-9]*\) records*$/\1/p' <<<"$out")
}
# comes_back REPORT SYNTAX [NAMELESS [COMMENTED]]: checks that the suppressions written for a report hide all its records,
# with two exceptions. NAMELESS is the number of records that have no names. COMMENTED is the number of records for
# which a comment is written instead of a suppression.
comes_back() {
    local all nameless=${3:-0} left=$((${3:-0} + ${4:-0}))
    records "$1"
    all=$shown
    is "$((all > 0))$hidden" 1 "$1 of $inst shows $rows records"
    run report "$1" "$inst" --no-suppressions --gen-suppressions="$2"
    is "$status" 0 "$1 of $inst: suppressions are written for $2" || diag "$errors"
    printf '%s\n' "$out" >"$tmp/made.supp"
    [ "$nameless" -eq 0 ] || like "$out" "# $nameless record.* no name" "$1 of $inst: a comment counts the records without names"
    [ "$left" -eq "$nameless" ] || like "$out" "# .*(: the sanitizers have no suppression|would hide every such)" \
        "$1 of $inst: comments give the reason for missing suppressions"
    records "$1" --suppressions "$tmp/made.supp"
    is "$rows|$((shown + hidden))" "$left|$all" \
        "$1 of $inst: the suppressions hide all the other records"
}

# --- every tool, with our own files -----------------------------------------------------------------------

load_one "$golden/valgrind/memcheck.xml"
comes_back leaks valgrind 1
comes_back leaks lsan 1 1
comes_back errors valgrind
for file in valgrind/helgrind.xml valgrind/drd.xml; do
    load_one "$golden/$file"
    comes_back errors valgrind
done
load_one "$golden/sanitizer/lsan.txt"
comes_back leaks lsan 0 8
comes_back leaks valgrind

# --- files from real programs ---------------------------------------------------------------------------------------

if [ -d "$corpora" ]; then
    load_one "$corpora/memcheck-leaks-gensupp.xml"
    records leaks
    all=$shown
    # Extracts valgrind's suppressions from the file, which has one after each record.
    awk '/<error>/ { in_error = 1 } /<\/error>/ { in_error = 0 }
        /^]]>/ { raw = 0 } raw { print } /CDATA\[/ { raw = in_error }' \
        "$corpora/memcheck-leaks-gensupp.xml" >"$tmp/own.supp"
    is "$(grep -c '^{' "$tmp/own.supp")" "$(grep -c '<error>' "$corpora/memcheck-leaks-gensupp.xml")" "valgrind wrote one suppression per record"
    records leaks --suppressions "$tmp/own.supp"
    is "$rows|$hidden" "0|$all" "valgrind's own suppressions hide all $all blocks"
    run report leaks "$inst" --no-suppressions --suppressions "$tmp/own.supp"
    unlike "$out" "matches nothing" "each of valgrind's own suppressions matches a record"
    comes_back leaks valgrind
    comes_back leaks lsan 0 1
    load_one "$corpora/memcheck-perl.xml"
    comes_back leaks valgrind
    load_one "$corpora/lsan-leaks.txt"
    comes_back leaks lsan 0 1
    comes_back leaks valgrind
    load_one "$corpora/memcheck-errors.xml"
    comes_back leaks lsan 0 2
    comes_back errors valgrind
    comes_back errors lsan 0 6
    load_one "$corpora/asan-overflow.txt"
    comes_back errors valgrind
    comes_back errors lsan 0 1
    for file in helgrind.xml drd.xml; do
        load_one "$corpora/$file"
        comes_back errors valgrind
    done
    load_one "$corpora/tsan-race.txt"
    comes_back errors lsan
else
    skip 1 "the corpora are missing"
fi
done_testing
