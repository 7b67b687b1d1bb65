#!/usr/bin/env bash
# Tests profdepot export: if an exported result set is loaded again, it has the same rows as before.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

relations="relations resource_profiler_threads resource_profiler_meta_classes_data
    resource_profiler_classes_data resource_profiler_meta_routines resource_profiler_meta_lines
    resource_profiler_objects resource_profiler_errors resource_profiler_creation_call_stack
    resource_profiler_call_stack"

# rows INST_ID: prints every row of AQTime's relations, without INST_ID and profdepot's own columns.
rows() {
    local relation
    for relation in $relations; do
        q "select '$relation', (to_jsonb(t) - '{inst_id,stack_id,stack_first_id,block_count}'::text[])::text
            from $relation t where inst_id = $1 order by id"
    done
}

# --- round trip ---------------------------------------------------------------------------------

export_make "$tmp/a"
export_edit "$tmp/a" INSTANCES 's/first,,,,1/"NULL, ""so"" called",,"","a\nb",41/; s/called",,"",/called"," x",NULL,/'
for file in "$tmp"/a/*.csv; do
    [ "${file##*/}" = INSTANCES.csv ] || sed -i '1!s/\(RESOURCE_PROFILER_[A-Z_]*,[A-Z_]*,[0-9]*\),1$/\1,41/' "$file"
done
for table in THREADS META_CLASSES_DATA CLASSES_DATA META_ROUTINES META_LINES OBJECTS \
    CREATION_CALL_STACK ERRORS CALL_STACK; do
    # INST_ID is the third column from the right in every relation.
    export_edit "$tmp/a" $table '1!s/,1,\(-\{0,1\}[0-9]*,[0-9]*\)$/,41,\1/'
done
export_edit "$tmp/a" META_ROUTINES '2s/^,/"",/; 3s/form.pas/" blank, ""quote"" "/; 4s/main.pas/"null"/; 4s/main,/"Ж𝄞\r\nx",/'
run load "$tmp/a" --label branch=main --application Orders --app-version 1.2 --host box --caption mine
is "$status" 0 "an export with every kind of text loads"
run export 1 -o "$tmp/out"
is "$status" 0 "a result set loaded from AQTime's tables is exported"
like "$errors" 'exported 1 result set to .*/out: 13 tables, 24 rows' "export reports the number of written rows"
is "$(cd "$tmp" && echo *)" "a errors out" "export creates no other files"
is "$(grep -c 'NULL, ""so"" called' "$tmp/out/INSTANCES.csv")" 1 "the exported caption is unchanged"
is "$(tail -n 1 "$tmp/out/INSTANCES.csv" | sed 's/.*,//')" 41 "the exporter's INST_ID is exported"
is "$(cat "$tmp/out/PROFDEPOT_RESULT_SETS.csv")" \
    "INST_ID,CAPTION,APPLICATION,APP_VERSION,HOST,TOOL,FORMAT,SOURCE_NAME
41,mine,Orders,1.2,box,$(q "select tool from instances"),aqtime,a" "profdepot's own metadata is exported"
is "$(cat "$tmp/out/PROFDEPOT_LABELS.csv")" "INST_ID,KEY,VALUE
41,branch,main" "the labels are exported"
like "$(cat "$tmp/out/RESOURCE_PROFILER_META_ROUTINES.csv")" '"null"' "a text that is the word null is quoted"
like "$(head -n 1 "$tmp/out/RESOURCE_PROFILER_CALL_STACK.csv")" '^COL_ROUTINERID,ID,INST_ID,PARENT_ID,REC_ID$' \
    "only columns that AQTime documents are exported"
is "$(head -n 1 "$tmp/out/RESOURCE_PROFILER_META_ROUTINES.csv")" \
    "COL_HIT_COUNT,COL_COMPILER,COL_ADDRESS,COL_ANALISYS_RESULT,COL_CLASS_NAME,COL_CODE_TYPE,COL_MODULE_NAME,COL_NAMESPACE,COL_PROFILELINES,COL_ROUTINE_NAME,COL_SOURCE_FILE,COL_SOURCE_LINE,COL_SYMBOL_MONIKER,COL_TOKEN,COL_UNIT_NAME,ID,INST_ID,PARENT_ID,REC_ID" \
    "columns are exported in the documented order"
