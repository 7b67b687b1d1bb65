#!/usr/bin/env bash
# Tests kernelscope's queries over HTTP: recorded cases, invalid bodies, and the stricter queries of /v1.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

command -v curl >/dev/null || skip_all "curl is not installed"
command -v python3 >/dev/null || skip_all "python3 is not installed"
pg_temp_start
tmp=$(mktemp -d)
trap 'serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/kernelscope

# post PATH BODY [OPTION...]: sets $status and $answer (and writes $tmp/answer).
post() {
    local path=$1
    printf '%s' "$2" >"$tmp/body"
    shift 2
    status=$(curl -s -o "$tmp/answer" -w '%{http_code}' --data-binary "@$tmp/body" "$@" "$base$path")
    answer=$(cat "$tmp/answer")
}

get() {
    status=$(curl -s --path-as-is -o "$tmp/answer" -w '%{http_code}' "$base$1")
    answer=$(cat "$tmp/answer")
}

# value EXPRESSION: prints the value of a Python expression in which a is the answer's JSON value.
value() {
    python3 -S -E -c 'import json, sys; a = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$tmp/answer" "$1" 2>&1
}

# refused TEXT STATUS PATTERN PATH BODY: checks that the answer is one JSON error.
refused() {
    post "$4" "$5"
    if [ "$status" = "$2" ] && [[ $(value 'a["error"]["message"]') =~ $3 ]]; then
        pass "$1: the answer is one error with status $2"
    else
        fail "$1: the answer is one error with status $2"
        diag "$status $answer"
    fi
}

# counted TEXT N BODY: checks that /api answers with N rows for the pid column of offcputime.
counted() {
    post /api "{\"offcputime\": {\"elements\": [\"pid\"], $3}}"
    is "$status $(value 'len(a["offcputime"])')" "200 $2" "$1"
}

# play SCRIPT ARGUMENT...: runs a script that prints one line per test case. If the script ends with
# an error or prints no case, a further case fails.
play() {
    local line
    python3 "$@" >"$tmp/played" 2>&1
    [ $? -le 1 ] || echo "not ok 0 - $1 ends with an error" >>"$tmp/played"
    grep -q '^ok ' "$tmp/played" || echo "not ok 0 - $1 prints test cases" >>"$tmp/played"
    while IFS= read -r line; do
        case $line in
        "ok "*) pass "${line#ok * - }" ;;
        "not ok "*) fail "${line#not ok * - }" ;;
        "#"*) echo "$line" ;;
        *) diag "$line" ;;
        esac
    done <"$tmp/played"
}

# Without the corpus, the test loads its own copy of the events, in which the hosts are in a different order.
if [ -f "$corpora/events.json" ]; then
    events=$corpora/events.json
else
    events=$srcdir/tests/golden/kernelscope/bodies.json
fi

# --- an empty depot -------------------------------------------------------------------------------

serve_begin
post /api '{"offcputime": {"elements": ["pid"]}}'
is "$status $answer" '200 {"offcputime":[]}' "without events, the answer is an empty array"
post /api '{"offcputime": {"elements": ["stack", "elapsed"], "format": "flamegraph"}}'
is "$status $answer" '200 {"name":"root","value":0,"children":[]}' "without events, a flame graph has only a root"
post /v1/categories/offcputime/query '{"format": "grafana"}'
is "$status $(value 'a["nodes"], a["trimmed"], a["fields"][1]["values"]')" "200 (1, 0, [0])" "without events, Grafana gets only a root"

ok "events are loaded" "$PROFDEPOT" load "$events"

# --- the recorded cases ---------------------------------------------------------------------------

if [ -f "$corpora/cases.jsonl" ]; then
    play "$srcdir/tests/service/kernelscope_play.py" "$corpora/cases.jsonl" "$base"
    is "$(q "select count(*) from instances")" 1 "no recorded query changed the depot"
    serve_end
    q "delete from instances" >/dev/null
    "$PROFDEPOT" list >/dev/null
    serve_begin
fi
[ -f "$corpora/cases.jsonl" ] || diag "skipped: no recorded cases in $corpora"

