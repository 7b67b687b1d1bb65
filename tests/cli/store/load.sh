#!/usr/bin/env bash
# Tests which inputs and rows profdepot load accepts, refuses, omits and reports.
. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/pg-temp.sh"
. "$srcdir/tests/lib/depot.sh"
. "$srcdir/tests/lib/export.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

q() {
    psql -XqAt -c "set search_path = profdepot" -c "$1"
}

# load DIR [OPTION...]: sets $status to the exit status, $errors to standard error, and $json to the output.
load() {
    json=$("$PROFDEPOT" load --output json "$@" 2>"$tmp/errors")
    status=$?
    errors=$(cat "$tmp/errors")
}

# no_trace TEXT: checks that no relation has rows of a result set that is not in INSTANCES.
no_trace() {
    local relation sql=
    for relation in relations resource_profiler_threads resource_profiler_meta_classes_data \
        resource_profiler_classes_data resource_profiler_meta_routines \
        resource_profiler_meta_lines resource_profiler_objects resource_profiler_errors \
        stacks stack_totals import_issues result_set_labels result_set_counts; do
        sql="$sql + (select count(*) from $relation r where not exists
            (select from instances i where i.inst_id = r.inst_id))"
    done
    is "$(q "select 0 $sql")" 0 "$1: nothing is stored"
}

drop_all() {
    q "truncate instances, relations, resource_profiler_threads, resource_profiler_meta_classes_data,
        resource_profiler_classes_data, resource_profiler_meta_routines,
        resource_profiler_meta_lines, resource_profiler_objects, resource_profiler_errors, stacks,
        stack_totals, import_issues, result_set_labels, result_set_counts"
}

variant() { # NAME: a fresh copy in $v
    v=$tmp/v-$1
    rm -rf "$v"
    cp -r "$tmp/a" "$v"
}

# --- the whole export ---------------------------------------------------------------------------

export_make "$tmp/a"
load "$tmp/a" --label branch=main --label branch=side --application Orders --caption mine
is "$status" 0 "an export loads"
like "$json" '"state":"loaded"' "the output reports the state loaded"
like "$json" '"issues":\{"info":[0-9]+,"warning":0,"error":0\}' "the load reports no warnings and no errors"
inst=$(q "select max(inst_id) from instances")
is "$(q "select caption, source_caption, application, state, format from instances")" \
    "mine|first|Orders|closed|aqtime" "the metadata is stored as given"
is "$(q "select key, value from result_set_labels")" "branch|side" "if a label is given twice, the last value is used"
is "$(q "select string_agg(concat_ws(',', col_hit_count, col_linerid, col_routinerid, id, parent_id, rec_id), ' ' order by id)
    from resource_profiler_creation_call_stack")" \
    "1,-1,70,0,0,0 1,0,77,1,0,1 1,-1,84,2,0,2 1,-1,70,3,1,0 1,1,77,4,1,1 1,-1,84,5,1,2" \
    "creation stacks are stored unchanged"
is "$(q "select col_address from resource_profiler_objects order by id limit 1")" \
    18446744073705122959 "a sign-extended handle is stored"
is "$(q "select col_error_code from resource_profiler_errors")" 2147942487 "an HRESULT is stored"
is "$(q "select count(*) from stacks s join stack_identities k using (inst_id, stack_id)
    where (s.identity, s.line_identity) is distinct from (k.identity, k.line_identity)")" 0 \
    "SQL computes the same stack identities as the loader"
is "$(q "select count(distinct identity), count(distinct line_identity) from stacks
    where cardinality(routine_ids) = 3")" "1|2" "equal names with different lines have different line identities"
is "$(q "select relation, row_count, id_sum, value_sum from result_set_counts except
    select relation, row_count, id_sum, value_sum from count_result_set($inst)")" "" \
    "the recorded counts equal the counts in the depot"
is "$(q "select metric, class, count, value from stack_totals order by 1, 3, 4")" \
    "errors|2|1|1
live|100|1|10
live|100|1|20" "stack_totals has the totals by class and stack"
load "$tmp/a"
like "$json" "\"inst_id\":$inst,.*\"state\":\"known\"" "an input that is loaded again is recognised as known"
cp -r "$tmp/a" "$tmp/b"
printf '\n' >>"$tmp/b/RESOURCE_PROFILER_OBJECTS.csv"
load "$tmp/b"
like "$json" '"state":"known"' "a different input with the same rows is recognised as known"
load "$tmp/b" --again
like "$json" '"state":"loaded"' "--again loads a further copy"
load "$tmp/b" --again --dry-run
like "$json" '"inst_id":null,.*"state":"checked"' "--dry-run checks the input"
is "$(q "select count(*) from instances")" 2 "--dry-run writes nothing"
drop_all

