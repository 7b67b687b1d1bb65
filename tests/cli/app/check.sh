#!/usr/bin/env bash
# Tests profdepot check: verdicts, exit statuses, output formats, invalid budgets.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT

# check STATUS BUDGETS ARGUMENT...: runs check with these budgets; sets $out and $errors.
check() {
    local expected=$1 budgets=$2
    shift 2
    printf '{"own": "Orders*", "budgets": [%s]}\n' "$budgets" >"$tmp/budget.json"
    run check "$@" --budget "$tmp/budget.json"
    is "$status" "$expected" "exit status $expected for ${budgets:0:90} $*"
}

"$PROFDEPOT" db migrate >/dev/null 2>&1 || bail_out "the depot cannot be created"
check 2 '{"of": "leaks", "max_count": 0}'
like "$errors" "has no result sets" "an empty depot cannot be judged"
for example in "$srcdir/examples/orders-before" "$srcdir/examples/orders-after" "$srcdir/examples/orders-page.trace.json"; do
    "$PROFDEPOT" load "$example" --label branch=main >/dev/null 2>&1 || bail_out "the examples do not load"
done
psql -XqAt -v ON_ERROR_STOP=1 -v before=100 -v after=101 -f "$srcdir/tests/golden/flame/set.sql" || bail_out "no golden set"
# set.sql does not record what the runs of its two result sets looked for, so this script adds it.
q "insert into coverage select i, w, 'full', 'test' from unnest(array[100, 101]) i, unnest(array['leaks', 'errors']) w"

# --- verdicts -----------------------------------------------------------------------------------

