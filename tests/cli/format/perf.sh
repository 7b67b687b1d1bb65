#!/usr/bin/env bash
# Tests perf script output: the headers for each -F option, weights, events, threads, and the corpora.
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
corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/speedscope

metrics() {
    q "select string_agg(name, ' ' order by metric_no) from metrics where inst_id = $inst"
}
tracks() {
    q "select string_agg(concat(name, '|', process_id, '|', thread_id), ', ' order by track_id) from tracks
       where inst_id = $inst"
}
takes() { # takes TEXT INPUT [OPTION...]
    local text=$1
    printf '%b' "$2" >"$tmp/in.txt"
    shift 2
    case_take "$text" "$@" "$tmp/in.txt"
}

# --- the golden file ---------------------------------------------------------------------------------

case_take "golden" --strict "$srcdir/tests/golden/inputs/perf.txt"
is "$(metrics)" "seconds samples cycles_u page_faults_samples page_faults" \
    "golden: the metrics of the first event precede those of the other event"
is "$(tracks)" "Web Content pid: 100 tid: 101|100|101, worker pid: 100 tid: 102|100|102, Web Content pid: 100 tid: 101 (page-faults)|100|101" \
    "golden: there is one track per thread and event"
is "$(totals seconds)" "leaf 0.005 0.005, app::run(int) 0.025 0.03, ??? ([kernel.kallsyms]) 0 0.005" "golden: the weights in seconds are exact"
is "$(totals samples)" "leaf 1 1, app::run(int) 2 4, ??? ([kernel.kallsyms]) 0 1, copy 1 1" "golden: all samples are counted, even in a thread with only one sample"
is "$(totals cycles_u)" "leaf 250000 250000, app::run(int) 550000 800100, ??? ([kernel.kallsyms]) 0 250000, copy 100 100" \
    "golden: the periods of the first event are summed"
is "$(totals page_faults)" "leaf 7 7" "golden: the periods of the second event are summed"
is "$(q "select col_routine_name, col_module_name, col_code_type, col_symbol_moniker
    from resource_profiler_meta_routines where inst_id = $inst order by rec_id")" \
    $'leaf|/bin/prog||\napp::run(int)|/bin/prog||_ZN3app3runEi\n??? ([kernel.kallsyms])|[kernel.kallsyms]|kernel|\ncopy||inlined|' \
    "golden: the modules, code types and symbols of routines are stored"
run verify "$inst"
is "$status" 0 "golden: verify finds no differences"
is "$(q "select string_agg(col_win32threadid::text, ' ' order by id) from resource_profiler_threads where inst_id = $inst")" \
    "101 102" "golden: the threads are stored"

# --- headers -----------------------------------------------------------------------------------------------

frame='\t    401000 x+0x10 (/b)\n\n'
declare -a headers=() wanted=()
mkdir "$tmp/headers"
while IFS='#' read -r header as; do
    printf '%b' "$header\n$frame$header\n$frame" >"$tmp/headers/$(printf '%02d' ${#headers[@]}).txt"
    headers+=("$header")
    wanted+=("$as")
done <<'EOT'
prog 100 1.000000:     250000 cycles:u: #prog tid: 100||100|seconds samples cycles_u
prog 100/101 [003] 1.000000: cycles: #prog pid: 100 tid: 101|100|101|seconds samples
Web Content 5 100/101 [003] 1.0: 1 cpu/cycles,name=x/u:#Web Content 5 pid: 100 tid: 101|100|101|seconds samples cpu_cycles_name_x_u
5 100 1.000000: cycles:#5 tid: 100||100|seconds samples
:1234 1234 1.000000: cycles:#:1234 tid: 1234||1234|seconds samples
prog 100 250000 cycles:#prog tid: 100||100|samples cycles
prog 100 [001] cycles: #prog tid: 100||100|samples
prog 100 KH    1.000000: cycles: #prog tid: 100||100|seconds samples
prog 100/101 [003] U     1.000000: 5 cycles: #prog pid: 100 tid: 101|100|101|seconds samples cycles
prog 100/100 1.123456789: #prog pid: 100 tid: 100|100|100|seconds samples
  100 1.000000: cycles: # tid: 100||100|seconds samples