# --- the test's own events ------------------------------------------------------------------------

# Events as the service stores them: two hosts, each with a result set, and event numbers that continue across both.
q "
    delete from instances; delete from sample_blocks; delete from sample_rows; delete from tracks; delete from stacks;
    delete from metrics; delete from resource_profiler_meta_routines;
    insert into instances (inst_id, state, format, source_name) select n, 'open', 'kernelscope', 'posted' from unnest(array[11, 12]) n;
    insert into metrics (inst_id, metric_no, name, family, unit) select n, 1, 'elapsed', 'samples', 'microseconds' from unnest(array[11, 12]) n;
    insert into tracks (inst_id, track_id, kind, category, host, process_name, thread_id, metric_no)
    select s, t, 'process', 'offcputime', case s when 11 then 'a' else 'b' end, 'p' || t, t, 1
    from unnest(array[11, 12]) s, generate_series(1, 2) t;
    insert into resource_profiler_meta_routines (inst_id, id, rec_id, parent_id, col_routine_name)
    select s, u.n, u.n, -1, u.name from unnest(array[11, 12]) s, unnest(array['leaf', 'mid', 'main']) with ordinality u (name, n);
    insert into stacks (inst_id, stack_id, routine_ids)
    select s, 1, '{1,2,3}'::bigint[] from unnest(array[11, 12]) s union all
    select s, 2, '{2,3}'::bigint[] from unnest(array[11, 12]) s union all
    select s, 3, '{1}'::bigint[] from unnest(array[11, 12]) s;
    insert into sample_rows (inst_id, id, track_id, stack_id, at, weights)
    select case when g % 4 < 2 then 11 else 12 end, g, 1 + g % 2, 1 + (g + 1) % 3, 1767225600 + g * 30, array[g]
    from generate_series(1, 100) g" >/dev/null

post /api '{"offcputime": {"elements": ["hostname", "pid", "elapsed", "time"], "limit": 4}}'
is "$(value '[(r["hostname"], r["elapsed"]) for r in a["offcputime"]]')" \
    "[('a', 1), ('b', 2), ('b', 3), ('a', 4)]" "posted events are returned in the order of their arrival, not by result set"
is "$(value 'a["offcputime"][0]["time"]')" "2026-01-01 00:00:30" "a time is returned as it was sent"
post /api '{"offcputime": {"elements": ["stack", "elapsed"], "format": "flamegraph"}}'
is "$(value 'a["value"], [c["name"] for c in a["children"]]')" "(5050, ['leaf', 'main'])" "the frames of all result sets are in the order of their first arrival"
post /api '{"offcputime": {"elements": ["stack"], "format": "flamegraph", "weight": "pid"}}'
is "$(value 'a["value"]')" 150 "a query can choose the weight column"
post /api '{"offcputime": {"elements": ["stack"], "format": "flamegraph", "weight": "count"}}'
is "$(value 'a["value"]')" 100 "a query can use the number of events as the weight"

# --- text from clients is never executed as SQL -----------------------------------------------------------------

play "$srcdir/tests/service/kernelscope_evil.py" "$base"
is "$(q "select count(*) from instances")" 2 "hostile texts leave the depot unchanged"

# --- invalid bodies ---------------------------------------------------------------------------

deep=$(python3 -c 'print("[" * 20000 + "]" * 20000)')
refused "20,000 nested arrays" 400 "nest|deep|depth" /api "$deep"
nested=$(python3 -c 'print("{\"conditions\":[" * 200 + "]}" * 200)')
refused "200 nested groups" 400 "nest|deep|depth" /api "{\"offcputime\": {\"elements\": [\"pid\"], \"constraints\": [$nested]}}"
nested=$(python3 -c 'print("{\"conditions\":[" * 40 + "{\"pid\": 2, \"expr\": \"=\"}" + "]}" * 40)')
counted "40 nested groups" 50 "\"constraints\": [$nested]"
many=$(python3 -c 'print(",".join(["{\"pid\": 2, \"expr\": \"=\"}"] * 900))')
counted "900 conditions" 50 "\"constraints\": [{\"oper\": \"or\", \"conditions\": [$many]}]"
many=$(python3 -c 'print(",".join(["{\"pid\": 2, \"expr\": \"=\"}"] * 1100))')
refused "1,100 conditions" 400 "more than 1000 conditions" /api \
    "{\"offcputime\": {\"elements\": [\"pid\"], \"constraints\": [{\"oper\": \"or\", \"conditions\": [$many]}]}}"
