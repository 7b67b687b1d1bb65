#!/usr/bin/env bash
# Tests the contents of Chrome traces that chrome.sh does not test: trace events and CPU profiles with --events all.
# Also tests traces that are cut off, too large or out of order, have wrong types, or nest too deeply.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/chrome.sh
. "$srcdir/tests/lib/chrome.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

# calls: prints the trace events, each with its enclosing event.
calls() {
    q "select string_agg(concat_ws(' ', s.name, s.start || '+' || coalesce(s.duration::text, '?'), '<' || p.name), ', ' order by s.id)
       from spans s left join spans p on p.inst_id = s.inst_id and p.id = s.parent_id
       where s.inst_id = $inst and s.kind = 'event'"
}

# nests TEXT EXPECTED EVENT...: compares how the trace events are nested.
nests() {
    local text=$1 expected=$2
    shift 2
    trace "$@"
    takes "$text" --events all
    is "$(calls)" "$expected" "$text: the events are nested as expected"
}

x() { # x NAME TS DUR
    ev "$1" X "$2" work ",\"dur\":$3"
}

# refuses TEXT PATTERN [OPTION...]: checks that $file is refused as a trace, with a message that matches PATTERN.
refuses() {
    local text=$1 pattern=$2 before
    shift 2
    before=$(q "select count(*) from instances")
    run load --again --format chrome "$@" "$file"
    is "$status|$(q "select count(*) from instances")" "3|$before" "$text: the file is refused, and nothing is stored"
    like "$errors" "$pattern" "$text: the error gives the reason"
}

# --- --events all ------------------------------------------------------------------------------------

file=$golden/events.json
takes "trace events" --events all
is "$(calls)" 'outer 100+100, long 110+20 <outer, short 110+5.5 <long, inner 150+20 <outer, endless 300+?, point 310+0 <endless,'\
' request 120+70, connect 125+15 <request, byte 130+0 <connect, local 400+20, local 410+30, old 500+30' "trace events nest by their times"
is "$(issues)" "dangling-routine devtools-refuses event-kind event-time event-unpaired event-unpaired" "events that are left out are reported"
is "$(q "select string_agg(concat_ws(' ', t.kind, t.name, t.process_name, n), ', ' order by t.track_id) from (select track_id, count(*) as n
        from spans where inst_id = $inst and kind = 'event' group by 1) s join tracks t using (track_id) where t.inst_id = $inst")" \
    "trace events main app 4, trace events app 2, asynchronous events main app 4, asynchronous events app 1, asynchronous events 1" \
    "trace events are on the tracks of their threads"
is "$(q "select attributes -> 'begin' ->> 'args', attributes -> 'end' -> 'args' ->> 'result' from spans where inst_id = $inst and name = 'outer'")" \
    '{"n":1}|<ok>' "a trace event has the args of its begin and its end"
is "$(q "select string_agg(x, ', ') from (select s.at || ' ' || s.weight || ' ' || coalesce((select string_agg(r.col_routine_name || ':' ||
        coalesce(r.col_source_line::text, '-'), ';' order by u.n) from stacks k, unnest(k.routine_ids) with ordinality u (id, n),
        resource_profiler_meta_routines r where k.inst_id = s.inst_id and k.stack_id = s.stack_id and r.inst_id = s.inst_id
        and r.rec_id = u.id), 'none') as x from samples s where s.inst_id = $inst order by s.id) y")" \
    '1000 100 none, 1100 50 run:10, 1150 50 (anonymous a.js:20):20;run:10, 1200 40 run:10, 1240 0 none, 1240 60 none' \
    "a sample lasts until another node is sampled, and line numbers start at 1"
is "$(q "select kind, name, process_id, thread_id, start, duration from tracks where inst_id = $inst and kind = 'cpu profile'")" \
    "cpu profile|main|1|1|1000|300" "a CPU profile becomes a track of the profiled thread"
run report hot --metric cpu_microseconds --output csv "$inst"
is "$status" 0 "report hot accepts a CPU profile"
like "$out" "90,30.00,140.*run" "report hot shows the time in each function"
run report tree --metric event_microseconds --output csv "$inst"
like "$out" "100,100.00,60,60.00.*outer" "report tree shows the trace events"
takes "the same trace without --events all" --format chrome
is "$(calls)|$(timings)" "|mark mark 105+0" "only user timings are loaded without --events all"
run load --events all "$file"
like "$out" "loaded|known" "with --events all, the same trace is a different input"

