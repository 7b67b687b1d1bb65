#!/usr/bin/env bash
# Tests kernelscope's events: stored rows, import issues, the view of a category, the export, and
# the catalogue of categories.
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
golden=$srcdir/tests/golden/kernelscope

# loaded: prints the INST_ID of the newest result set.
loaded() {
    q "select max(inst_id) from instances"
}

# column NAME INST [VIEW]: prints a column's values in id order, one per line.
column() {
    q "select $1 from ${3:-offcputime} where inst_id = $2 order by id"
}

# comes_back INST NAME: checks that the result set is the same after an export and a load.
comes_back() {
    rm -f "$tmp/again.json"
    run export --format kernelscope "$1" -o "$tmp/again.json"
    is "$status" 0 "$2: the export succeeds"
    run load --output json "$tmp/again.json"
    like "$out" "\"inst_id\":$1,.*\"state\":\"known\"" "$2: the export has the same content"
}

# --- load and export ---

run load "$srcdir/tests/golden/kernelscope/bodies.json"
is "$status" 0 "a file of request bodies loads"
unlike "$errors" '[1-9][0-9]* errors?' "all events in a file of request bodies are loaded"
inst=$(loaded)
is "$(q "select format, caption, tool from instances where inst_id = $inst")" \
    "kernelscope|vm1 and others, 2026-11-21 07:54:53.863223|kernelscope" "the caption has the first host and time"
is "$(column elapsed "$inst" | tr '\n' ' ')" \
    "1234 1234 60000000 -5 9223372036854775807 0 9007199254740993 1 2 3 4 " "all values are stored in the order of the file, including duplicates"
is "$(column time_text "$inst" | uniq | tr '\n' '|')" \
    "2026-11-21 07:54:53.863223|2026-11-21 08:00:00|2026-11-21 08:00:01.500000|2026-11-21T08:00:02|yesterday|1795248000.25|1969-12-31 23:59:59.25|" \
    "time_text is the text that the sender wrote"
is "$(column "coalesce(time::text, 'none')" "$inst" | uniq | tr '\n' '|')" \
    "2026-11-21 07:54:53.863223|2026-11-21 08:00:00|2026-11-21 08:00:01.5|2026-11-21 08:00:02|none|2026-11-21 08:00:00.25|1969-12-31 23:59:59.25|" \
    "time is the sender's text as a timestamp"
is "$(column "pid" "$inst" | uniq | tr '\n' ' ')" "1345 17 -1 -9223372036854775808 9007199254740993 1 " "pids can be any 64-bit number"
is "$(q "select process = 'a' || chr(26) || '0000b' || chr(26) || 'D800 ' || chr(26) || '001A0041',
        stack = ';a;;b' || chr(26) || '0000;' from offcputime where inst_id = $inst and id = 5")" "t|t" \
    "characters that PostgreSQL cannot store are escaped"
is "$(q "select count(*), count(distinct stack_id) from samples where inst_id = $inst")" "11|7" \
    "each row is a sample, and equal stacks are one stack"
is "$(q "select kind, host, process_name, thread_id, category from tracks where inst_id = $inst and track_id = 1")" \
    "process|vm1|fs_mark|1345|offcputime" "each process of a host is a track"
is "$(q "select name, family, unit, title from metrics where inst_id = $inst")" \
    "elapsed|samples|microseconds|Elapsed" "the column elapsed becomes the metric"
is "$(q "select severity, code, message from import_issues where inst_id = $inst")" \
    "warning|odd-value|\"yesterday\" is not a time such as 2026-01-31 17:00:00.5: the body's events keep it as text" \
    "an invalid time causes a warning"
run export --format kernelscope "$inst" -o "$tmp/out.json"
same_file "$tmp/out.json" "$golden/kernelscope.out" "the export has the same values"
comes_back "$inst" "bodies.json"

echo '{"hostname":"","time":"2016-10-24 17:12:43","offcputime":[]}' >"$tmp/nameless.json"
run load "$tmp/nameless.json"
like "$out" '"2016-10-24 17:12:43": no samples' "the caption omits a host without a name"

