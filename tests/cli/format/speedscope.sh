#!/usr/bin/env bash
# Tests import and export of speedscope files: contents, refused files, the deviations that --lenient
# accepts, and an export that equals the loaded file.
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
schema='"$schema":"https://www.speedscope.app/file-format-schema.json"'
file=$tmp/in.speedscope.json
golden=$srcdir/tests/golden/inputs

newest() {
    q "select max(inst_id) from instances"
}

# whole FRAMES PROFILE...: writes a file with these frames and profiles
whole() {
    local frames=$1
    shift
    (IFS=, && printf '{%s,"shared":{"frames":[%s]},"profiles":[%s]}' "$schema" "$frames" "$*") >"$file"
}

# evented EVENTS [START [END]]: writes a file with one evented profile
evented() {
    whole '{"name":"A"},{"name":"B"}' "{\"type\":\"evented\",\"name\":\"p\",\"unit\":\"none\",
        \"startValue\":${2:-0},\"endValue\":${3:-10},\"events\":[$1]}"
}

# sampled SAMPLES WEIGHTS: writes a file with one sampled profile
sampled() {
    whole '{"name":"A"},{"name":"B"}' "{\"type\":\"sampled\",\"name\":\"p\",\"unit\":\"none\",
        \"startValue\":0,\"endValue\":10,\"samples\":$1,\"weights\":$2}"
}

o() { # o FRAME AT, c FRAME AT: prints an event that opens or closes a frame
    printf '{"type":"O","frame":%s,"at":%s}' "$1" "$2"
}
c() {
    printf '{"type":"C","frame":%s,"at":%s}' "$1" "$2"
}

# takes TEXT [OPTION...]: loads $file and sets $inst to its INST_ID.
takes() {
    local text=$1
    shift
    run load --again "$@" "$file"
    is "$status" 0 "$text: the file loads"
    [ "$status" -eq 0 ] || diag "$errors"
    inst=$(newest)
}

# gives_back TEXT [FILE]: checks that the export of $inst is the same JSON value as FILE or $file.
gives_back() {
    "$PROFDEPOT" export --format speedscope "$inst" >"$tmp/out.json"
    ok "$1: the export equals the file" "$builddir/tests/tools/compare_json" "${2:-$file}" "$tmp/out.json"
}

# refuses TEXT PATTERN [OPTION...]: checks that $file is refused, with a message that matches PATTERN.
refuses() {
    local text=$1 pattern=$2 before
    shift 2
    before=$(newest)
    run load --again "$@" "$file"
    is "$status|$(newest)" "3|$before" "$text: the file is refused"
    like "$errors" "$pattern" "$text: the error gives the reason"
}

# totals: prints the name, self value and total of each routine in the depot
totals() {
    q "select string_agg(r.col_routine_name || ' ' || t.self::float8 || ' ' || t.total::float8, ', '
            order by r.rec_id)
       from routine_totals t join resource_profiler_meta_routines r
         on r.inst_id = t.inst_id and r.rec_id = t.routine_id
       where t.inst_id = $inst"
}

issues() {
    q "select string_agg(code, ' ' order by issue_no) from import_issues where inst_id = $inst"
}

# --- contents in the depot ---------------------------------------------------------------------------------

file=$golden/speedscope-evented.speedscope.json
takes "evented profiles" --strict
is "$(q "select track_id, kind, name, start, duration from tracks where inst_id = $inst order by 1")" \
    $'1|profile|thread 1|100.5|99.5\n2|profile|thread 2|0|0' "each profile becomes a track"
is "$(q "select name, family, unit from metrics where inst_id = $inst and family = 'spans'")" \
    "microseconds|spans|microseconds" "the metric is named after the unit"
is "$(q "select col_routine_name, col_symbol_moniker, col_source_line, attributes
    from resource_profiler_meta_routines where inst_id = $inst and rec_id = 1")" \
    'app::loop(int)|_ZN3app4loopEi|12|{"col":5}' "a mangled name is demangled, and the symbol is kept"
is "$(totals)" "main 60.875 89.625, app::loop(int) 28.75 28.75, größe \"x\"
 1 1" "a recursive call counts only once in the totals"
