#!/usr/bin/env bash
# Tests Chrome's user timings: which ones are found in a trace, how events are paired, timings that DevTools
# does not show, and reports that agree with DevTools. tests/cli/format/chrome_more.sh covers the other
# contents of a trace and bad input, and chrome_export.sh covers the export.
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
file=$tmp/trace.json

# pairs TEXT EXPECTED EVENT...: compares the measures and console timings, sorted as in DevTools.
pairs() {
    local text=$1 expected=$2
    shift 2
    trace "$@"
    takes "$text"
    is "$(q "select string_agg(name || ' ' || start || '+' || coalesce(duration::text, '?') || coalesce(inner_events::text, ''),
            ', ' order by kind desc, devtools_order)
        from user_timings where inst_id = $inst and kind in ('measure', 'console') and lost is null")" \
        "$expected" "$text: the timings are as expected"
}

# loses TEXT EXPECTED EVENT...: compares EXPECTED with the timings that profdepot finds and DevTools loses.
loses() {
    local text=$1 expected=$2
    shift 2
    trace "$@"
    takes "$text"
    is "$(q "select string_agg(kind || ' ' || name || ' ' || coalesce(start::text, '-') || '+' ||
            coalesce(duration::text, '?') || ' ' || lost, ', ' order by id)
        from user_timings where inst_id = $inst and lost is not null")" "$expected" "$text: the timings are as expected"
}

# --- forms of the file -------------------------------------------------------------------------------

events=$(ev m I 5 "$timing" ',"args":{"data":{"startTime":1}}'),$(b me 1 10),$(e me 1 30),$(b c 2 12 "$console"),$(e c 2 13 "$console")
expected='mark m 5+0, measure me 10+20, console c 12+1'
same() {
    takes "$1"
    is "$(timings)" "$expected" "$1: all timings are found"
    is "$(issues)" "${2:-}" "$1: the issues are as expected"
}
printf '[%s]' "$events" >"$file"
same "a trace that is an array"
printf '{"traceEvents":[%s]}' "$events" >"$file"
same "a trace that is an object"
printf '{"x":{"traceEvents":[1]},"s":"\\"traceEvents\\":[","traceEvents":[%s],"metadata":{"a":1},"y":2}\r\n' "$events" >"$file"
same "other members before and after the events"
gzip -c "$file" >"$file.gz"
gzip -c </dev/null >>"$file.gz"
cp "$file" "$tmp/plain"
mv "$file.gz" "$file"
same "a gzip file with two members"
printf '\357\273\277\t[%s]\n\n' "$events" >"$file"
same "a byte order mark"
printf '[%s' "$events" >"$file"
same "an array that is not closed" "devtools-refuses trace-unclosed"
printf '[%s,\n' "$events" >"$file"
same "an array that ends in a comma and is not closed" "devtools-refuses trace-unclosed"
printf '[%s,]' "$events" >"$file"
same "a comma before the closing bracket" "devtools-refuses trace-comma"
printf '{"traceEvents":[%s,{"name":"late","ph":"I","cat":"%s","ts":99,"args":{"data":{"navi' "$events" "$timing" >"$file"
same "an object that is cut off inside an event" "devtools-refuses event-cut trace-unclosed"
printf '[%s,7,null,"x",[{}]]' "$events" >"$file"
same "elements that are not events" "devtools-refuses not-an-event not-an-event not-an-event not-an-event"
is "$(q "select string_agg(message, '|' order by issue_no) from import_issues where inst_id = $inst and code = 'devtools-refuses'")" \
    "DevTools refuses the file: an event that is no object" "an issue gives the reason why DevTools refuses the file"
run load --again - <"$tmp/plain"
is "$status" 0 "a trace can be loaded from standard input"

# --- which events are timings --------------------------------------------------------------------------------

trace "$(ev I I 1 "$timing" "$args")" "$(ev R R 2 "$timing" "$args")" "$(ev i i 3 "$timing" "$args")" "$(ev X X 4 "$timing" "$args")" \
    "$(ev other I 5 blink.user_timings "$args")" "$(ev listed I 6 "$timing,rail" "$args")" "$(ev spaced I 7 " $timing" "$args")" \
    "$(ev consoled I 8 "$console" "$args")" "$(ev both I 9 "$console,$timing" "$args")"