# --- categories ---

run load "$golden/categories.json"
is "$status" 0 "a body with known and unknown categories loads"
like "$(q "select message from import_issues where code = 'unknown-category' order by 1")" 'no category "bare"' \
    "members that do not name a category are omitted, and an issue reports them"
q "delete from instances where inst_id = $(loaded)"
run category add wakes --column cpu:int --column kstack:stack:Kernel --column ustack:stack \
    --column seen:timestamp --column elapsed:elapsed:Wait --column more:elapsed
is "$status $errors" "0 " "a category is declared"
run category add bare -c time:timestamp:When -c hostname:string -c what:string
is "$status $errors" "0 " "a category can declare the columns hostname and time"
run category list --output csv
is "$(grep -v offcputime <<<"$out" | tr -d '\r' | tr '\n' ' ')" \
    "category,column,type,pretty_name bare,time,timestamp,When bare,hostname,string,Hostname bare,what,string,What wakes,hostname,string,Hostname wakes,time,timestamp,Time wakes,cpu,int,Cpu wakes,kstack,stack,Kernel wakes,ustack,stack,Ustack wakes,seen,timestamp,Seen wakes,elapsed,elapsed,Wait wakes,more,elapsed,More " \
    "category list shows the declared categories"
is "$(q "select string_agg(attname || ' ' || format_type(atttypid, null), ', ' order by attnum) from pg_attribute
        where attrelid = 'wakes'::regclass and attnum > 0")" \
    "inst_id bigint, id bigint, hostname text, time timestamp without time zone, cpu bigint, kstack text, ustack text, seen timestamp without time zone, elapsed bigint, more bigint, time_text text, seen_text text" \
    "the view of a category has the category's columns in the declared order"
is "$(q "select col_description('wakes'::regclass, attnum) from pg_attribute
        where attrelid = 'wakes'::regclass and attname in ('kstack', 'more', 'seen_text') order by attnum" | tr '\n' '|')" \
    "Kernel, innermost frame first|More, microseconds|Seen, as the sender wrote it|" "the columns of the view have comments"
run load "$golden/categories.json"
is "$status" 0 "a body loads again after its categories were declared"
inst=$(loaded)
is "$(q "select cpu, kstack, ustack, seen, seen_text, elapsed, more from wakes where inst_id = $inst order by id")" \
    "3|try_to_wake_up;futex_wake|pthread_cond_signal;main"$'\x1a'"0000|2026-11-21 07:59:59.25|2026-11-21 07:59:59.25|17|-9223372036854775808
0|;||2026-11-21 07:59:59|2026-11-21T07:59:59|0|1" "the view of a category contains all values"
is "$(column "what, hostname" "$inst" bare | tr '\n' ' ')" $'one|vm1 two \x1a0000|vm1 three|vm2 ' "the view of a category without an elapsed column contains all values"
is "$(q "select string_agg(name || ' ' || unit, ', ' order by metric_no) from metrics where inst_id = $inst")" \
    "count count, elapsed microseconds, wakes_elapsed microseconds" "each category has a metric"
run export --format kernelscope "$inst" -o "$tmp/several.json"
same_file "$tmp/several.json" "$golden/categories.out" "the export has the rows of several categories"
comes_back "$inst" "categories.json"
run category rm wakes
is "$status" 2 "a category with events cannot be removed"
like "$errors" '1 result set holds events of the category "wakes"' "the error says how many result sets contain the category's events"
run rm "$inst"
run category rm wakes
is "$status $(q "select to_regclass('wakes') is null, count(*) from category_columns where category = 'wakes'")" \
    "0 t|0" "a category without events is deleted with its view"
