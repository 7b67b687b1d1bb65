#!/usr/bin/env bash
# Tests POST requests to a running server: the logger for old senders, events and profiles sent to the
# versioned API, retries, and other programs that change the result sets at the same time.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

# The last part of a pipeline runs in this shell, because post sets variables.
shopt -s lastpipe

pg_temp_start
tmp=$(mktemp -d)
trap 'serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
serve_begin --legacy --legacy-listen 127.0.0.1:0 --max-batch 1M

# body [PROCESS [HOST]]: prints the body of a kernelscope request with two events.
body() {
    printf '{"hostname":"%s","time":"2026-01-31 17:00:00.25","offcputime":[%s,%s]}' "${2:-alpha}" \
        "{\"process\":\"${1:-dd}\",\"pid\":7,\"stack\":\"a;b;c\",\"elapsed\":10}" \
        "{\"process\":\"${1:-dd}\",\"pid\":7,\"stack\":\"a;b\",\"elapsed\":5}"
}

# post PATH [CURL-ARGUMENT...]: posts standard input; sets $status and $answer.
post() {
    local path=$1 type='Content-Type: application/json'
    shift
    [[ "$*" != *Content-Type* ]] || type='X-None: 0'
    status=$(curl -s -o "$tmp/answer" -w '%{http_code}' -H "$type" --data-binary @- "$@" "$path")
    answer=$(cat "$tmp/answer")
}

events() {
    q "select count(*) from offcputime"
}

# --- the logger for old senders ---

body | post "$legacy_base/"
is "$status,$answer" "200," "the logger answers a POST with status 200 and an empty body"
body | post "$legacy_base/any/path?x=%zz"
is "$status" 200 "the logger accepts any path and query"
body | post "$base/other"
is "$status,$answer" "200," "with --legacy, the main listener also accepts the logger's requests"
body | post "$base/v1/nothing"
is "$status" 404 "the logger does not accept paths below /v1"
is "$(events)" 6 "all events are stored"
is "$(curl -s -o /dev/null -w '%{http_code}' "$legacy_base/")" 501 "the logger accepts only POST"
is "$(q "select string_agg(process || ' ' || stack || ' ' || elapsed || ' ' || time_text, '|' order by id)
    from offcputime where inst_id = 1 and id <= 2")" "dd a;b;c 10 2026-01-31 17:00:00.25|dd a;b 5 2026-01-31 17:00:00.25" \
    "the events are stored with the values that were sent"
is "$(q "select state, format, host from instances")" "open|kernelscope|alpha" "the events are in one open result set"
is "$(curl -s "$base/v1/result-sets" | grep -o '"objects":[^}]*"rows":[^,]*' | tr -d ' ')" \
    '"objects":null,"errors":null,"tracks":1,"samples":6,"spans":null,"rows":null' "the list shows what it contains so far"
like "$("$PROFDEPOT" list --output csv)" ',kernelscope,open,.*,,,1,6,,,' "so does the command list"
is "$(q "select string_agg(key || '=' || (value = to_char(now() at time zone 'UTC', 'YYYY-MM-DD') or value = 'offcputime'), ' ' order by key)
    from result_set_labels")" "category=true day=true" "the open result set has the labels category and day"
is "$(q "select count(*), count(distinct line_identity) from stacks")" "2|2" "stacks are stored once"
is "$(q "select count(*) from stacks s join stack_identities k using (inst_id, stack_id)
    where s.identity <> k.identity or s.line_identity <> k.line_identity")" 0 "the server and SQL compute the same stack identities"

# --- the versioned API ---

body | post "$base/v1/events"
like "$status $answer" '^200 .*"events":2,"known":false,"result_sets":\[1\]' "posted events are acknowledged"
{ echo "["; body x; echo ","; body y beta; echo "]"; } | post "$base/v1/events"
like "$answer" '"events":4,.*"result_sets":\[1,2\]' "the events of an array of bodies are stored in one result set per host"
{ body x; echo; body y; echo; } | post "$base/v1/events" -H 'Content-Type: application/x-ndjson'
like "$status $answer" '^200 .*"events":4' "several bodies, one per line, are accepted"
body | gzip | post "$base/v1/events" -H 'Content-Encoding: gzip'
is "$status" 200 "a gzip body is accepted"
body | post "$base/v1/events" -H 'Transfer-Encoding: chunked'
is "$status" 200 "a chunked body is accepted"
before=$(events)
is "$before" 20 "all events are stored"