takes "marks"
is "$(timings)" 'mark I 1+0, mark R 2+0, mark i 3+0 phase, mark listed 6+0 category-list, mark spaced 7+0 category-list, mark both 9+0 category-list' \
    "marks have the phase I or R and a single category; similar events are kept and flagged"
run report marks --like-devtools --output csv "$inst"
is "$(cut -d, -f2 <<<"$out" | tr '\n' ' ')" "name I R " "--like-devtools lists only the two marks"
run report marks --by each --output csv "$inst"
is "$(grep -c . <<<"$out")" 7 "report marks --by each lists all six events"

names="workerStart redirectStart redirectEnd fetchStart domainLookupStart domainLookupEnd connectStart connectEnd
    secureConnectionStart requestStart responseStart responseEnd navigationStart unloadEventStart unloadEventEnd
    commitNavigationEnd domLoading domInteractive domContentLoadedEventStart domContentLoadedEventEnd domComplete
    loadEventStart loadEventEnd"
list=()
for name in $names; do
    list+=("$(ev "$name" I 10 "$timing" "$args")" "$(b "$name" 1 20)" "$(e "$name" 1 21)" "$(ev "x$name" I 10 "$timing" "$args")")
done
trace "${list[@]}" "$(ev FETCHSTART I 9 "$timing" "$args")" "$(b responseEnd 2 30 "$console")" "$(e responseEnd 2 31 "$console")" \
    "$(ev TimeStamp I 40 devtools.timeline ',"args":{"data":{"message":"loadEventEnd"}}')" \
    "$(ev domInteractive R 50 "$timing,rail" ',"args":{"frame":"F"}')"
takes "ignored names"
is "$(q "select string_agg(kind || ' ' || coalesce(lost, '-') || ' ' || n, ', ' order by kind, lost) from (select kind, lost, count(*) as n
    from user_timings where inst_id = $inst group by kind, lost) x")" \
    "console ignored-name 1, mark chrome-own 1, mark ignored-name 23, mark - 24, measure ignored-name 23, stamp - 1" \
    "user timings with one of Chrome's own 23 names are kept, with the reason why DevTools does not show them"
is "$(issues)" "devtools-loses devtools-loses devtools-loses devtools-loses" "each kind of timing that DevTools does not show is reported"
run report measures "$inst" --like-devtools --output csv
is "$(grep -c . <<<"$out")" 1 "--like-devtools does not list measures with names that Chrome uses itself"

# --- pairs -------------------------------------------------------------------------------------------

pairs "a measure" 'a 10+5' "$(b a 1 10)" "$(e a 1 15)"
pairs "fractions of a microsecond" 'a 10.25+4.75' "$(b a 1 10.25)" "$(e a 1 15)"
pairs "an end closes the newest begin" 'a 1+8, a 2+4, a 3+2' "$(b a 1 1)" "$(b a 1 2)" "$(b a 1 3)" "$(e a 1 5)" "$(e a 1 6)" "$(e a 1 9)"
pairs "events out of order" 'a 1+8' "$(e a 1 9)" "$(b a 1 1)"
pairs "two names with one ID" 'a 1+4, b 2+4' "$(b a 1 1)" "$(b b 1 2)" "$(e a 1 5)" "$(e b 1 6)"
pairs "one name with two IDs" 'a 1+5, a 2+3' "$(b a 1 1)" "$(b a 2 2)" "$(e a 2 5)" "$(e a 1 6)"
pairs "a numeric ID equals its text" 'a 1+1, a 5+1, a 7+1' \
    "$(ev a b 1 "$timing" ',"id":7')" "$(ev a e 2 "$timing" ',"id":"7"')" "$(ev a b 3 "$timing" ',"id":16')" "$(ev a e 4 "$timing" ',"id":"0x10"')" \
    "$(ev a b 5 "$timing" ',"id":1e2')" "$(ev a e 6 "$timing" ',"id":"100"')" "$(ev a b 7 "$timing" ',"id":0.50')" "$(ev a e 8 "$timing" ',"id":"0.5"')"
