#!/usr/bin/env bash
# Tests output on terminals: the width of reports and lists, the pager, and colours. Also tests output to a pipe
# whose reader ends early.
. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/pg-temp.sh"
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
export LC_ALL=C.UTF-8 TERM=xterm

# on COLUMNS ARGUMENT...: runs profdepot on a terminal, without pager or colours; sets $out, $errors, $status.
on() {
    local columns=$1
    shift
    out=$("$builddir/tests/tools/on_terminal" "$columns" "$PROFDEPOT" "$@" --no-pager --color=never 2>"$tmp/errors")
    status=$?
    errors=$(cat "$tmp/errors")
}

load() {
    "$PROFDEPOT" load "$@" >/dev/null 2>&1 || bail_out "cannot load $*"
}

load "$srcdir/examples/orders-before" --application Orders --app-version 5.2.1 --label branch=main
load "$srcdir/examples/orders-after" --application Orders --app-version 5.2.2 --label branch=main
load "$srcdir/examples/orders-page.trace.json"
load "$srcdir/examples/orders-requests.miniprofiler.json"
load "$srcdir/examples/orders-start.speedscope.json" \
    --caption "起動時間の測定 $(printf 'a very long caption %.0s' {1..20})$(printf 'x%.0s' {1..300})"
load "$srcdir/examples/orders-host.kernelscope.ndjson"
load "$srcdir/tests/golden/valgrind/memcheck.xml"
load "$srcdir/tests/golden/heap/massif.out"
load "$srcdir/tests/golden/miniprofiler/odd.json"
"$PROFDEPOT" suppress add --pattern "leak:$(printf 'nowhere_at_all_%.0s' {1..20})" --reason "$(printf 'known %.0s' {1..60})" \
    >/dev/null || bail_out "cannot add a suppression"
isnt "$("$PROFDEPOT" list --output csv | wc -l)" 0 "the depot has result sets"

# --- nothing is too wide ------------------------------------------------------------------------

# Lists every report with its groupings. fits() adds the options that some reports need.
mapfile -t reports < <("$PROFDEPOT" reports | grep -v '^ \|^dossier$' | grep .) # a dossier is a page
fits() {
    local columns=$1 report options failed=
    for report in "${reports[@]}"; do
        options=()
        case $report in
        stack) options=(--object 1) ;;
        trend) continue ;; # a separate command, tested below
        diff*) continue ;;
        esac
        # shellcheck disable=SC2086 # words of a report
        on "$columns" report $report "${sets[@]}" "${options[@]}"
        [ "$status" -eq 0 ] || failed+="report $report: $status $errors"$'\n'
    done
    is "$failed" "" "$columns columns: every report fits"
}
sets=(all)
lists=("list" "list --limit 2" "reports" "formats" "stream list" "category list" "suppress list" "show 1" "show 3" "show 6"
    "trend live_count" "trend duration" "verify --output text" "report stack 1 --object 0" "report stack 1 --error 0"
    "diff 1 2" "diff 1 2 --by class" "diff 1 2 --by routine" "diff 1 2 --by module" "diff 1 2 --by own" "diff 1 2 --by object"
    "check 2 --budget $tmp/budget.json" "report leaks 1 --help" "--help")
echo '{"budgets":[{"of":"leaks","max_count":0},{"of":"errors","max_count":1}]}' >"$tmp/budget.json"
mapfile -t reports < <(printf '%s\n' "${reports[@]}" | grep -v '^stack$')
for columns in 80 100 120 160; do
    fits $columns
    failed=
    for list in "${lists[@]}"; do
        # shellcheck disable=SC2086 # words of a command
        on $columns $list
        [ "$status" -ne 99 ] || failed+="$list: $errors"$'\n'
    done
    is "$failed" "" "$columns columns: every list fits"
done

on 40 show 1
is "$status $errors" "0 " "lines with wide gaps are broken on a narrow terminal"

# --- how it fits --------------------------------------------------------------------------------

q "update instances set loaded_at = '2026-11-23 22:25:04+00'"
on 120 list --application Orders
like "$out" 'the same in every row: .*State closed.*Application Orders' "a column that is the same in every row is left out"
like "$out" 'no values: Host' "a column without values is left out"
unlike "$(sed -n 3p <<<"$out")" 'State|Host|Application' "the table does not contain these columns"
like "$out" 'Loaded at 2026-11-23 22:25[,;]' "times are short"
on 120 list --application Orders --limit 1
unlike "$out" 'the same in every row' "one row has no columns that are the same in every row"
on 80 list
like "$out" $'\nINST_ID: +[0-9]+\n.*Caption: .*\nFormat: ' "a table that needs more columns becomes records"
on 160 list
like "$out" 'INST_ID  Caption' "a wide terminal shows the table"
on 160 trend live_count --application Orders
like "$out" 'no values: Coverage' "trend leaves out empty columns"
unlike "$out" 'Change %  ' "the trend table has no column without values"
on 80 report clienttimings 4
like "$out" 'too wide: Waterfall' "bars are left out first, and a note names them"
like "$out" 'Name +Start +Duration' "without the bars the table fits"
on 80 report clienttimings 4 --output csv
like "$out" ',bar' "CSV has the bars on a terminal, too"
on 80 report leaks 1 --by class
like "$out" 'Total +142 ' "columns with a total stay"

