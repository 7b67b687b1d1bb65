#!/usr/bin/env bash
# Tests profdepot report and reports: correct answers, every output format, clear errors.
. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/pg-temp.sh"
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

# refused STATUS PATTERN TEXT ARGUMENT...: checks that the report fails with this status and message.
refused() {
    local expected=$1 pattern=$2 text=$3 said status=0
    shift 3
    said=$("$PROFDEPOT" report "$@" 2>&1 >/dev/null) || status=$?
    is "$status" "$expected" "$text: exit status $expected"
    like "$said" "$pattern" "$text: the message names the cause"
}

every_report=(summary classes objects errors "stack --object 0" "stack --error 0" leaks "leaks --by names"
    "leaks --by class" "leaks --by stack" "leaks --by routine" "leaks --by module" "leaks --by thread"
    "leaks --by own --own M*" "leaks --by record" "errors --by record" "leaks --by record --own N*" routines modules threads lines issues "routines --thread 4711"
    "leaks --thread 47*" "leaks --routine G" "leaks --module *GDI*" "classes --class ä* --module öl*"
    "objects --routine f" "errors --routine G" "leaks --top 3" "objects --sort size:asc"
    "classes --min-count 2" "leaks --min-size 5" "objects --thread 4712 --min-size 1")

# --- wrong usage --------------------------------------------------------------------------------

refused 2 "has no result sets.*profdepot load PATH" "an empty depot" leaks
refused 2 "no result set 7" "an unknown result set" leaks 7
refused 2 "did you mean \"leaks\"" "an unknown report" leaky
refused 2 "which report" "no report"
refused 2 "classes does not take --by" "--by of a report without groupings" classes --by own
refused 2 "has no --by steps.*use one of lines, names, class, stack, .*own, record" "--by of another report" leaks --by steps
refused 2 "\"x\" is not the name of a result set.*latest" "an invalid name of a result set" leaks x
refused 2 "no result set .latest~9.*profdepot list" "latest~9 with fewer than ten result sets" leaks latest~9
refused 2 "does not take --own.*these do: .*leaks" "an option of another report" classes --own 'a*'
refused 2 "no column \"stack\"" "sorting by a stack" leaks --sort stack
refused 2 "is not a direction" "sorting in an unknown direction" leaks --sort size:up
refused 2 "one of --object and --error" "a stack without an object or error" stack
refused 2 "is not a size" "a size with an unknown unit" leaks --min-size 3apples
refused 2 "does not take --top" "--top of a summary" summary --top 3
refused 2 "does not take --by.*--top" "--top of a dossier" dossier --top 3 --output html
refused 2 "does not take --by" "--by of a dossier" dossier --by class --output html
refused 2 "is an HTML page.*--output dossier.html" "a dossier as text" dossier
refused 2 "neither a format nor a file" "a file with an unknown extension" leaks --output "$tmp/x.pdf"
refused 2 "neither a format nor a file.*text|csv" "an unknown format" leaks --output tex
refused 2 "both name a file" "two files" leaks --output "$tmp/x.html" --out "$tmp/y.html"

# --- a result set that SQL wrote ----------------------------------------------------------------

psql -XqAt -v ON_ERROR_STOP=1 -v inst=100 -f "$srcdir/tests/golden/reports/set.sql" ||
    bail_out "the golden result set cannot be created"

# --- the dossier ------------------------------------------------------------------------------------

"$PROFDEPOT" report dossier 100 --output "$tmp/dossier.html"
is "$?" 0 "a dossier is written to a file"
is "$(grep -o '<section class="set" id="[a-z]*"' "$tmp/dossier.html" | cut -d'"' -f4 | paste -sd' ')" \
    "summary leaks errors classes hot" "the dossier contains the reports in order"