is "$(q "select id, parent_id, routine_id, start, duration from spans where inst_id = $inst order by id")" \
    $'1||0|100.500|89.625\n2|1|1|101.250|28.750\n3|2|1|110.000|10.000\n4|1|2|130.000|0.000\n5||4|195.000|1.000' \
    "calls are stored in the order in which they were opened"
is "$(q "select caption from instances where inst_id = $inst")" "two threads" "the name in the file becomes the caption"
gives_back "evented"
file=$golden/speedscope-sampled.speedscope.json
takes "a sampled profile" --strict
is "$(totals)" "a 0 124.5, b 24.5 124.5, c 100 100" "samples: self values and totals are as expected"
is "$(q "select count(*), count(stack_id), sum(weight) from samples where inst_id = $inst")" "5|4|127.5" \
    "empty stacks and weights of 0 become samples"
gives_back "sampled"
gzip -c "$file" >"$tmp/zipped.gz"
file=$tmp/zipped.gz
takes "gzip"
gives_back "gzip" "$golden/speedscope-sampled.speedscope.json"
run load "$tmp/zipped.gz"
like "$out" 'known' "the depot recognises a known file"
file=$tmp/in.speedscope.json

# --- JSON with deviations --------------------------------------------------------------

printf '{"profiles":[{"events":[%s,%s],"endValue":10,"name":"p","startValue":0,"type":"evented","unit":"seconds"},
    {"weights":[1.5],"samples":[[0]],"type":"sampled","unit":"seconds","name":"q","startValue":0,"endValue":2}],
    %s,"shared":{"x":[1,{"y":null}],"frames":[{"name":"A","line":2.5,"col":null}]},"version":"0.0.1","extra":{"a":[]}}' \
    "$(o 0 0)" "$(c 0 4)" "$schema" >"$file"
takes "keys in any order, and both types of profile with the same unit"
is "$(q "select string_agg(name, ' ' order by metric_no) from metrics where inst_id = $inst and family in ('samples', 'spans')")" \
    "seconds seconds_samples" "each type of profile has its own metric"
gives_back "keys in any order"
evented "$(o 0 0),{\"type\":\"X\",\"frame\":1,\"at\":3,\"k\":1},{\"type\":\"C\",\"frame\":\"0\",\"at\":\"10\",\"z\":[2]}"
takes "an unknown event, and numbers that are strings"
is "$(issues)" "unknown-event" "an unknown event is reported"
is "$(totals)" "A 10 10" "all known events are counted"
gives_back "an unknown event, and numbers that are strings"
whole '{"file":"f"},{"name":null},{"name":"A","key":"k"},{"name":"B","key":"k"}' \
    "{\"type\":\"evented\",\"unit\":\"parsecs\",\"foo\":{\"b\":1},\"events\":[$(o 2 1),$(c 3 2)]}"
takes "missing names, units and limits, and equal keys"
is "$(issues)" "odd-value odd-value odd-value odd-value odd-value" "each missing name, unit or limit is reported"
is "$(totals)" "A 1 1" "frames with equal keys become one frame"
gives_back "missing names, units and limits, and equal keys"
whole '{"name":"\u0000\ud800 \ud83d\ude00"}' "{\"type\":\"evented\",\"name\":\"\u001a\",\"unit\":\"none\",
    \"startValue\":9007199254740993,\"endValue\":9007199254740999,\"events\":[$(o 0 9007199254740993),$(c 0 9007199254740998)]}"
takes "U+0000, a lone surrogate, and numbers that a double cannot hold"
is "$(totals | grep -o '[0-9]* [0-9]*$')" "5 5" "numbers that a double cannot hold are summed exactly"
gives_back "U+0000, a lone surrogate, and numbers that a double cannot hold"
sampled '[["0",1],[7],[]]' '[1,0,null]'
takes "an unknown frame with a weight of 0"
gives_back "an unknown frame with a weight of 0"
evented "$(o 0 1e-20),$(c 0 2.5e0)"
takes "times with exponents"
gives_back "times with exponents"
printf '\357\273\277{%s,"name":"n","shared":{"frames":[]},"profiles":[]}\n' "$schema" >"$file"
takes "a file with a name and no profiles"
gives_back "a file with a name and no profiles"
mkdir "$tmp/many"
cp "$golden"/speedscope-*.json "$tmp/many"
echo '{"a":1}' >"$tmp/many/other.json"
run load --again "$tmp/many"
is "$status|$(grep -c '^loaded' <<<"$out")" "0|2" "each speedscope file in a folder becomes a result set"

