#!/usr/bin/env bash
# Tests the export of Chrome traces: an exported trace has the same timings as the loaded trace, and in
# each case of the corpora, DevTools reads the same timings from both. The spans of a file in another format
# are exported as a trace that Chrome's tools can open.
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

# exports TEXT: exports $inst into $file; TEXT is the test's title.
exports() {
    file=$tmp/out.json
    run export --format chrome -o "$file" "$inst"
    is "$status" 0 "$1: the export succeeds"
    [ "$status" -eq 0 ] || diag "$errors"
}

# all_of INST_ID: prints everything that the depot stores about a trace, except its events' indexes.
all_of() {
    q "select row_to_json(x) from (select kind, name, start, duration, source_id, category, lost, devtools_order, phase, pid, tid,
            detail, navigation_id, start_time, call_time, trace_id, message, stamp_name, stamp_start, stamp_end, stamp_track,
            stamp_group, stamp_color, stamp_data, extension::text
        from user_timings where inst_id = $1 order by id) x"
    q "select row_to_json(x) from (select kind, name, category, start, duration, parent_id - min(id) over ()
        from spans where inst_id = $1 and kind = 'event' order by id) x"
    q "select row_to_json(x) from (select kind, name, process_name, process_id, thread_id, start, duration
        from tracks where inst_id = $1 and track_id in (select track_id from spans where inst_id = $1) order by kind, process_id, thread_id) x"
    q "select attributes -> 'navigations', attributes -> 'file', app_version from instances where inst_id = $1"
    q "select p.x -> 'pid', p.x ->> 'name' from instances, json_array_elements(attributes -> 'processes') p(x) where inst_id = $1"
    q "select p.x -> 'pid', p.x -> 'tid', p.x ->> 'name' from instances, json_array_elements(attributes -> 'threads') p(x)
        where inst_id = $1"
}

# comes_back TEXT [OPTION...]: checks that $file has the same content after a load, an export and a second load.
comes_back() {
    local first
    takes "$@"
    first=$inst
    exports "$1"
    takes "$@"
    same_file <(all_of "$inst") <(all_of "$first") "$1: the content comes back unchanged"
    ok "$1: the export is strict JSON" "$builddir/tests/tools/compare_json" "$file" "$file"
}

for case in timings extension events; do
    file=$golden/$case.json
    comes_back "$case"
    file=$golden/$case.json
    comes_back "$case with all events" --events all
done
trace "$(ev '\u0000' I 1 "$timing" ',"args":{"data":{"detail":"{\"a\":\"\\u0000\ud800\"}"}}')" \
    "$(ev '\ud83d' I 2 "$timing" "$args")" "$(ev '\u001a001A' I 3 "$timing" "$args")" "$(ev '\\u0000' I 4 "$timing" "$args")" \
    "$(ev '<b>&\"' I 5.250 "$timing" ',"args":{"data":{"startTime":1.0,"x":12345678901234567890}}')" \
    "$(ev $'\303\244\xff' I 6 "$timing" "$args")"
comes_back "characters that PostgreSQL cannot store as text"
like "$(cat "$file")" '"name":"\\u0000"' "U+0000 comes back unchanged"
like "$(cat "$file")" '"name":"\\ud83d"' "a lone surrogate comes back unchanged"
like "$(cat "$file")" '"name":"\\\\u0000"' "text that only looks like an escape stays text"
like "$(cat "$file")" '"ts":5.250' "numbers keep their digits"
like "$(cat "$file")" '"x":12345678901234567890' "integers beyond 2^53 stay exact"
trace "$(b a 1 1)" "$(e a 1 5)"
printf '[{"name":"m","ph":"I","cat":"%s","ts":1,"pid":"p","tid":null},{"ph":"b","id":1,"cat":"%s","ts":2},{"ph":"e","id":1,"cat":"%s","ts":3},' \
    "$timing" "$timing" "$timing" >"$file"
