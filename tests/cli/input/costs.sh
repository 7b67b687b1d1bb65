#!/usr/bin/env bash
# Tests that the time of loads and reports grows only in proportion to the input. For the inputs of this test, earlier
# versions took much too long. For some of them, the time grew with the square of the size. The limits allow for a slow
# machine and a build with sanitizers.
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

# within SECONDS ARGUMENT...: runs profdepot, and ends it after SECONDS; sets $out and $status.
within() {
    status=0
    out=$(timeout "$1" "$PROFDEPOT" "${@:2}" 2>/dev/null) || status=$?
}

# --- call paths of V8 ---------------------------------------------------------------------------------

# Many nodes have the same path of 60,000 calls. An earlier version built the path again for each node, which took 27 s.
awk -v depth=60000 -v leaves=100000 '
    function node(name, size, id) {
        printf "{\"callFrame\":{\"functionName\":\"%s\"},\"selfSize\":%d,\"id\":%d,\"children\":[", name, size, id
    }
    BEGIN {
        printf "{\"head\":"
        for (i = 0; i < depth; i++) node("f" i, 0, i)
        for (i = 0; i < leaves; i++) { printf i ? "," : ""; node("leaf", 8, depth + i); printf "]}" }
        for (i = 0; i < depth; i++) printf "]}"
        printf ",\"samples\":["
        for (i = 0; i < leaves; i++) printf "%s{\"size\":8,\"nodeId\":%d}", (i ? "," : ""), depth + i
        printf "]}"
    }' >"$tmp/deep.heapprofile"
within 12 load --dry-run "$tmp/deep.heapprofile"
is "$status" 0 "a heap profile: nodes with the same deep path are read in linear time"
like "$out" '200000 samples in 1 distinct stack' "a heap profile: the nodes have the same stack"

# The nodes of a CPU profile call each other in a cycle. In an earlier version, each path went around the cycle until
# it reached the maximum depth of a stack, which took 73 s and 923 MB.
awk -v nodes=2000 -v samples=40000 'BEGIN {
        printf "{\"nodes\":["
        for (i = 1; i <= nodes; i++)
            printf "%s{\"id\":%d,\"parent\":%d,\"callFrame\":{\"functionName\":\"f%d\"}}", (i > 1 ? "," : ""), i, i % nodes + 1, i
        printf "],\"samples\":["
        for (i = 0; i < samples; i++) printf "%s%d", (i ? "," : ""), i % nodes + 1
        printf "],\"timeDeltas\":["
        for (i = 0; i < samples; i++) printf "%s1", (i ? "," : "")
        printf "]}"
    }' >"$tmp/cycle.cpuprofile"
within 12 load --dry-run --limit frames=3M "$tmp/cycle.cpuprofile"
is "$status" 0 "a CPU profile: the paths of a cycle are as long as the cycle"
like "$out" '40001 samples in 2000 distinct stacks' "a CPU profile: each node of the cycle has a stack"

# Each of 40,000 nested calls allocates memory, so all their stacks would have 800 million frames. An earlier version
# needed 114 s to read them. Deep calls count for a caller, and the sum of the sizes stays the same.
awk -v depth=40000 'BEGIN {
        printf "{\"head\":"
        for (i = 1; i <= depth; i++)
            printf "{\"callFrame\":{\"functionName\":\"f%d\"},\"selfSize\":16,\"id\":%d,\"children\":[", i, i
        for (i = 1; i <= depth; i++) printf "]}"
        printf ",\"samples\":["
        for (i = depth; i >= 1; i--) printf "%s{\"size\":16,\"nodeId\":%d}", (i < depth ? "," : ""), i
        printf "]}"
    }' >"$tmp/nested.heapprofile"
within 30 load --issues "$tmp/nested.heapprofile"
is "$status" 0 "a heap profile: a call that allocates in each of 40,000 levels is loaded"
like "$out" '80000 samples in 4272 distinct stacks' "a heap profile: the number of frames is limited"
like "$out" 'the calls are nested too deeply: 35728 calls are attributed to a caller' "a heap profile: an issue counts the calls without a stack"
is "$("$PROFDEPOT" report hot -o csv | awk -F, 'NR > 1 { sum += $1 } END { print sum }')" "$((40000 * 16))" \
    "a heap profile: the sum of the sizes is complete"

# A garbage collector interrupts each of 20,000 nested calls.
awk -v depth=20000 'BEGIN {
        printf "{\"nodes\":[{\"id\":%d,\"callFrame\":{\"functionName\":\"(garbage collector)\"}}", depth + 1
        for (i = 1; i <= depth; i++)
            printf ",{\"id\":%d,\"parent\":%d,\"callFrame\":{\"functionName\":\"f%d\"}}", i, i - 1, i
        printf "],\"samples\":["
        for (i = 1; i <= depth; i++) printf "%s%d,%d", (i > 1 ? "," : ""), i, depth + 1
        printf "],\"timeDeltas\":["
        for (i = 1; i <= 2 * depth; i++) printf "%s1", (i > 1 ? "," : "")
        printf "]}"
    }' >"$tmp/collected.cpuprofile"
within 30 load --issues "$tmp/collected.cpuprofile"
is "$status" 0 "a CPU profile: a garbage collection in each of 20,000 levels is loaded"
like "$out" 'the calls are nested too deeply' "a CPU profile: the number of frames is limited"

# --- many classes -------------------------------------------------------------------------------------

# Each of 200,000 objects has a class of its own. A report must not compare every object with every class, whether or
# not the server has statistics.
mkdir "$tmp/classes"
echo 'INST_ID,CAPTION
1,classes' >"$tmp/classes/INSTANCES.csv"
awk -v n=200000 -v folder="$tmp/classes" 'BEGIN {
        classes = folder "/RESOURCE_PROFILER_META_CLASSES_DATA.csv"
        objects = folder "/RESOURCE_PROFILER_OBJECTS.csv"
        print "INST_ID,ID,REC_ID,PARENT_ID,COL_CLASS_NAME,COL_MODULE_NAME" >classes
        print "INST_ID,ID,REC_ID,PARENT_ID,COL__,COL_CLASSRID,COL_SIZE" >objects
        for (i = 0; i < n; i++) {
            print "1," i "," i ",-1,Class" (i * 7919) % n ",module" i % 50 >classes
            print "1," i "," i ",-1," i + 1 "," i "," i % 1000 >objects
        }
    }'
run load "$tmp/classes"
is "$status" 0 "an export with 200,000 classes is loaded"
for statistics in with without; do
    for by in lines class stack own; do
        within 60 report leaks --by "$by" --top 2
        is "$status" 0 "leaks by $by of 200,000 classes $statistics statistics"
    done
    q "delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'profdepot'::regnamespace)"
done
done_testing
