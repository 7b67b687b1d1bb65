#!/usr/bin/env bash
# Tests heap profiles: heaptrack recordings (raw, and interpreted in every version), and DHAT and
# massif results. Covers the values of each stack, leaks, memory over time, known sums for the
# corpora, and damaged files.
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
golden=$srcdir/tests/golden/heap

# loaded: prints the number of the newest result set.
loaded() {
    q "select max(inst_id) from instances"
}

# load FILE: loads the file; sets $inst to the number of its result set.
load() {
    run load --again "$1"
    is "$status" 0 "${1##*/} loads"
    inst=$(loaded)
}

# values METRIC...: prints the values of $inst by stack, one line per stack.
values() {
    local columns="" metric
    for metric; do
        columns="$columns, coalesce(max(value) filter (where metric = '$metric'), 0)"
    done
    q "select coalesce(stack_text(inst_id, stack_id), '-')$columns from stack_totals where inst_id = $inst
        and metric in ($(printf "'%s'," "$@")'') group by inst_id, stack_id order by 1"
}

# leaks: prints the objects of $inst, summed by stack and class: stack, blocks, bytes, class, module, objects.
leaks() {
    q "select coalesce(stack_text(o.inst_id, o.stack_id), '-'), sum(block_count), sum(col_size), c.col_class_name,
        c.col_module_name, count(*) from resource_profiler_objects o join resource_profiler_meta_classes_data c
        on c.inst_id = o.inst_id and c.rec_id = o.col_classrid where o.inst_id = $inst group by 1, 4, 5 order by 1, 3"
}

# attribute NAME...: prints these attributes of $inst.
attribute() {
    local name
    for name; do
        q "select attributes->>'$name' from instances where inst_id = $inst"
    done | paste -sd '|'
}

# issues: prints the issues of $inst: severity, code and line.
issues() {
    q "select severity, code, line from import_issues where inst_id = $inst order by issue_no" | paste -sd ' '
}

heap="alloc_objects alloc_space temporary_objects peak_objects peak_space inuse_objects inuse_space"

# --- heaptrack: recordings with hand-computed results ---

# Two blocks are freed in a row, and the second one is of kind 0. heaptrack mistakes the second one for the block that
# was allocated last, so it wrongly counts the allocation as temporary. profdepot must do the same.
of_all="0x7fff|2|128|0|1|64|1|64
main;outer_x;inner|3|32|1|1|16|2|16
main;outer_x;inner;operator new(unsigned long)|2|64|1|1|32|1|32"
for version in v1 v2 v3; do
    load "$golden/$version.heaptrack"
    # shellcheck disable=SC2086
    is "$(values $heap)" "$of_all" "$version: the values by stack are as expected"
    is "$(leaks)" "0x7fff|1|64|heap||1
main;outer_x;inner|2|16|heap|./demo|1
main;outer_x;inner;operator new(unsigned long)|1|32|operator new(unsigned long)|./demo|1" "$version: the leaks are as expected"
    is "$(attribute allocations temporary_allocations peak_heap_bytes peak_heap_ms leaked_bytes leaked_blocks \
        leaking_stacks runtime_ms)" "7|2|112|10|112|4|3|20" "$version: the totals are stored"
    is "$(issues)" "" "$version: there are no issues"
    is "$(q "select name, syntax, kind, pattern from result_set_suppressions where inst_id = $inst order by id" |
        paste -sd ' ')" "inner|lsan|leak|leak:inner *gone*|lsan|leak|leak:*gone*" "$version: the suppressions are stored"
    is "$(q "select distinct col_routine_name, col_source_file from resource_profiler_meta_routines
        where inst_id = $inst order by 1" | paste -sd ' ')" \
        "0x7fff| inner|main.c main|main.c operator new(unsigned long)| outer_x|main.c" "$version: the routines are stored"
