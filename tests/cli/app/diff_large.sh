#!/usr/bin/env bash
# Tests profdepot diff, and the filters of call trees, with result sets whose call trees are too large to be stored
# completely. Both read stacks without the names of their frames. The rows must be the same as with all names.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT

# Some stacks are in both inputs, some in only one. There are recursive stacks, stacks of one frame, stacks with the value 0
# and routines that occur in several modules.
large() { # SIDE
    awk -v side="$1" '
    function sample(weight) {
        printf "x 1 %d.000000: %d cycles:\n", ++time, weight
    }
    function frame(name, module) {
        printf "\t4000 %s (/app/%s)\n", name, module
    }
    BEGIN {
        for (i = 0; i < 7000; i++) {
            if (i % 11 == side) continue
            if (i % 5 == 0) { sample(0); frame("read", "libc.so.6"); frame("step_" i, "app") }
            sample((side == 1 && i % 3) ? 5 : i % 4 + 1)
            frame(i % 2 ? "malloc" : "read", "libc.so.6")
            frame("Work" i % 17 "::work_" i * 13 % 900, "lib" i % 5 ".so")
            for (k = 11; k > 0; k--) frame("part_" i * k % 97, "lib" (i + k) % 7 ".so")
            frame("step_" i, "app")
            frame("main", "app")
        }
        sample(3); frame("main", "app")
        sample(4 + side); frame("part_1", "lib1.so")
        sample(7); frame("g", "app"); frame("f", "app"); frame("g", "app"); frame("f", "app"); frame("main", "app")
    }'
}
# Routines of equal names, and routines that cost nothing.
lines() { # SIDE
    awk -v side="$1" 'BEGIN {
        n = 7001
        printf "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":["
        for (i = 0; i < n; i++) printf "%s{\"name\":\"r_%d\",\"file\":\"/src/a.c\",\"line\":%d}", (i ? "," : ""), i % 997, i
        printf "]},\"profiles\":[{\"type\":\"sampled\",\"name\":\"lines\",\"unit\":\"none\",\"startValue\":0,\"endValue\":9,\"samples\":["
        for (i = side; i < n; i++) {
            printf "%s[%d", (i > side ? "," : ""), i
            for (k = 1; k < 13; k++) printf ",%d", i * (6 * k + 1) % n
            printf "]"
        }
        printf "],\"weights\":["
        for (i = side; i < n; i++) printf "%s%d", (i > side ? "," : ""), i % 5 + side
        printf "]}]}"
    }'
}
for side in 0 1; do
    large $side >"$tmp/large-$side.perf"
    lines $side >"$tmp/lines-$side.json"
done
"$PROFDEPOT" db migrate >/dev/null 2>&1 || bail_out "the depot cannot be created"
"$PROFDEPOT" load "$tmp"/large-*.perf "$tmp"/lines-*.json >/dev/null 2>"$tmp/errors" || diag "$(cat "$tmp/errors")"

all=new,gone,grown,shrunk,same
requests='
large --by module
large --by class
large --by own
large --by own --own lib1*
large --by own --match lines
large --by own --sort self --routine *work*
large --by routine
large --by routine --routine WORK_1*
large --by routine --routine *
large --by module --routine f --routine part_1
large --by class --routine missing
large --by module --normalise
lines --by module
lines --by own
lines --by routine --routine *
lines --by routine --routine r_1* --normalise
'
compare() { # FOLDER: compares the result sets in each way.
    local base new i=0 name request metric
    mkdir "$tmp/$1"
    while read -r name request; do
        [ -n "$name" ] || continue
        base=$(q "select inst_id from instances where source_name like '$name-0%'")
        new=$(q "select inst_id from instances where source_name like '$name-1%'")
        i=$((i + 1))
        metric=weight
        [ "$name" = lines ] || metric=cycles
        set -f
        # shellcheck disable=SC2086 # words of the request
        "$PROFDEPOT" diff "$base" "$new" --metric $metric $request --status $all --output csv >"$tmp/$1/$i" 2>&1
        set +f
    done <<<"$requests"
    "$PROFDEPOT" diff "$base" "$new" --by class >"$tmp/$1/text" 2>&1
}
# Each begins with the result set and the command.
tree_requests='
large report hot --focus part_5
large report hot --focus PART_1* --ignore part_7 --sort total:asc
large report callers --focus Work3.work_1* --min-share 0.01
large report callers --focus part_5 --focus lib3.so --top 200
large report tree --focus lib3.so --ignore part_7 --min-share 0
large report tree --focus part_13 --min-share 0
large report hot --focus missing
large flame --focus read --output folded --max-nodes 0
large flame --focus g --ignore step_* --output folded --max-nodes 0
large flame --invert --focus part_9? --output folded
lines report hot --focus r_1
lines report tree --focus r_1* --min-share 0
'
trees() { # FOLDER: makes filtered trees.
    local i=0 name request
    while read -r name request; do
        [ -n "$name" ] || continue
        i=$((i + 1))
        [[ $request == *--output* ]] || request+=" --output csv"
        set -f
        # shellcheck disable=SC2086 # words of the request
        "$PROFDEPOT" $request "$(q "select inst_id from instances where source_name like '$name-1%'")" >"$tmp/$1/tree-$i" 2>&1
        set +f
    done <<<"$tree_requests"
}
compare fast
trees fast
is "$(q "select count(*) from call_tree_blocks where first_rank + cardinality(nodes) = 65536")" 8 "the call trees are large"
is "$(grep -c grown "$tmp/fast/1") $(grep -c new "$tmp/fast/7")" "9 1274" "modules and routines are compared"

# Now let the program believe that the trees are small.
q "delete from call_tree_blocks where first_rank + cardinality(nodes) = 65536" >/dev/null
compare names
trees names
same_rows() { # PREFIX REQUESTS: compares the files PREFIX1, PREFIX2, ..., of both folders.
    local i=0 request
    while read -r request; do
        [ -n "$request" ] || continue
        i=$((i + 1))
        same_file "$tmp/fast/$1$i" "$tmp/names/$1$i" "$request: the same rows as with all names"
    done <<<"$2"
}
same_rows '' "$requests"
same_rows tree- "$tree_requests"
"$PROFDEPOT" flame "$(q "select inst_id from instances where source_name like 'large-1%'")" --output folded --max-nodes 0 2>/dev/null |
    grep -E '(^|;)part_13[; ]' | awk '{ sum += $NF } END { print sum }' >"$tmp/sum" # in units of 0.1 seconds
is "$(awk -F, 'NR == 2 { print 10 * $2 }' "$tmp/fast/tree-6")" "$(cat "$tmp/sum")" \
    "the filtered tree contains all stacks through the routine"
same_file "$tmp/fast/text" "$tmp/names/text" "the same text as with all names"

done_testing