for body in '' ' ' 'null' '[]' '"x"' '7' '{' '{"offcputime"' '{"offcputime": {"elements": ["pid"]}} x' \
    '{"offcputime": 1}' '{"offcputime": null}' '{"offcputime": {"elements": {}}}' '{"offcputime": {"elements": [[]]}}' \
    '{"offcputime": {"elements": ["pid"], "limit": {}}}' '{"offcputime": {"elements": ["pid"], "limit": 1e30}}' \
    '{"offcputime": {"elements": ["pid"], "constraints": [1]}}' '{"offcputime": {"elements": ["pid"], "constraints": [{"conditions": 1}]}}' \
    '{"offcputime": {"elements": ["pid"], "constraints": [{"conditions": [1]}]}}' \
    '{"offcputime": {"elements": ["pid"], "constraints": [{"conditions": [{"pid": {}, "expr": "="}]}]}}' \
    '{"offcputime": {"elements": ["pid"], "weight": "stack"}}' '{"offcputime": {"elements": ["pid"], "weight": 1}}'; do
    refused "the body $body" 400 "." /api "$body"
done
head -c 1100000 /dev/zero | tr '\0' ' ' >"$tmp/large"
status=$(curl -s -o "$tmp/answer" -w '%{http_code}' --data-binary "@$tmp/large" "$base/api")
is "$status $(value 'a["error"]["status"]')" "413 413" "a body that exceeds the size limit is refused"
printf '{"offcputime": {"elements": ["pid"], "limit": 1}}' | gzip -c >"$tmp/packed"
for coding in gzip X-GZIP $'gzip \t'; do
    status=$(curl -s -o "$tmp/answer" -w '%{http_code}' -H "Content-Encoding: $coding" --data-binary "@$tmp/packed" "$base/api")
    is "$status $(value 'len(a["offcputime"])')" "200 1" "a gzip body is accepted with the Content-Encoding $coding."
done
get /../../../../etc/passwd
is "$status" 404 "a path with ../ is refused"

# --- /v1: rows ----------------------------------------------------------------------------------------

v1=/v1/categories/offcputime/query
post $v1 '{"columns": ["hostname", "elapsed"], "limit": 3}'
is "$(value 'a["category"], [r["elapsed"] for r in a["rows"]], a["more"], a["next"]')" \
    "('offcputime', [1, 2, 3], True, '12:3')" "a page of rows names the start of the next page"
post $v1 '{"columns": ["elapsed"], "limit": 3, "after": "12:3"}'
is "$(value '[r["elapsed"] for r in a["rows"]]')" "[4, 5, 6]" "a page can begin after a given event"
post $v1 '{"columns": ["elapsed"], "limit": 3, "offset": 98}'
is "$(value '[r["elapsed"] for r in a["rows"]], a["more"]')" "([99, 100], False)" "the last page can be selected by offset"
post $v1 '{"columns": ["elapsed"], "limit": 2, "order": "-elapsed"}'
is "$(value '[r["elapsed"] for r in a["rows"]]')" "[100, 99]" "rows can be sorted by a column"
post $v1 '{"columns": ["elapsed"], "limit": 2, "order": "-arrived"}'
is "$(value '[r["elapsed"] for r in a["rows"]]')" "[100, 99]" "rows can be sorted with the latest arrival first"
post $v1 '{"columns": ["elapsed", "stack"], "from": "2026-01-01 00:01:00", "until": "2026-01-01T00:02:00"}'
is "$(value '[(r["elapsed"], r["stack"]) for r in a["rows"]]')" "[(2, 'leaf;mid;main'), (3, 'mid;main')]" \
    "a time range includes its start and excludes its end"