takes "a trace that DevTools refuses"
like "$(issues)" "devtools-refuses" "a trace that DevTools refuses is reported"
exports "a trace that DevTools refuses"
takes "the export of a trace that DevTools refuses"
is "$(issues)|$(timings)" "|mark m 1+0, measure  2+1" "DevTools accepts the export, with the same timings"
run export --format chrome "$((inst - 1))" "$inst"
isnt "$status" 0 "two result sets are not exported as one trace"
like "$errors" "one result set" "the error explains that a trace can contain only one result set"

# --- result sets of other formats ----------------------------------------------------------------------

# made_of TEXT FILE EXPECTED: exports FILE as a trace; compares names, starts and durations in microseconds.
made_of() {
    file=$2
    takes "$1"
    exports "$1"
    takes "$1: the export" --events all
    is "$(q "select string_agg(s.name || ' ' || s.start || '+' || coalesce(s.duration::text, '?') || ' ' || t.name, ', ' order by s.id)
        from spans s join tracks t using (inst_id, track_id) where inst_id = $inst")" "$3" "$1: the spans become events"
}
printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"A"},{"name":"<b>"}]},"profiles":[
    {"type":"evented","name":"first","unit":"milliseconds","startValue":0,"endValue":10,"events":[{"type":"O","frame":0,"at":0.25},
    {"type":"O","frame":1,"at":1},{"type":"C","frame":1,"at":2.5},{"type":"C","frame":0,"at":10}]},
    {"type":"evented","name":"second","unit":"nanoseconds","startValue":0,"endValue":10,"events":[{"type":"O","frame":0,"at":1},
    {"type":"C","frame":0,"at":4001}]}]}' >"$tmp/x.speedscope.json"
made_of "speedscope" "$tmp/x.speedscope.json" 'A 250+9750 first, <b> 1000+1500 first, A 0.001+4.000 second'
printf '{"Id":"a","Name":"page","Started":"2026-11-21T08:00:00Z","DurationMilliseconds":3.5,"Root":{"Id":"b","Name":"root",
    "StartMilliseconds":0,"DurationMilliseconds":3.5,"CustomTimings":{"sql":[{"Id":"c","CommandString":"select \\"x\\"","StartMilliseconds":1,
    "DurationMilliseconds":0.5}]}}}' >"$tmp/mini.json"
made_of "MiniProfiler" "$tmp/mini.json" 'root 0+3500 page, select "x" 1000+500 page'
run load --again "$srcdir/examples/orders-before"
inst=$(q "select max(inst_id) from instances")
run export --format chrome "$inst"
is "$status" 2 "a result set without spans is not exported as a trace"
like "$errors" "has no spans.*speedscope" "the error for a result set without spans names speedscope"

# --- the corpora -------------------------------------------------------------------------------------

corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/chrome
if [ -d "$corpora" ]; then
    corpus_load "$corpora"
    mv "$tmp/cases" "$tmp/original"
    mkdir "$tmp/cases"
    failed=0
    while read -r inst name; do
        "$PROFDEPOT" export --format chrome -o "$tmp/cases/$name" "$inst" || failed=$((failed + 1))
    done <"$tmp/map"
    is "$failed" 0 "every case of the corpora is exported"
    corpus_again "$tmp/map"
    corpus_reports "$tmp/map" "$tmp/reports"
    said=$("$builddir/tests/tools/compare_chrome" --exported "$tmp/map" "$tmp/reports" "$corpora") && status=0 || status=1
    is "$status" 0 "the exports agree with DevTools' answers: $(tail -n 1 <<<"$said")"
    [ $status -eq 0 ] || diag "$said"
    is "$(wc -l <"$tmp/map")" "$(find "$tmp/original" -type f | wc -l)" "all cases were compared"
    is "$(q "select count(*) from import_issues where inst_id > $corpus_after and code in ('devtools-refuses', 'trace-unclosed', 'trace-comma', 'bad-utf8')")" 0 \
        "DevTools accepts every export"
else
    skip "the folder PROFDEPOT_CORPORA does not exist" "the corpora"
fi
done_testing