done
is "$(q "select format, tool, application, caption from instances where inst_id = $inst")" \
    'heaptrack|heaptrack 1.4.0|demo|./demo --verbose "a b"' "the tool, the application and the caption are stored"
is "$(attribute peak_rss_bytes page_bytes attached raw)" "131072|4096|false|false" "the attributes include the peak resident set, the page size, and whether the recording is attached or raw"
is "$(q "select t.name, s.at, s.weights from samples s join tracks t using (inst_id, track_id) where s.inst_id = $inst
        and t.kind = 'timeline' order by s.id" | paste -sd ' ')" \
    "heap memory over time|0|{0,0} resident set over time|0| heap memory over time|10|{80,3} resident set over time|10| heap memory over time|20|{48,6}" \
    "memory over time is stored as samples"
is "$(q "select weight from samples s join tracks t using (inst_id, track_id) where s.inst_id = $inst
        and t.name = 'resident set over time' order by s.id" | paste -sd ' ')" "65536 131072" "the resident set over time is stored in bytes"
is "$(q "select name, unit from metrics where inst_id = $inst and family = 'samples' order by metric_no limit 1")" \
    "alloc_objects|count" "the first metric, which is the default, counts allocations"
is "$(q "select attributes->>'attached', tool from instances where inst_id = $((inst - 2))")" "true|heaptrack 1.2.0" \
    "a recording of an attached process has the attribute attached"
gzip -c "$golden/v3.heaptrack" >"$tmp/v3.gz"
run load --output json "$tmp/v3.gz"
like "$out" "\"inst_id\":$inst,.*\"state\":\"known\"" "the compressed recording has the same content"
mkdir "$tmp/folder"
cp "$golden/v1.heaptrack" "$golden/v2.heaptrack" "$tmp/folder"
echo "no recording" >"$tmp/folder/notes"
run load --again --output json "$tmp/folder"
is "$(grep -o '"state":"loaded"' <<<"$out" | wc -l)" 2 "each recording in a folder becomes a result set"

# --- raw recordings: single blocks, modules and offsets ---

load "$golden/raw.heaptrack"
# shellcheck disable=SC2086
is "$(values $heap)" "0x123;0x2010|3|32|1|1|16|2|16
0x123;0x2010;0x1001|1|64|0|0|0|1|64
0x123;0x2010;0x1234|2|64|1|1|32|1|32
0x123;0x999|1|64|0|1|64|0|0" "raw: the values by stack are as expected"
is "$(q "select col__, col_address, col_size, block_count from resource_profiler_objects where inst_id = $inst
        order by id" | paste -sd ' ')" "4|208|32|1 6|160|8|1 7|224|64|1 ||8|1" "raw: blocks that are still live at the end become objects"

# --- DHAT ---

load "$golden/dhat-heap.json"
is "$(values alloc_objects alloc_space temporary_objects peak_objects peak_space inuse_objects inuse_space max_objects \
    max_space lifetimes read_bytes written_bytes)" "-|0|0|0|0|0|0|0|0|0|0|0|0
main;0x4905555;operator new(unsigned long)|3|300|0|3|300|2|200|3|300|1501|0|300
main;make(int, char const*);malloc|10|480|10|1|48|0|0|2|96|5000|80|160" "DHAT: the values by stack are as expected"
is "$(leaks)" \
    "main;0x4905555;operator new(unsigned long)|2|200|operator new(unsigned long)|/usr/lib/libplug.so|1" \
    "DHAT: memory that is live at the end becomes an object"
is "$(attribute command mode tuth te tg pid)" "./demo --all|heap|500|205292|195373|1448" "DHAT: the attributes are stored"
is "$(q "select attributes->>'acc' from samples where inst_id = $inst and attributes is not null")" "[-8,20,-40,0]" \
    "DHAT: accesses are stored as an attribute"