post $v1 '{"columns": ["pid"], "constraints": [{"oper": "or", "conditions": [{"elapsed": 1, "expr": "="},
    {"oper": "and", "conditions": [{"elapsed": 50, "expr": ">="}, {"elapsed": 52, "expr": "<"}]}]}]}'
is "$(value 'len(a["rows"])')" 3 "condition groups can be nested"

# --- /v1: groups ----------------------------------------------------------------------------------------

post $v1 '{"group_by": ["hostname"], "order": "hostname"}'
is "$(value '[(g["hostname"], g["count"], g["sum"]) for g in a["groups"]]')" "[('a', 50, 2525), ('b', 50, 2525)]" "events are grouped by host"
post $v1 '{"group_by": ["process"], "weight": "count", "order": "-process", "limit": 1}'
is "$(value '[(g["process"], g["sum"]) for g in a["groups"]], a["more"]')" "([('p2', 50)], True)" "the number of groups by process can be limited"
post $v1 '{"bucket": 600}'
is "$(value '[(g["bucket"], g["count"]) for g in a["groups"]][:2], len(a["groups"])')" \
    "([('2026-01-01 00:00:00', 19), ('2026-01-01 00:10:00', 20)], 6)" "events are grouped by time"
post $v1 '{"bucket": 3600, "group_by": ["hostname"]}'
is "$(value 'len(a["groups"]), sum(g["sum"] for g in a["groups"])')" "(2, 5050)" "events are grouped by time and host"
get "/v1/categories/offcputime/values/process?limit=1"
is "$(value 'a["values"], a["more"]')" "([{'process': 'p1', 'count': 50, 'sum': 2550}], True)" "the values of a column are counted"
get "/v1/categories/offcputime/values/process?contains=P2"
is "$(value '[v["process"] for v in a["values"]]')" "['p2']" "only values that contain a text are counted"
get "/v1/categories/offcputime/values/process?from=2030-01-01"
is "$(value 'a["values"]')" "[]" "only values within a time range are counted"
get "/v1/categories/offcputime/values/nosuch"
is "$status" 400 "the values of an unknown column are refused"
get "/v1/categories/nosuch/values/pid"
is "$status" 404 "the values of an unknown category are refused"

# Blocks contain events of one or more tracks. If a query groups only by columns of tracks, the events are
# summed per track; if the query restricts the time, the database unfolds each block. Sums exceed 64 bits.
q "
    insert into instances (inst_id, state, format, source_name) values (13, 'open', 'kernelscope', 'posted');
    insert into metrics (inst_id, metric_no, name, family, unit) values (13, 1, 'elapsed', 'samples', 'microseconds');
    insert into tracks (inst_id, track_id, kind, category, host, process_name, thread_id, metric_no)
    select 13, t, 'process', 'offcputime', 'c', (array['p1', 'ünused', 'p3'])[t], 7 * t, 1 from generate_series(1, 3) t;
    insert into sample_blocks (inst_id, first_id, track_id, track_ids, stack_ids, time_unit, times, value_unit, weights)
    values (13, 101, null, '{1,3,1}', '{0,0,0}', 1, '{1767225600,1767225600,1767225601}', 1,
            '{9223372036854775807,5,9223372036854775807}'),
           (13, 104, 3, null, '{0,0}', 1, '{1767225600,1767225600}', 1, '{-9223372036854775808,-7}')" >/dev/null
get "/v1/categories/offcputime/values/process"
is "$(value '[tuple(v.values()) for v in a["values"]]')" \
    "[('p1', 52, 18446744073709554164), ('p2', 50, 2500), ('p3', 3, -9223372036854775810)]" "values are counted in rows and blocks, with sums of more than 64 bits"
for column in process pid hostname; do
    for more in limit=2 contains=1 contains=C; do
        get "/v1/categories/offcputime/values/$column?$more"
        mv "$tmp/answer" "$tmp/summed"
        get "/v1/categories/offcputime/values/$column?$more&from=1970-01-01"
        ok "sums per track equal the sums of single events: $column, $more" cmp "$tmp/summed" "$tmp/answer"
    done