nests "a complete event inside another" 'a 0+10, b 2+3 <a, c 5+5 <a' "$(x a 0 10)" "$(x b 2 3)" "$(x c 5 5)"
nests "a child before its parent in the file" 'a 0+10, b 2+3 <a' "$(x b 2 3)" "$(x a 0 10)"
nests "of two events that begin together, the longer one contains the other" 'a 0+10, b 0+3 <a' "$(x b 0 3)" "$(x a 0 10)"
nests "crossing calls are siblings" 'a 0+10, b 5+10' "$(x a 0 10)" "$(x b 5 10)"
nests "calls that touch are siblings" 'a 0+5, b 5+5' "$(x a 0 5)" "$(x b 5 5)"
nests "an end closes the begin of the same name" 'a 0+9, b 1+7 <a' "$(ev a B 0 work)" "$(ev b B 1 work)" "$(ev b E 8 work)" "$(ev a E 9 work)"
nests "an end that comes before the end of an inner call" 'a 0+9, b 1+? <a' "$(ev a B 0 work)" "$(ev b B 1 work)" "$(ev a E 9 work)"
like "$(q "select message from import_issues where inst_id = $inst")" "1 trace event never ends" "a call without an end is reported"
selfs() { # selfs: prints the routines with their self time and total
    q "select string_agg(r.col_routine_name || ' ' || trim_scale(t.self) || ' ' || trim_scale(t.total), ', ' order by r.rec_id)
        from routine_totals t join resource_profiler_meta_routines r on r.inst_id = t.inst_id and r.rec_id = t.routine_id
        where t.inst_id = $inst"
}
nests "X before the B/E pair that contains it" 'F 20+2, E 20+1 <F' "$(x E 20 1)" "$(ev F B 20 work)" "$(ev F E 22 work)"
is "$(selfs)" "F 1 2, E 1 1" "X before the B/E pair that contains it: the self times"
nests "X that contains a B/E pair with the same begin" 'F 20+3, E 20+2 <F' "$(ev E B 20 work)" "$(x F 20 3)" "$(ev E E 22 work)"
nests "ends in another order" 'a 1+1, b 1+1 <a' "$(ev a B 1 work)" "$(ev b B 1 work)" "$(ev a E 2 work)" "$(ev b E 2 work)"
is "$(issues)" "" "ends in another order at the same time: no event is left out"
nests "ends in another order, the inner call longer" 'b 1+2, a 1+1 <b' "$(ev a B 1 work)" "$(ev b B 1 work)" "$(ev a E 2 work)" "$(ev b E 3 work)"
nests "calls that cross" 'P 0+10, a 0+8 <P, b 2+8, c 3+1 <b, d 9+1 <b' "$(x P 0 10)" "$(ev a B 0 work)" "$(ev b B 2 work)" "$(x c 3 1)" \
    "$(ev a E 8 work)" "$(x d 9 1)" "$(ev b E 10 work)"
is "$(issues)|$(selfs)" "crossing|P 2 10, a 8 8, b 6 8, c 1 1, d 1 1" "calls that cross keep their durations, and no self time is negative"
nests "calls without a length keep their places" 'a 1+0, b 1+2, c 1+0 <b, d 3+0 <b, e 3+1' "$(ev a B 1 work)" "$(ev a E 1 work)" "$(ev b B 1 work)" \
    "$(ev c I 1 work)" "$(ev d B 3 work)" "$(ev d E 3 work)" "$(ev b E 3 work)" "$(ev e B 3 work)" "$(ev e E 4 work)"