# --- without a terminal -------------------------------------------------------------------------

is "$("$PROFDEPOT" list --application Orders | sed -n 3p | tr -s ' ')" \
    "INST_ID Caption Format State Application Version Host Loaded at Objects Errors Tracks Samples Spans Rows Labels" \
    "without a terminal text has all columns"
like "$("$PROFDEPOT" list)" '2026-11-23T22:25:04' "without a terminal times are complete"
like "$(COLUMNS=100 "$PROFDEPOT" list --application Orders)" 'the same in every row' "COLUMNS gives text a width"
is "$(COLUMNS=100 "$PROFDEPOT" list --output csv)" "$("$PROFDEPOT" list --output csv)" "CSV does not depend on COLUMNS"

# --- colours ------------------------------------------------------------------------------------

escape=$'\033['
colored() { "$builddir/tests/tools/on_terminal" 120 "$PROFDEPOT" list --no-pager "$@"; }
like "$(colored)" "${escape/\[/\\[}1m" "a terminal shows colours"
unlike "$(NO_COLOR=1 colored)" "${escape/\[/\\[}" "NO_COLOR turns colours off"
like "$(NO_COLOR='' colored)" "${escape/\[/\\[}" "an empty NO_COLOR does not turn colours off"
unlike "$(TERM=dumb colored)" "${escape/\[/\\[}" "a dumb terminal shows no colours"
like "$(NO_COLOR=1 colored --color=always)" "${escape/\[/\\[}" "--color=always overrides NO_COLOR"
unlike "$(colored --color=never)" "${escape/\[/\\[}" "--color=never turns colours off"
unlike "$("$PROFDEPOT" list)" "${escape/\[/\\[}" "a pipe receives no colours"
like "$("$PROFDEPOT" list --color=always)" "${escape/\[/\\[}" "a pipe receives colours with --color=always"
unlike "$("$PROFDEPOT" list --color=always --output csv)" "${escape/\[/\\[}" "CSV never has colours"
run list --color=sometimes
is "$status" 2 "an unknown value of --color is a usage error"

# --- the pager ----------------------------------------------------------------------------------

paged() { "$builddir/tests/tools/on_terminal" 100 "$PROFDEPOT" "$@"; }
like "$(PAGER="sed 's/^/> /'" paged list)" '> .*Result sets' "a list is shown in the pager"
like "$(PAGER="sed 's/^/> /'" paged list)" 'the same in every row|INST_ID: ' "the pager's input has the terminal's width"
like "$(PAGER="sed 's/^/> /'" paged list)" $'> \033\\[1m|> .*INST_ID' "the pager's input has colours"
unlike "$(PAGER="sed 's/^/> /'" paged list --no-pager)" '^> ' "--no-pager turns the pager off"
unlike "$(PAGER='' paged list)" '^> ' "an empty PAGER turns the pager off"
is "$(PAGER="sed 's/^/> /'" "$PROFDEPOT" list | grep -c '^>')" 0 "without a terminal there is no pager"
PAGER="true" paged report objects all --top 0 >/dev/null 2>"$tmp/errors"
is "$? $(cat "$tmp/errors")" "0 " "closing the pager early is not an error"
PAGER="no-such-pager" paged list >/dev/null 2>"$tmp/errors"
like "$? $(cat "$tmp/errors")" '^3 .*pager cannot be run.*--no-pager' "a pager that cannot be run is an error"
PAGER="cat >/dev/null" paged check 2 --budget "$tmp/budget.json" >/dev/null 2>&1
is "$?" 1 "the exit status is the command's, not the pager's"
like "$(PAGER="cat >&2" paged report leaks 99 2>&1)" 'no result set 99' "an error is shown after the pager has ended"

# --- a reader that ends early -------------------------------------------------------------------

{ "$PROFDEPOT" report stack 1 --object 0 2>"$tmp/errors"; echo $? >"$tmp/status"; } | true
{ "$PROFDEPOT" export 1 --format speedscope --out - 2>>"$tmp/errors"; } | true
is "$(grep -v "^note: " "$tmp/errors")" "" "a reader that ends early causes no message"
{ sleep 1; "$PROFDEPOT" report leaks 1 2>"$tmp/errors"; echo $? >"$tmp/status"; } | true
is "$(cat "$tmp/status") $(cat "$tmp/errors")" "141 " "the exit status is that of SIGPIPE"
if [ -w /dev/full ]; then
    "$PROFDEPOT" list >/dev/full 2>"$tmp/errors"
    like "$? $(cat "$tmp/errors")" '^3 .*No space left' "a full disk is still an error"
else
    skip "there is no /dev/full" "a full disk is still an error"
fi

done_testing
