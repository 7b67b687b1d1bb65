#!/usr/bin/env bash
# Tests the export of other formats as speedscope files: each file follows the published schema and the
# importer's rules, and has the same content as the depot. If PROFDEPOT_JSON_VALIDATOR is a command and
# PROFDEPOT_SPEEDSCOPE_SCHEMA is the published schema, the test runs COMMAND SCHEMA FILE. If
# PROFDEPOT_SPEEDSCOPE_IMPORT is a command, it must print the same as check_speedscope for each file.
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
golden=$srcdir/tests/golden
file=$tmp/out.speedscope.json

# exports TEXT INST: exports to $file and checks the file; sets $said to the output of check_speedscope.
exports() {
    run export --format speedscope "$2"
    is "$status" 0 "$1: the export succeeds"
    [ "$status" -eq 0 ] || diag "$errors"
    printf '%s\n' "$out" >"$file"
    # Replaces escaped surrogates and \u0000, because cJSON rejects lone surrogates.
    sed -E 's/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/?/g; s/\\u0000/?/g' "$file" >"$tmp/checked.json"
    said=$("$builddir/tests/tools/check_speedscope" "$tmp/checked.json" 2>"$tmp/why")
    is "$?|$(cat "$tmp/why")" "0|" "$1: the export is a speedscope file"
    like "$out" '"exporter":"profdepot@[0-9]' "$1: the exporter is profdepot"
    is "$(sed 's/.*"shared":{"frames":\[\(.*\)\]},"profiles".*/\1/; s/},{/}\n{/g' "$file" | sort | uniq -d)" "" \
        "$1: each frame is written once"
    if [ -n "${PROFDEPOT_JSON_VALIDATOR:-}" ] && [ -n "${PROFDEPOT_SPEEDSCOPE_SCHEMA:-}" ]; then
        # shellcheck disable=SC2086 # a command with its arguments
        ok "$1: the file follows the published schema" $PROFDEPOT_JSON_VALIDATOR "$PROFDEPOT_SPEEDSCOPE_SCHEMA" "$file"
    fi
    if [ -n "${PROFDEPOT_SPEEDSCOPE_IMPORT:-}" ]; then
        # Frames without time are omitted, because speedscope and check_speedscope treat them differently.
        is "$($PROFDEPOT_SPEEDSCOPE_IMPORT "$tmp/checked.json" 2>/dev/null | grep -a -v '^frame 0 0 ')" \
            "$(printf '%s\n' "$said" | sed -E 's/^profile (evented|sampled) /profile /' | grep -a -v '^frame 0 0 ')" \
            "$1: speedscope imports the same content"
    fi
}

# loaded ARGUMENT...: calls load with the arguments; sets $inst to the INST_ID.
loaded() {
    run load --again "$@"
    is "$status" 0 "${1##*/} loads"
    [ "$status" -eq 0 ] || diag "$errors"
    inst=$(q "select max(inst_id) from instances")
}

# frames_of METRIC: prints the depot's frames for a metric in check_speedscope's format.
frames_of() {
    q "select format('frame %s %s %s', trim_scale(round(sum(t.self), 6)), trim_scale(round(sum(t.total), 6)), label)
       from routine_totals t
       join metrics m on m.inst_id = t.inst_id and m.metric_no = t.metric_no
       left join resource_profiler_meta_routines r on r.inst_id = t.inst_id and r.rec_id = t.routine_id
       cross join lateral (select case
           when r.col_routine_name <> '' and r.col_class_name <> '' then r.col_class_name || '.' || r.col_routine_name
           when r.col_routine_name <> '' then r.col_routine_name
           when r.col_module_name <> '' then '[' || r.col_module_name || ']'
           else '(unknown)' end as label) l
       where t.inst_id = $inst and m.name = '$1' and t.total <> 0
       group by label, r.col_source_file, r.col_source_line
       order by label collate \"C\", sum(t.total)"
}