is "$(q "select col_routine_name, col_module_name, col_source_file from resource_profiler_meta_routines
        where inst_id = $inst order by 1" | paste -sd ' ')" \
    "0x4905555|/usr/lib/libplug.so| main||demo.cpp make(int, char const*)||demo.cpp malloc|/usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so| operator new(unsigned long)|/usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so|" \
    "DHAT: the frames are stored"
load "$golden/dhat-adhoc.json"
is "$(values occurred_units occurred_events)" "step|40|4
step;step|2|1" "DHAT: the units and events of an ad hoc profile are counted"

# --- massif ---

load "$golden/massif.out"
is "$(values peak_space)" "0x4905555|390
in 2 places, all below massif's threshold (1.00%)|10
main;make|250
main;mid;make|300
mid;make|50" "massif: the stacks of the peak are stored"
is "$(values inuse_space)" "0x4905555|400" "massif: the stacks come from the last detailed snapshot"
is "$(q "select at, weights from samples s join tracks t using (inst_id, track_id) where inst_id = $inst
        and t.kind = 'timeline' order by id" | paste -sd ' ')" \
    "0|{0,0,0} 100|{500,12,7} 200|{1000,24,0} 300|{400,8,0} 400|{16,8,0}" "massif: memory over time is stored as samples"
is "$(attribute command time_unit peak_heap_bytes peak_time snapshots heap_tree)" \
    "./demo --all|i|1000|200|5|(heap allocation functions) malloc/new/new[], --alloc-fns, etc." "massif: the attributes are stored"

# --- damage ---

# refused WHAT PATTERN: checks that the recording on standard input is refused, with a message that matches PATTERN.
refused() {
    cat >"$tmp/bad.heaptrack"
    run load "$tmp/bad.heaptrack"
    is "$status" 3 "$1 is refused"
    like "$errors" "$2" "$1: the message names the place and the error"
}
refused "an unknown version" 'line 1: format version 4 is not supported; supported versions are 1 to 3' <<<$'v 10900 4\nX a'
refused "a string that is cut off" 'line 2: a string has 255 bytes, but its line has only 3 more' <<<$'v 10400 3\ns ff abc'
refused "a call of an unknown instruction" 'line 2: instruction 1 of 0' <<<$'v 10400 3\nt 1 0'
refused "a call that is its own caller" 'line 3: the caller of call 1 is call 1' <<<$'v 10400 3\ni 1 0\nt 1 1'
refused "an unknown string" 'line 2: string 9 of 0' <<<$'v 10400 3\ni 1 9'
refused "an allocation of an unknown call" 'line 2: call 5 of 0' <<<$'v 10400 3\na 8 5'
refused "a number beyond 64 bits" 'line 2: a line that defines an allocation kind needs two numbers' \
    <<<$'v 10400 3\na 10000000000000000 0'
refused "more memory than any machine has" 'line 3: more than 2\^63 bytes' <<<$'v 10400 3\na ffffffffffffffff 0\n+ 0'
refused "a second recording after the first" 'line 3: another recording begins here' <<<$'v 10400 3\nX a\nv 10400 3'
printf 'v 10400 3\ns 3 a' >"$tmp/long.heaptrack"
head -c 3000000 /dev/zero | tr '\0' x >>"$tmp/long.heaptrack"
run load "$tmp/long.heaptrack"
is "$status" 3 "an endless line is refused"
like "$errors" "line 2: a line has more than 1048576 bytes" "the message about an endless line gives the maximum length"

printf 'v 10400 3\na 8 0\n+ 0\n+ 1\n- 0\n- 0\n+ zz\n+\n? odd\nc 5\nc 4\nc 123456789abcdef01\n+ 0\n+ 0' >"$tmp/odd.heaptrack"
load "$tmp/odd.heaptrack"
is "$(q "select code, line from import_issues where inst_id = $inst order by line, issue_no" | paste -sd ' ')" \
    "left-out|4 left-out|6 bad-number|7 bad-number|8 left-out|9 time-backward|11 bad-number|12 left-out|14 unfinished|14" \
    "each invalid line is left out and reported"