listed() { # the number of samples of each result set in the list, in the order of INST_ID
    curl -s "$base/v1/result-sets?sort=inst_id:asc" | grep -o '"samples":[^,]*' | sed 's/.*: *//' | paste -sd ' '
}
is "$(listed)" "$(q "select string_agg(n::text, ' ' order by inst_id) from (select inst_id, count(*) as n from samples group by 1) c")" \
    "the list counts all events"
# The last two events are newer than the stored count.
q "update instances set posted = array[500, (select max(id) - 2 from samples where inst_id = 1), 0, 0] where inst_id = 1"
is "$(listed | cut -d ' ' -f 1)" 502 "the list adds the newest events to the stored count, and does not count the others again"
q "update instances set posted = null, touched = null where inst_id = 1"

# refused STATUS PATTERN TEXT [CURL-ARGUMENT...]: posts standard input, and checks the status and the error.
refused() {
    post "$base/v1/events" "${@:4}"
    like "$status $answer" "^$1 .*\"error\".*$2" "$3"
}
body | sed 's/"pid":7,//2' | refused 400 'event 2 .*pid is missing' "the error for a missing column names the column and the event"
body | sed 's/"pid":7/"pid":"7x"/g' | refused 400 'pid is a string, not a 64-bit integer' "the error for a value of the wrong type names the column and both types"
body | sed 's/"pid":7/"pid":7,"cpu":1/' | refused 400 'no column .*cpu' "an unknown column is refused"
body | sed 's/offcputime/oncputime/' | refused 400 'no category .*oncputime' "an unknown category is refused"
body | sed 's/2026-01-31 17:00:00.25/yesterday/' | refused 400 'yesterday.* is not a time' "an invalid time is refused"
body | sed 's/"hostname":"alpha",//' | refused 400 'hostname is missing' "a body without a hostname is refused"
{ body good; echo; body | sed 's/10/null/'; } | refused 400 'elapsed is null' "an invalid row after valid rows is refused"
printf '{"hostname":' | refused 400 'offset' "truncated JSON is refused"
printf '' | refused 400 'empty' "an empty post is refused"
body | refused 415 'Content-Encoding' "an unknown Content-Encoding is refused" -H 'Content-Encoding: br'
body | refused 415 'text/xml' "another Content-Type is refused" -H 'Content-Type: text/xml'
body | head -c 90 | gzip | head -c 60 | refused 400 '' "a truncated gzip body is refused" -H 'Content-Encoding: gzip'
head -c 2000000 /dev/zero | refused 413 'exceeds 1048576' "a body that exceeds --max-batch is refused"
head -c 2000000 /dev/zero | gzip | refused 413 'more than 1048576|exceeds' "a gzip body that exceeds --max-batch when unpacked is refused" -H 'Content-Encoding: gzip'
is "$(events)" "$before" "no refused body is stored"

# --- blocks ---

# many TIME FROM TO: prints a body with the events FROM to TO, whose processes alternate.
many() {
    awk -v time="$1" -v from="$2" -v to="$3" 'BEGIN {
        printf "{\"hostname\":\"zeta\",\"time\":\"%s\",\"offcputime\":[", time
        for (i = from; i <= to; i++)
            printf "%s{\"process\":\"p%d\",\"pid\":%d,\"stack\":\"a;s%d\",\"elapsed\":%d}", (i > from ? "," : ""), i % 7, i % 7, i % 3, i
        print "]}" }'
}
{
    many "2026-01-31 17:00:00.25" 1 500
    many "2026-01-31 17:00:00.250" 501 510
    many "2026-01-31 17:00:00" 511 512
    many "2026-01-31T17:00:00.5" 513 520
    many "2026-01-31 17:00:00.5" 521 530
} | post "$base/v1/events"
like "$status $answer" '^200 .*"events":530' "a batch with many processes is accepted"
is "$(q "select string_agg(cardinality(b.stack_ids) || case when b.track_id is null then ' mixed' else '' end, ', ' order by first_id)
    from sample_blocks b where b.inst_id = 3")" "320 mixed, 180 mixed, 10 mixed, 10 mixed" \
    "processes share blocks, and all times in a block have the same format"
is "$(q "select count(*) from sample_rows where inst_id = 3")" 10 "small batches, and events whose time is kept as text, are stored as rows"
is "$(q "select count(*), count(*) filter (where process = 'p' || elapsed % 7 and pid = elapsed % 7 and stack = 'a;s' || elapsed % 3
        and elapsed = id - (select min(id) from offcputime where inst_id = 3) + 1)
    from offcputime where inst_id = 3")" "530|530" "all events are stored as they were sent, in the same order"
