#!/usr/bin/env bash
# Tests the CI job from doc/ci with a real program under valgrind: it fails while the program leaks
# and passes once the leak is fixed.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"

command -v valgrind >/dev/null || skip_all "valgrind is not installed"
pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
"$PROFDEPOT" db migrate >/dev/null 2>&1 || bail_out "the depot cannot be created"
cp "$srcdir/doc/ci/orders.c" "$srcdir/doc/ci/budget.json" "$srcdir/doc/ci/leak-check" "$tmp" || bail_out "the files of the job cannot be copied"
cd "$tmp" || bail_out "the folder cannot be entered"
unset GITHUB_ACTIONS

# job: runs the CI job; sets $out and $status
job() {
    out=$(sh ./leak-check ./orders 2>"$tmp/errors")
    status=$?
}

# A program built with the sanitizers does not run under valgrind.
build() {
    # shellcheck disable=SC2086 # the compiler may be several words
    $CC -g -O0 -fno-sanitize=all "$@" -o orders orders.c 2>"$tmp/errors" || bail_out "$(cat "$tmp/errors")"
}

build
job
is "$status" 1 "a leaking program breaks the budget"
like "$out" "EXCEEDED no leaks" "the output names the exceeded budget"
like "$out" "allowed: 0" "the output contains the allowed value"
like "$out" "order_new  .*orders\.c:16" "the output contains the leak's stack"
like "$out" "total_of  .*orders\.c:35" "the leak's stack includes the caller"
like "$out" "met      no errors" "the error budget is not exceeded"
like "$out" "skipped  reachable memory does not grow: there is no result set to compare with" \
    "the first run skips the growth budget"
like "$out" "1 of 3 budgets exceeded, 1 skipped" "the summary counts exceeded and skipped budgets"
ok "JUnit XML is well-formed" xmllint --noout results/leaks.xml
like "$(cat results/leaks.xml)" 'tests="3" failures="1" errors="0" skipped="1"' \
    "JUnit XML contains the counts"
sarif=$("$builddir/tests/tools/check_sarif" results/leaks.sarif)
like "$sarif" "results [1-9][0-9]*, flows [1-9]" "SARIF contains results and code flows"
like "$(cat results/leaks.sarif)" '"uri": "orders.c"' "paths in SARIF are relative to the checkout"
like "$(cat results/leaks.md)" '\| no leaks \| \*\*exceeded\*\*' "markdown shows the exceeded budget"
before=$out

# Builds the same program in another folder.
mkdir elsewhere
cp orders.c budget.json leak-check elsewhere
cd elsewhere || bail_out "the folder cannot be entered"
build
job
like "$("$PROFDEPOT" diff latest~1 latest)" "0 new, 0 grown, 0 shrunk, 0 gone, [1-9]" "a build in another folder has the same leaks"
build -DFIXED
job
is "$status" 0 "the fixed program passes"
like "$out" "3 of 3 budgets met" "the fixed program stays within all budgets"
like "$("$PROFDEPOT" diff latest~1 latest)" "0 new, 0 grown, 0 shrunk, [1-9][0-9]* gone" "diff shows removed leaks"
like "$("$PROFDEPOT" trend live_count --label branch=main)" "█▁" "the trend shows fewer leaks"

build
GITHUB_ACTIONS=true job
is "$status" 1 "the leaking program fails again"
like "$out" "met      reachable memory does not grow" "a later run judges the growth budget"
GITHUB_ACTIONS=true sh ./leak-check ./orders >"$tmp/annotated" 2>/dev/null
ok "the job prints annotations for GitHub" grep -q '^::error file=orders.c,line=' "$tmp/annotated"
is "$(sed -n '/EXCEEDED/,/^met/p' <<<"$before" | grep -c 'orders.c')" "$(sed -n '/EXCEEDED/,/^met/p' <<<"$out" | grep -c 'orders.c')" \
    "the last run's breach shows as many stacks as the first run's"
done_testing
