#!/usr/bin/env bash
# Tests the depot's content after loading pprof and V8 profiles and speedscope's corpora. Line
# numbers of heap profiles are not compared, because speedscope counts them from 0.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/speedscope-cases.sh
. "$srcdir/tests/lib/speedscope-cases.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/speedscope/samples
golden=$srcdir/tests/golden/inputs

verified() {
    run verify "$inst"
    is "$status" 0 "$1: verify finds no differences"
}

# --- pprof -----------------------------------------------------------------------------------------

case_take "pprof" --strict "$golden/pprof.pb"
is "$(q "select string_agg(name || ' ' || unit, ', ' order by metric_no) from metrics
    where inst_id = $inst and metric_no > 0 and family = 'samples'")" \
    "alloc_space bytes, alloc_objects count, inuse_space none" "pprof: every sample type becomes a metric, and the default type is first"
is "$(totals 2)" "main.(*Cache[int]).grow 3 3, main.main 0 13, 0xbbcd 10 10, 0x300 0 10" \
    "pprof: an inlined call becomes a frame, and a frame without a name is shown as its address in the file"
is "$(q "select attributes -> 'labels' ->> 'bytes', attributes -> 'labels' -> 'latency' ->> 'unit'
    from samples where inst_id = $inst and attributes is not null")" "1000|milliseconds" "pprof: labels become attributes of samples"
is "$(q "select weights from samples where inst_id = $inst and id = 3")" \
    "{-9223372036854775808,-2,0}" "pprof: values may be negative"
is "$(q "select application, attributes ->> 'period' from instances where inst_id = $inst")" "server|524288" \
    "pprof: the metadata of the profile is stored"
is "$(q "select to_char(started at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.US') from tracks where inst_id = $inst")" \
    "2023-11-14 22:13:20.123456" "pprof: the time at which the profile was taken is stored"
verified "pprof"
run export --format speedscope "$inst"
like "$out" '"name":"pprof.pb \(alloc_space\)","unit":"bytes","startValue":0,"endValue":3011,' "pprof: the export to speedscope has the unit and the total"
gzip -c "$golden/pprof.pb" >"$tmp/heap"
run load "$tmp/heap"
like "$status $out" '^0 known ' "a compressed copy whose name has no extension is recognised as the same result set"
mkdir "$tmp/folder"
cp "$golden/pprof.pb" "$tmp/folder/a.pb"
gzip -c "$golden/pprof.pb" >"$tmp/folder/b.pb.gz"
echo hello >"$tmp/folder/readme.txt"
before=$(q "select count(*) from instances")
run load --again "$tmp/folder"
is "$status $(q "select count(*) from instances")" "0 $((before + 2))" "each file in a folder becomes a result set"
is "$(q "select count(*) from import_issues where code = 'no-profile' and source = 'readme.txt'")" 2 \
    "a file in a folder that is not a profile is reported"
head -c 400 "$golden/pprof.pb" >"$tmp/cut.pb"
run load "$tmp/cut.pb"
like "$status $errors" '^3 .*cut\.pb: offset 380: field 6 has 23 bytes, but the file ends after 18' \
    "the error about a truncated file names the offset"
cat "$golden/pprof.pb" "$golden/pprof.pb" >"$tmp/two.pb"
run load "$tmp/two.pb"
like "$status $errors" '^3 .*two\.pb: offset 18: sample has 3 values for 6 .*pprof -proto' \
    "two profiles in one file are refused with a hint that explains how to merge them"

# --- V8 CPU profiles ------------------------------------------------------------------------------

case_take "cpuprofile" --strict "$golden/cpuprofile.cpuprofile"
is "$(totals)" "(anonymous index.js:1) 1200 7500, parse 3749.5 5000, größe 1300 1300, (garbage collector) 1250.5 1250.5" \
    "cpuprofile: the time of the garbage collector is also part of its callers' totals"
is "$(q "select sum(weight), sum(weight) filter (where stack_id is null or stack_id = 0), min(at) from samples
    where inst_id = $inst")" "10000.0|2500.0|5000000.0" "cpuprofile: idle time has no stack"
is "$(q "select col_source_file, col_source_line, attributes ->> 'column' from resource_profiler_meta_routines
    where inst_id = $inst and col_routine_name = 'parse'")" "file:///srv/app/index.js|42|15" "cpuprofile: lines and columns are counted from 1"
run export --format speedscope "$inst"
like "$out" '\{"name":"parse","file":"file:///srv/app/index.js","line":42,"col":15\}' "cpuprofile: the export has the same lines and columns"
verified "cpuprofile"
case_take "the older form of .cpuprofile" --strict "$golden/cpuprofile-nested.cpuprofile"
is "$(totals)" "work 1100 2200, main 1000 3200, (program) 1100 1100" "the older form of .cpuprofile: self values and totals are as expected"
is "$(q "select start, duration from tracks where inst_id = $inst")" "12500000|100000" "the older form of .cpuprofile: times in seconds become microseconds"
verified "the older form of .cpuprofile"

# --- V8 heap profiles -------------------------------------------------------------------------------

case_take "heapprofile" --strict "$golden/heapprofile.heapprofile"
is "$(totals)" "readAll 65560 65560, (anonymous index.js:1) 1048 66608, (V8 API) 96 96, (root) 0 66704" "heapprofile: self values and totals are as expected"
is "$(totals 2)" "$(totals)" "heapprofile: the samples that follow the tree have the same totals"
is "$(q "select string_agg(attributes ->> 'ordinal', ' ' order by id) from samples
    where inst_id = $inst and track_id = 2")" "3 5 9 11" "heapprofile: the order of the samples is stored"
verified "heapprofile"
cp "$golden/heapprofile.heapprofile" "$tmp/unnamed"
run load "$tmp/unnamed"
like "$status $out" '^0 known ' "a heap profile whose name has no extension is recognised by its content"

# --- speedscope's corpora --------------------------------------------------------------------------------

if [ ! -d "$corpora" ]; then
    skip "the corpora do not exist" "CPU and heap profiles have the same totals as in speedscope"
    done_testing
    exit
fi
case_file="coalesce(r.col_source_file, '')"
cases_begin
case_load "$corpora/Chrome/65/simple.cpuprofile"
case_load "$corpora/Chrome/65/sucrase.cpuprofile"
case_load "$corpora/node/10.11.0/example.cpuprofile"
cases_check
q "drop table public.text_case"
rm -rf "$tmp/cases"

# In speedscope, an anonymous function's name contains its line number, counted from 0.
heap=$corpora/node/10.11.0/Heap-20181003T105432.heapprofile
mkdir "$tmp/heapcase"
cp "$heap"/*.heapprofile "$tmp/heapcase/"
awk '{
    if (match($0, /:[0-9]+\)"/)) {
        line = substr($0, RSTART + 1, RLENGTH - 3)
        $0 = substr($0, 1, RSTART) (line + 1) substr($0, RSTART + RLENGTH - 2)
    }
    print
}' "$heap/summary.json" >"$tmp/heapcase/summary.json"
cases_begin
case_load "$tmp/heapcase"
cases_check
is "$(q "select r.col_source_line, r.attributes ->> 'column' from resource_profiler_meta_routines r
    join public.text_case k using (inst_id) where r.col_routine_name = '_tickDomainCallback'")" "193|31" \
    "in a heap profile, lines and columns are counted from 1"
done_testing