# shellcheck disable=SC2089 # the quote is a character of the name
for wrong in "add offcputime -c a:int" "add stacks -c a:int" "add Big -c a:int" "add user -c a:int" \
    "add few" "add few -c a" "add few -c a:float" "add few -c id:int" "add few -c a:int -c a:int" "add hostname -c a:int" "add time -c a:int" $'add few -c a:int:\xff' \
    "add inst -c inst_id:int" "add we'ird -c a:int" 'add few -c a\"b:int' "add few -c a:int:A -c Select:int" \
    "add few -c time:int" "add few -c seen:timestamp -c seen_text:string" "rm offcputime" "rm nothing" "list few" "rm" ""; do
    # shellcheck disable=SC2086,SC2090
    run category $wrong
    is "$status $(grep -c '^profdepot: ' <<<"$errors") $(q "select to_regclass('few') is null")" "2 1 t" \
        "an invalid command is refused with one line: category $wrong"
done

# Column names may be SQL keywords, because the sender chooses them. Column titles can be any text.
run category add few -c user:string -c "order:int:It's \"x\" \\ {a,b}" -c null:timestamp:NULL
is "$status $errors" "0 " "column names may be SQL keywords"
like "$(run category add few -c a:int; echo "$errors")" 'the category "few" exists already' "a category name cannot be used twice"
is "$(q "select col_description('few'::regclass, attnum) from pg_attribute where attrelid = 'few'::regclass and attname = 'order'")" \
    "It's \"x\" \\ {a,b}" "a title is stored unchanged"
printf '{"hostname": "h", "time": "2026-11-21T08:00:00+01:00", "few": [{"user": "u", "order": 1, "null": "2026-11-21 08:00:00-05"},
    {"user": "", "order": -2, "null": "2026-11-21"}]}' >"$tmp/few.json"
run load "$tmp/few.json"
inst=$(loaded)
is "$status $(q "set timezone = 'Asia/Tokyo'; select \"user\", \"order\", \"null\", null_text, time, time_text from few where inst_id = $inst order by id")" \
    "0 u|1|2026-11-21 13:00:00|2026-11-21 08:00:00-05|2026-11-21 07:00:00|2026-11-21T08:00:00+01:00
|-2|2026-11-21 00:00:00|2026-11-21|2026-11-21 07:00:00|2026-11-21T08:00:00+01:00" "times with a zone are converted to UTC"
comes_back "$inst" "few.json"
run rm "$inst"
run category rm few
is "$status" 0 "a category whose columns are SQL keywords can be deleted"

# --- invalid input ---

run load "$golden/rejected.json"
is "$status" 0 "a file with bad rows loads"
inst=$(loaded)
is "$(column "process, pid, elapsed" "$inst" | tr '\n' ' ')" "kept|1|1 p|1|1 kept|2|1000 kept|3|4 " "the valid rows of the file are stored"
is "$(q "select severity, code, sum(occurrences) from import_issues where inst_id = $inst group by 1, 2 order by 1, 2")" \
    "error|missing-value|3
error|wrong-type|14
info|unknown-category|1
info|unknown-column|2" "each bad row is reported"
size=$(wc -c <"$golden/rejected.json")
is "$(q "select count(*) from import_issues where inst_id = $inst and severity = 'error'
        and (rejected is null or byte_offset is null or source <> 'rejected.json' or byte_offset + length(rejected) > $size)")" 0 \
    "each issue contains the rejected bytes and their offset"
is "$(q "select byte_offset, convert_from(rejected, 'UTF8') from import_issues where inst_id = $inst and message like '%stack is null%'" |
    while IFS='|' read -r at text; do tail -c "+$((at + 1))" "$golden/rejected.json" | head -c "${#text}" | grep -cFx "$text"; done)" 1 \
    "the offset of the rejected bytes is right"
for n in 1 2; do
    printf '{"hostname": "h", "time": "2020-01-01 00:00:00", "offcputime": [{"process": "p", "pid": 1, "stack": "s", "elapsed": "%s"}]}' \
        "$n x" >"$tmp/all$n.json"
    run load "$tmp/all$n.json"
    like "$status $out" \
        '^0 loaded .*no samples, no spans.*1 row left out: profdepot report issues [0-9]+$' \
        "body $n is loaded although all its rows are rejected"
done
is "$(q "select string_agg(convert_from(rejected, 'UTF8'), ' ' order by inst_id) from import_issues where inst_id > $inst")" \
    '{"process": "p", "pid": 1, "stack": "s", "elapsed": "1 x"} {"process": "p", "pid": 1, "stack": "s", "elapsed": "2 x"}' "the issues of both bodies are kept"