nests "a call that never ends ends with the call around it" 'a 0+10, b 2+? <a, c 3+1 <b, d 20+1' "$(x a 0 10)" "$(ev b B 2 work)" "$(x c 3 1)" "$(x d 20 1)"
nests "tdur without dur" 'a 1+5, b 2+3 <a' "$(ev a X 1 work ',"tdur":5')" "$(ev b X 2 work ',"dur":3,"tdur":9')"
nests "a negative duration" 'a 5+?' "$(x a 5 -2)"
is "$(issues)" "event-time" "a negative duration is reported"
nests "times that doubles cannot distinguish" 'a 0.1+0.2, b 0.1+0.2 <a, c 0.3+0.1' "$(x a 0.1 0.2)" "$(ev b B 0.1 work)" "$(ev b E 0.3 work)" "$(x c 0.3 0.1)"
nests "negative and fractional times" 'a -5.5+0.25' "$(x a -5.5 0.25)"
trace "$(ev Profile P 1 v8 ',"id":1,"args":{"data":{"startTime":10}}')" \
    "$(ev ProfileChunk P 2 v8 ',"id":1,"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"a"},"children":[2]},
        {"id":2,"callFrame":{"functionName":"b"}}],"samples":[2,1]},"timeDeltas":[5,-3]}}')" \
    "$(ev ProfileChunk P 3 v8 ',"id":1,"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"again"}},{"id":3,"parent":3,
        "callFrame":{"functionName":"own parent"}},{"id":"x"},7],"samples":[3,null,{}]},"timeDeltas":[1,1,1]}}')" \
    "$(ev ProfileChunk P 4 v8 ',"id":1,"args":{"data":{"cpuProfile":[],"timeDeltas":{}}}')"
takes "CPU profiles with children, negative time deltas, cycles and invalid nodes" --events all
is "$(q "select string_agg(at::text, ' ' order by id) from samples where inst_id = $inst")" "10 12 13 15" "samples are stored in time order"
trace "$(ev ProfileChunk P 2 v8 ',"id":1,"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"parent":1,"callFrame":{"functionName":"(root)"}}],
        "samples":[1]},"timeDeltas":[1]}}')"
takes "a root that is its own parent" --events all

# stacks: prints the samples, each with its time, weight and stack.
stacks() {
    q "select string_agg(x, ', ') from (select trim_scale(s.at) || ' ' || trim_scale(s.weight) || ' ' || coalesce((select string_agg(r.col_routine_name, ';' order by u.n)
        from stacks k, unnest(k.routine_ids) with ordinality u (id, n), resource_profiler_meta_routines r where k.inst_id = s.inst_id
        and k.stack_id = s.stack_id and r.inst_id = s.inst_id and r.rec_id = u.id), 'none') as x from samples s where s.inst_id = $inst order by s.id) y"
}

# A trace and a .cpuprofile file with the same CPU profile must give the same samples.
file=$tmp/profile.cpuprofile
tr -d '\n' <"$srcdir/tests/golden/inputs/cpuprofile.cpuprofile" >"$file"
takes "a .cpuprofile file"
expected=$(stacks)
trace "$(ev CpuProfile I 1 v8 ",\"args\":{\"data\":{\"cpuProfile\":$(cat "$file")}}")"
takes "the same CPU profile in a trace" --events all
is "$(stacks)" "$expected" "a CPU profile has the same samples in a trace and in a .cpuprofile file"
like "$expected" '^5000000 100 none, .* none, ' "time before the first sample and (idle) time have no stack"
unlike "$expected" 'idle|root' "(idle) and (root) are not frames"
like "$expected" '\(garbage collector\);parse;' "the garbage collector is called by the previous stack"
is "$(q "select trim_scale(sum(weight)) from samples where inst_id = $inst")" "10000" "no time is lost"

# If nodes call each other, the cycle is cut once, and each stack has at most one frame per node.
nodes=$(for ((i = 1; i <= 300; i++)); do
    printf '%s{"id":%d,"parent":%d,"callFrame":{"functionName":"f%d"}}' "$([ $i -eq 1 ] || echo ,)" $i $((i % 300 + 1)) $i
done)
trace "$(ev ProfileChunk P 2 v8 ",\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":[$nodes],\"samples\":[$(seq -s , 1 300)]},
    \"timeDeltas\":[$(yes 1 | head -n 300 | paste -sd,)]}}")"
takes "a CPU profile whose nodes form a cycle" --events all
is "$(issues)|$(q "select message from import_issues where inst_id = $inst")" "parent-cycle|node 300 calls itself" "the cycle is reported once"
is "$(q "select max(cardinality(routine_ids)), count(*) from stacks where inst_id = $inst")" "300|300" "the cycle is cut"

# --- invalid traces -----------------------------------------------------------------------------------