is "$(q "select string_agg(time_text || ' ' || n, '|' order by first) from (
        select time_text, count(*) as n, min(id) as first from offcputime where inst_id = 3 group by time_text) x")" \
    "2026-01-31 17:00:00.25 500|2026-01-31 17:00:00.250 10|2026-01-31 17:00:00 2|2026-01-31T17:00:00.5 8|2026-01-31 17:00:00.5 10" \
    "all times are stored as they were sent"
is "$(curl -s --data '{"offcputime":{"elements":["elapsed"],"limit":3,"constraints":[{"conditions":[{"hostname":"zeta","expr":"="},
    {"process":"p2","expr":"="}],"oper":"and"}]}}' "$base/api" | tr -d '\n')" '{"offcputime":[{"elapsed":2},{"elapsed":9},{"elapsed":16}]}' \
    "a query with conditions and a limit returns the first matching events"
# graph CONSTRAINTS: prints the root's value and the frames below it.
graph() {
    curl -s --data "{\"offcputime\":{\"elements\":[\"stack\",\"elapsed\"],\"format\":\"flamegraph\",\"constraints\":[{\"conditions\":[$1],\"oper\":\"and\"}]}}" "$base/api" |
        tr -d '\n'
}
zeta='{"hostname":"zeta","expr":"="}'
is "$(graph "$zeta")" "$(q "select '{\"name\":\"root\",\"value\":' || sum(total) || ',\"children\":[' || string_agg(
        format('{\"name\":\"s%s\",\"value\":%s,\"children\":[{\"name\":\"a\",\"value\":%s}]}', s, total, total), ',' order by first) || ']}'
    from (select elapsed % 3 as s, sum(elapsed) as total, min(id) as first from offcputime where inst_id = 3 group by 1) x")" \
    "a flame graph sums the events in blocks and rows"
is "$(graph "$zeta,{\"process\":\"p2\",\"expr\":\"=\"}")" "$(q "select '{\"name\":\"root\",\"value\":' || sum(total) || ',\"children\":[' || string_agg(
        format('{\"name\":\"s%s\",\"value\":%s,\"children\":[{\"name\":\"a\",\"value\":%s}]}', s, total, total), ',' order by first) || ']}'
    from (select elapsed % 3 as s, sum(elapsed) as total, min(id) as first from offcputime where inst_id = 3 and process = 'p2' group by 1) x")" \
    "a flame graph can be limited to one process"
