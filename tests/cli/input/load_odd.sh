#!/usr/bin/env bash
# Tests profdepot load with rows that contradict each other, text cut within a character, stacks
# with separate IDs, and frames that SQL adds to these stacks.
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
export_make "$tmp/a"

variant() { # variant NAME: copies the export to $v
    v=$tmp/v-$1
    cp -r "$tmp/a" "$v"
}

# loads TEXT [OPTION...]: loads $v, sets $inst to the new result set, and verifies the result set.
loads() {
    local text=$1
    shift
    run load --again "$@" "$v"
    is "$status" 0 "$text: the export is loaded"
    inst=$(q "select max(inst_id) from instances")
    run verify "$inst"
    is "$status" 0 "$text: the result set passes verification"
}

issues() { # issues CODE: prints the lines and messages of the newest result set's issues
    q "select line, message from import_issues where inst_id = $inst and code = '$1' order by issue_no"
}

digest() {
    q "select content_digest from instances where inst_id = $inst"
}

# --- repeated IDs --------------------------------------------------------------------------

variant routine
export_line "$v" META_ROUTINES 'TOther,other.exe,Zap,z.pas,99,7,1,-1,77'
export_line "$v" META_LINES '99,7,1,7,5'
loads "two rows of META_ROUTINES with the same REC_ID"
is "$(issues duplicate-id)" "5|REC_ID 77 is a duplicate" "a repeated REC_ID of a routine is an issue"
is "$(issues dangling-parent)" "4|routine 7 does not exist" "the line of an omitted routine is also omitted"
variant line
export_line "$v" META_LINES '99,7,1,1,0'
loads "two lines of a routine with the same REC_ID"
is "$(issues duplicate-id)" "4|REC_ID 0 is a duplicate" "a repeated REC_ID of a line is an issue"
variant minus
export_line "$v" META_LINES '99,7,1,1,-1'
export_edit "$v" CREATION_CALL_STACK 's/^1,0,77/1,-1,77/'
loads "a line with the REC_ID -1"

# --- one issue per error --------------------------------------------------------------------------

variant instances
printf ',,,,abc\n' >>"$v/INSTANCES.csv"
loads "an INST_ID with letters in INSTANCES"
is "$(issues bad-number | wc -l)" 1 "the bad INST_ID is reported once, even though INSTANCES is read twice"
variant frames
sed -i '1s/$/,NEW/; 1!s/$/,/' "$v/RESOURCE_PROFILER_CREATION_CALL_STACK.csv"
export_line "$v" CREATION_CALL_STACK '1,-1,xx,9,1,1,3,'
export_line "$v" CREATION_CALL_STACK '1,-1,70,0,1,1,3,'
loads "frames with an invalid number and with a repeated ID"
is "$(issues bad-number | wc -l)|$(issues duplicate-id | wc -l)|$(issues unknown-column | wc -l)" \
    "1|1|1" "each error is reported once, even though the frames are read twice"
variant short
export_line "$v" THREADS '1,2,3,abc'
loads "a short row whose INST_ID is not a number"
is "$(q "select sum(occurrences) from import_issues where inst_id = $inst and severity = 'error'")" 1 \
    "the short row is reported as one issue"

# --- texts cut within a character ----------------------------------------------------------------

x=$(printf 'x%.0s' {1..59})
long=$x${x:0:40}
variant class
export_edit "$v" META_CLASSES_DATA "s/Bitmap/${long}éé/"
export_edit "$v" CLASSES_DATA "s/Bitmap,2/${long}éé,3/"
loads "a message with a long class name"
is "$(issues live-count)" "|class 100 ($long) has live count 3 but 2 objects" \
    "the class name is truncated before the first two-byte character"
variant number
export_line "$v" THREADS "${x}é,1,9,1,-1,9"
loads "a message with a long field"
is "$(issues bad-number)" "3|column COL_SIZE: \"$x\" is not a whole number" "the field in the message is truncated before the two-byte character"
variant label
key=$(printf 'k%.0s' {1..999})
printf 'INST_ID,KEY,VALUE\n1,%sé,v\n' "$key" >"$v/PROFDEPOT_LABELS.csv"
loads "an export with a long label"
is "$(q "select key from result_set_labels where inst_id = $inst")" "$key" \
    "the label is truncated before the two-byte character"
run load --again --label "kk$key=1" "$v"
is "$status" 2 "load refuses a key of 1001 bytes"
run label "$inst" "kk$key=1"
is "$status" 2 "profdepot label refuses a key of 1001 bytes"

# The name of an input does not have to be UTF-8.
variant bytes
mv "$v" "$tmp/"$'b\xff\xfec'
v=$tmp/$'b\xff\xfec'
loads "a folder whose name is not UTF-8"
is "$(q "select source_name from instances where inst_id = $inst")" "b??c" "invalid bytes in the folder's name become question marks"
run load --output json "$v"
is "$(iconv -f UTF-8 -t UTF-8 <<<"$out" | grep -c '"state":"known"')" 1 "the JSON output of load is UTF-8"

