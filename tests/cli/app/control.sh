#!/usr/bin/env bash
# Tests that control characters from an input never reach text output, whether they are in names, captions, paths or
# messages on standard error. JSON and CSV have their own escapes.
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
evil=$'n\e[31m\e]0;pwn\a\xc2\x9b\r\x7fx' # CSI, OSC, C1 and DEL
json='n\u001b[31m\u001b]0;pwn\u0007\u009b\r\u007fx'

# clean ARGUMENT...: runs profdepot, and checks that its outputs contain no control character
clean() {
    local controls
    run "$@"
    printf '%s\n%s\n' "$out" "$errors" >"$tmp/outputs"
    controls=$(LC_ALL=C tr -d '\n\t\040-\176\200-\377' <"$tmp/outputs" | od -An -c)$(LC_ALL=C grep -c $'\xc2[\x80-\x9f]' "$tmp/outputs")
    is "$controls" 0 "$(printf '%q ' "${@//$tmp/TMP}" | LC_ALL=C tr -d '\000-\037\177-\377')has no control character"
}

# --- inputs in which every name is hostile ------------------------------------------------------

cat >"$tmp/$evil.json" <<JSON
{"\$schema":"https://www.speedscope.app/file-format-schema.json","name":"$json","exporter":"$json",
"shared":{"frames":[{"name":"a$json","file":"$json","line":1},{"name":"b$json"}]},
"profiles":[{"type":"sampled","name":"$json","unit":"bytes","startValue":0,"endValue":3,"samples":[[0,1],[1]],"weights":[1,2]}]}
JSON
cat >"$tmp/asan.txt" <<LOG
==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000010 at pc 0x550000000002 $evil
READ of size 4 at 0x602000000010 thread T1 ($evil)
    #0 0x550000000001 in f$evil /s/$evil.c:1:1

0x602000000010 is located 0 bytes inside of 4-byte region $evil
==1==ABORTING
==2==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 8 byte(s) in 1 object(s) allocated from:
    #0 0x550000000001 in malloc (/b/$evil+0x1)
    #1 0x550000000002 in g$evil /s/$evil.c:2:1

SUMMARY: AddressSanitizer: 9 byte(s) leaked in 1 allocation(s).
LOG
cat >"$tmp/trace.json" <<JSON
{"traceEvents":[{"cat":"blink.user_timing","name":"m$json","ph":"X","ts":1,"dur":5,"pid":1,"tid":1,"args":{"x":"$json"}},
{"cat":"blink.console","name":"c$json","ph":"X","ts":2,"dur":2,"pid":1,"tid":1},
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"$json"}}]}
JSON
cat >"$tmp/profiler.json" <<JSON
{"Id":"e9a21d30-9a4c-4a5b-9d5f-0b8a70c8b6f0","Name":"$json","Started":"2024-01-01T00:00:00Z","DurationMilliseconds":5,"MachineName":"$json",
"Root":{"Id":"e9a21d30-9a4c-4a5b-9d5f-0b8a70c8b6f1","Name":"r$json","StartMilliseconds":0,"DurationMilliseconds":5,
"CustomTimings":{"sql":[{"Id":"e9a21d30-9a4c-4a5b-9d5f-0b8a70c8b6f2","CommandString":"select $json","ExecuteType":"q$json","StartMilliseconds":1,"DurationMilliseconds":1,"StackTraceSnippet":"$json"}]}}}
JSON
printf '{"hostname": "%s", "time": "%s", "offcputime": [{"process": "%s", "pid": 1, "stack": "a%s", "elapsed": 1}, {"pid": "%s"}]}' \
    "$json" "$json" "$json" "$json" "$json" >"$tmp/kernelscope.json"

for file in "$evil.json" asan.txt trace.json profiler.json kernelscope.json; do
    clean load --again --label "branch=$evil" "$tmp/$file"
    is "$status" 0 "the file loads"
done
clean load --run "$evil" --again "$tmp/$evil.json"
clean load --verbose "$tmp/$evil.json"
is "$(q "select count(*) from instances where caption like '%' || chr(27) || '%'")" 3 "captions are stored unchanged"

# --- every report, list and show ----------------------------------------------------------------

sets=$(q "select inst_id from instances order by 1")
for set in $sets; do
    while read -r report by; do
        clean report "$report" ${by:+--by "$by"} "$set"
    done < <("$PROFDEPOT" reports | awk '/^[a-z]/ { print $1, $3 }' | sort -u)
    clean show "$set"
    clean flame --output folded "$set"
done
clean report hot --output markdown 1
clean list --output markdown
clean list
clean stream list
clean diff 1 2
clean diff --by routine 1 "$(tail -n 1 <<<"$sets")"
clean trend weight
clean verify
clean reports
clean formats
clean category list
clean suppress list
clean owners of "$evil"

# --- messages -----------------------------------------------------------------------------------

printf '{"budgets":[{"of":"errors","max_count":0,"name":"b%s"},{"of":"leaks","max_count":0}]}' "$json" >"$tmp/budget.json"
clean check --budgets "$tmp/budget.json" 2
clean load "$tmp/missing$evil"
clean load --format "$evil" "$tmp/asan.txt"
clean "$evil"
clean report "$evil" 1
clean report hot "$evil"
clean report hot "--$evil" 1
clean report hot --metric "$evil" 1
clean show "label:branch=$evil"
clean label 1 "k$evil=v$evil"
clean show 1
clean export --format speedscope --out "$tmp/out$evil" 1
clean export --format aqtime --out "$tmp/folder$evil" 1
clean --db "$evil" list
unlike "$("$PROFDEPOT" list --output json)" $'\e|\a' "JSON has its own escapes"
like "$("$PROFDEPOT" list --output csv)" $'\e' "CSV contains the characters unchanged"
clean rm --dry-run 1
clean rm 1

done_testing