run load "$tmp/out" --output json
like "$out" '"inst_id":1,.*"state":"known"' "the export of a stored result set is known when it is loaded"
run load "$tmp/out" --again
is "$status" 0 "--again loads the export as a further copy"
copy=$(q "select max(inst_id) from instances")
rows 1 >"$tmp/rows1"
rows "$copy" >"$tmp/rows2"
same_file "$tmp/rows2" "$tmp/rows1" "the loaded copy has the same rows"
is "$(q "select count(distinct content_digest) from instances where inst_id in (1, $copy)")" 1 \
    "the loaded copy has the same content"
is "$(q "select caption, application, app_version, host from instances where inst_id = $copy")" "mine|Orders|1.2|box" \
    "the loaded copy has the same metadata"
is "$(q "select key, value from result_set_labels where inst_id = $copy")" "branch|main" "the copy has the same labels as the exported result set"

# --- numbers ------------------------------------------------------------------------------------

numbers() {
    "$PROFDEPOT" export "$@" --force -o "$tmp/n" 2>/dev/null
    sed '1d; s/,.*//' "$tmp/n/PROFDEPOT_RESULT_SETS.csv" | paste -sd' '
}
is "$(numbers "$copy")" 41 "a single result set is exported with the exporter's number"
is "$(numbers "$copy" 1)" "$copy 1" "two result sets with the same exporter's number are exported with the depot's numbers"
q "insert into instances (inst_id, caption) values (41, 'by SQL')"
is "$(numbers 1 41)" "1 41" "no two result sets are exported with the same number"
is "$(grep -c '^by SQL,,,,41$' "$tmp/n/INSTANCES.csv")" 1 "the caption of a result set written with SQL is exported"

# --- stacks that SQL wrote, error lines, groups -------------------------------------------------

q "insert into resource_profiler_creation_call_stack (inst_id, id, parent_id, rec_id, col_routinerid, col_linerid)
    values ($copy, 900, 0, 3, 70, 1)"
q "insert into resource_profiler_call_stack (inst_id, id, parent_id, rec_id, col_routinerid, col_linerid)
    values ($copy, 901, 0, 2, 77, 0)"
q "update resource_profiler_objects set block_count = 5 where inst_id = $copy and id = 1"
run export 1 "$copy" -o "$tmp/n" --force
is "$status" 0 "stacks with separate IDs, lines of error stacks and block counts are exported"
is "$(head -n 1 "$tmp/n/RESOURCE_PROFILER_CALL_STACK.csv")" "COL_LINERID,COL_ROUTINERID,ID,INST_ID,PARENT_ID,REC_ID" \
    "COL_LINERID of error stacks is exported if a frame has one"
for table in resource_profiler_creation_call_stack resource_profiler_call_stack; do
    columns=$(head -n 1 "$tmp/n/${table^^}.csv")
    is "$(tail -n +2 "$tmp/n/${table^^}.csv")" "$(psql -XqAt --csv -c "select ${columns//,/, } from profdepot.$table
        order by inst_id, id")" "the rows of $table are exported in the order of their IDs"
done
is "$(cat "$tmp/n/PROFDEPOT_OBJECTS.csv")" "INST_ID,ID,BLOCK_COUNT,LEAK_KIND,ATTRIBUTES
$copy,1,5,," "the block counts of grouped objects are in a separate file"

# --- a single file ------------------------------------------------------------------------------

printf '%s' '{"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "a"}]},
    "profiles": [{"type": "evented", "name": "x", "unit": "none", "startValue": 0, "endValue": 4,
    "events": [{"type": "O", "frame": 0, "at": 0}, {"type": "C", "frame": 0, "at": 4}]}]}' >"$tmp/x.json"
run load --quiet --output json - <"$tmp/x.json"
is "$status" 0 "a speedscope file loads"
spans=$(q "select inst_id from instances where format = 'speedscope'")
run export "$spans"
like "$status $errors$out" '^0 \{.*"startValue":0,"endValue":4' "a speedscope result set is written to standard output in speedscope's format"
expected=$out
run export "$spans" --format speedscope -o "$tmp/y.json"
is "$status $errors$out" "0 " "export to a file prints nothing"
is "$(cat "$tmp/y.json")" "$expected" "export to a file writes the same bytes as export to standard output"
run load --output json "$tmp/y.json"
like "$out" "\"inst_id\":$spans,.*\"state\":\"known\"" "an exported speedscope file is known when it is loaded"
run export "$spans" --track 7
is "$status" 2 "an unknown track is a usage error"
run export "$spans" 1
like "$status $errors" '^2 .*different formats, (speedscope and aqtime|aqtime and speedscope).*--format' "result sets of two formats need --format"
run export "$spans" --format speedscope -o "$tmp/no/where.json"
is "$status" 3 "if the output file cannot be created, the exit status is 3"
run export "$spans" --force
is "$status" 2 "export to standard output with --force is a usage error"
mkfifo "$tmp/fifo"
exec 3<>"$tmp/fifo"
exec 4>"$tmp/fifo"
exec 3<&-
"$PROFDEPOT" export "$spans" >&4 2>"$tmp/errors"
is "$? $(cat "$tmp/errors")" "141 " "if the reader of its output has ended, export ends as by SIGPIPE"
exec 4>&-
rm "$tmp/fifo"
echo old >"$tmp/y.json"
run export "$spans" --format speedscope -o "$tmp/y.json" --metric none
like "$status $errors" '^2 .*no metric "none"' "an unknown metric is a usage error"
is "$(cat "$tmp/y.json") $(cd "$tmp" && echo y.json*)" "old y.json" "a failed export keeps the existing file"
run export "$spans" --format speedscope -o "$tmp/y.json" --metric "$(q "select name from metrics where inst_id = $spans")"
is "$(cat "$tmp/y.json")" "$expected" "--metric exports the given metric"