# --- encodings ----------------------------------------------------------------------------------------

zlib=eNo1jcsKgzAQRf9l6DI+wF12/YluJItBx8ZikiEZCUX89yZod/dy7uOAR5osOQQNVoST7rqcc5uYaE5TYGqRuVvWjZolRIfSXPn2k4IHBclipBn0AUtERwn0eIAvqgw+4TSnAo6h9i8kX64ooeOt9NQ/y0XufpUiffBUlwWjvHDbC+4VkJ9vM6i7XhfH3hgFmda3leoHUz5/3p1IJg==
sampled '[[0]]' '[3]'
whole '{"name":"A"}' '{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":3,"samples":[[0]],"weights":[3]}'
cp "$file" "$tmp/plain.json"
base64 -d <<<"$zlib" >"$file"
takes "a zlib stream"
gives_back "a zlib stream" "$tmp/plain.json"
base64 -d <<<"$zlib" | head -c 120 >"$file"
refuses "a zlib stream that is cut off" 'the zlib stream is damaged or truncated at byte 120'
{ base64 -d <<<"$zlib" | head -c -1; printf x; } >"$file"
refuses "a zlib stream with a wrong checksum" 'the zlib stream is damaged'
{ base64 -d <<<"$zlib"; printf x; } >"$file"
refuses "a zlib stream followed by more bytes" 'something follows the zlib stream at byte [0-9]+'
whole '{"name":"ö 𝄞 \u20ac"}' '{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":3,"samples":[[0]],"weights":[3]}'
cp "$file" "$tmp/plain.json"
for encoding in UTF-16LE UTF-16BE; do
    { printf '\357\273\277' && cat "$tmp/plain.json"; } | iconv -f UTF-8 -t $encoding >"$file"
    takes "$encoding"
    gives_back "$encoding" "$tmp/plain.json"
done
head -c -1 "$file" >"$tmp/odd" && mv "$tmp/odd" "$file"
refuses "UTF-16 that ends within a character" 'offset [0-9]+'

# --- rules, one by one ----------------------------------------------------------------------------------

for unit in none nanoseconds microseconds milliseconds seconds bytes; do
    whole '{"name":"A"}' "{\"type\":\"sampled\",\"name\":\"p\",\"unit\":\"$unit\",\"startValue\":0,\"endValue\":3,
        \"samples\":[[0]],\"weights\":[3]}"
    takes "$unit"
    is "$(q "select unit from metrics where inst_id = $inst and family = 'samples'")" "$unit" "$unit is the unit of the metric"
done
sampled '[[0,1,0],[0],[]]' '[2,3,4]'
takes "recursion and idle time in samples"
is "$(totals)|$(q "select duration from tracks where inst_id = $inst")" "A 5 5, B 0 2|10" "a frame counts once per stack"
sampled '[[0],[1]]' '[7,8]'
takes "weights whose sum exceeds the profile's end"
is "$(q "select duration from tracks where inst_id = $inst")" 15 "the duration is the sum of the weights"
gives_back "weights whose sum exceeds the profile's end"
evented "$(o 0 1),$(c 0 1),$(o 0 1),$(o 0 2),$(c 0 4),$(c 0 6)" 0 3
takes "calls without a length, recursion, and an end before the last event"
is "$(totals)|$(q "select duration from tracks where inst_id = $inst")" "A 5 5|6" "the track ends at the last event"
gives_back "calls without a length"
whole '{"name":"A"},{"name":"A"}' "{\"type\":\"evented\",\"name\":\"p\",\"unit\":\"none\",\"startValue\":0,\"endValue\":4,
    \"events\":[$(o 0 0),$(c 1 4)]}"
refuses "two frames with the same name" 'closes frame 1, which is not open; frame 0 is innermost'
printf '{%s,"activeProfileIndex":7,"exporter":"x@1","name":"","version":"0.0.1","shared":{"frames":[]},"profiles":[%s,%s]}' "$schema" \
    '{"type":"evented","name":"one","unit":"none","startValue":0,"endValue":0,"events":[]}' \
    '{"type":"sampled","name":"two","unit":"seconds","startValue":5,"endValue":7,"samples":[],"weights":[]}' >"$file"