# SQL inserts result sets with the next numbers of the sequence. The loader must then take a free number.
q "insert into instances (inst_id, caption) select last_value + n, 'by hand'
    from instances_inst_id_seq, generate_series(1, 3) n"
load "$tmp/a"
is "$status" 0 "a load succeeds although the next number is in use"
is "$(q "select count(*) from instances")" 4 "the load takes a free number"
drop_all

# A load that stores nothing gives its number back.
load "$tmp/a"
first=$(q "select max(inst_id) from instances")
copy=$tmp/known
cp -r "$tmp/a" "$copy"
for f in "$copy"/*.csv; do
    printf '\r\n' >>"$f"
    break
done
load "$copy"
like "$json" "\"state\":\"known\"" "the same content in another file is known"
printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[]},"profiles":[{"type":"sampled",' >"$tmp/cut.json"
load "$tmp/cut.json"
is "$status" 3 "a cut file is refused"
load --again "$tmp/a"
is "$(q "select max(inst_id) - $first from instances")" 1 "neither took a number"
drop_all

# --- the same rows in different forms -----------------------------------------------------------

digest() {
    "$PROFDEPOT" load --dry-run --output json "$@" 2>/dev/null | sed 's/.*"digest":"\([^"]*\)".*/\1/'
}
plain=$(digest "$tmp/a")
like "$plain" '^[0-9a-f]{32}$' "load --dry-run prints a digest"
same_digest() {
    is "$(digest "$1" ${3:+--encoding "$3"})" "$plain" "$2"
}