is "$(graph "$zeta,{\"elapsed\":\"500\",\"expr\":\">\"}" | grep -o '^{"name":"root","value":[0-9]*')" \
    "{\"name\":\"root\",\"value\":$(q "select sum(elapsed) from offcputime where inst_id = 3 and elapsed > 500")" "a flame graph can be limited to long events"
before=$(events)

# --- names of batches ---

for _ in 1 2; do
    body named | post "$base/v1/events?batch=one"
done
like "$status $answer" '^200 .*"known":true' "a repeated batch is recognised by its name"
body named | post "$base/v1/events" -H 'Idempotency-Key: one'
like "$answer" '"known":true' "a header can name the batch"
is "$(q "select count(*) from offcputime where process = 'named'")" 2 "a repeated batch is stored once"
body named | post "$base/v1/events?batch=one" -H 'Idempotency-Key: one'
like "$status $answer" '^200 .*"known":true' "the URL and the header can contain the same batch name"
body named | post "$base/v1/events?batch=one" -H 'Idempotency-Key: two'
like "$status $answer" '^400 .*differ' "a batch with different names in the URL and the header is rejected"
body other | post "$base/v1/events?batch=one"
is "$status" 422 "a known batch name with a different body is rejected"
body | post "$base/v1/events?batch="
is "$status" 400 "an empty batch name is rejected"
body legacy | post "$legacy_base/?batch=old"
body legacy | post "$legacy_base/?batch=old"
is "$status,$(q "select count(*) from offcputime where process = 'legacy'")" "200,2" "an old sender can put the batch name into the URL"

# --- other programs change result sets ---

before=$(events)
ok "reindex closes a result set while the server runs" "$PROFDEPOT" reindex 1
is "$(q "select posted is null from instances where inst_id = 1")" t "and deletes the counts of its posted events"
body again | post "$base/v1/events"
like "$answer" '"result_sets":\[[3-9]' "after reindex, the server opens another result set"
ok "the closed result set passes verification" "$PROFDEPOT" verify 1
third=$(q "select max(inst_id) from instances")
ok "an open result set can be removed" "$PROFDEPOT" rm "$third"
body again | post "$base/v1/events"
like "$status $answer" "^200 .*\"events\":2" "after the removal, the server accepts the next batch"
is "$(q "select count(*) from offcputime where process = 'again' and stack = 'a;b;c'")" 1 "the next batch is stored completely in a new result set"
newest=$(q "select max(inst_id) from instances")
ok "the application of an open result set can be changed" "$PROFDEPOT" label "$newest" --application Collector
body edited | post "$base/v1/events"
is "$(q "select count(*) > 0 from offcputime where process = 'edited' and inst_id = $newest")" t "the next batch goes to the same result set"
is "$(q "select state, application from instances where inst_id = $newest")" "open|Collector" "the result set stays open"
is "$(q "select count(*) from ledger where event = 'application'")" 0 "the history of findings does not know open result sets"
q "delete from result_set_labels where key = 'day' and inst_id = (select max(inst_id) from instances);
   update instances set caption = 'mine' where inst_id = (select max(inst_id) from instances)"
body moved | post "$base/v1/events"
is "$status" 200 "the server accepts a batch after the labels of its result set have changed"
newest=$(q "select max(inst_id) from instances")
first_base=$base first_pid=$server_pid first_log=$serve_log
serve_begin
for b in "$base" "$first_base" "$base" "$first_base"; do
    { body two-servers gamma; echo; body "from-${b##*:}" gamma; } | post "$b/v1/events"
done
is "$(q "select count(distinct inst_id), count(*), count(distinct id), count(distinct process) from offcputime where hostname = 'gamma'")" \
    "1|16|16|3" "two servers can store events in the same result set"
serve_end
server_pid=$first_pid base=$first_base serve_log=$first_log
isnt "$newest" "" "the depot still has a result set"

ok "flame accepts an open result set" "$PROFDEPOT" flame "$(q "select inst_id from instances where host = 'gamma'")"
ids=$(q "select string_agg(process, ' ' order by id) = string_agg(process, ' ' order by inst_id, id) from offcputime where hostname = 'alpha'")
is "$ids" t "event numbers increase in the order of arrival"

# --- profiles ---

profile='{"Id":"5a1f3c2e-0000-4000-8000-000000000001","Name":"GET /","Started":"2026-01-31T17:00:00.5Z","DurationMilliseconds":12.5,"MachineName":"web1","Root":{"Id":"5a1f3c2e-0000-4000-8000-000000000002","Name":"GET /","DurationMilliseconds":12.5,"StartMilliseconds":0.0,"Children":[{"Id":"5a1f3c2e-0000-4000-8000-000000000003","Name":"load","DurationMilliseconds":3.0,"StartMilliseconds":1.5,"CustomTimings":{"sql":[{"Id":"5a1f3c2e-0000-4000-8000-000000000004","CommandString":"select 1","ExecuteType":"Reader","StartMilliseconds":2.0,"DurationMilliseconds":1.0}]}}]},"ClientTimings":null,"User":"u","HasUserViewed":false}'
for _ in 1 2; do
    printf '%s' "$profile" | post "$base/v1/profiles/miniprofiler"
done
like "$status $answer" '^200 .*"profiles":1,"known":true' "a profile with the same Id is recognised"
printf '[%s,%s]' "$profile" "${profile//000001/000009}" | post "$base/v1/profiles/miniprofiler"
like "$status $answer" '^200 .*"known":false' "a known profile can be posted together with a new one"
inst=$(q "select inst_id from instances where format = 'miniprofiler'")
is "$(q "select count(*) from tracks where kind = 'profile'"),$(q "select count(*) from spans where inst_id = $inst and kind = 'step'")" "2,4" \
    "each profile is stored once"
ok "posted profiles can be exported" "$PROFDEPOT" export --format miniprofiler "$inst" -o "$tmp/out.json"
is "$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))[0] == json.loads(sys.argv[2]))' "$tmp/out.json" "$profile" 2>&1)" \
    True "exported profiles equal the posted profiles"
for _ in 1 2; do
    printf '{"Id":"5a1f3c2e-0000-4000-8000-000000000001","Performance":[{"Name":"requestStart","Start":1.5,"Duration":2}],"Probes":[{"Name":"p","Start":4}],"RedirectCount":0}' |
        post "$base/v1/profiles/miniprofiler"
done
like "$status $answer" '^200 .*"client_timings":2,"known":true' "client timings from a page are accepted"
is "$(q "select count(*) from spans where inst_id = $inst and kind = 'client'")" 2 "repeated client timings are stored once"
printf '{"Id":"nobody","Performance":[]}' | post "$base/v1/profiles/miniprofiler"
is "$status" 404 "client timings for an unknown profile are rejected"
printf '{"a":1}' | post "$base/v1/profiles/miniprofiler"
is "$status" 422 "JSON that is not a profile is rejected"
printf '{"Root":' | post "$base/v1/profiles/miniprofiler"
is "$status" 400 "text that is not JSON is rejected"
ok "a result set of profiles can be closed" "$PROFDEPOT" reindex "$inst"
ok "the closed result set of profiles passes verification" "$PROFDEPOT" verify "$inst"

# --- host and time after the rows, or given twice ---

# ends MEMBERS: prints a body with MEMBERS after its rows.
ends() {
    body x early | sed "s/]}\$/],$1}/"
}
ends '"hostname":"late"' | post "$base/v1/events"
is "$status,$(q "select string_agg(distinct host, ' ' order by host) from instances where host in ('early', 'late')")" "200,late" \
    "if a body names two hosts, the last one is used, even if it follows the rows"
{ body x eta; echo; ends '"time":"2026-02-03 04:05:06","hostname":"late"'; echo; body y theta; echo; } | post "$base/v1/events"
like "$status $answer" '^200 .*"events":6' "host and time may follow the rows in one of several bodies"
is "$(q "select string_agg(host || ' ' || n || ' ' || times, '|' order by host) from (
        select hostname as host, count(*) as n, string_agg(distinct time_text, '+' order by time_text) as times
        from offcputime where hostname in ('early', 'eta', 'late', 'theta') group by hostname) x")" \
    "eta 2 2026-01-31 17:00:00.25|late 4 2026-01-31 17:00:00.25+2026-02-03 04:05:06|theta 2 2026-01-31 17:00:00.25" \
    "each row is stored once, with the host and time of its own body"
body | sed -E 's/^\{("hostname":"alpha"),("time":"[^"]*"),(.*)\}$/{\3,\2,\1}/' | post "$base/v1/events"
like "$status $answer" '^200 .*"events":2' "host and time may follow the rows"
printf '%s' '{"hostname":5,"time":"2026-01-31 17:00:00","offcputime":[],"hostname":"iota"}' | post "$base/v1/events"
like "$status $answer" '^200 .*"events":0' "a valid host replaces an invalid host that precedes it"
body x kappa | sed 's/2026-01-31 17:00:00.25/yesterday/; s/]}$/],"time":"2026-02-03 04:05:06"}/' | post "$base/v1/events"
like "$status $answer" '^200 .*"events":2' "a valid time replaces an invalid time that precedes it"
ends '"hostname":5' | refused 400 'hostname is not a string' "an invalid host that replaces a valid one is refused"

# --- many clients at once, and stopping the server ---

python3 "$srcdir/tests/service/live_stream.py" /v1/events "$tmp/many" 3 40 3 "${base#http://}"
acknowledged=$(grep -c '^ok' "$tmp/many")
is "$(grep -vc '^ok' "$tmp/many"),$(q "select count(*) from offcputime where process like 'p%-%'")" \
    "0,$((acknowledged * 3))" "forty simultaneous clients: every acknowledged event is stored"
body end | post "$base/v1/events"
serve_end
is "$?" 0 "the server ends with status 0"
is "$(q "select count(*) from offcputime where process = 'end'")" 2 "no acknowledged event is lost when the server ends"

# --- requests recorded with kernelscope's own logger ---

if [ -f "${PROFDEPOT_CORPORA:-/nonexistent}/kernelscope/cases.jsonl" ]; then
    depot=$PGDATABASE
    pg_temp_database corpus
    depot_make
    serve_begin --legacy-listen 127.0.0.1:0
    while read -r line; do
        case $line in
        "ok "*) pass "${line#ok }" ;;
        *) fail "$line" ;;
        esac
    done < <(python3 "$srcdir/tests/service/live_corpus.py" "$PROFDEPOT_CORPORA/kernelscope/cases.jsonl" "${legacy_base#http://}")
    serve_end
    diag "the previous database is $depot"
else
    skip "PROFDEPOT_CORPORA is not set" "kernelscope's recorded requests get the recorded answers"
fi
done_testing