prog 1.000000: 3 cycles: #prog|||seconds samples cycles
EOT
run load --strict "$tmp/headers"
is "$status" 0 "a folder with every kind of header loads"
for i in "${!headers[@]}"; do
    inst=$(q "select max(inst_id) from instances where caption = '$(printf '%02d' "$i").txt'")
    is "$(tracks)|$(metrics)|$(totals samples)" "${wanted[i]}|x 2 2" "${headers[i]}: the track, the metrics and the samples are as expected"
done
takes "headers with only comm and pid" "prog 100\n${frame}prog 100\n$frame" --strict --format perf
is "$(tracks)|$(totals samples)" "prog tid: 100||100|x 2 2" "headers with only comm and pid are read with --format perf"

takes "samples that each have one line" '            prog 100 1.000000:     1 cycles:     401000 x+0x3 (/b (deleted))
            prog 100 3.000000:     1 cycles:     401000 y() (/c d)\n' --strict
is "$(totals seconds)" "x 1 1, y() 1 1" "samples that each have one line: each sample has one frame"
is "$(q "select string_agg(col_module_name, ',' order by rec_id) from resource_profiler_meta_routines where inst_id = $inst")" \
    "/b (deleted),/c d" "samples that each have one line: module names can have blanks and brackets"
takes "fields of a tracepoint" 'a 1 [002] 1.0: sched:sched_switch: prev_comm="q" ==> x\n\ta1 f (/b)\n\na 1 2.0: sched:sched_switch: z\n' --strict
is "$(q "select string_agg(attributes::text, ' ' order by id) from samples where inst_id = $inst")" \
    '{"cpu":2,"fields":"prev_comm=\"q\" ==> x"} {"fields":"z"}' "the fields of a tracepoint are stored as attributes"

# --- source lines, which -F +srcline adds -------------------------------------------------------------------

takes "source lines" 'a 1 1.0: cycles:\n\ta1 leaf+0x2\n  leaf.h:12 (inlined)\n\ta1 run+0x9 (/b)\n  src/run.c:30\n\ta2 main+0x1 (/b)\n  ??:0\n\ta3 _start+0x3 (/b)\n  :0\n\ta4 k+0x3 ([kernel.kallsyms])\n  [kernel.kallsyms][ffffffff816e485e]\n\ta4 l (/c.so)\n  c.so.6[29d90]\n\ta5 m\n  m+0x1f\n\na 1 2.0: cycles:\n\ta1 run+0x10 (/b)\n  src/run.c:31\n\n' --strict
is "$(issues)" "" "source lines: there are no issues"
is "$(q "select string_agg(concat_ws('|', col_routine_name, col_module_name, col_code_type, col_source_file), ', ' order by rec_id)
    from resource_profiler_meta_routines where inst_id = $inst")" \
    "leaf|inlined|leaf.h, run|/b|src/run.c, main|/b, _start|/b, k|[kernel.kallsyms]|kernel, l|/c.so, m" \
    "source lines: a file belongs to the frame in the line above"
is "$(q "select string_agg(parent_id || ':' || col_source_line, ' ' order by id) from resource_profiler_meta_lines where inst_id = $inst")" \
    "0:12 1:30 1:31" "source lines: the line numbers are stored"
run report hot "$inst" --output csv
like "$out" 'run,src/run.c' "source lines: a report shows the file"
takes "offsets in modules" 'a 1 1.0: cycles:\n\ta1 f+0x2 (/lib/libc.so.6+0x29d90)\n\na 1 2.0: cycles:\n\ta2 f+0x3 (/lib/libc.so.6+0x29d91)\n\n' --strict
is "$(totals samples)|$(q "select col_module_name from resource_profiler_meta_routines where inst_id = $inst")" \
    "f 2 2|/lib/libc.so.6" "offsets in modules: the module's name does not include the offset"
takes "a truncated file" 'a 1 1.0: cycles:\n\ta1 f (/b)\n\na 1 2.0: cycles:\n\ta1 f (/b)\n\ta2 ma'
is "$(issues)" "report-cut@6" "a truncated file is reported"

