#!/usr/bin/env bash
# Tests what AQTime's users may pass by mistake: exports without key columns or tables, tables
# without INSTANCES, tables of another profiler, Access files, folders of folders, and wrong
# encodings.
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

# --- absent keys --------------------------------------------------------------------------------

# absent NAME MESSAGE: checks that a load of $tmp/NAME causes an error issue with this message, and that
# --strict refuses the export, even if it is already known.
absent() {
    run load --strict "$tmp/$1"
    like "$status $errors" "^3 .*$2" "$1: --strict refuses the export"
    run load "$tmp/$1"
    like "$out$errors" '1 error' "$1: the summary counts an error"
    is "$(q "select severity || ' ' || code from import_issues
        where inst_id = (select max(inst_id) from instances) and severity <> 'info' and code <> 'dangling-routine'")" \
        "error missing-key" "$1: the issue is an error"
    like "$(q "select message from import_issues where code = 'missing-key' order by inst_id desc limit 1")" "$2" \
        "$1: the issue says what is lost"
    run load "$tmp/$1"
    like "$out" known "$1: without --strict, the export is known"
    run load --strict "$tmp/$1"
    like "$status $errors" "^3 .*$2" "$1: --strict refuses the export although it is known"
    run load --max-issues 0 "$tmp/$1"
    like "$status $errors" "^3 .*--max-issues 0" "$1: --max-issues 0 refuses the export although it is known"
}

export_make "$tmp/classrid"
export_edit "$tmp/classrid" OBJECTS 's/COL_CLASSRID/OTHER/'
export_edit "$tmp/classrid" CLASSES_DATA 's/^Bitmap,2,30/Bitmap,0,0/'
absent classrid 'COL_CLASSRID is absent: .*class'
export_make "$tmp/objects"
rm "$tmp/objects"/RESOURCE_PROFILER_{OBJECTS,CREATION_CALL_STACK}.csv
export_edit "$tmp/objects" CLASSES_DATA 's/^Bitmap,2,30/Bitmap,0,0/'
absent objects 'RESOURCE_PROFILER_OBJECTS is absent: leaks cannot be reported'
export_make "$tmp/routines"
rm "$tmp/routines"/RESOURCE_PROFILER_META_{ROUTINES,LINES}.csv
absent routines 'RESOURCE_PROFILER_META_ROUTINES is absent: call stacks have no names'
export_make "$tmp/whole"
run load --strict "$tmp/whole"
is "$status" 0 "--strict accepts a complete export"
run load --strict "$tmp/whole"
like "$status $out" '^0 .*known' "--strict reports a complete export as known"

# --- encodings ----------------------------------------------------------------------------------