is "$(grep -o ' id="[^"]*"' "$tmp/dossier.html" | sort | uniq -d)" "" "no id occurs twice"
is "$(grep -c 'Result set 100' "$tmp/dossier.html")" 1 "the dossier names the result set once"
is "$(grep -c 'of profdepot, created' "$tmp/dossier.html")" 1 "the dossier has one foot"
status=0
"$PROFDEPOT" report dossier 100 --base 7 --output "$tmp/none.html" 2>"$tmp/said" || status=$?
is "$status" 2 "an unknown base is refused"
like "$(cat "$tmp/said")" "no result set 7" "the message names it"
ok "a dossier with an unknown base is not written" test ! -e "$tmp/none.html"
for extension in txt csv json md html; do
    "$PROFDEPOT" report classes 100 --output "$tmp/classes.$extension"
done
is "$(head -qc 9 "$tmp/classes.html" "$tmp/classes.json" "$tmp/classes.csv" "$tmp/classes.md" "$tmp/classes.txt")" \
    '<!DOCTYPE{"report"class,mod## ClasseClasses: ' "the extension names the format"

# write_all FOLDER: writes every report in every format.
write_all() {
    local n=0 r o
    mkdir -p "$1"
    for r in "${every_report[@]}"; do
        for o in text csv json markdown; do
            # shellcheck disable=SC2086 # words of a report
            (set -f; "$PROFDEPOT" report $r --output $o) >"$1/$n.$o" 2>&1 || echo "failed: $r $o" >>"$1/failed"
        done
        n=$((n + 1))
    done
}

write_all "$tmp/open"
ok "every report can be written in every format" test ! -e "$tmp/open/failed"
is "$(psql -XqAt -c "select state from profdepot.instances")" open "a result set written with SQL is open"
psql -XqAt -c "select profdepot.reindex_result_set(100)" >/dev/null
write_all "$tmp/closed"
same_file <(cd "$tmp/open" && cat -- *) <(cd "$tmp/closed" && cat -- *) "reports on open and closed result sets are the same"

golden() { # NAME ARGUMENT...
    local name=$1
    shift
    "$PROFDEPOT" report "$@" >"$tmp/got" 2>&1
    if [ -n "${GOLDEN_WRITE:-}" ]; then
        cp "$tmp/got" "$srcdir/tests/golden/reports/$name"
    fi
    same_file "$tmp/got" "$srcdir/tests/golden/reports/$name" "report $* equals its golden file"
}

golden leaks.txt leaks
golden leaks_names.txt leaks --by names
golden leaks_names.md leaks --by names --output markdown
golden leaks_own.txt leaks --by own --own N.DLL
golden leaks_routine.txt leaks --by routine
golden leaks_thread.csv leaks --by thread --output csv
golden routines.txt routines
golden routines_thread.txt routines --thread 4711
golden modules.txt modules
golden lines.txt lines
golden threads.csv threads --output csv
golden errors.json errors --output json
golden objects.csv objects --output csv
golden classes.csv classes --output csv
golden issues.csv issues --output csv
golden summary.txt summary
golden stack_error.txt stack --error 0
golden stack_none.txt stack --object 2
refused 2 "result set 100 has no object with ID 77" "a stack of an object that does not exist" stack --object 77

is "$("$PROFDEPOT" report leaks --top 2 --output csv | cut -d, -f1-3 | tr -d '\r' | tr '\n' ';')" \
    "number,count,size;1,1,8;2,1,8;" "leaks --top 2 shows two of the tied records"
like "$("$PROFDEPOT" report leaks --top 2 --output json)" '"rows":7,"shown":2,"count":7,"size":20' \
    "totals include rows that are not shown"
# foot ARG...: prints the totals of a report, without the number of rows that it shows.
foot() {
    "$PROFDEPOT" report "$@" --output json | sed -n 's/.*"totals"://p' | sed 's/"shown":[0-9]*,\{0,1\}//'
}
for report in leaks "leaks --by class" "leaks --by own" "leaks --by stack" "leaks --by routine" "leaks --by module" \
    "leaks --by thread" routines modules lines threads errors objects classes issues; do
    read -ra words <<<"$report"
    all=$(foot "${words[@]}")
    ok "report $report has totals" test -n "$all"
    is "$(foot "${words[@]}" --top 1); $(foot "${words[@]}" --top 1 --skip 1)" "$all; $all" "report $report --top has the same totals"
    is "$(foot "${words[@]}" --top 1 --skip 1000)" "$all" "report $report --skip has the same totals"
done

# --- several result sets, files -----------------------------------------------------------------

psql -XqAt -v ON_ERROR_STOP=1 -v inst=101 -f "$srcdir/tests/golden/reports/set.sql"
is "$("$PROFDEPOT" report threads all --output csv | cut -d, -f1,2 | tr -d '\r' | tr '\n' ';')" \
    "inst_id,os_thread_id;100,4711;100,4712;100,;101,4711;101,4712;101,;" "report threads all shows every result set"
like "$("$PROFDEPOT" report classes 101 100 --output json | tr -d '\n')" \
    '"inst_id":101.*"inst_id":100' "report classes 101 100 keeps the order of the operands"

"$PROFDEPOT" report classes 100 --out "$tmp/file" --output csv
same_file "$tmp/file" "$srcdir/tests/golden/reports/classes.csv" "--out writes the file"
echo old >"$tmp/kept"
refused 2 "no result set 5" "a report that fails" classes 5 --out "$tmp/kept"
is "$(cat "$tmp/kept")" old "a failed report does not change the file"
is "$(find "$tmp" -name 'kept?*')" "" "a failed report creates no other file"
refused 3 "cannot write .*No such file" "--out in a missing folder" classes 100 --out "$tmp/none/file"
if [ -w /dev/full ]; then
    refused 3 "No space left" "a full disk" classes 100 --out /dev/full
fi

# --- the list -----------------------------------------------------------------------------------

like "$("$PROFDEPOT" reports)" "leaks --by own" "the command reports lists the reports"
like "$("$PROFDEPOT" reports --output json | tr -d '\n ')" '"name":"leaks","by":"lines"' "the command reports --output json lists the reports"

# --- AQTime's own answers -----------------------------------------------------------------------

if [ -d "${PROFDEPOT_CORPORA:-/nonexistent}/aqtime" ]; then
    for corpus in messy semicolon ssms plain; do
        pg_temp_database "corpora_$corpus"
        depot_make
        "$PROFDEPOT" load "$PROFDEPOT_CORPORA/aqtime/$corpus/export" >/dev/null 2>&1
        for pair in classes:classes objects:objects errors:errors leaks:leak_groups routines:routines_inclusive; do
            "$PROFDEPOT" report "${pair%:*}" all --output json >"$tmp/got.json"
            ok "report ${pair%:*} agrees with AQTime's ${pair#*:}: $corpus" "$builddir/tests/tools/compare_report" \
                "$PROFDEPOT_CORPORA/aqtime/$corpus/expected.json" "${pair#*:}" "$tmp/got.json"
        done
        # All four exports have the same rows, so after the first load the depot knows the content
        # of all of them.
        for other in plain ssms semicolon messy; do
            "$PROFDEPOT" load --output json "$PROFDEPOT_CORPORA/aqtime/$other/export" 2>/dev/null
        done >"$tmp/again.json"
        is "$(grep -c '"state":"known"' "$tmp/again.json")" 8 "all four exports have the same content as $corpus"
    done
    every_report=("${every_report[@]/4711/*}")
    write_all "$tmp/aqtime"
    ok "every report runs on AQTime's exports" test ! -e "$tmp/aqtime/failed"
else
    skip "PROFDEPOT_CORPORA is not set" "reports agree with AQTime's answers"
fi
# --- tied rows --------------------------------------------------------------------------------

# Most rows differ only in their stacks. The order of these stacks by name differs from their order by number.
# Class 10 has three rows with different names. A report must use the name that sorts last.
q "insert into instances (inst_id, caption) values (300, 'tied');
    insert into resource_profiler_meta_classes_data (inst_id, id, parent_id, rec_id, col_class_name, col_module_name)
        values (300, 0, -1, 10, 'Pen', 'z.dll'), (300, 1, -1, 10, 'Brush', NULL), (300, 2, -1, 10, 'Font', 'a.dll');
    insert into resource_profiler_meta_routines (inst_id, id, parent_id, rec_id, col_module_name, col_routine_name)
        select 300, n, -1, n, 'm.dll', 'f' || to_char(n * 37 % 200, 'FM000') from generate_series(1, 200) n;
    insert into stacks (inst_id, stack_id, routine_ids) select 300, n, array[n] from generate_series(1, 200) n;
    insert into resource_profiler_objects (inst_id, id, parent_id, rec_id, col_classrid, stack_id, col_size)
        select 300, n, -1, n, 10, n, 16 + n / 190 from generate_series(1, 200) n"
is "$("$PROFDEPOT" report leaks 300 --by class --output csv | tr -d '\r' | tail -n +2)" "Pen,200,3211,200" \
    "a class with several names has the name that sorts last"
"$PROFDEPOT" report leaks 300 --output csv >"$tmp/all"
is "$(grep -o 'f[0-9][0-9][0-9]' "$tmp/all" | sed -n '1,2p;11,13p' | tr '\n' ' ')" "f000 f015 f178 f001 f002 " \
    "tied rows are ordered by stack"
for part in "1 0" "11 0" "12 0" "100 0" "5 9" "150 3" "160 50" "199 0" "1000 0"; do
    read -r top skip <<<"$part"
    "$PROFDEPOT" report leaks 300 --top "$top" --skip "$skip" --output csv >"$tmp/part"
    is "$(tail -n +2 "$tmp/part")" "$(tail -n +2 "$tmp/all" | tail -n +$((skip + 1)) | head -n "$top")" \
        "--top $top --skip $skip is a part of all rows"
done

done_testing