cp -r "$tmp/a" "$tmp/shuffled"
for t in "$tmp"/shuffled/*STACK.csv "$tmp/shuffled/RESOURCE_PROFILER_OBJECTS.csv"; do
    { head -1 "$t"; tail -n +2 "$t" | tac; } >"$t.new" && mv "$t.new" "$t"
done
same_digest "$tmp/shuffled" "the digest does not depend on the order of the rows"
mkdir "$tmp/named"
for t in "$tmp"/a/*.csv; do
    n=$(basename "$t" .csv)
    cp "$t" "$tmp/named/dbo.${n,,}.TXT"
done
same_digest "$tmp/named" "the digest does not depend on a schema prefix, the case or the ending of file names"
cp -r "$tmp/a" "$tmp/tabs"
for t in "$tmp"/tabs/*.csv; do
    tr ',' '\t' <"$t" | sed 's/$/\r/' | iconv -f UTF-8 -t UTF-16LE >"$t.new"
    { printf '\xff\xfe'; cat "$t.new"; } >"${t%.csv}.tsv"
    rm "$t" "$t.new"
done
same_digest "$tmp/tabs" "the digest does not depend on UTF-16, tabs and CR LF"
cp -r "$tmp/a" "$tmp/fractions"
export_edit "$tmp/fractions" OBJECTS '2,$s/,100,1,/,100.00,1.0,/'
same_digest "$tmp/fractions" "the digest ignores fractions that are zero"
cp -r "$tmp/a" "$tmp/relationless"
rm "$tmp/relationless/RELATIONS.csv"
same_digest "$tmp/relationless" "the digest is the same without RELATIONS"
cp -r "$tmp/a" "$tmp/more"
sed -i '1s/$/,EXTRA/; 2,$s/$/,x/' "$tmp/more/RESOURCE_PROFILER_THREADS.csv"
same_digest "$tmp/more" "the digest ignores an unknown column"
(cd "$tmp/a" && tar czf "$tmp/a.tar.gz" -- *.csv && tar --zstd -cf "$tmp/a.tar.zst" -- *.csv &&
    zip -q "$tmp/a.zip" -- *.csv)
same_digest "$tmp/a.tar.gz" "tar.gz"
same_digest "$tmp/a.tar.zst" "tar.zst"
same_digest "$tmp/a.zip" "zip"
cp -r "$tmp/a" "$tmp/russian"
export_edit "$tmp/russian" META_CLASSES_DATA 's/Bitmap/Рисунок/'
utf8=$(digest "$tmp/russian")
for t in "$tmp"/russian/*.csv; do
    iconv -f UTF-8 -t CP1251 "$t" >"$t.new" && mv "$t.new" "$t"
done
is "$(digest "$tmp/russian" --encoding CP1251)" "$utf8" "a file in a Windows code page loads"

# --- several result sets -------------------------------------------------------------------------

cp -r "$tmp/a" "$tmp/two"
for t in "$tmp"/two/RES*.csv; do
    # The rows of the second set are between the rows of the first set.
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "INST_ID") c = i; print; next }
        { print; $c = 7; print }' "$t" >"$t.new" && mv "$t.new" "$t"
done
export_line "$tmp/two" INSTANCES 'second,,,,7'
load "$tmp/two"
is "$status" 0 "an export with two result sets loads"
is "$(q "select source_inst_id, (select count(*) from resource_profiler_creation_call_stack s
    where s.inst_id = i.inst_id) from instances i order by 1")" "1|6
7|6" "interleaved rows are stored in the right result sets"
is "$(echo "$json" | grep -c '"state":"loaded"')" 2 "the output has one line per result set"
sed 's/^second,,,,7$/second,,,,7\nthird,,,,9/' -i "$tmp/two/INSTANCES.csv"
export_line "$tmp/two" OBJECTS '3,4096,100,1,10,5,0,9,-1,0'
load "$tmp/two"
is "$(echo "$json" | grep -o '"state":"[a-z]*"' | tr '\n' ' ')" \
    '"state":"known" "state":"known" "state":"loaded" ' "the next export adds only new result sets"
drop_all

# The database also contains the results of another profiler.
variant foreign
export_line "$v" INSTANCES 'allocations,,,,2'
printf 'ID,INST_ID\n0,2\n' >"$v/ALLOCATION_PROFILER_OBJECTS.csv"
load "$v"
is "$(q "select source_inst_id from instances")" 1 "the result set of another profiler is ignored"
is "$(q "select message from import_issues where code = 'unknown-table'")" \
    "table ALLOCATION_PROFILER_OBJECTS was left out" "the ignored tables of another profiler are reported"
no_trace "a database with another profiler's result set"
drop_all
export_edit "$v" INSTANCES 2d
rm "$v"/RE*
printf 'ID,INST_ID\n' >"$v/RESOURCE_PROFILER_OBJECTS.csv"
load "$v"
is "$status" 3 "if an input has only other profilers' results, the exit status is 3"
like "$errors" "no result set of the AQTime Resource profiler" "the message names the missing result set of the Resource profiler"
no_trace "an input that has only other profilers' results"

# --- refused inputs: one error, the exit status, no rows -----------------------------------------------------

refused() { # TEXT PATTERN PATH [OPTION...]
    local text=$1 pattern=$2
    shift 2
    load "$@"
    is "$status" 3 "$text: exit status 3"
    like "$errors" "$pattern" "$text: the message names the cause"
    like "$errors" 'hint: ' "$text: the message has a hint"
    like "$json" '"state":"failed"' "$text: the output reports the state failed"
    no_trace "$text"
}

refused "a missing path" 'nowhere' "$tmp/nowhere"
mkdir "$tmp/empty-folder"
refused "an empty folder" 'empty-folder' "$tmp/empty-folder"
echo "just text" >"$tmp/text.txt"
refused "a file that is not an export" 'text.txt' "$tmp/text.txt"
variant empty-file
: >"$v/RESOURCE_PROFILER_OBJECTS.csv"
refused "an empty file" 'RESOURCE_PROFILER_OBJECTS.csv' "$v"
variant no-sets
head -1 "$tmp/a/INSTANCES.csv" >"$v/INSTANCES.csv"
refused "an export without a result set" 'INSTANCES.csv.*no result set' "$v"
variant cut-quote
printf '4,"cut off' >>"$v/RESOURCE_PROFILER_ERRORS.csv"
refused "an unclosed quoted field" 'RESOURCE_PROFILER_ERRORS.csv.*line 3' "$v"
variant nul
printf '1,\0,0,1,-1,5\n' >>"$v/RESOURCE_PROFILER_THREADS.csv"
refused "a NUL byte" 'RESOURCE_PROFILER_THREADS.csv.*line 3' "$v"
variant utf8
printf 'x\xff,m,,9,1,-1,9\n' >>"$v/RESOURCE_PROFILER_META_CLASSES_DATA.csv"
refused "invalid UTF-8" 'RESOURCE_PROFILER_META_CLASSES_DATA.csv.*line 3' "$v"
variant twice
export_edit "$v" OBJECTS '1s/COL_SIZE/COL_ADDRESS/'
refused "two columns with the same name" 'RESOURCE_PROFILER_OBJECTS.csv.*COL_ADDRESS' "$v"
variant stranger
export_line "$v" OBJECTS '9,4096,100,1,20,5,9,33,-1,9'
refused "an INST_ID that is not in INSTANCES" 'RESOURCE_PROFILER_OBJECTS.csv: line 4: INST_ID 33' "$v"
variant no-column
export_edit "$v" OBJECTS '1s/INST_ID/OTHER/'
refused "a table without the column INST_ID" 'RESOURCE_PROFILER_OBJECTS.csv.*INST_ID' "$v"
variant long
{ printf '1,"'; head -c 40000000 /dev/zero | tr '\0' x; printf '",0,1,-1,5\n'; } \
    >>"$v/RESOURCE_PROFILER_THREADS.csv"
refused "a row that exceeds the size limit" 'RESOURCE_PROFILER_THREADS.csv.*line 3' "$v"
mkdir "$tmp/linked" && ln -s /etc/passwd "$tmp/linked/INSTANCES.csv"
tar -C "$tmp/linked" -cf "$tmp/linked.tar" INSTANCES.csv
refused "a symlink in an archive" 'INSTANCES.csv' "$tmp/linked.tar"
head -c 300 "$tmp/a.zip" >"$tmp/cut.zip"
refused "a truncated archive" 'cut.zip' "$tmp/cut.zip"
if [ "$(id -u)" != 0 ]; then
    variant forbidden
    chmod 0 "$v/RESOURCE_PROFILER_OBJECTS.csv"
    refused "a file without read permission" 'ermission' "$v"
fi
load "$tmp/a" --encoding no-such-code-page
is "$status" 2 "an unknown encoding is a usage error"
load
is "$status" 2 "no input is a usage error"
load "$tmp/a" --label oops
is "$status" 2 "a label without a value is a usage error"

# --- omitted rows become import issues ------------------------------------------------------------------------

issue() { # TEXT CODE LINE PATH
    load "$4"
    is "$status" 0 "$1: the input is loaded"
    is "$(q "select severity, line from import_issues where code = '$2' order by issue_no limit 1")" \
        "error|$3" "$1: the issue has the line number"
    drop_all
    load --strict "$4"
    is "$status" 3 "$1: --strict refuses the input"
    like "$errors" "line $3" "$1: --strict names the place of the issue"
    load --max-issues 0 "$4"
    is "$status" 3 "$1: --max-issues 0 refuses the input"
    no_trace "$1"
}

variant letters
export_line "$v" OBJECTS '9,0x10,100,1,20,5,9,1,-1,9'
issue "letters in a number" bad-number 4 "$v"
variant fraction
export_line "$v" OBJECTS '9,1.5,100,1,20,5,9,1,-1,9'
issue "a fraction" bad-number 4 "$v"
variant range
export_line "$v" OBJECTS '9,18446744073709551616,100,1,20,5,9,1,-1,9'
issue "a number out of range" number-range 4 "$v"
variant range32
export_line "$v" ERRORS '2,x,4294967296,2,DeleteObject,1,1,0,1'
issue "an error code of more than 32 bits" number-range 3 "$v"
variant short
export_line "$v" OBJECTS '9,1'
issue "a row that is too short" row-short 4 "$v"
variant long-row
export_line "$v" OBJECTS '9,4096,100,1,20,5,9,1,-1,9,9'
issue "a row that is too long" row-long 4 "$v"
variant again
export_line "$v" OBJECTS '9,4096,100,1,20,5,1,1,-1,9'
issue "a duplicate object" duplicate-id 4 "$v"
variant again-unordered
export_line "$v" OBJECTS '9,4096,100,1,20,5,0,1,-1,9'
issue "a duplicate object that is not in the order of the IDs" duplicate-id 4 "$v"
variant again-frame
export_line "$v" CREATION_CALL_STACK '1,-1,84,2,1,1,3'
issue "a duplicate frame" duplicate-id 8 "$v"
variant again-routine
export_line "$v" META_ROUTINES ',app.exe,other,main.pas,1,2,1,-1,91'
issue "a duplicate routine" duplicate-id 5 "$v"
variant dangling
export_line "$v" CREATION_CALL_STACK '1,-1,84,6,1,99,0'
issue "a frame without its object" dangling-parent 8 "$v"
variant dangling-line
export_line "$v" META_LINES '12,2,1,99,0'
issue "a line without its routine" dangling-parent 4 "$v"
variant dangling-error
export_line "$v" ERRORS '2,x,5,2,DeleteObject,1,1,99,1'
issue "an error without its thread" dangling-parent 3 "$v"

# If two rows have the same ID, the first one is kept.
variant first
export_line "$v" OBJECTS '9,4096,100,1,77,5,0,1,-1,9'
load "$v"
is "$(q "select col_size from resource_profiler_objects where id = 0")" 10 "the first of two rows with the same ID is kept"
is "$(q "select convert_from(rejected, 'UTF8') from import_issues where code = 'duplicate-id'")" "" \
    "the issue does not contain the text of a row that was sorted"
drop_all

# --- consistency ------------------------------------------------------------------------------

warning() { # TEXT CODE PATH
    load "$3"
    is "$status" 0 "$1: the input is loaded"
    is "$(q "select distinct severity from import_issues where code = '$2'")" warning \
        "$1: a warning is reported"
    drop_all
}

variant live
export_edit "$v" CLASSES_DATA '2s/,2,30,/,3,30,/'
warning "a wrong live count" live-count "$v"
variant live-size
export_edit "$v" CLASSES_DATA '2s/,2,30,/,2,31,/'
warning "a wrong live size" live-size "$v"
variant order
export_edit "$v" CLASSES_DATA '2s/,3,40,9,90,/,3,40,2,90,/'
warning "a total below the peak" counter-order "$v"
variant positions
export_edit "$v" CREATION_CALL_STACK '4s/,2$/,5/'
warning "stack positions with a gap" stack-positions "$v"
variant routine
export_edit "$v" CREATION_CALL_STACK '2s/,70,/,71,/'
warning "an unknown routine" dangling-routine "$v"
variant line
export_edit "$v" CREATION_CALL_STACK '3s/,0,77,/,9,77,/'
warning "an unknown line" dangling-line "$v"
variant class
export_edit "$v" OBJECTS '2s/,100,/,101,/'
warning "an unknown class" dangling-class "$v"
variant thread
export_edit "$v" OBJECTS '2s/,5,0,1,/,6,0,1,/'
warning "an unknown thread" dangling-thread "$v"
variant gets
export_edit "$v" OBJECTS '2s/,100,1,/,100,2,/'
warning "a class whose objects have different Get numbers" several-gets "$v"
variant relations
export_edit "$v" RELATIONS '2s/ERRORS/OBJECTS/'
warning "a RELATIONS row that AQTime does not write" relations "$v"
variant by-id
export_edit "$v" OBJECTS '2,$s/,5,\([01]\),1,-1/,0,\1,1,-1/'
load "$v"
is "$(q "select thread_key from instances")" id "load detects that objects refer to threads by ID"
drop_all

# If many issues have the same code, the depot stores a hundred of them, and one more row that counts the rest.
variant many
for n in $(seq 150); do
    export_line "$v" THREADS "x,1,$((n + 10)),1,-1,9"
done
load "$v"
is "$(q "select count(*) filter (where code = 'bad-number'), max(occurrences) filter (where code = 'suppressed')
    from import_issues")" "100|50" "a hundred issues with the same code are stored, followed by the number of omitted issues"
drop_all

# --- several inputs ------------------------------------------------------------------------------

variant nothing
rm "$v"/RES*
json=$("$PROFDEPOT" load --output json --jobs 2 "$tmp/two" "$v" 2>/dev/null)
is $? 5 "if only some inputs are loaded, the exit status is 5"
is "$(echo "$json" | grep -c '"state":"loaded"')" 3 "--jobs loads the valid inputs"
is "$(echo "$json" | tail -1 | grep -c '"state":"failed"')" 1 "the lines of the output are in the order of the inputs"
drop_all

# If a process is killed while it waits for a pipe, only this input fails.
mkfifo "$tmp/pipe"
"$PROFDEPOT" load --output json --jobs 2 "$tmp/pipe" "$tmp/two" "$v" >"$tmp/out" 2>"$tmp/errors" &
loader=$!
until read -ra workers <<<"$(cat "/proc/$loader/task/$loader/children")" && [ ${#workers[@]} -gt 0 ]; do sleep 0.1; done
kill -KILL "${workers[0]}"
wait $loader
is "$?" 5 "if a process is killed, the other inputs are loaded"
is "$(grep -c '"state":"loaded"' "$tmp/out")" 3 "they are loaded by other processes"
like "$(cat "$tmp/errors")" "$tmp/pipe: the process that loaded it was killed" "the message names the input"
drop_all

done_testing