# --- odd lines -----------------------------------------------------------------------------------------------

back='a 1 2.0: cycles:\n\ta1 f (/b)\n\na 1 1.5: cycles:\n\ta1 g (/b)\n\na 1 4.0: cycles:\n\ta1 h (/b)\n\n'
printf '%b' "$back" >"$tmp/back.txt"
run load "$tmp/back.txt"
like "$status$errors" '^3.*line 4: sample is earlier.*--lenient accepts this' "a file with times that go back is refused without --lenient"
takes "times that go back, with --lenient" "$back" --lenient
is "$(totals seconds)|$(issues)" "g 1 1, h 1 1|time-backward@4" "times that go back, with --lenient: each counts as equal to the previous time"
takes "other lines" 'a 1 2.0: cycles:\n\ta1 f (/b)\nPERF_RECORD_COMM: x\nwhat is this\n\nhello there world\n# x\na 1 3.0: cycles:\n\ta1 f (/b)\n\ta2 g (/b)\n'
is "$(totals samples)|$(issues)" "f 2 2, g 0 1|odd-left-out@3 left-out@4 left-out@6" "unrecognised lines are reported"
{
    printf 'a 1 2.0: cycles:\n'
    printf '\ta%d f%d (/b)\n' {1..140000}
} >"$tmp/in.txt"
case_take "70,000 frames" "$tmp/in.txt"
is "$(issues)|$(q "select cardinality(routine_ids), routine_ids[1] from stacks where inst_id = $inst")" \
    "stack-cut@70001|65536|0" "70,000 frames: the outermost frames are left out"
printf 'some words\nError 5 foo: bar\nmore words\n' >"$tmp/in.txt"
run load "$tmp/in.txt"
like "$status$errors" '^3.*not in a format' "a text with words and numbers is refused"
like "$errors" 'hint: "profdepot formats" lists the formats' "the hint names the command that lists the formats"
run formats --output json
like "$out" 'lines .*events:.* and .*fn=' "formats --output json prints the complete description of each format"
{
    printf 'desc: x\ncmd: prog\ntime_unit: B\n#-----------\nsnapshot=0\n#-----------\ntime=1\nmem_heap_B=10\nmem_heap_extra_B=0\n'
    printf 'mem_stacks_B=0\nheap_tree=peak\n'
    for i in {0..40}; do printf '%*sn1: 10 0x%x: f%d (a.c:1)\n' "$i" '' "$i" "$i"; done
    printf '%41sn0: 10 0x99: g (a.c:1)\n' ''
} >"$tmp/in.txt"
case_take "a tree of massif" "$tmp/in.txt"
is "$(metrics)" "peak_space mem_heap mem_heap_extra mem_stacks" "a massif tree is not read as perf script output"

# --- the corpora -------------------------------------------------------------------------------------------

[ -d "$corpora" ] || { done_testing; exit; }
# shellcheck disable=SC2034
case_file="coalesce(r.col_module_name, r.col_code_type, '')"
cases_begin
for dir in "$corpora"/edge/perf/* "$corpora"/samples/linux-perf/*; do
    name=${dir##*/}
    case $name in
    out-of-order) case_refused "$dir" 'is earlier than' ;;
    # speedscope requires times; profdepot also reads samples and periods without times.
    no-timestamps)
        case_take "$name" "$(case_input "$dir")"
        is "$(metrics)|$(totals cycles)" "samples cycles|leaf 250000 250000" "$name: the metrics are samples and periods"
        ;;
    # In speedscope, a sample without a chain gets the frames of the previous sample, and CRLF does
    # not end a line.
    callchain-on-one-line | crlf)
        case_take "$name" "$(case_input "$dir")"
        q "select t.self from routine_totals t where inst_id = $inst and metric_no = 1" >"$tmp/selfs"
        is "$(sort -u "$tmp/selfs" | tr '\n' ' ')" "$([ "$name" = crlf ] && echo '0.05 ' || echo '0.5 ')" \
            "$name: both samples have the same weight"
        ;;
    *) case_load "$dir" ;;
    esac
done
cases_check
done_testing
