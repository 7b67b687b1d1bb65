#!/usr/bin/env bash
# Tests the timeline report: the times of spans, events and samples of several formats have one origin, and large
# result sets have combined rows whose sums are exact.
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

# timeline FILE OPTION...: loads the file into a new result set, $inst, and sets $rows to its timeline as CSV.
timeline() {
    run load --again --output json ${loading:+$loading} "$1"
    inst=$(sed -n 's/.*"inst_id": *\([0-9]*\).*/\1/p' <<<"$out" | head -n 1)
    rows "${@:2}"
}

rows() {
    run report timeline "$inst" --output csv "$@"
    rows=$(sed 1d <<<"$out" | tr -d '\r')
}

# --- small result sets --------------------------------------------------------------------------

cat >"$tmp/calls.json" <<'END'
{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"main"},{"name":"draw"},{"name":"wait"}]},
"profiles":[
{"type":"evented","name":"ui","unit":"milliseconds","startValue":100,"endValue":110,"events":[
{"type":"O","frame":0,"at":100},{"type":"O","frame":1,"at":102.5},{"type":"C","frame":1,"at":104},{"type":"C","frame":0,"at":110}]},
{"type":"evented","name":"io","unit":"seconds","startValue":0.09,"endValue":0.2,"events":[
{"type":"O","frame":2,"at":0.09},{"type":"C","frame":2,"at":0.2}]},
{"type":"evented","name":"memory","unit":"bytes","startValue":0,"endValue":5,"events":[
{"type":"O","frame":2,"at":0},{"type":"C","frame":2,"at":5}]}]}
END
timeline "$tmp/calls.json"
is "$rows" "2,io,frame,wait,0,110000,1,110000
1,ui,frame,main,10000,10000,1,10000
1,ui,frame,draw,12500,1500,1,1500" "all tracks have one origin and one unit; a track of bytes has no times"
rows --from 13000 --to 15000
is "$(cut -d , -f 4 <<<"$rows" | tr '\n' ' ')" "wait main draw " "an interval has all entries that overlap it"
rows --from 14001 --to 15000
is "$(cut -d , -f 4 <<<"$rows" | tr '\n' ' ')" "wait main " "it has no other entries"
rows --track 1
is "$(cut -d , -f 4,5 <<<"$rows" | tr '\n' ' ')" "main,10000 draw,12500 " "one track keeps the origin of all tracks"
run report timeline "$inst" --from soon
is "$status" 2 "an invalid time is refused"

timeline "$srcdir/examples/orders-host.kernelscope.ndjson"
is "$(head -n 3 <<<"$rows")" '1,"postgres, thread 812",event,schedule,0,3673000,1,3673000
3,"kworker/0:1, thread 17",event,schedule,120004835,2526000,1,2526000
1,"postgres, thread 812",event,schedule,120004835,1701000,1,1701000' "events have the names of their innermost routines"
is "$(wc -l <<<"$rows")" 15 "all events"

timeline "$srcdir/tests/golden/inputs/cpuprofile.cpuprofile"
is "$(grep -c ',sample,' <<<"$rows")" 9 "samples of a CPU profile"

loading="--events all" timeline "$srcdir/examples/orders-page.trace.json"
is "$(cut -d , -f 1 <<<"$rows" | sort | uniq | wc -l)" "$(q "select count(distinct track_id) from spans where inst_id = $inst")" \
    "a trace has all its tracks"
is "$(wc -l <<<"$rows")" "$(q "select count(*) from spans where inst_id = $inst")" "and all its spans"

timeline "$srcdir/examples/orders-after"
like "$(run report timeline "$inst"; printf %s "$out")" 'the result set has no entries with times' \
    "a result set without times says so"

# --- a large result set -------------------------------------------------------------------------

# Two threads with 15,000 calls each. Most of them take 1 or 2 us, and each hundredth takes 2 ms.
awk 'BEGIN {
    print "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[{\"name\":\"short\"},{\"name\":\"long\"},{\"name\":\"other\"}]},\"profiles\":["
    for (t = 0; t < 2; t++) {
        at = 1000
        printf "%s{\"type\":\"evented\",\"name\":\"thread %d\",\"unit\":\"microseconds\",\"startValue\":1000,\"endValue\":400000,\"events\":[", t ? "," : "", t
        for (i = 0; i < 15000; i++) {
            f = i % 100 == 50 ? 1 : t ? i % 2 * 2 : 0
            printf "%s{\"type\":\"O\",\"frame\":%d,\"at\":%d},{\"type\":\"C\",\"frame\":%d,\"at\":%d}", i ? "," : "", f, at, f, at + (f == 1 ? 2000 : 1 + i % 2)
            at += f == 1 ? 2001 : 3
        }
        print "]}"
    }
    print "]}"
}' >"$tmp/many.json"
timeline "$tmp/many.json"
# sums ROWS: entries, sum of durations, and number of rows with several entries
sums() {
    awk -F , '{ n += $(NF - 1); busy += $NF; many += $(NF - 1) > 1 } END { print n, busy, (many > 0) }' <<<"$1"
}
is "$(sums "$rows")" "$(q "select count(*), sum(duration), 1 from spans where inst_id = $inst" | tr '|' ' ')" \
    "combined rows have the number and the duration of all calls"
is "$(awk -F , '$4 == "long" && $7 == 1 && $6 == 2000' <<<"$rows" | wc -l)" 300 "no long call is combined"
ok "there are fewer rows than calls" test "$(wc -l <<<"$rows")" -lt 3000
is "$(awk -F , '$7 > 1 && $1 == 1 { print $4 }' <<<"$rows" | sort -u)" short "rows of equal calls have their name"
is "$(awk -F , '$7 > 1 && $1 == 2 { print $4 }' <<<"$rows" | sort -u)" "" "rows of different calls have no name"
is "$(awk -F , '$7 > 1 && $6 > 800' <<<"$rows" | wc -l)" 0 "no combined row is longer than two thousandths of the whole"
rows --from 20 --to 120
is "$(sums "$rows")" "$(q "select count(*), sum(duration), 0 from spans where inst_id = $inst and start + duration >= 1020 and start <= 1120" |
    tr '|' ' ')" "a short interval has every call"
run report timeline "$inst" --top 10 --output json
like "$out" '"totals":\{"rows":[0-9]+,"shown":10,"entries":30000\}' "the totals count all calls if few rows are shown"
done_testing