done
for body in '"group_by": ["hostname", "pid"], "order": "-count", "offset": 1, "limit": 3' '"group_by": ["hostname"], "weight": "pid"' \
    '"group_by": ["process"], "weight": "count", "order": "sum", "constraints": [{"conditions": [{"pid": 7, "expr": ">="}]}]'; do
    post $v1 "{$body}"
    mv "$tmp/answer" "$tmp/summed"
    post $v1 "{$body, \"from\": 0}"
    ok "sums per track equal the sums of single events: $body" cmp "$tmp/summed" "$tmp/answer"
done
q "delete from instances where inst_id = 13; delete from metrics where inst_id = 13; delete from tracks where inst_id = 13;
    delete from sample_blocks where inst_id = 13" >/dev/null

# --- /v1: trees -----------------------------------------------------------------------------------------

post $v1 '{"format": "flamegraph"}'
is "$(value 'a["nodes"], a["trimmed"], a["tree"]["value"], a["unit"]')" "(5, 0, 5050, 'microseconds')" "a flame graph has all nodes"
post $v1 '{"format": "flamegraph", "max_nodes": 2}'
is "$(value 'a["nodes"], a["trimmed"], a["tree"]["value"]')" "(2, 3, 5050)" "a flame graph reports how many nodes are omitted"
post $v1 '{"format": "folded", "weight": "count"}'
is "$(sort "$tmp/answer" | tr '\n' ' ')" "leaf 34 main;mid 33 main;mid;leaf 33 " "a folded tree counts the events of each stack"
post $v1 '{"format": "folded", "weight": "count", "invert": true, "max_nodes": 1000}'
is "$status $(grep -c . "$tmp/answer")" "200 3" "a folded tree can be inverted"
post $v1 '{"format": "grafana"}'
is "$(value '[(f["name"], len(f["values"])) for f in a["fields"]]')" \
    "[('level', 5), ('value', 5), ('self', 5), ('label', 5)]" "Grafana gets a value of every field for each node"
is "$(value 'sum(a["fields"][2]["values"]) == a["fields"][1]["values"][0], a["fields"][0]["values"]')" \
    "(True, [0, 1, 1, 2, 3])" "for Grafana, self values add up to the total, and nodes are in preorder"
post $v1 '{"format": "svg"}'
is "$status $(head -c 5 "$tmp/answer")" "200 <?xml" "a query can return an SVG"
post $v1 '{"format": "flamegraph", "from": "2026-01-01 00:25:30", "compare": {"until": "2026-01-01 00:25:30"}}'
is "$(value 'a["tree"]["value"], a["tree"]["base"], a["tree"]["delta"]')" "(3775, 1275, 2500)" "two time ranges are compared"
post $v1 '{"format": "grafana", "constraints": [{"conditions": [{"hostname": "a", "expr": "="}]}],
    "compare": {"constraints": [{"conditions": [{"hostname": "b", "expr": "="}]}]}}'
is "$(value '[(f["name"], f["values"][0]) for f in a["fields"] if "alue" in f["name"]]')" \
    "[('value', 5050), ('valueRight', 2525)]" "two hosts can be compared for Grafana"

# --- errors of /v1 name their cause ----------------------------------------------------------------

refused "an unknown field" 400 'unknown field "elements"' $v1 '{"elements": ["pid"]}'
refused "an unknown column" 400 'columns: .*no column "x"' $v1 '{"columns": ["pid", "x"]}'
refused "an unknown operator" 400 'constraints: constraints\[0\]: conditions\[0\]: expr: unknown operator "~"' $v1 \
    '{"constraints": [{"conditions": [{"pid": 1, "expr": "~"}]}]}'
refused "an unknown column in a condition" 400 'conditions\[1\]: .*no column "x"' $v1 \
    '{"constraints": [{"oper": "or", "conditions": [{"pid": 1, "expr": "="}, {"x": 1, "expr": "="}]}]}'
