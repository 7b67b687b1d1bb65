# shellcheck shell=bash
# Chrome traces for tests. Source this file after depot.sh; it needs $tmp.
#
#	trace EVENT...		writes the events to a new file, $file
#	ev NAME PH TS CAT [MEMBERS]	an event of thread 1 of process 10
#	b NAME ID TS [CAT [PID TID]]	an event that begins a measurement; e: end; n: instant
#	takes TEXT [OPTION...]	loads $file as a case; sets $inst
#	timings, issues		print the timings and issues of $inst

timing=blink.user_timing
# shellcheck disable=SC2034 # this variable and the next ones are for the script that sources this file
console=blink.console
# shellcheck disable=SC2034
args=',"args":{"data":{}}'
# shellcheck disable=SC2034
golden=$srcdir/tests/golden/chrome

trace() {
    file=$tmp/trace.json
    (IFS=, && printf '{"traceEvents":[%s]}' "$*") >"$file"
}
ev() {
    printf '{"name":"%s","ph":"%s","ts":%s,"cat":"%s","pid":10,"tid":1%s}' "$1" "$2" "$3" "$4" "${5:-}"
}
pair_event() {
    printf '{"name":"%s","ph":"%s","id":"%s","ts":%s,"cat":"%s","pid":%s,"tid":%s,"args":{}}' \
        "$2" "$1" "$3" "$4" "${5:-$timing}" "${6:-10}" "${7:-1}"
}
b() {
    pair_event b "$@"
}
e() {
    pair_event e "$@"
}
n() {
    pair_event n "$@"
}

takes() {
    local text=$1
    shift
    run load --again "$@" "$file"
    is "$status" 0 "$text: the trace is loaded"
    [ "$status" -eq 0 ] || diag "$errors"
    inst=$(q "select max(inst_id) from instances")
}

timings() {
    q "select string_agg(concat_ws(' ', kind, name, coalesce(start::text, '-') || '+' || coalesce(duration::text, '?'), lost),
            ', ' order by id) from user_timings where inst_id = $inst"
}

issues() {
    q "select string_agg(code, ' ' order by code) from import_issues where inst_id = $inst"
}

# corpus_load FOLDER: loads all cases except those that the folder's README excludes. Writes a line "INST_ID CASE"
# for each case to $tmp/map.
corpus_load() {
    local dir name
    mkdir "$tmp/cases"
    for dir in "$1"/*/; do
        name=$(basename "$dir")
        case $name in
        edge-ties-mixed-tracks | edge-beyond-2-53 | edge-gzip-two-members | edge-missing-ts) continue ;;
        esac
        [ ! -f "$dir/expected.json" ] || cp "$dir"/trace.json* "$tmp/cases/$name"
    done
    corpus_again "$tmp/map"
}

# corpus_again MAP: loads $tmp/cases again and writes MAP. Each new result set has an INST_ID greater than
# $corpus_after.
corpus_again() {
    corpus_after=$(q "select coalesce(max(inst_id), 0) from instances")
    run load --again "$tmp"/cases/*
    is "$status" 0 "all cases of the corpora are loaded"
    [ "$status" -eq 0 ] || diag "$errors"
    q "select inst_id || ' ' || source_name from instances where inst_id > $corpus_after order by inst_id" >"$1"
}

# corpus_reports MAP FOLDER: writes the reports of the result sets in the map, for compare_chrome.
corpus_reports() {
    local sets
    mkdir "$2"
    read -ra sets <<<"$(cut -d ' ' -f 1 "$1" | tr '\n' ' ')"
    report_to "$2/marks" marks --by each
    report_to "$2/measures" measures --by each
    report_to "$2/console" console --by each
    report_to "$2/stamps" console --by stamps
    report_to "$2/usertimings" usertimings
    for list in tracks calls navigations threads processes file; do
        report_to "$2/$list" usertimings --by $list
    done
}

# report_to FILE NAME [OPTION...]: writes a report of the result sets in $sets.
report_to() {
    local to=$1 name=$2
    shift 2
    run report "$name" "${sets[@]}" --like-devtools "$@" --output json --out "$to.json"
    is "$status" 0 "report $name $* succeeds"
    [ "$status" -eq 0 ] || diag "$errors"
}