pairs "id takes precedence over id2.global, and id2.global over id2.local" 'a 1+1, a 3+1, a 5+1' \
    "$(ev a b 1 "$timing" ',"id":"p","id2":{"global":"q","local":"r"}')" "$(ev a e 2 "$timing" ',"id2":{"local":"p"}')" \
    "$(ev a b 3 "$timing" ',"id":null,"id2":{"global":"q","local":"r"}')" "$(ev a e 4 "$timing" ',"id":"q"')" \
    "$(ev a b 5 "$timing" ',"id2":{"local":"r","global":null}')" "$(ev a e 6 "$timing" ',"id2":{"global":"r"},"scope":"x"')"
pairs "process and thread are not part of an event's key" 'a 1+1' "$(b a 1 1 "$timing" 10 1)" "$(e a 1 2 "$timing" 11 2)"
is "$(q "select pid || ' ' || tid from user_timings where inst_id = $inst")" "11 2" "a timing has the process and thread of its last event"
pairs "the category is part of an event's key" 'c 2+1' "$(b a 1 1)" "$(e a 1 2 "$console")" "$(b c 1 2 "$console")" "$(e c 1 3 "$console")"
pairs "instants within a measure are sorted newest first" 'a 1+8[2,1]' "$(b a 1 1)" "$(n a 1 2)" "$(n a 1 3)" "$(e a 1 9)"
pairs "an instant before the begin keeps all instants out of the measure" 'a 5+4' "$(n a 1 2)" "$(b a 1 5)" "$(n a 1 6)" "$(e a 1 9)"
pairs "a begin with instants but without an end" 'a 1+?[1,2]' "$(b a 1 1)" "$(n a 1 2)" "$(n a 1 3)"
pairs "a begin and an end at the same time" 'a 5+0' "$(b a 1 5)" "$(e a 1 5)"
pairs "equal intervals are sorted in reverse order of their begins" 'z 1+4, y 1+4, x 1+4, s 1+2' "$(b x 1 1)" "$(b y 2 1)" "$(b z 3 1)" "$(b s 4 1)" "$(e s 4 3)" "$(e x 1 5)" "$(e y 2 5)" "$(e z 3 5)"
pairs "among begins at the same time, the one with the longer dur comes first" 'a 1+9, b 1+3' "$(b b 2 1)" "$(ev a b 1 "$timing" ',"id":"1","dur":4')" "$(e b 2 4)" "$(e a 1 10)"
pairs "measures precede console timings that begin at the same time" 'm 5+1, c 5+1' "$(b c 1 5 "$console")" "$(b m 1 5)" "$(e c 1 6 "$console")" "$(e m 1 6)"

loses "a measure of length zero as Chrome writes it" 'measure a 5+0 zero-length' "$(n a 1 5)"
loses "timings that never ended" 'console c 2+? never-ended, measure a 5+? never-ended' "$(b a 1 5)" "$(b c 2 2 "$console")"
loses "a timing that never began" 'measure a -+? never-begun' "$(e a 1 5)"
loses "timings without an ID" 'measure a 1+? no-id, measure b 2+? no-id, measure c 3+? no-id, measure d 4+? no-id, measure f 5+? no-id' \
    "$(ev a b 1 "$timing")" "$(ev b b 2 "$timing" ',"id":0')" "$(ev c b 3 "$timing" ',"id":""')" "$(ev d b 4 "$timing" ',"id":false')" \
    "$(ev f e 5 "$timing" ',"id":null')"
loses "an end before its begin" 'measure a -+? never-begun, measure a 9+? never-ended' "$(b a 1 9)" "$(e a 1 5)"
loses "events with the phases that Chrome used before 2013" 'measure a 1+4 old-phase, console c 2+1 old-phase' \
    "$(ev a S 1 "$timing" ',"id":"1"')" "$(ev a F 5 "$timing" ',"id":"1"')" "$(ev c S 2 "$console" ',"id":"1"')" "$(ev c F 3 "$console" ',"id":"1"')"
loses "two calls with the same trace ID" 'measure_call UserTiming::Measure 1+0 repeated' \
    "$(ev UserTiming::Measure X 1 devtools.timeline ',"dur":0,"args":{"traceId":5}')" "$(ev UserTiming::Measure X 2 devtools.timeline ',"dur":0,"args":{"traceId":5}')"
loses "a time stamp without args" 'stamp undefined 1+0 no-args' "$(ev TimeStamp I 1 devtools.timeline)"
is "$(issues)" "devtools-loses devtools-refuses" "DevTools refuses a file that contains a time stamp without args"

# --- a trace as Chrome writes it ---------------------------------------------------------------------