refused "two conditions without oper" 400 "oper is missing" $v1 '{"constraints": [{"conditions": [{"pid": 1, "expr": "="}, {"pid": 2, "expr": "="}]}]}'
refused "a number compared with text" 400 'pid is compared with "x"' $v1 '{"constraints": [{"conditions": [{"pid": "x", "expr": "="}]}]}'
refused "an invalid time" 400 'from: "yesterday" is not a time' $v1 '{"from": "yesterday"}'
refused "a negative limit" 400 "limit: must be a whole number" $v1 '{"limit": -1}'
refused "an unknown format" 400 "format: unknown format" $v1 '{"format": "pdf"}'
refused "a limit for a tree" 400 "limit is for the list format" $v1 '{"format": "folded", "limit": 3}'
refused "a comparison of rows" 400 "compare is for trees" $v1 '{"compare": {}}'
refused "an invalid value of after" 400 "after: is not a" $v1 '{"after": "x"}'
refused "grouping by a stack column" 400 "group_by: stack is a stack column" $v1 '{"group_by": ["stack"]}'
refused "an unknown category" 404 'unknown category "nosuch"' /v1/categories/nosuch/query '{}'
get $v1
is "$status" 405 "a query must be sent with POST"

# --- other categories ---------------------------------------------------------------------------------------

ok "a category is declared" "$PROFDEPOT" category add iolat -c hostname:string -c time:timestamp -c device:string \
    -c seen:timestamp -c size:int -c path:stack
cat >"$tmp/iolat.json" <<'END'
[{"hostname": "h", "time": "2026-01-01 00:00:00", "iolat": [
 {"device": "sda", "seen": "2026-01-01 00:00:01.5", "size": 4096, "path": "submit;read"},
 {"device": "sdb", "seen": "2026-01-01T03:00:00+02:00", "size": 8192, "path": "submit;write"}]},
 {"hostname": "h", "time": "soon", "iolat": [
 {"device": "sdb", "seen": "2026-01-02", "size": -1, "path": "submit"}]}]
END
ok "events of the declared category are loaded" "$PROFDEPOT" load "$tmp/iolat.json"
post /api '{"iolat": {"elements": ["device", "seen", "time"]}, "offcputime": {"elements": ["pid"], "limit": 1}}'
is "$(value '[r["time"] for r in a["iolat"]], [r["seen"] for r in a["iolat"]], list(a)')" \
    "(['2026-01-01 00:00:00', '2026-01-01 00:00:00', 'soon'], ['2026-01-01 00:00:01.5', '2026-01-01T03:00:00+02:00', '2026-01-02'], ['iolat', 'offcputime'])" \
    "one query can read two categories, and times are returned as they were sent"
post /api '{"iolat": {"elements": ["size"], "constraints": [{"conditions": [{"seen": "2026-01-01 01:00:00", "expr": "="}]}]}}'
is "$(value '[r["size"] for r in a["iolat"]]')" "[8192]" "an additional timestamp column is compared as a time in UTC"
post /api '{"iolat": {"elements": ["size"], "constraints": [{"conditions": [{"time": "soon", "expr": "="}]}]}}'
is "$(value '[r["size"] for r in a["iolat"]]')" "[-1]" "an invalid time is compared as text"
post /api '{"iolat": {"elements": ["path", "size"], "format": "flamegraph"}}'
is "$(value 'a["value"], [c["name"] for c in a["children"]]')" "(3, ['read', 'write', 'submit'])" \
    "in a category without a column of elapsed time, events are counted"
post /v1/categories/iolat/query '{"format": "flamegraph", "weight": "size"}'
is "$(value 'a["tree"]["value"], a["weight"], a["unit"]')" "(12287, 'size', 'none')" "a query can choose a weight instead of the number of events"
get /api/getcategories
is "$(value '[c["type"] for c in a["iolat"]], a["offcputime"][3]')" \
    "(['string', 'timestamp', 'string', 'timestamp', 'int', 'stack'], {'name': 'pid', 'type': 'int', 'prettyname': 'Pid'})" \
    "both categories are in the catalogue"

serve_end
is $? 0 "the server ends with status 0"
done_testing