run load "$tmp/all1.json" "$tmp/all2.json"
is "$(grep -c '^known ' <<<"$out")" 2 "files that are loaded again are known"
run load --strict "$golden/rejected.json" --again
is "$status" 3 "--strict refuses a file with bad rows"
mkdir "$tmp/folder"
cp "$golden/rejected.json" "$tmp/folder/b.json"
cp "$srcdir/tests/golden/kernelscope/bodies.json" "$tmp/folder/a.json"
echo 'no JSON' >"$tmp/folder/notes.txt"
run load "$tmp/folder"
is "$status $(q "select count(*) from offcputime where inst_id = $(loaded)")" "0 15" "a folder becomes one result set"
is "$(q "select source from import_issues where inst_id = $(loaded) and code = 'no-profile'")" "notes.txt" \
    "an issue names the file of the folder that is not JSON"
sets=$(q "select count(*) from instances")
printf '{"hostname": "h", "time": "t", "nothing": [{"a": 1}]}' >"$tmp/unknown.json"
run load "$tmp/unknown.json"
is "$status" 3 "a file that has only events of unknown categories is refused"
like "$errors" 'unknown category "nothing"' "the error names the unknown category"
like "$errors" 'hint: .*category add' "the hint for an unknown category suggests \"category add\""
printf '{"hostname": "h", "time": "2020-01-01 00:00:00", "offcputime": [{"process": "p", "pid": 1, "stack": "s", "elapsed": 1},{]}' >"$tmp/broken.json"
run load "$tmp/broken.json"
is "$status $(grep -c '^profdepot: .*broken.json.*offset' <<<"$errors")" "3 1" "invalid JSON is refused with its offset"
is "$(q "select count(*) from instances")" "$sets" "no part of invalid JSON is stored"
{
    printf '{"hostname": "h", "time": "2020-01-01 00:00:00", "offcputime": [{"process": "p", "pid": 1, "elapsed": 1, "stack": "f'
    head -c 70000 /dev/zero | tr '\0' ';'
    printf '"}]}'
} >"$tmp/deep.json"
run load "$tmp/deep.json"
is "$status $(q "select code from import_issues where inst_id = $(loaded)")" "0 stack-too-deep" "a stack with too many frames is reported"
run export --format kernelscope "$(loaded)"
is "$status $(tr -d '\n' <<<"$out")" "2 " "an empty result set is not exported"

# --- the real sender and the recorded cases ---

corpora=${PROFDEPOT_CORPORA:-/nonexistent}/kernelscope
if [ ! -d "$corpora" ]; then
    skip "PROFDEPOT_CORPORA has no folder kernelscope" "the recorded cases"
    done_testing
fi
run load "$corpora/events.json"
is "$status" 0 "the recorded events load"
inst=$(loaded)
comes_back "$inst" "the recorded events"
run export --format kernelscope "$inst" -o "$tmp/events.json"
q "create table public.cases (j json)"
grep -vE 'u(0000|d[89a-f])' "$corpora/cases.jsonl" >"$tmp/cases.jsonl" # without characters that SQL text cannot hold
psql -Xq -v ON_ERROR_STOP=1 -c "\\copy public.cases from '$tmp/cases.jsonl' with (format csv, delimiter e'\\x02', quote e'\\x01')"
is "$(psql -XqAt -v "a=$(cat "$corpora/events.json")" -v "b=$(cat "$tmp/events.json")" <<<"select :'a'::jsonb = :'b'::jsonb")" t \
    "the export of the recorded events has equal values"