registry=$(q "select sum(block_count) from resource_profiler_objects o
    join class_names c on c.inst_id = o.inst_id and c.rec_id = o.col_classrid
    where o.inst_id = 2 and c.class_name = 'Registry'")
check 0 "{\"of\": \"leaks\", \"class\": \"registry\", \"max_count\": $registry}" 2
check 1 "{\"of\": \"leaks\", \"class\": \"registry\", \"max_count\": $((registry - 1))}" 2
like "$out" "$registry objects, allowed: $((registry - 1))" "a breach shows the value and its limit"
like "$out" "TSettings.OpenKey  src.core.Settings.pas:76" "a breach shows the stack"
size=$(q "select sum(col_size) from resource_profiler_objects where inst_id = 2")
check 0 "{\"of\": \"leaks\", \"max_size\": $size}" 2
check 1 "{\"of\": \"leaks\", \"max_size\": $((size - 1))}" 2
check 0 '{"of": "leaks", "max_size": "1M"}' 2
check 1 '{"of": "errors", "max_count": 0}' 2
check 0 '{"of": "errors", "max_count": 10}' 2
check 0 '{"of": "errors", "kind": "no such*", "max_count": 0}' 2
check 1 '{"of": "errors", "kind": ["nope", "closehandle"], "max_count": 0}' 2
like "$out" "The handle is invalid" "a breach of an error budget shows the error's description"
check 1 '{"of": "leaks", "max_new": 0}' 2 --base 1
like "$out" "1 new stack, allowed: 0" "a breach shows the number of new stacks"
check 0 '{"of": "leaks", "max_new": 1}' latest~3 --base label:branch=main
check 0 '{"of": "errors", "max_count_growth": 0}' 2 --base 1
check 1 '{"of": "leaks", "each": "module", "max_count_growth": 20}' 2 --base 1
like "$out" "34 objects of OrdersReports.dll, 13 before: grown by 21, allowed: 20" \
    "a breach shows by how much a module has grown"
unlike "$out" "of Orders.exe" "a breach does not show modules within the limit"
check 1 '{"of": "leaks", "each": "class", "class": "Registry", "max_count_growth_percent": 94}' 2 --base 1
check 0 '{"of": "leaks", "each": "class", "class": "Registry", "max_count_growth_percent": 95}' 2 --base 1
check 1 '{"of": "leaks", "each": "own", "max_size_growth": "38K"}' 2 --base 1
like "$out" "TOrderForm.FormShow, 44474 before: grown by 39003, allowed: 38912" \
    "a breach shows by how much an own frame has grown"
check 0 '{"of": "leaks", "own": "TLegend*", "max_count_growth": 0}' 2 --base 1
check 1 '{"of": "duration", "span": "fetch*", "statistic": "max", "max_value": "212 ms"}' 3
like "$out" "212400 microseconds, allowed: 212000" "a time limit is shown in the metric's unit"
check 0 '{"of": "duration", "span": "fetch*", "statistic": "max", "max_value": "0.2124s"}' 3
check 1 '{"of": "duration", "span": "draw*", "statistic": "max", "max_value": 29699}' 3
check 1 '{"of": "metric", "metric": "microseconds", "max_value": 0}' 3 ||
    diag "$out$errors"

# --- budgets that cannot be judged --------------------------------------------------------------

check 2 '{"of": "metric", "metric": "cpu", "max_value": 1}' 2
like "$out" "UNKNOWN  budget 1: the result set has no metric cpu" "an unknown metric cannot be judged"
check 0 '{"of": "metric", "metric": "cpu", "max_value": 1, "optional": true}' 2
like "$out" "skipped  budget 1" "an optional budget with an unknown metric is skipped"
check 2 '{"of": "leaks", "max_count_growth": 1}' 2
like "$out" "use --base" "a growth limit needs --base"
check 1 '{"of": "leaks", "max_count_growth": 1}, {"of": "errors", "max_count": 0}' 2
check 2 '{"of": "duration", "span": "nope", "max_value": 1}' 3
check 2 '{"of": "leaks", "max_count": 1}' 77
like "$errors" "no result set 77" "the error names an unknown result set"
check 2 '{"of": "leaks", "max_count": 1}' 2 --base label:branch=none
like "$errors" "option --base: no result set.*branch=none" "the error names an unknown base"
check 2 '{"of": "leaks", "max_count": 1}' 2 --output yaml
like "$errors" "not an output format" "the error names an unknown output format"
check 2 '{"of": "leaks", "max_cuont": 1}' 2
like "$errors" "budget.json: budgets: item 1: unknown key .max_cuont.*use one of: name, of" "the error names an unknown key"
run check 2 --budget "$tmp/nowhere.json"
is "$status" 2 "a missing budget file is refused"
like "$errors" "nowhere.json.*No such file" "the error names a missing budget file"
: >"$tmp/empty.json"
run check 2 --budget "$tmp/empty.json"
like "$status $errors" "^2 .*empty.json: offset 0.*hint: profdepot-check\(1\) describes" "a hint says where the form of budget files is described"
run check 2
like "$status$errors" "2.*the depot has no budgets" "without --budget, check needs budgets in the depot"
run check 2 --budget - <<<'{"budgets": [{"of": "errors", "max_count": 10}]}'
is "$status" 0 "budgets can be read from standard input"

# --- suppressions -------------------------------------------------------------------------------

printf 'leak:TSettings.OpenKey\n' >"$tmp/known.supp"
check 0 '{"of": "leaks", "class": "registry", "routine": "OpenKey", "max_count": 0}' 2 --suppressions "$tmp/known.supp"
like "$out" "1 of 1 budget met; suppressed: 34" "suppressed records are not counted"
like "$("$PROFDEPOT" diff 1 2 --suppressions "$tmp/known.supp")" "suppressed now: 34 objects" \
    "suppressed records are not counted in a comparison"

# --- own frames without globs -------------------------------------------------------------------

cat >"$tmp/lsan.log" <<'END'
==7==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 40 byte(s) in 4 object(s) allocated from:
    #0 0x1 in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69
    #1 0x2 in cart_fill /src/cart.c:12
    #2 0x3 in main /src/main.c:3

SUMMARY: AddressSanitizer: 40 byte(s) leaked in 4 allocation(s).
END
"$PROFDEPOT" load "$tmp/lsan.log" >/dev/null 2>&1 || bail_out "the log does not load"
# bare STATUS BUDGET ARGUMENT...: like check, but the budget file does not have the member "own".
bare() {
    local expected=$1
    printf '{"budgets": [%s]}\n' "$2" >"$tmp/bare.json"
    shift 2
    run check "$@" --budget "$tmp/bare.json"
    is "$status" "$expected" "exit status $expected if the budget file does not have the member \"own\": $*"
}
bare 1 '{"of": "leaks", "each": "own", "max_count": 3}' latest
like "$out" "4 objects of cart_fill, allowed: 3" "own frames exclude allocators and system libraries"
bare 1 '{"of": "leaks", "max_count": 3}' latest --output github
like "$out" "file=/src/cart.c,line=12," "an annotation refers to the own frame's line"
printf '{"budgets": [{"of": "leaks", "own": "cart_*", "max_count": 3}]}' >"$tmp/own.json"
run check latest --budget "$tmp/own.json"
is "$status" 1 "a budget can select an own frame by its routine"
printf '{"budgets": [{"of": "metric", "max_value": 1}]}' >"$tmp/own.json"
run check latest --budget "$tmp/own.json"
unlike "$errors" "add a limit" "a budget that has a limit causes no hint to add a limit"

# --- every output format, with names that must be escaped in markup ------------------------------

budgets='{"name": "a <b> & \"c\" | %: ,", "of": "leaks", "max_size": 1}, {"of": "leaks", "max_new": 0},
    {"of": "errors", "max_count": 0}, {"of": "metric", "metric": "x", "max_value": 1, "optional": true},
    {"of": "duration", "span": "x", "max_value": 1}'
check 1 "$budgets" 101 --base 100 -o text -o "markdown=$tmp/c.md" -o "json=$tmp/c.json" -o "junit=$tmp/c.xml" \
    -o "sarif=$tmp/c.sarif" -o "github=$tmp/c.github" --source-root /nowhere
like "$out" "2 of 5 budgets exceeded, 1 could not be judged, 1 skipped" "the summary line counts the verdicts"
ok "JUnit XML is well-formed" xmllint --noout "$tmp/c.xml"
is "$(xmllint --xpath 'concat(/testsuites/@tests, " ", /testsuites/@failures, " ", /testsuites/@errors, " ",
    /testsuites/@skipped, " ", count(//testcase), " ", count(//failure), " ", //testcase[1]/@name)' "$tmp/c.xml")" \
    '5 2 1 1 5 2 a <b> & "c" | %: ,' "JUnit XML contains the counts and the unchanged name"
said=$("$builddir/tests/tools/check_sarif" "$tmp/c.sarif")
is "$?" 0 "SARIF is valid: $said"
stacks=$(q "select count(*) from (select coalesce(stack_id, 0) from resource_profiler_objects where inst_id in (100, 101)
    group by 1) x")
like "$said" "results $((stacks + 2 + 2)), " \
    "SARIF has one result per stack of either result set, and one per exceeded or unjudged budget"
like "$said" "absent [1-9]" "SARIF includes absent leaks"
isnt "$(grep -c '<script>alert' "$tmp/c.sarif")" 0 "SARIF keeps markup in names unchanged"
is "$(grep -c '<script>' "$tmp/c.md")" 0 "markdown escapes markup"
is "$(grep -cv '^::\(error\|notice\) ' "$tmp/c.github")" 0 \
    "each line of the github format is an annotation"
like "$(cat "$tmp/c.github")" 'title=profdepot%3A a <b> & "c" \| %25%3A %2C::' \
    "annotation properties are escaped"
like "$(tr -d '\n ' <"$tmp/c.json")" '"passed":1,"broken":2,"skipped":1,"unjudged":1,"budgets":' \
    "JSON contains the number of budgets per verdict"
# A stack's identity is the same in every depot.
identity=$(q "select replace(identity::text, '-', '') from stack_keys where inst_id = 101 and stack_id = 1")
like "$(cat "$tmp/c.sarif")" "\"stackIdentity/v1\": \"$identity\"" "the fingerprints in SARIF are stack identities"
check 1 "$budgets" 2 --base 1 -o sarif
"$builddir/tests/tools/check_sarif" - </dev/null >/dev/null 2>&1
printf '%s\n' "$out" >"$tmp/orders.sarif"
grep -o '"findingIdentity/v1": "[0-9a-f]*"' "$tmp/orders.sarif" | cut -d '"' -f 4 | LC_ALL=C sort -u >"$tmp/findings"
ok "SARIF contains finding identities" [ -s "$tmp/findings" ]
is "$(LC_ALL=C comm -23 "$tmp/findings" <(q "select distinct replace(identity::text, '-', '') from sightings" | LC_ALL=C sort))" "" \
    "the finding identities in SARIF are those of the history"
is "$(tr -d '\n ' <"$tmp/orders.sarif" | grep -o '"partialFingerprints":{"findingIdentity/v1":"[0-9a-f]\{32\}"}' | wc -l)" \
    "$(grep -c '"fingerprints": {' "$tmp/orders.sarif")" "each result has its finding identity as a partial fingerprint"
said=$("$builddir/tests/tools/check_sarif" "$tmp/orders.sarif")
like "$out" '"text": "[0-9]+ objects of Registry( with [0-9,]+ bytes)? not released in TSettings\.[A-Za-z]+, Settings\.pas:[0-9]+' \
    "SARIF's messages read like the leaks report"
like "$said" "new [1-9][0-9]*, updated 7, unchanged [0-9]*, absent 1," \
    "SARIF contains the state of each result"
sed 's/"level": "warning"/"level": "fatal"/' "$tmp/orders.sarif" >"$tmp/bad.sarif"
ok "the SARIF checker finds an invalid word" ! "$builddir/tests/tools/check_sarif" "$tmp/bad.sarif"
sed 's/"startLine": [0-9]*/"startLine": 0/' "$tmp/orders.sarif" >"$tmp/bad.sarif"
ok "the SARIF checker finds an invalid number" ! "$builddir/tests/tools/check_sarif" "$tmp/bad.sarif"

# "profdepot check" must use the same names of states as "profdepot diff".
check 1 "$budgets" 2 --base 1 -o json
is "$(printf '%s\n' "$out" | grep -o '"state": "[a-z]*"' | sort -u | tr -d '\n')" \
    '"state": "gone""state": "grown""state": "new""state": "same""state": "shrunk"' "the states are those of diff"
check 1 "$budgets" 2 --base 1
like "$out" ', grown  ' "a stack that has grown is called grown"
unlike "$out" ', (changed|updated)  ' "no word other than diff's is used"

# --- recorded verdicts --------------------------------------------------------------------------

verdicts() {
    q "select string_agg(concat_ws(' ', inst_id, budget, verdict, reason), '; ' order by inst_id, budget_no) from budget_verdicts"
}
check 1 '{"name": "leaks", "of": "leaks", "max_count": 1}' 2
is "$(verdicts)" "" "without --record, nothing is recorded"
check 1 '{"name": "leaks", "of": "leaks", "max_count": 1, "max_new": 0}, {"name": "errors", "of": "errors", "max_count": 10}' 2 --base 1 --record
like "$(verdicts)" '^2 leaks broken [0-9]+ objects, allowed: 1; 1 new stack, allowed: 0; 2 errors passed$' "--record stores the verdicts with their reasons"
run show 2
like "$out" 'exceeded +leaks +[0-9]+ objects, allowed: 1' "show prints them"
run show 2 --output json
like "$out" '"budgets": \[.*"verdict": "passed",.*"budget": "errors",.*"reason": null' "show prints them as JSON"
check 0 '{"name": "errors", "of": "errors", "max_count": 10}' 2 --record
is "$(verdicts)" "2 errors passed" "the next recorded check replaces them"
"$PROFDEPOT" load -q --again --run night "$srcdir/examples/orders-before" "$srcdir/examples/orders-after" >/dev/null 2>&1
check 1 '{"name": "errors", "of": "errors", "max_count": 0}' run:night --record
is "$(q "select count(*), count(distinct inst_id) from budget_verdicts v join runs r using (inst_id) where r.run_key = 'night' and v.verdict = 'broken'")" "2|2" \
    "the verdicts on a run are stored with each of its result sets"
run verify 2
is "$status" 0 "verdicts are not part of the content that verify compares"
run rm 2
is "$(q "select count(*) from budget_verdicts where inst_id = 2")" 0 "rm removes the verdicts of a result set"
"$PROFDEPOT" load -q "$srcdir/examples/orders-after" >/dev/null 2>&1

# --- invalid budgets ----------------------------------------------------------------------------

for n in 1 7 20 40 60 79; do
    head -c $n "$srcdir/fuzz/corpus/budget/all-keys" >"$tmp/cut.json"
    run check 2 --budget "$tmp/cut.json"
    like "$status$errors" '^2profdepot: .*cut.json.*offset' \
        "a budget file truncated at byte $n is refused"
done
head -c 100000 /dev/zero >"$tmp/zeros.json"
run check 2 --budget "$tmp/zeros.json"
like "$status$errors" '^2profdepot: .*zeros.json' \
    "the error names a budget file that contains only zero bytes"
head -c 5000000 /dev/zero | tr '\0' ' ' >"$tmp/large.json"
run check 2 --budget "$tmp/large.json"
like "$status$errors" '^2profdepot: .*longer than' "the error names the maximum length of a budget file"
done_testing