# --- digests ----------------------------------------------------------------------------------

variant plain
loads "the unchanged export"
plain=$(digest)
variant counter
sed -i 's/first,,,,1/first,,1000,,1/' "$v/INSTANCES.csv"
loads "an export with another COUNTER_FREQUENCY"
ok "a different COUNTER_FREQUENCY changes the content digest" ! test "$(digest)" = "$plain"
variant ties
export_edit "$v" CREATION_CALL_STACK 's/0,2$/0,1/'
loads "two frames at the same position"
ties=$(digest)
sed -i '3{h;d};4{G}' "$v/RESOURCE_PROFILER_CREATION_CALL_STACK.csv"
loads "the two frames in reverse order"
is "$(digest)" "$ties" "the order of the two frames does not change the content digest"
rm -rf "$tmp/out"
"$PROFDEPOT" export --format aqtime -o "$tmp/out" "$inst" 2>/dev/null
run load --output json "$tmp/out"
like "$out" '"state":"known"' "the exported result set with two frames is recognised as known"

# --- stacks with separate IDs, and frames inserted with SQL ----------------------------------------

# The object's stack and the error's stack have equal rows.
variant private
export_edit "$v" CREATION_CALL_STACK '2,$d'
export_line "$v" CREATION_CALL_STACK ',,77,0,1,0,0'
export_line "$v" CREATION_CALL_STACK ',,84,5,1,0,1'
export_edit "$v" CALL_STACK 's/^84,1/84,5/'
loads "an object and an error whose equal stacks have separate IDs"
frames="inst_id, id, parent_id, rec_id, col_hit_count, col_linerid, col_routinerid"
q "insert into resource_profiler_creation_call_stack ($frames) values ($inst, 50, 0, 2, null, null, 70)"
is "$(q "select count(*) from resource_profiler_call_stack where inst_id = $inst")" 2 \
    "a new frame in the object's stack does not change the error's stack"

stack() { # stack OBJECT
    q "select string_agg(concat_ws(',', id, rec_id, col_hit_count, col_linerid, col_routinerid), ' ' order by rec_id)
        from resource_profiler_creation_call_stack where inst_id = $inst and parent_id = $1"
}

v=$tmp/v-plain
loads "a second load of the unchanged export"
q "insert into resource_profiler_objects (inst_id, id) values ($inst, 7)"
q "insert into resource_profiler_creation_call_stack ($frames) values
    ($inst, 60, 7, 0, 1, -1, 70), ($inst, 63, 7, 3, 1, -1, 84), ($inst, 61, 7, 1, 1, 0, 77),
    ($inst, 64, 7, 4, null, null, null), ($inst, 62, 7, 2, 1, -1, 84)"
is "$(stack 7)" "60,0,1,-1,70 61,1,1,0,77 62,2,1,-1,84 63,3,1,-1,84 64,4" "frames can be inserted in any order"
"$PROFDEPOT" reindex "$inst" >/dev/null 2>&1
q "insert into resource_profiler_creation_call_stack ($frames) values ($inst, 65, 7, 5, 1, -1, 70)"
is "$(q "select state from instances where inst_id = $inst")" open "inserting a frame opens a closed result set"
is "$(q "select count(*) from stack_totals where inst_id = $inst")" 0 "inserting a frame deletes the result set's totals"
q "insert into resource_profiler_creation_call_stack ($frames) values ($inst, 66, 7, 6, 1, -1, 70)"
is "$(stack 7)" "60,0,1,-1,70 61,1,1,0,77 62,2,1,-1,84 63,3,1,-1,84 64,4 65,5,1,-1,70 66,6,1,-1,70" \
    "a frame is appended to the stack"
for row in "null, 7, 7" "67, 7, null" "68, 99, 0"; do
    ok "a frame with the ID, parent and REC_ID $row is refused" ! q "insert into resource_profiler_creation_call_stack
        (inst_id, id, parent_id, rec_id, col_routinerid) values ($inst, $row, 70)"
done
q "insert into resource_profiler_call_stack (inst_id, id, parent_id, rec_id, col_routinerid, col_linerid)
    values ($inst, 70, 0, 2, 84, null), ($inst, 71, 0, 3, 84, 0), ($inst, 72, 0, 4, null, null)"
is "$(q "select string_agg(concat_ws(',', id, rec_id, col_routinerid, col_linerid), ' ' order by rec_id)
    from resource_profiler_call_stack where inst_id = $inst")" \
    "0,0,77 1,1,84 70,2,84 71,3,84,0 72,4" "frames can be inserted for an error"
"$PROFDEPOT" reindex "$inst" >/dev/null 2>&1
run verify "$inst"
is "$status" 0 "the result set passes verification after reindex"

done_testing
