#!/usr/bin/env bash
# Tests AQTime's XML results: which panels are read, and which files are refused.
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
golden=$srcdir/tests/golden/aqtimexml/results.xml

run load --output json "$golden"
is "$status" 0 "the results load"
like "$out" '"format":"aqtimexml".*"state":"loaded".*"issues":\{"info":[0-9]+,"warning":0,"error":0\}' "the results load without warnings or errors"
is "$(q "select id, col_class_name, col_module_name from resource_profiler_meta_classes_data order by id")" \
    "0|Bitmap|app.exe
1|Pen|other.dll
2|Bitmap|other.dll" "classes are stored with name and module"
is "$(q "select rec_id, col_live_count, col_live_size, col_peak_created, col_peak_size, col_total_created, col_total_size
    from resource_profiler_classes_data order by id")" "0|2|30|3|40|9|90
2|0|0|1|5|1|5" "class counters are stored"
is "$(q "select id, col__, col_address, col_size, col_get_, col_classrid from resource_profiler_objects order by id")" \
    "0|3|18446744073705122959|10|1|0
1|8|4096|20|1|0
2|1||0||1" "objects are numbered by their names"
frames="select f.parent_id, f.rec_id, r.col_module_name, r.col_class_name, r.col_routine_name, r.col_unit_name,
    r.col_source_file, l.col_source_line from %s f
    join resource_profiler_meta_routines r on r.inst_id = f.inst_id and r.rec_id = f.col_routinerid
    left join resource_profiler_meta_lines l on l.inst_id = f.inst_id and l.parent_id = r.id and l.rec_id = f.col_linerid
    order by f.id"
# shellcheck disable=SC2059 # the query is the format
is "$(q "$(printf "$frames" resource_profiler_creation_call_stack)")" \
    "0|0|gdi32.dll||CreateBitmap|||
0|1|app.exe|TForm|Paint|Form|form.pas|12
0|2|app.exe||main <T> Ж|||1
1|0|gdi32.dll||CreateBitmap|||
1|1|app.exe|TForm|Paint|Form|form.pas|14" "creation call stacks are stored"
# shellcheck disable=SC2059
is "$(q "$(printf "$frames" resource_profiler_call_stack)")" \
    "0|0|gdi32.dll||DeleteObject|||
0|1|app.exe||Clean||form.pas|99" "the error's call stack is stored"
is "$(q "select col__, col_name, col_description, col_error_code, col_kind, t.rec_id, t.col_win32threadid
    from resource_profiler_errors e join resource_profiler_threads t on t.inst_id = e.inst_id and t.id = e.parent_id")" \
    "1|DeleteObject|The handle
is <invalid>.|2147942487|2|0|4242" "the error is stored with its thread"
is "$(q "select message from import_issues order by message")" "table Classes Data: field Image was left out
table Errors: field DLL Name was left out
table Summary was left out" "each table and field that is left out is reported"
inst=$(q "select inst_id from instances")
run verify "$inst"
is "$status" 0 "verify finds no difference"
run report leaks "$inst"
like "$out" 'Bitmap.*CreateBitmap' "report leaks shows the leaks by stack"

# The result set is exported in every format that can represent it.
"$PROFDEPOT" export --format speedscope "$inst" >"$tmp/out.json"
is "$(grep -c '"CreateBitmap"' "$tmp/out.json")" 1 "export as speedscope succeeds"
run export --format aqtime "$inst" -o "$tmp/tables"
is "$status" 0 "export as AQTime's tables succeeds"
run load --again "$tmp/tables"
digests=$(q "select count(distinct content_digest) from instances")
is "$status $digests" "0 1" "the exported tables have the same content"
run export --format chrome "$inst" -o "$tmp/out.trace"
like "$status $errors" '^2 ' "export as a trace fails, because there are no spans"
run export --format aqtimexml "$inst"
like "$status $errors" '^2 .*profdepot does not write a format "aqtimexml"' "export as XML is not supported"