is "$(attribute allocations leaked_blocks leaked_bytes)" "2|1|8" "the valid lines around invalid lines are loaded"
head -c 40 "$golden/massif.out" >"$tmp/cut.out"
run load "$tmp/cut.out"
is "$status" 3 "a massif file that ends after its head is refused"

# --- the corpora ---

corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/leaks
if [ -r "$corpora/expected.json" ]; then
    for file in "$corpora"/heaptrack-*.zst; do
        [[ $file != *raw* ]] || continue
        load "$file"
        # shellcheck disable=SC2016
        is "$(q "select sum(value) filter (where metric = 'alloc_objects'), sum(value) filter (where metric = 'temporary_objects'),
                sum(value) filter (where metric = 'inuse_objects'), sum(value) filter (where metric = 'inuse_space'),
                sum(value) filter (where metric = 'peak_space') from stack_totals where inst_id = $inst")" \
            "$(q "select e#>>'{exact,allocations}', e->>'temporary_allocations', e#>>'{exact,leaked_blocks}',
                e#>>'{exact,leaked_bytes}', e#>>'{exact,peak_heap_bytes}'
                from (select \$json\$$(cat "$corpora/expected.json")\$json\$::json->'${file##*/}' e) x")" \
            "${file##*/}: the sums of all stacks are as expected"
        is "$(q "select sum(block_count), sum(col_size), count(*) from resource_profiler_objects where inst_id = $inst")" \
            "$(q "select e#>>'{exact,leaked_blocks}', e#>>'{exact,leaked_bytes}', e#>>'{exact,leaking_stacks}'
                from (select \$json\$$(cat "$corpora/expected.json")\$json\$::json->'${file##*/}' e) x")" \
            "${file##*/}: the sums of all leaks are as expected"
        is "$(issues)" "" "${file##*/}: there are no issues"
    done
    load "$corpora/heaptrack-raw-leakonly.raw.zst"
    is "$(q "select sum(block_count), sum(col_size), count(distinct col_address) from resource_profiler_objects
        where inst_id = $inst")" "239|4331|239" "a raw recording has the same leaks, one object per block"
    is "$(issues | cut -d '|' -f 1,2)" "info|no-names" "the missing names of a raw recording are reported"
else
    skip "no corpora" "the recordings in the corpora load"
fi
# --- totals in the summary ----------------------------------------------------------------------

# heap_lines FILE: prints the lines of the section Heap, as item, count and size
heap_lines() {
    load "$golden/$1"
    "$PROFDEPOT" report summary --output csv "$inst" | tr -d '\r' | sed -n 's/^Heap,//p'
}

is "$(heap_lines dhat-heap.json | tail -n +2)" "allocated,,13,780
memory at the global maximum,,4,348
memory at the end,,2,200
short-lived blocks,,10," "DHAT: the summary shows the totals, the peak and the end"
is "$(heap_lines dhat-adhoc.json | tail -n +2)" "Occurred: units,,42,
Occurred: events,,5," "DHAT in ad-hoc mode: the summary shows the totals"
is "$(heap_lines massif.out | tail -n +2)" "heap at the peak,,,1000
heap in the last detailed snapshot,,,400" "massif: the summary shows the peak"
is "$(heap_lines v3.heaptrack | tail -n +2)" "allocated,,7,224
temporary allocations,,2,
memory at the peak,,3,112
leaked,,4,112" "heaptrack: the summary shows the totals, the peak and the leaks"
is "$("$PROFDEPOT" report summary --output csv latest | tr -d '\r' | sed -n 's/^Not released,//p')" \
    "Live objects,,4,112
Classes with live objects,,3," "heaptrack: the summary counts the classes that the live objects name"
run verify
is "$status" 0 "verify finds no differences"
done_testing