# answers NAME WHERE [LIMIT]: checks that the view returns the list that was recorded for this case.
answers() {
    local columns
    columns=$(q "select string_agg(format('''%s'', %s', e, case e when 'time' then 'time_text' else e end), ', ')
        from public.cases, json_array_elements_text(j #> '{request,offcputime,elements}') e where j ->> 'name' = '$1'")
    is "$(q "select (j #> '{response,offcputime}')::jsonb = (
            select coalesce(jsonb_agg(e.row order by e.id), '[]') from (
                select id, jsonb_build_object($columns) as row from offcputime
                where inst_id = $inst and ($2) order by id limit ${3:-null}) e)
        from public.cases where j ->> 'name' = '$1'")" t "the view returns the recorded answer of $1"
}
answers 001-list-all-columns true
answers 003-list-subset-two-columns true
answers 013-list-no-match "process = 'absent'"
answers 014-limit-3 true 3
answers 015-limit-0 true 0
answers 023-op-eq-string "process = 'dd'"
answers 024-op-eq-string-case "process = 'FSstress'"
answers 025-op-ne-string "process <> 'dd'"
answers 026-op-lt-int "elapsed < 12"
answers 029-op-ge-int "elapsed >= 50000"
answers 030-op-eq-int-as-string "pid = '1234'"
answers 033-op-gt-int-float-value "elapsed < 12.5"
answers 036-op-lt-string "process < 'dd'"
answers 041-op-eq-empty-string "process = ''"
answers 042-op-eq-unicode "process = 'naïve-日本'"
answers 046-contains-substring "process ilike '%stress%'"
answers 051-contains-literal-percent "process ilike '%100\\%\\_%'"
answers 053-contains-stack "stack ilike '%btrfs\\_sync\\_file;do\\_fsync%'"
answers 054-contains-int-column "pid::text like '%200%'"
answers 059-time-eq-exact "time = '2016-10-24 17:12:43.288693'"
answers 061-time-range-and "time >= '2016-10-24 18:00:00' and time < '2016-10-25'"
answers 069-or-two-conditions "process = 'dd' or pid = 77"
answers 072-two-groups-and "(process = 'dd') and (elapsed < 1000)"

# Loads each recorded request with which the original server stored events.
n=0
for name in $(q "select j ->> 'name' from public.cases where j ->> 'endpoint' = 'logger' and j ->> 'class' in ('contract', 'observed')
        and json_typeof(j -> 'request') = 'object' and json_typeof(j #> '{followup_response,offcputime}') = 'array' order by 1"); do
    q "select j -> 'request' from public.cases where j ->> 'name' = '$name'" >"$tmp/$name.json"
    run load --again "$tmp/$name.json"
    is "$status $(q "select (j #> '{followup_response,offcputime}')::jsonb = (
            select coalesce(jsonb_agg(jsonb_build_object('hostname', hostname, 'time', time_text, 'process', process,
                'pid', pid, 'stack', stack, 'elapsed', elapsed) order by id), '[]') from offcputime where inst_id = $(loaded))
        from public.cases where j ->> 'name' = '$name'")" "0 t" "the recorded request $name stores the recorded events"
    n=$((n + 1))
done
ok "at least eight requests were recorded" test "$n" -ge 8
for text in 123 ' +123.0 ' '-9223372036854775808'; do
    sed "s/\"123\"/\"$text\"/" "$corpora/../regressions/kernelscope-174-numeric-text.json" >"$tmp/text.json"
    run load --again "$tmp/text.json"
    is "$(q "select pid, elapsed from offcputime where inst_id = $(loaded)")" "77|$((text))" \
        "the text \"$text\" in an int column is stored as the number"
done
for text in 12x 1,0 1.5 '' 9223372036854775808; do
    sed "s/\"123\"/\"$text\"/" "$corpora/../regressions/kernelscope-174-numeric-text.json" >"$tmp/text.json"
    run load --again "$tmp/text.json"
    is "$(q "select code from import_issues where inst_id = $(loaded)")" wrong-type "the text \"$text\" is not an integer"
done
psql -XqAt -v "j=$(cat "$corpora/sender-observed.json")" <<<"select :'j'::json -> 'body'" >"$tmp/sender.json"
run load "$tmp/sender.json"
is "$status $(q "select hostname, time_text, process, pid, stack, elapsed from offcputime where inst_id = $(loaded)")" \
    "0 vm|2026-11-21 07:54:53.863223|fs_mark|1345|schedule;io_schedule;sys_fsync|1234" "a body from the real sender loads"
done_testing