printf '{"traceEvents":[]}' >"$file"
takes "a trace without events"
printf '{"traceEvents":{}}' >"$file"
refuses "traceEvents that is an object" 'traceEvents is an object, not an array'
printf '{"traceEvents":[],"traceEvents":[]}' >"$file"
refuses "a second traceEvents" 'offset 32: traceEvents appears twice'
printf '{"a":1}' >"$file"
refuses "an object without traceEvents" 'no traceEvents'
printf '"x"' >"$file"
refuses "a document that is a string" 'a string, neither'
printf '[] []' >"$file"
refuses "two documents" 'offset 3'
printf '{"traceEvents":[{"name":"a" "ph":"I"}]}' >"$file"
refuses "a missing comma" 'offset 28'
printf '{"a":1,"b":[{"name":"a","ph":"I","ts":1}]}' >"$file"
run load "$file"
is "$status" 3 "JSON that is not a trace is refused"
like "$errors" 'JSON, but not in a format.* "a", "b"' "the error names the members of the JSON"
like "$errors" 'looked for .*chrome: an object with "traceEvents".*; speedscope: ' "the error names the members that each format needs"
printf '[{"ph":1}]' >"$file"
run load "$file"
like "$errors" 'the nearest is chrome: an object with "traceEvents"' "the error for an array with \"ph\" names the most similar format"

# Each event of the trace has an unusual value in one member. There is an event for each combination of value and
# member. The trace must not be refused: each event is stored or reported.
list=()
for value in null true 0 -1 1e999 -1e-999 1.5e300 123456789012345678901234567890 '""' '"x"' '[]' '{}' '[[{}]]' '{"data":7}' '{"data":{"detail":{}}}'; do
    for member in name cat ph ts dur pid tid id id2 args scope s; do
        for ph in b e n I X M P; do
            list+=("{\"name\":\"w\",\"ph\":\"$ph\",\"ts\":5,\"cat\":\"$timing\",\"pid\":1,\"tid\":1,\"id\":1,\"args\":{},\"$member\":$value}")
        done
        list+=("{\"name\":\"TimeStamp\",\"ph\":\"I\",\"ts\":5,\"args\":{\"data\":{\"start\":$value,\"end\":1}},\"$member\":$value}")
        list+=("{\"name\":\"thread_name\",\"ph\":\"M\",\"ts\":5,\"args\":{\"name\":$value},\"$member\":$value}")
        list+=("{\"name\":\"navigationStart\",\"ph\":\"R\",\"ts\":5,\"args\":{\"data\":{\"documentLoaderURL\":$value}},\"$member\":$value}")
        list+=("{\"name\":\"TracingStartedInBrowser\",\"ph\":\"I\",\"ts\":5,\"args\":{\"data\":{\"frames\":$value}},\"$member\":$value}")
        list+=("{\"name\":\"UserTiming::Measure\",\"ph\":\"X\",\"ts\":5,\"args\":{\"traceId\":$value},\"$member\":$value}")
    done
done
trace "${list[@]}"
takes "values of wrong types in any member"
takes "values of wrong types in any member, with --events all" --events all
for report in marks measures console usertimings "marks --by each" "measures --by each" "console --by stamps" "usertimings --by tracks" \
    "usertimings --by threads" "usertimings --by navigations" "usertimings --by calls" "usertimings --by file"; do
    # shellcheck disable=SC2086
    run report $report "$inst" --output json
    is "$status" 0 "wrong types: report $report succeeds"
    # shellcheck disable=SC2086
    run report $report "$inst" --output json --like-devtools
    is "$status" 0 "wrong types: report $report --like-devtools succeeds"
done
run report timings-trend "$inst"
is "$status" 0 "wrong types: report timings-trend succeeds"
run export --format chrome -o "$tmp/wrong.json" "$inst"
is "$status" 0 "wrong types: the export succeeds"
ok "wrong types: the export is strict JSON" "$builddir/tests/tools/compare_json" "$tmp/wrong.json" "$tmp/wrong.json"
run verify "$inst"
is "$status" 0 "wrong types: verify succeeds"