export_make "$tmp/mark"
export_edit "$tmp/mark" INSTANCES 's/first/marked/; 1s/^/\xef\xbb\xbf/'
run load --strict --encoding UTF-16BE "$tmp/mark"
is "$status" 3 "an encoding that contradicts a byte order mark is an issue"
for f in "$tmp"/mark/*.csv; do
    sed -i '1s/^\(\xef\xbb\xbf\)\?/\xef\xbb\xbf/' "$f"
done
run load --strict --encoding CP1252 "$tmp/mark"
like "$status $errors" '^3 .*byte order mark of UTF-8, which overrides --encoding' \
    "--strict refuses --encoding CP1252 for files with a byte order mark"
run load --encoding UTF-8 --strict "$tmp/mark"
is "$status" 0 "an encoding that agrees with the byte order mark is not an issue"
run load --again --encoding CP1252 "$tmp/mark"
is "$status $(q "select distinct severity || ' ' || code from import_issues
    where inst_id = (select max(inst_id) from instances) and severity <> 'info'")" "0 warning encoding" \
    "without --strict, the issue is a warning"
is "$(q "select caption from instances order by inst_id desc limit 1")" marked "the byte order mark overrides --encoding"
export_make "$tmp/bad"
export_edit "$tmp/bad" INSTANCES 's/first/\x81/'
run load --encoding CP1252 "$tmp/bad"
like "$status $errors" '^3 .*INSTANCES.csv.*line 2.*invalid in this encoding.*--encoding' \
    "bytes that are invalid in the encoding are an error with a hint"
printf '\xef\xbb\xbf' >"$tmp/marked.xml"
cat "$srcdir/tests/golden/aqtimexml/results.xml" >>"$tmp/marked.xml"
run load --strict --encoding CP1252 "$tmp/marked.xml"
like "$status $errors" '^3 .*byte order mark of UTF-8' "the encoding of an XML file is checked, too"

# --- inputs with a next step ----------------------------------------------------------------------

# refused NAME MESSAGE HINT: checks that a load of NAME fails with exit status 3, this message and this hint.
refused() {
    run load "$tmp/$1"
    like "$status $errors" "^3 " "$1: exit status 3"
    like "$errors" "$2" "$1: the message names the input"
    like "$errors" "hint: .*$3" "$1: the hint states the next step"
}

export_make "$tmp/headless"
rm "$tmp/headless/INSTANCES.csv"
refused headless 'tables of AQTime.s Resource profiler.*not the table INSTANCES' 'INSTANCES.csv'
refused headless/RESOURCE_PROFILER_OBJECTS.csv 'Resource profiler.*not the table INSTANCES' 'load the folder'
for family in PERFORMANCE_PROFILER_ROUTINES ALLOCATION_PROFILER_OBJECTS REFERENCE_COUNT_PROFILER_OBJECTS \
    BDE_SQL_PROFILER_THREADS LIGHT_COVERAGE_PROFILER_ROUTINES_DATA COVERAGE_PROFILER_MODULES \
    SAMPLING_PROFILER_ROUTINES FAILURE_EMULATOR_THREADS LOAD_LIBRARY_TRACER_MODULES PLATFORM_COMPLIANCE_RESULTS; do
    mkdir "$tmp/$family"
    printf 'CAPTION,INST_ID\nx,1\n' >"$tmp/$family/INSTANCES.csv"
    printf 'ID,INST_ID\n1,1\n' >"$tmp/$family/$family.csv"
    refused "$family" "another AQTime profiler \\(${family:0:8}" 'choose the Resource profiler'
done
mkdir "$tmp/noinst"
printf 'ID,INST_ID\n1,1\n' >"$tmp/noinst/dbo.performance_profiler_routines.csv"
refused noinst 'PERFORMANCE_PROFILER_\*' 'choose the Resource profiler'

mkdir -p "$tmp/nested/b" "$tmp/nested/a"
refused nested 'has no files, only folders, such as a' "profdepot load '$tmp/nested'/\\*"
mkdir -p "$tmp/it's/a"
refused "it's" 'has no files, only folders' 'name each folder'
mkdir -p "$tmp/nested/.git"
touch "$tmp/nested/notes.doc"
refused nested 'no file ends in .csv' "profdepot load '$tmp/nested'/\\*"

# The header of an Access file: version 4 (.mdb) and version 12 (.accdb).
printf '\0\1\0\0Standard Jet DB\0\1\0\0\0' >"$tmp/it's.mdb"
printf '\0\1\0\0Standard ACE DB\0\2\0\0\0' >"$tmp/results.accdb"
head -c 4096 /dev/zero >>"$tmp/it's.mdb"
head -c 4096 /dev/zero >>"$tmp/results.accdb"
refused results.accdb 'Microsoft Access' "file='$tmp/results.accdb'; .*mdb-tables -1 .*mdb-export .*profdepot load results"
refused "it's.mdb" 'Microsoft Access' 'mdbtools'

printf '\1\2\3\377\0\1\2\3\4' >"$tmp/last.AQR"
refused last.AQR 'only AQTime can read' 'Export to Database'
run load "$tmp/it's.mdb"

# Runs the command in the hint. Two small scripts replace the programs of mdbtools, and print what the real ones would.
mkdir "$tmp/bin" "$tmp/run"
export_make "$tmp/access"
export_edit "$tmp/access" INSTANCES 's/first/from Access/'
# shellcheck disable=SC2016 # the programs expand the variables
printf '#!/bin/sh\n[ "$2" = "%s" ] || exit 1\ncd "%s" && ls | sed "s/[.]csv$//"\n' "$tmp/it's.mdb" "$tmp/access" >"$tmp/bin/mdb-tables"
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$1" = "%s" ] || exit 1\ncat "%s/$2.csv"\n' "$tmp/it's.mdb" "$tmp/access" >"$tmp/bin/mdb-export"
chmod +x "$tmp/bin"/mdb-*
ln -s "$PROFDEPOT" "$tmp/bin/profdepot"
command=$(sed -n "s/^hint: .*export the tables: \\(file=.*\\)/\\1/p" "$tmp/errors")
(cd "$tmp/run" && PATH=$tmp/bin:$PATH bash -c "$command") >"$tmp/ran" 2>&1 || diag "$(cat "$tmp/ran")"
is "$(q "select caption from instances order by inst_id desc limit 1")" "from Access" "the command in the hint works"

done_testing