# --- the same results in other spellings ---------------------------------------------------------------------

known() {
    run load --output json "$2"
    like "$out" "\"inst_id\":$inst,.*\"state\":\"known\"" "$1: the result set is known"
}
known "the same file" "$golden"
mkdir "$tmp/pair" && cp "$golden" "$tmp/pair/results.xml" && echo '<xsl/>' >"$tmp/pair/results.xsl"
run load --again --strict "$tmp/pair"
is "$status" 0 "results load even with AQTime's style sheet beside them"
is "$(q "select count(*) from import_issues where inst_id = (select max(inst_id) from instances)
    and source like '%.xsl'")" 0 "the style sheet causes no issue"
mkdir "$tmp/16" "$tmp/upper"
sed 's/encoding="UTF-8"/encoding="UTF-16"/' "$golden" | iconv -f UTF-8 -t UTF-16 >"$tmp/16/results.xml"
known "UTF-16" "$tmp/16/results.xml"
sed 's/AQtime_Results/AQTime_RESULTS/; s/<ROW>/<row >/g; s/<\/ROW>/<\/row>/g; s/ID="/id="/g' "$golden" >"$tmp/upper/results.xml"
known "names in another letter case" "$tmp/upper/results.xml"

sed 's/ encoding="UTF-8"//' "$golden" | iconv -f UTF-8 -t UTF-16BE | cat <(printf '\376\377') - >"$tmp/16/results.xml"
known "UTF-16 in the other byte order" "$tmp/16/results.xml"
gzip -c "$golden" >"$tmp/results.xml.gz"
known "compressed" "$tmp/results.xml.gz"
for i in 1 2 3; do sed "s/Bitmap.3/Bitmap.3$i/" "$golden" >"$tmp/pair/r$i.xml"; done
run load --output json "$tmp/pair"
is "$(grep -c '"state":"known"' <<<"$out") $(grep -c '"state":"loaded"' <<<"$out")" "1 3" \
    "a folder of results: only new ones are loaded"

# Tests Windows code pages, class names taken from object names, and thread IDs that are not numbers.
run load --output json "$srcdir/tests/golden/aqtimexml/cp1252.xml"
like "$out" '"state":"loaded".*"warning":1,"error":0\}' "a windows-1252 file loads; an unknown Kind causes a warning"
second=$(q "select max(inst_id) from instances")
is "$(q "select o.col__, m.col_class_name, m.col_module_name, o.col_size, t.rec_id, t.col_win32threadid
    from resource_profiler_objects o join resource_profiler_meta_classes_data m on m.inst_id = o.inst_id and m.rec_id = o.col_classrid
    join resource_profiler_threads t on t.inst_id = o.inst_id and t.rec_id = o.col_threadid
    where o.inst_id = $second order by o.id")" "17|Menü.Ñ|prüf.dll|12|0|420
2|Pen|prüf.dll|0|1|" "the objects of a windows-1252 file are stored"
is "$(q "select col__, col_name, col_kind, parent_id from resource_profiler_errors where inst_id = $second order by id")" \
    "1|CreatePen||2
2|LoadIcon|1|" "the errors of a windows-1252 file are found by their table's name"
is "$(q "select r.col_module_name, r.col_routine_name is null, f.col_hit_count, l.col_source_line
    from resource_profiler_creation_call_stack f
    join resource_profiler_meta_routines r on r.inst_id = f.inst_id and r.rec_id = f.col_routinerid
    join resource_profiler_meta_lines l on l.inst_id = f.inst_id and l.parent_id = r.id and l.rec_id = f.col_linerid
    where f.inst_id = $second")" "prüf.dll|t|3|7" "a frame without a routine's name is stored"