# nothing_in FORMAT PATTERN INST_ID...: checks that the export fails and creates no file.
nothing_in() { # FORMAT PATTERN INST_ID...
    local format=$1 pattern=$2
    shift 2
    run export --format "$format" -o "$tmp/nothing" "$@"
    like "$status $errors" "^2 .*$pattern" "the export of result set $* as $format is refused"
    is "$(cd "$tmp" && echo nothing*)" 'nothing*' "a refused export creates no file"
}
run load --quiet "$srcdir/tests/golden/inputs/kernelscope.json"
events=$(q "select inst_id from instances where format = 'kernelscope'")
run load --quiet "$srcdir/tests/golden/inputs/chrome.json"
trace=$(q "select inst_id from instances where format = 'chrome'")
nothing_in chrome "no spans to write as a Chrome trace" 1
nothing_in chrome "no spans to write as a Chrome trace" "$events"
nothing_in chrome "one result set" "$trace" "$events"
nothing_in kernelscope "has no events" 1
nothing_in kernelscope "one of the result sets has no events" "$events" "$spans"
nothing_in miniprofiler "format is chrome, not miniprofiler" "$trace"
nothing_in aqtimexml 'profdepot does not write a format "aqtimexml"' 1

# --- what a format cannot carry -----------------------------------------------------------------

run load --quiet --label branch=main --run nightly "$srcdir/tests/golden/inputs/valgrind.xml"
heap=$(q "select inst_id from instances where format = 'valgrind'")
run export --format speedscope "$heap" -o "$tmp/heap.json"
like "$status $errors" '^0 note: the format speedscope cannot carry everything in the result set\. Not exported: addresses, threads and leak kinds of objects; .*; labels; the run and what it looked for\. "--format aqtime"' \
    "an export names what its format cannot carry"
unlike "$errors" 'call graph|spans' "only contents of the result set are named"
run export --format aqtime "$heap" -o "$tmp/heap"
unlike "$errors" 'cannot carry' "AQTime's tables carry everything"
run export "$trace" -o "$tmp/trace.json"
is "$status $errors" "0 " "a format can represent everything that was loaded from it"

# --- changed tables of profdepot ----------------------------------------------------------------

run export --format aqtime "$spans" -o "$tmp/calls"
changed() { # TABLE SED: loads an export in which one table was changed
    rm -rf "$tmp/changed"
    cp -r "$tmp/calls" "$tmp/changed"
    sed -i "$2" "$tmp/changed/PROFDEPOT_$1.csv"
    run load "$tmp/changed" --again
}
changed METRICS '2s/,1,/,2,/'
like "$status $errors" '^3 .*PROFDEPOT_METRICS.csv: line 2: METRIC_NO 2 should be 1' "a metric with the wrong number is refused"
changed TRACKS '2s/,1,profile/,x,profile/'
like "$status $errors" '^0 .* 2 errors' "a track without a number becomes an issue, and so does its call"
rm "$tmp/changed/PROFDEPOT_TRACKS.csv"
run load "$tmp/changed" --again --strict
is "$status" 3 "--strict refuses calls without their track"
run load "$tmp/heap" --dry-run
is "$status" 0 "an export can be checked without loading it"
sed -i '2s/^[0-9]*/99/' "$tmp/heap/PROFDEPOT_OBJECTS.csv"
run load "$tmp/heap" --again
like "$status $errors" '^3 .*PROFDEPOT_OBJECTS.csv: line 2: INST_ID 99 is not in INSTANCES' "a row of an unknown result set is refused"
run formats
like "$out" '
  chrome: objects; .*; samples; .*