file=$golden/timings.json
takes "a trace written by Chrome"
is "$(timings)" 'mark navigationStart 1050+0 chrome-own, mark navigationStart 1100+0 chrome-own, mark domInteractive 1900+0 chrome-own,'\
' mark boot 2000+0, measure nothing 2450+0 zero-length, measure load <b> 2500+2000, mark boot 2600+0, mark fetchStart 2700+0 ignored-name,'\
' measure part | one 2800+1000.25, console timer 3000+300, console forgotten 3100+? never-ended, stamp plain 3500+0, stamp span 4200+0,'\
' measure_call UserTiming::Measure 5000+12 repeated, measure_call UserTiming::Measure 5100+3, measure_call UserTiming::Measure 5200+5' \
    "all timings are found"
is "$(q "select parent.name from spans s join spans parent on parent.inst_id = s.inst_id and parent.id = s.parent_id
    where s.inst_id = $inst and s.name = 'part | one'")" "load <b>" "a measure is a child of the measure that contains it"
is "$(q "select kind || ' ' || coalesce(process_name, '-') || ' ' || coalesce(name, '-') || ' ' || process_id || ' ' || thread_id
    from tracks where inst_id = $inst order by track_id" | paste -sd,)" \
    "thread Browser - 9 0,thread Renderer - 10 0,thread Renderer CrRendererMain 10 1,thread Browser CrGpuMain 9 3,thread Renderer DedicatedWorker thread 10 2" \
    "if the trace names a process several times, its threads have the last name"
is "$(q "select application || ' ' || app_version from instances where inst_id = $inst")" "https://example.org/ Chrome/156.0.1.2" \
    "the first page and the browser's version become the result set's application and version"
is "$(q "select name, start_time, navigation_id, detail from user_timings where inst_id = $inst and name = 'boot' order by id")" \
    $'boot|0.9|N1|\nboot|5||{"k":[1,null]}' "the details of a mark are stored, and a worker's mark has no navigation ID"
is "$(q "select attributes -> 'begin' -> 'args' -> 'data' ->> 'sampleTraceId' from spans where inst_id = $inst and name = 'boot' limit 1")" \
    18446744073709551615 "integers beyond 2^53 stay exact"
run load "$file"
like "$out" "known" "a trace that is loaded again is known"
for report in marks measures console usertimings; do
    run reports
    like "$out" "$report" "the command reports lists $report"