sed 's/ encoding="windows-1252"//' "$srcdir/tests/golden/aqtimexml/cp1252.xml" >"$tmp/cp1252.xml"
run load "$tmp/cp1252.xml"
like "$status $errors" '^3 .*invalid token.*--encoding' "invalid UTF-8 is refused"
run load --encoding CP1252 --output json "$tmp/cp1252.xml"
like "$out" "\"inst_id\":$second,.*\"state\":\"known\"" "--encoding sets the code page"
run load --encoding CP1251 "$golden"
like "$out" "^known    result set $inst " "--encoding does not change how an ASCII file is read"
run load --encoding CP1251 "$tmp/16/results.xml"
like "$out" "^known    result set $inst " "a byte order mark overrides --encoding"
run load --encoding no-such "$golden"
like "$status $errors" '^3 .*unknown encoding' "an unknown --encoding is refused"

# --- parts that are left out, and files that are refused ------------------------------------------------------------------------

variant() { # SED: writes a variant of the golden file to $tmp/x.xml
    sed "$1" "$golden" >"$tmp/x.xml"
}
sets=$(q "select count(*) from instances")
refused() { # PATTERN TEXT
    run load "$tmp/x.xml"
    is "$status" 3 "$2: the exit status is 3"
    like "$errors" "$1" "$2: the message names the reason"
}
variant 's/<AQtime_Results>/<!DOCTYPE AQtime_Results [<!ENTITY a "aaaa"><!ENTITY b "\&a;\&a;">]><AQtime_Results>/'
refused 'line 4: a document type.*offset' "a document with entities"
variant 's/ID="5">99/ID="9">99/; s/<FIELD ID="3">99/<FIELD ID="9">99/'
refused 'line [0-9]*: a FIELD with an unknown ID' "an unknown field"
variant 's/TABLE_ID="5"/TABLE_ID="9"/'
refused 'an unknown TABLE_ID' "an unknown table"
head -c 5000 "$golden" >"$tmp/x.xml"
refused 'x.xml: line [0-9]*: .*offset [0-9]*' "a file that is cut off"
variant 's/encoding="UTF-8"/encoding="x-unknown"/'
refused 'unknown encoding.*' "an unknown encoding"
cp "$srcdir/tests/golden/aqtimexml/performance.xml" "$tmp/x.xml"
refused 'no Resource profiler panel: it has Routines, Modules at' "another profiler's results"
like "$errors" 'a panel has the field Live Count' "another profiler's results are refused: the hint names the expected fields"
echo '<AQtime_Results/>' >"$tmp/x.xml"
refused 'no Resource profiler panel: it has no tables' "results without content"
variant 's/<AQtime_Results>/<!DOCTYPE AQtime_Results SYSTEM "file:\/\/\/etc\/passwd"><AQtime_Results>/'
refused 'a document type' "an external document type"
{ printf '<AQtime_Results>' && printf '<a>%.0s' {1..100}; } >"$tmp/x.xml"
refused 'nested deeper than' "elements that never end"
{ printf '<AQtime_Results><HEADERS a="' && head -c 3000000 /dev/zero | tr '\0' x && printf '"/></AQtime_Results>'; } >"$tmp/x.xml"
refused 'of more than 1048576 bytes' "a tag that never ends"
printf '<?xml version="1.0"?><other/>' >"$tmp/x.xml"
refused 'not in a format that profdepot reads' "other XML"
run load --format aqtimexml "$tmp/x.xml"
like "$status $errors" '^3 .*the document element is other' "other XML is refused under --format aqtimexml"
is "$(q "select count(*) from instances")" "$sets" "nothing was loaded"
variant 's/>4096</>40x6</; s/>99</>99999999999999999999</'
run load "$tmp/x.xml"
is "$status" 0 "a file with invalid numbers loads"
is "$(q "select code, line, message from import_issues where severity = 'error' and code <> 'no-profile' order by issue_no")" \
    "number-range|113|Call Stack: field Source Line: \"99999999999999999999\" is not a valid number
bad-number|72|Objects: field Address: \"40x6\" is not a valid number" "invalid numbers are reported"
run load --strict --again "$tmp/x.xml"
is "$status" 3 "--strict refuses invalid numbers"

done_testing