takes "empty profiles"
is "$(q "select string_agg(name || ' ' || duration, ', ' order by track_id) from tracks where inst_id = $inst")|$(
    q "select caption from instances where inst_id = $inst")" "one 0, two 2|one" "empty profiles become tracks, and the caption is the first profile's name"
gives_back "empty profiles"
deep=6000
frames=$(printf '{"name":"f%d"},' $(seq 0 $((deep - 1))))
whole "${frames%,}" "{\"type\":\"sampled\",\"name\":\"s\",\"unit\":\"none\",\"startValue\":0,\"endValue\":2,
    \"samples\":[[$(seq -s, 0 $((deep - 1)))]],\"weights\":[2]}" \
    "{\"type\":\"evented\",\"name\":\"e\",\"unit\":\"none\",\"startValue\":0,\"endValue\":2,\"events\":[$(
        printf '{"type":"O","frame":%d,"at":0},' $(seq 0 $((deep - 1)))
        printf '{"type":"C","frame":%d,"at":2},' $(seq $((deep - 1)) -1 1))$(c 0 2)]}"
takes "stacks $deep deep"
is "$(q "select count(*), sum(self), min(total), max(total) from routine_totals where inst_id = $inst")" "12000|4|2|2" \
    "each frame has a total, and the innermost frame has the self time"
gives_back "stacks $deep deep"

# --- refusals ----------------------------------------------------------------------------------------

evented "$(o 0 0),$(o 1 5),$(c 1 4),$(c 0 10)"
refuses "a time before the previous one" 'offset [0-9]+: profile 1 \("p"\): event 2 is earlier .*, by 1[^0-9].*hint: --lenient'
takes "a time slightly before the previous one" --lenient
is "$(totals)|$(issues)" "A 10 10|time-backward" "a time slightly before the previous one counts as equal"
evented "$(o 0 50)" 100 112
refuses "a time long before the start" 'event 0 is earlier than .*, by 50' --lenient
evented "$(o 0 0),$(o 1 2)"
refuses "calls that are not closed" '2 calls are not closed'
evented "$(o 0 0)"
refuses "one call that is not closed" '1 call is not closed'
evented "$(o 0 0),$(o 1 2)"
takes "calls that are not closed" --lenient
is "$(totals)|$(issues)" "A 2 10, B 8 8|unclosed" "the end of the profile closes the open calls"
evented "$(o 0 0),$(o 1 1),$(c 0 5),$(c 1 6)"
refuses "crossing calls" 'event 2 closes frame 0 while frame 1 is innermost'
takes "crossing calls" --lenient
is "$(totals)|$(issues)" "A 1 5, B 4 4|crossing left-out" "the end of the outer call closes the inner call"
evented "$(c 0 5)"
refuses "a close without an open" 'event 0 closes frame 0 but no frame is open'
for frame in -1 2 0.5 null '"00"' '[0]' 99999999999999999999; do
    evented "$(o "$frame" 0),$(c "$frame" 1)"
    refuses "frame $frame" 'event 0 (names frame 2, but there are 2|has no frame index)'