done
csv() {
    run report "$@" --output csv
    out=${out//$'\r'/}
}
report_is() {
    local expected=$1
    shift
    csv "$@" "$inst"
    same_file <(printf '%s\n' "$out") <(printf '%s\n' "$expected") "the report $* is as expected"
}
report_is 'name,count,first,median,last,lost
boot,2,0.9,0.9,5,0
navigationStart,2,,,,2
domInteractive,1,,,,1
fetchStart,1,1.6,1.6,1.6,1' marks --by name
report_is 'name,count,first,median,last,lost
boot,2,0.9,0.9,5,0' marks --by name --like-devtools
report_is 'name,count,total,min,median,p95,max,open,lost
load <b>,1,2000,2000,2000,2000,2000,0,0
part | one,1,1000.25,1000.25,1000.25,1000.25,1000.25,0,0
nothing,1,0,0,0,0,0,0,1' measures
report_is 'name,count,total,min,median,p95,max,open,lost
load <b>,1,2000,2000,2000,2000,2000,0,0' measures --like-devtools --name 'load*'
report_is 'name,count,total,min,median,p95,max,open,lost
timer,1,300,300,300,300,300,0,0
forgotten,1,0,,,,,1,1' console
report_is 'position,marker,track_group,track,depth,name,start,duration,self,color,data_type,tooltip,properties,detail,pid,tid,event
1,f,,mine,0,load <b>,2500,2000,2000,primary,track-entry,<i>tip</i>,"[[""p"",""1""]]","{""more"":true}",10,1,19
2,f,Group,Mine,0,span,3500,600,600,secondary,track-entry,,,"{""a"":1}",10,1,17' usertimings --by tracks
report_is 'start,url,navigation_id,frame,pid,devtools
1050,,N0,F0,10,f
1100,https://example.org/,N1,F0,10,t' usertimings --by navigations
report_is 'pid,name,place
9,Browser,1
10,Renderer,2' usertimings --by processes
csv usertimings --by file "$inst"
is "$out" $'form,events,min,max,refused\nobject,26,1000,5205,' "report usertimings --by file: the bounds equal DevTools' bounds"
run report measures --output markdown "$inst"
like "$out" 'load &lt;b&gt;|load \\<b' "markup in names is escaped in Markdown"
like "$out" 'part \\\| one' "a vertical bar in names is escaped in Markdown"

# A measure that crosses another one has no parent, and no self time is negative.
trace "$(b P 1 0)" "$(e P 1 10)" "$(b a 2 0)" "$(e a 2 8)" "$(b b 3 2)" "$(e b 3 10)" "$(b c 4 3)" "$(e c 4 5)"
takes "measures that cross"
is "$(q "select string_agg(concat_ws(' <', s.name, p.name), ', ' order by s.id) from spans s left join spans p on p.inst_id = s.inst_id
        and p.id = s.parent_id where s.inst_id = $inst")" "P, a <P, b, c <b" "a measure has the innermost measure that contains it as its parent; one that crosses another has no parent"
is "$(q "select string_agg(r.col_routine_name || ' ' || t.self || ' ' || t.total, ', ' order by r.rec_id) from routine_totals t
        join resource_profiler_meta_routines r on r.inst_id = t.inst_id and r.rec_id = t.routine_id where t.inst_id = $inst")" \
    "P 2 10, a 8 8, b 6 8, c 2 2" "measures that cross begin branches of their own in the call tree"

# DevTools compares traceIds with ===, so the number 12 and the string "12" differ. An empty group is kept, but does
# not group tracks.
call() { # call TRACE-ID TS
    ev UserTiming::Measure X "$2" devtools.timeline ",\"dur\":1,\"args\":{\"traceId\":$1}"
}
trace "$(call 12 10)" "$(call '"12"' 20)" "$(call 12.0 30)" "$(call null 40)" "$(call '"null"' 50)" "$(call '{}' 60)" "$(call '{}' 70)"
takes "calls with traceIds of several types"
is "$(timings)" 'measure_call UserTiming::Measure 10+1 repeated, measure_call UserTiming::Measure 20+1, measure_call UserTiming::Measure 30+1, '\
'measure_call UserTiming::Measure 40+1, measure_call UserTiming::Measure 50+1, measure_call UserTiming::Measure 60+1, '\
'measure_call UserTiming::Measure 70+1' "only calls with the same traceId replace each other"
in_track() { # in_track NAME TS DEVTOOLS [MEMBERS]
    ev "$1" I "$2" "$timing" ",\"args\":{\"data\":{\"detail\":\"{\\\"devtools\\\":{\\\"track\\\":\\\"T\\\"$3}}\"}}${4:-}"
}
trace "$(in_track empty 10 ',\"trackGroup\":\"\"')" "$(in_track grouped 20 ',\"trackGroup\":\"G\"')" "$(in_track absent 30 '')" \
    "$(in_track zero 40 ',\"trackGroup\":0')" "$(in_track named 50 ',\"trackGroup\":\"track-name-T\"')" "$(in_track lasting 5 '' ',"dur":9')"
takes "track groups"
run report usertimings --by tracks --output csv "$inst"
is "$(tr -d '\r' <<<"$out" | cut -d, -f 1,3,4,6,8)" 'position,track_group,track,name,duration
1,,T,lasting,9
2,,T,empty,
3,,T,absent,
4,0,T,zero,
5,track-name-T,T,named,
6,G,T,grouped,' "an empty group does not make a group of tracks"
run report usertimings --by tracks --output json "$inst"
is "$(grep -o '"track_group":[^,]*' <<<"$out" | tr '\n' ' ')" \
    '"track_group":null "track_group":"" "track_group":null "track_group":"0" "track_group":"track-name-T" "track_group":"G" ' \
    "an empty group is shown as it is in the trace"

trace "$(b slow 1 0)" "$(e slow 1 10)" "$(b slow 1 20)" "$(e slow 1 40)" "$(b slow 1 50)" "$(e slow 1 80)" "$(b slow 1 90)" "$(e slow 1 130)" "$(n slow 2 150)"
takes "five measures with the same name"
report_is 'name,count,total,min,median,p95,max,open,lost
slow,5,100,0,20,40,40,0,1' measures
report_is 'name,count,total,min,median,p95,max,open,lost
slow,4,100,10,20,40,40,0,0' measures --like-devtools
first=$inst
trace "$(b slow 1 0)" "$(e slow 1 5000)" "$(ev here I 7 "$timing" ',"args":{"data":{"startTime":3.5}}')"
takes "the next run"
csv timings-trend "$first" "$inst" --name slow
is "$(cut -d, -f1-3,7- <<<"$out")" "name,kind,inst_id,count,min,median,p95,max
slow,measure,$first,5,0.000,0.020,0.040,0.040
slow,measure,$inst,1,5.000,5.000,5.000,5.000" "the trend of a measure over result sets is in milliseconds"
csv timings-trend "$first" "$inst" --type mark
is "$(cut -d, -f1-3,7- <<<"$out" | tail -n 1)" "here,mark,$inst,1,3.5,3.5,3.5,3.5" "the trend of a mark is relative to the page's time origin"

# --- custom tracks -----------------------------------------------------------------------------------

file=$golden/extension.json
takes "extension data"
csv usertimings --by tracks "$inst"
is "$(cut -d, -f1-9 <<<"$out")" 'position,marker,track_group,track,depth,name,start,duration,self
1,t,,,,a marker,110,,
1,f,,T,0,whole,100,100,70
2,f,,T,1,child,120,30,20
3,f,,T,2,leaf,130,10,10
4,f,G,U,,crossing a,100,60,
5,f,G,U,,crossing b,150,40,
6,f,,V,0,123,300,40,40
7,f,,V,0,backward,400,-10,-10' "custom tracks have groups, labels can be limits, and crossing entries form no tree"
csv usertimings --like-devtools "$inst"
is "$(cut -d, -f2-5 <<<"$out")" 'kind,name,start,duration
mark,not valid,112,0
mark,no JSON,113,0
mark,text,114,0
stamp,from,300,0
stamp,to here,300,40
stamp,lost,360,0' "the Timings track holds the events that are on no other track"

# --- the output of load --------------------------------------------------------------------------------------

mkdir "$tmp/several"
trace "$(b me 1 10)" "$(e me 1 30)" "$(b you 1 40)" "$(e you 1 50)"
cp "$file" "$tmp/several/two.json"
trace "$(b me 1 10)" "$(e me 1 30)"
cp "$file" "$tmp/several/one.json"
run load --again "$tmp/several"
is "$(cut -d '"' -f 2- <<<"$out")" 'one.json": 1 span, 1 track
two.json": 2 spans, 1 track' "load shows the number of events, and names a trace after its file"
is "$(q "select caption, source_caption, source_name from instances order by inst_id desc limit 1")" "two.json||several" \
    "the file name becomes the caption, and source_caption is empty"
like "$("$PROFDEPOT" list)" ' one\.json +chrome ' "list shows the file name as the caption"
run load --again --caption mine "$tmp/several/one.json"
like "$out" '"mine": 1 span' "--caption replaces the file name"
run load "$tmp/several/one.json"
like "$out" '^known ' "a trace that is loaded again with another caption is known"
printf '{"traceEvents":[%s]}' "$(ev work X 1 work ',"dur":3')" >"$tmp/none.json"
run load --again "$tmp/none.json"
like "$out" '"none.json": no user timings; --events all loads' "a trace without user timings is reported"
run load --again --events all "$tmp/none.json"
like "$out" '"none.json": 1 span, [12] tracks?$' "--events all loads the events of a trace without user timings"

# --- the corpora ---------------------------------------------------------------------------------------

corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/chrome
if [ -d "$corpora" ]; then
    corpus_load "$corpora"
    corpus_reports "$tmp/map" "$tmp/reports"
    said=$("$builddir/tests/tools/compare_chrome" "$tmp/map" "$tmp/reports" "$corpora") && status=0 || status=1
    is "$status" 0 "every case of the corpora equals DevTools' answer: $(tail -n 1 <<<"$said")"
    [ $status -eq 0 ] || diag "$said"
    is "$(wc -l <"$tmp/map")" "$(($(find "$corpora" -mindepth 1 -maxdepth 1 -type d ! -name big | wc -l) - 4))" \
        "all cases except four were compared"
else
    skip "the folder PROFDEPOT_CORPORA does not exist" "the corpora"
fi
done_testing