# says PROFILE: prints the frames of the profile that begins with the line PROFILE in $said.
says() {
    awk -v first="$1" '/^profile / { on = $0 == first } on && /^frame / && !/^frame 0 0 /' <<<"$said"
}

# comes_back TEXT: checks that loading $file and exporting it again gives the same file.
comes_back() {
    cp "$file" "$tmp/first.speedscope.json"
    loaded "$tmp/first.speedscope.json"
    "$PROFDEPOT" export --format speedscope "$inst" >"$tmp/second.json"
    ok "$1: loading and exporting again gives the same file" "$builddir/tests/tools/compare_json" "$tmp/first.speedscope.json" "$tmp/second.json"
}

# --- objects and errors ---------------------------------------------------------------------------------

check_objects() {
    local text=$1 counted
    counted=$(q "select format('profile sampled none %s live_count', sum(count)), format('profile sampled bytes %s live_size', sum(value))
        from stack_totals where inst_id = $inst and metric = 'live'")
    exports "$text" "$inst"
    is "$(grep -E '^profile .* live_(count|size)$' <<<"$said" | paste -sd'|')" "$counted" "$text: the sums of objects and bytes are exported"
    is "$(says "${counted%%|*}")" "$(frames_of live_count)" "$text: self values and totals of the objects are exported"
    is "$(says "${counted##*|}")" "$(frames_of live_size)" "$text: self values and totals of the bytes are exported"
    isnt "$(frames_of live_size)" "" "$text: there are frames"
    comes_back "$text"
}
loaded "$srcdir/examples/orders-before"
check_objects "AQTime's example"
is "$(grep -c '^profile sampled none [1-9][0-9]* errors$' <<<"$said")" 1 "errors become one profile"

# --- samples ----------------------------------------------------------------------------------------------

loaded "$golden/inputs/kernelscope.json"
exports "events of kernelscope" "$inst"
is "$(awk '/^profile sampled microseconds/ { n += $4 } END { printf "%.9g", n }' <<<"$said")" \
    "$(printf %.9g "$(q "select sum(weight) from samples where inst_id = $inst")")" "events of kernelscope: the sum of the weights is exported"
is "$(grep -c '^profile ' <<<"$said")" "$(q "select count(distinct track_id) from samples where inst_id = $inst")" \
    "events of kernelscope: each track becomes a profile"
comes_back "events of kernelscope"

# --- spans ------------------------------------------------------------------------------------------------

for name in camel dotnet3 go ruby; do
    loaded "$golden/miniprofiler/$name.json"
    exports "MiniProfiler $name" "$inst"
    is "$(grep -c '^profile ' <<<"$said")" "$(q "select count(distinct track_id) from spans where inst_id = $inst")" \
        "MiniProfiler $name: each track becomes a profile"
    comes_back "MiniProfiler $name"
done
loaded "$golden/inputs/chrome.json"
exports "a trace" "$inst"
comes_back "a trace"
loaded "$golden/inputs/chrome.json" --events all
exports "a trace with all events" "$inst"
comes_back "a trace with all events"

# spans ROW...: adds a result set with these spans on track 1; a row is ID, PARENT, NAME, START, DURATION.
spans() {
    local row
    inst=$(q "insert into instances (caption, state, format) values ('spans', 'open', 'miniprofiler') returning inst_id")
    q "insert into metrics (inst_id, metric_no, name, family, unit) values ($inst, 1, 'ms', 'spans', 'milliseconds');
        insert into tracks (inst_id, track_id, kind, name, metric_no) values ($inst, 1, 'profile', 't', 1)"
    for row in "$@"; do
        q "insert into span_rows (inst_id, track_id, kind, id, parent_id, name, start, duration)
            select $inst, 1, 'step', v.* from (values ($row)) v (id, parent_id, name, start, duration)"
    done
}

events() {
    grep -o '"type":"[OC]","frame":[0-9]*,"at":[0-9.]*' "$file" |
        sed 's/"type":"\(.\)","frame":\([0-9]*\),"at":/\1\2@/' | paste -sd' '
}

names() {
    grep -o '"name":"[^"]*"' <<<"$(sed 's/.*"frames":\[\(.*\)\]},"profiles".*/\1/' "$file")" | cut -d'"' -f4 | paste -sd' '
}

spans "1, null::bigint, 'a', 0::numeric, 10::numeric" "2, 1, 'b', 2, 3" "3, 1, 'c', 5, 5" "4, 3, 'b', 6, 1"
exports "nested spans" "$inst"
is "$(names): $(events)" "(unknown) a b c: O1@0 O2@2 C2@5 O3@5 O2@6 C2@7 C3@10 C1@10" "nested spans are written as calls in order of time"
is "$said" "profile evented milliseconds 10 t
frame 2 10 a
frame 4 4 b
frame 4 5 c" "nested spans keep their times"
spans "1, null::bigint, 'a', 0::numeric, 10::numeric" "2, 1, 'z', 5, 0" "3, 1, 'b', 5, 5" "4, 3, 'z', 10, 0" "5, 4, 'y', 10, 0"
exports "spans without a length" "$inst"
is "$(names): $(events)" "(unknown) a z b y: O1@0 O2@5 C2@5 O3@5 O2@10 O4@10 C4@10 C2@10 C3@10 C1@10" \
    "spans without a length are written inside their parents"
spans "1, null::bigint, 'a', 0::numeric, 10::numeric" "2, null::bigint, 'b', 2, 3" "3, null::bigint, 'c', 20, 5"
exports "spans without parents" "$inst"
is "$(events)" "O1@0 O2@2 C2@5 C1@10 O3@20 C3@25" "spans without parents are nested by their times"
spans "1, null::bigint, 'a', 0::numeric, 10::numeric" "2, 1, 'b', 2, 5" "3, 1, 'c', 5, 5" "4, 3, 'd', 6, 2"
exports "siblings that overlap" "$inst"
is "$said" "profile sampled milliseconds 10 t (self time)
frame 0 10 a
frame 5 5 b
frame 3 5 c
frame 2 2 d" "siblings that overlap are written as samples of their self time"
spans "1, null::bigint, 'a', 0::numeric, 10::numeric" "2, 1, 'b', 8, 5"
exports "a child that outlasts its parent" "$inst"
is "$said" "profile sampled milliseconds 10 t (self time)
frame 5 10 a
frame 5 5 b" "a child that outlasts its parent is written as a sample of its self time"
spans "1, 2, 'a', 0::numeric, 10::numeric" "2, 1, 'b', 0, 10"
exports "spans that are each other's parents" "$inst"
is "$(events)" "O1@0 O2@0 C2@10 C1@10" "spans that are each other's parents are nested by their times"
spans "1, null::bigint, 'a', null::numeric, 10::numeric" "2, 1, 'b', null::numeric, 4"
exports "spans without a start" "$inst"
is "$said" "profile sampled milliseconds 10 t (self time)
frame 6 10 a
frame 4 4 b" "spans without a start are written as samples of their self time"

# --- the corpora -----------------------------------------------------------------------------------------

corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}
if [ -d "$corpora" ]; then
    for dir in "$corpora"/aqtime/*/; do
        before=$(q "select max(inst_id) from instances")
        loaded "$dir/export"
        for inst in $(q "select inst_id from instances where inst_id > $before order by 1"); do
            check_objects "aqtime/$(basename "$dir") $inst"
        done
    done
    for dir in "$corpora"/chrome/*/; do
        for input in "$dir"*; do
            case ${input##*/} in
            expected* | *.md | *.txt) continue ;;
            esac
            run load --again --events all "$input"
            [ "$status" -eq 0 ] || continue
            inst=$(q "select max(inst_id) from instances")
            [ "$(q "select count(*) from spans where inst_id = $inst")" -gt 0 ] || continue
            exports "${input#"$corpora/"}" "$inst"
        done
    done
    run load --again "$corpora/kernelscope/events.json"
    exports "kernelscope/events.json" "$(q "select max(inst_id) from instances")"
else
    skip "the corpora folder does not exist" "corpora"
fi
done_testing