done
takes "unknown frames" --lenient
is "$(issues)" "left-out left-out" "events of unknown frames are left out"
evented '{"type":"O","frame":0,"at":3},{"type":"C","frame":0}'
takes "an event without a time"
is "$(q "select start || ' ' || duration from spans where inst_id = $inst")|$(issues)" "3 0|odd-value" "an event without a time has the time of the previous event"
gives_back "an event without a time"
evented "$(o 0 1e999)"
refuses "a time beyond all doubles" 'event 0 has a time that is not a number'
evented "$(o 0 '"x"')"
refuses "a time that is not a number" 'event 0 has a time that is not a number'
sampled '[[0],[1]]' '[1,-1]'
refuses "a negative weight" 'weight 1 is negative'
takes "a negative weight" --lenient
is "$(totals)|$(issues)" "A 1 1|left-out" "a sample with a negative weight is left out"
sampled '[[0]]' '[1e999]'
refuses "an infinite weight" 'weight 0 is not a number'
sampled '[[0]]' '["1"]'
refuses "a weight that is a string" 'weight 0 is a string'
sampled '[[0]]' '[1,2]'
refuses "more weights than samples" '1 sample but 2 weights'
takes "more weights than samples" --lenient
sampled '[[0],[5]]' '[1,2]'
refuses "a sample with an unknown frame" 'offset [0-9]+: profile 1.*: sample 1 names frame 5, but there are 2'
sampled '[0]' '[1]'
refuses "a sample that is not a stack" 'sample 0 is a number, not an array'
for part in '"shared":{"frames":[]}' '"profiles":[]' '"shared":{},"profiles":[]' \
    '"shared":{"frames":[]},"profiles":[null]' '"shared":{"frames":[]},"profiles":[{"type":"x"}]' \
    '"shared":{"frames":[]},"profiles":[{}]' '"shared":{"frames":[]},"profiles":{}' '"shared":{"frames":[]},"profiles":[]'; do
    printf '{%s,%s}' "$schema" "$part" >"$file"
    refuses "$part" 'profdepot: .*(missing|has no "frames"|null|type|not an array|no profiles)'
done
{
    printf '{%s,"shared":{"frames":[]},"profiles":[],"name":"n","bomb":' "$schema"
    printf '[%.0s' {1..100000}
} >"$file"
refuses "too deeply nested JSON" 'nested more than 256 deep'

# deep_in PLACE DEPTH: writes a file with an unknown member in PLACE that is nested DEPTH levels deep.
deep_in() {
    local value
    value="\"x\":$(head -c "$2" /dev/zero | tr '\0' '[')\"\\\"[\"$(head -c "$2" /dev/zero | tr '\0' ']')"
    printf '{%s,"shared":{"frames":[{"name":"a"%s}]},"profiles":[{"type":"evented","name":"p","unit":"none","startValue":0,"endValue":1,%s
        "events":[{"type":"O","frame":0,"at":0%s},{"type":"C","frame":0,"at":1}]}]%s}' "$schema" \
        "$([ "$1" != frame ] || echo ",$value")" "$([ "$1" != profile ] || echo "$value,")" "$([ "$1" != event ] || echo ",$value")" \
        "$([ "$1" != file ] || echo ",$value")" >"$file"
}
for place in frame profile event file; do
    deep_in $place 20000
    refuses "a member of a $place that is nested too deeply for the depot" \
        'offset [0-9]+: .*nested 20000 deep, but the depot keeps at most 4000 levels' --max-depth 200000
    deep_in $place 4000
    takes "a member of a $place that is nested 4,000 deep" --max-depth 200000
done
printf '{"shared":{"frames":[]},"profiles":[],"name":"n"}' >"$tmp/in.json"
run load "$tmp/in.json"
is "$status" 3 "JSON without speedscope's schema and file name is not recognised"
run load --format speedscope "$tmp/in.json"
is "$status" 0 "--format loads a file without schema and file name"

# A file that is cut off is refused, and no part of it is stored.
size=$(stat -c %s "$golden/speedscope-evented.speedscope.json")
mkdir "$tmp/cut"
for ((i = 1; i < size - 1; i++)); do
    head -c $i "$golden/speedscope-evented.speedscope.json" >"$tmp/cut/$i.speedscope.json"
done
before=$(newest)
run load --format speedscope "$tmp"/cut/*.json
is "$status|$(newest)|$(grep -c '^loaded' <<<"$out")" "3|$before|0" "files that are cut off at any byte are refused"

# --- result sets of other formats as speedscope files --------------------------------------------------

run load --again "$srcdir/examples/orders-before"
inst=$(newest)
run export --format speedscope "$inst"
is "$status" 0 "objects and errors are exported"
printf '%s\n' "$out" >"$file"
like "$out" '"exporter":"profdepot@' "the export names profdepot as the exporter"
expected=$(q "select sum(count) || '|' || sum(value) from stack_totals where inst_id = $inst and metric = 'live'")
takes "the export of objects and errors"
is "$(q "select (select duration from tracks where inst_id = $inst and name = 'live_count') || '|' ||
    (select duration from tracks where inst_id = $inst and name = 'live_size')")" "$expected" \
    "the export has all counts and bytes"
gives_back "the second export of objects and errors"

done_testing