' "formats lists the data that each format cannot represent"
like "$out" 'kernelscope: such a result set cannot be exported' "formats lists the formats that export only their own result sets"
for format in speedscope chrome; do
    ok "a trace is exported as $format" "$PROFDEPOT" export --format $format "$trace"
done
for inst in 1 "$events"; do
    ok "result set $inst is exported as speedscope" "$PROFDEPOT" export --format speedscope "$inst"
done
if [ -w /dev/full ]; then
    "$PROFDEPOT" export "$spans" >/dev/full 2>"$tmp/errors"
    like "$? $(cat "$tmp/errors")" '^3 .*No space left' "export to standard output on a full disk fails"
    (
        ulimit -f 0
        "$PROFDEPOT" export "$spans" -o "$tmp/z.json" 2>"$tmp/errors"
    )
    is "$? $(cd "$tmp" && echo z.json*)" "3 z.json*" "a file that cannot be written completely is removed"
fi

# --- folders ------------------------------------------------------------------------------------

run export 1 -o "$tmp/n"
like "$status $errors" '^3 .*exists and is not empty.*--force' "a folder that is not empty is refused"
touch "$tmp/n/notes.txt"
run export 1 -o "$tmp/n" --force
like "$status $errors" '^3 .*"notes.txt", which is not an export file' "--force refuses a folder with other files"
ok "a refused --force keeps the earlier export" test -f "$tmp/n/PROFDEPOT_OBJECTS.csv"
rm "$tmp/n/notes.txt"
run export 1 -o "$tmp/n///" --force
is "$status" 0 "--force replaces an export"
ok "--force replaces the whole export" ! test -e "$tmp/n/PROFDEPOT_OBJECTS.csv"
mkdir "$tmp/empty"
run export 1 -o "$tmp/empty"
is "$status" 0 "an empty folder is accepted"
run export 1 -o "$tmp/errors"
is "$status" 3 "a file instead of a folder is refused"
run export 1 -o "$tmp/no/where"
is "$status" 3 "a folder whose parent does not exist is refused"
run export 99 -o "$tmp/gone"
like "$status $errors" '^2 .*no result set 99.*profdepot list' "an unknown INST_ID is a usage error"
ok "an unknown INST_ID creates no folder" ! test -e "$tmp/gone"
run export 1 1 -o "$tmp/gone"
like "$status $errors" '^2 .*given twice' "a repeated INST_ID is a usage error"
run export 1
like "$status $errors" '^2 .*no folder was given' "export without a folder is a usage error"
run export -o "$tmp/gone"
is "$status" 2 "export without an INST_ID is a usage error"
run export 1 -o -
like "$status $errors" '^2 .*no folder was given.*needs a folder' "AQTime's tables cannot be written to standard output"
run export 1 --format csv -o "$tmp/gone"
like "$status $errors" '^2 .*does not write a format "csv".*profdepot formats' "export in an unknown format is a usage error"
run export 1 --track 2 -o "$tmp/gone"
like "$status $errors" '^2 .*--track' "--track does not apply to AQTime's tables"
if [ -w /dev/full ]; then
    "$PROFDEPOT" list >/dev/full 2>"$tmp/errors"
    is "$?" 3 "list to standard output on a full disk fails"
fi
is "$(cd "$tmp" && ls -d -- *.new-* *.old-* 2>/dev/null)" "" "export leaves no temporary files"

# --- the corpora --------------------------------------------------------------------------------

if [ -d "${PROFDEPOT_CORPORA:-}/aqtime" ]; then
    q "delete from instances" && pg_temp_database corpora && depot_make
    for corpus in plain ssms semicolon messy; do
        run load "$PROFDEPOT_CORPORA/aqtime/$corpus/export" --again
        is "$status" 0 "corpus $corpus loads"
        last=$("$PROFDEPOT" list --limit 1 --output csv | sed '1d; s/,.*//')
        run export $((last - 1)) "$last" -o "$tmp/$corpus"
        run load "$tmp/$corpus" --output json
        unlike "$out" '"state":"loaded"' "the export of corpus $corpus is recognised as known"
        rows $((last - 1)) >"$tmp/rows1"
        rows "$last" >>"$tmp/rows1"
        run load "$tmp/$corpus" --again
        rows $((last + 1)) >"$tmp/rows2"
        rows $((last + 2)) >>"$tmp/rows2"
        same_file "$tmp/rows2" "$tmp/rows1" "the export of corpus $corpus loads with the same rows"
    done
else
    skip "PROFDEPOT_CORPORA is not set" "the corpora are exported, and the exports load"
fi
done_testing