deep=$(printf '[%.0s' {1..20000})1$(printf ']%.0s' {1..20000})
trace "$(ev deep I 1 "$timing" ",\"args\":{\"data\":{\"x\":$deep}}")"
takes "args nested 20,000 deep"
is "$(timings)" "mark deep 1+0" "args nested 20,000 deep are kept"
run export --format chrome -o "$tmp/deep.json" "$inst"
is "$(grep -o '"x":[][1]*' "$tmp/deep.json" | md5sum)" "$(grep -o '"x":[][1]*' "$file" | md5sum)" "args nested 20,000 deep are exported"
trace "$(ev bomb I 1 "$timing" ",\"args\":$(printf '[%.0s' {1..200000})")"
refuses "too deeply nested JSON" 'nested more than [0-9]+ deep.*offset [0-9]+|offset [0-9]+.*nested more than [0-9]+ deep'
refuses "args nested deeper than --max-depth" 'nested more than 5 deep' --max-depth 5
head -c 17000000 /dev/zero | tr '\0' a >"$tmp/long"
{
    printf '{"traceEvents":[%s,{"name":"big","ph":"I","ts":2,"cat":"%s","args":{"data":{"detail":"' "$(ev small I 1 "$timing" "$args")" "$timing"
    cat "$tmp/long"
    printf '"}}}]}'
} >"$tmp/big.json"
file=$tmp/big.json
takes "an event of 17 MB"
is "$(timings)|$(issues)" "mark small 1+0|event-large" "an event of 17 MB is left out and reported"
{
    printf '{"traceEvents":[%s,{"name":"' "$(ev small I 1 "$timing" "$args")"
    cat "$tmp/long"
    printf '"}]}'
} >"$tmp/big.json"
refuses "a name of 17 MB" 'offset [0-9]+'
trace "$(b a 1 1e308)" "$(e a 1 1e999)" "$(b b 1 -1e308)" "$(e b 1 9007199254740993)" "$(b c 1 9007199254740991)" "$(e c 1 9007199254740994)"
takes "huge times"
is "$(q "select name || ' ' || duration from user_timings where inst_id = $inst and name = 'c'")" "c 3" "huge times that fit into 64 bits are exact"
trace "$(b '<script>alert(1)</script>' 1 1)" "$(e '<script>alert(1)</script>' 1 5)" "$(b '![x](y) `z` | [l](javascript:1)' 1 1)" "$(e '![x](y) `z` | [l](javascript:1)' 1 4)"
takes "markup in names"
run report measures --output markdown "$inst"
unlike "$out" '<script|[^\\]!\[x\]|[^\\]`z' "markup is escaped in Markdown"
run flame "$inst" -o "$tmp/flame.svg"
is "$status" 0 "markup in measure names: the flame graph is written"
unlike "$(cat "$tmp/flame.svg")" '<script>alert' "markup is escaped in SVG"
run flame "$inst" -o "$tmp/flame.html"
unlike "$(cat "$tmp/flame.html")" '<script>alert' "markup is escaped in HTML"

# --- the sums at the end of a report -----------------------------------------------------------------

# total TEXT EXPECTED [OPTION...]: compares the sum of the durations, which is in the report's "totals".
total() {
    local text=$1 expected=$2
    shift 2
    run report measures --output json "$@" "$inst"
    is "$(sed -n 's/.*"totals":{.*"total":\([^,]*\),.*/\1/p' <<<"$out")" "$expected" "$text"
}
trace "$(b a 1 100.5)" "$(e a 1 200.25)" "$(b b 1 300)" "$(e b 1 301)" "$(b c 1 1.001)" "$(e c 1 1.252)"
takes "durations with fractions of a microsecond"
total "durations with fractions of a microsecond are summed" 101.001
total "rows that --top omits count in the sum" 101.001 --top 1
total "the sum of no durations is 0" 0 --name nothing
trace "$(b a 1 0)" "$(e a 1 9223372036854775807)" "$(b b 1 0)" "$(e b 1 9223372036854775807)" "$(b c 1 0)" "$(e c 1 0.7)"
takes "the longest durations that fit into 64 bits"
total "the sum of the longest durations is exact" 18446744073709551614.7

# A trace that is cut off is read up to the cut, or refused. A partial load is always reported as an issue.
size=$(stat -c %s "$golden/extension.json")
mkdir "$tmp/cut"
for ((i = 18; i < size; i += 7)); do
    head -c $i "$golden/extension.json" >"$tmp/cut/$i.json"
done
before=$(q "select max(inst_id) from instances")
run load --again --format chrome "$tmp"/cut/*.json
is "$status" 0 "traces that are cut off at every seventh byte load"
is "$(q "select count(*) from instances i where inst_id > $before and not exists (select from import_issues x where x.inst_id = i.inst_id
        and x.code = 'trace-unclosed')")" 0 "each trace that is cut off is reported"
is "$(q "select count(*) from instances where inst_id > $before")" "$(find "$tmp/cut" -type f | wc -l)" "each trace that is cut off is a result set"
gzip -c "$golden/timings.json" | head -c 400 >"$tmp/cut.json.gz"
file=$tmp/cut.json.gz
refuses "a gzip file that is cut off" 'damaged|cut off'
done_testing
