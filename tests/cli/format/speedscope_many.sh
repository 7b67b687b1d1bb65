#!/usr/bin/env bash
# Tests random speedscope files of medium size. The depot's sums must equal two other sums: those that the
# generating awk script computes, and those that SQL computes from the blocks. A reindex must not
# change the depot's sums.
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

# The code that both generators share. It creates 300 frames, and generates random numbers without a library.
head='
function random(n) {
    seed = (seed * 16807) % 2147483647
    return int(seed / 65536) % n
}
function begin() {
    seed = 4711
    printf "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":["
    for (i = 0; i < 300; i++)
        printf "%s{\"name\":\"f%d\"}", i ? "," : "", i
    printf "]},\"profiles\":["
}
function finish() {
    for (i = 0; i < 300; i++)
        if (i in calls)
            printf "%d|%d|%d\n", i, self[i], total[i] >expected
}'

# Frames call themselves, directly and indirectly. If calls of a frame are nested, the frame's total
# counts only the outermost of these calls.
awk -v expected="$tmp/evented" "$head"'
function event(type, frame) {
    printf "%s{\"type\":\"%s\",\"frame\":%d,\"at\":%d}", n++ ? (n % 7 ? "," : ", ") : "", type, frame, at
}
BEGIN {
    begin()
    depth = 0
    printf "{\"type\":\"evented\",\"name\":\"t\",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":99999999,\"events\":["
    for (left = 60000; left > 0 || depth; left--) {
        at += random(40)
        if (depth && (left <= 0 || depth == 40 || random(2))) {
            frame = open[--depth]
            event("C", frame)
            took = at - started[depth]
            spans++
            sum += took
            self[frame] += took - below[depth]
            if (--active[frame] == 0)
                total[frame] += took
            if (depth)
                below[depth - 1] += took
        } else {
            frame = depth && random(4) == 0 ? open[random(depth)] : random(300)
            event("O", frame)
            calls[frame]++
            active[frame]++
            open[depth] = frame
            started[depth] = at
            below[depth++] = 0
        }
    }
    print "]}]}"
    finish()
    printf "%d|%d\n", spans, sum >(expected ".sum")
}' >"$tmp/evented.speedscope.json"

# Every stack occurs often, written with and without blanks.
awk -v expected="$tmp/sampled" "$head"'
BEGIN {
    begin()
    printf "{\"type\":\"sampled\",\"name\":\"t\",\"unit\":\"bytes\",\"startValue\":0,\"endValue\":1,\"samples\":["
    for (s = 0; s < 2000; s++) {
        depth[s] = 1 + random(30)
        for (d = 0; d < depth[s]; d++)
            stack[s, d] = random(3) ? random(300) : s % 17
        key = ""
        for (d = 0; d < depth[s]; d++)
            key = key "," stack[s, d]
        distinct += !(key in seen)
        seen[key] = 1
    }
    for (n = 0; n < 40000; n++) {
        s = n < 2000 ? n : random(2000)
        w = random(5000)
        weights = weights (n ? "," : "") w
        sum += w
        separator = random(5) ? "," : ", "
        printf "%s[", n ? "," : ""
        split("", here)
        for (d = 0; d < depth[s]; d++) {
            frame = stack[s, d]
            printf "%s%d", d ? separator : "", frame
            calls[frame]++
            if (!(frame in here))
                total[frame] += w
            here[frame] = 1
        }
        printf "]"
        self[frame] += w
    }
    printf "],\"weights\":[%s]}]}\n", weights
    finish()
    printf "40000|%d|%d\n", distinct, sum >(expected ".sum")
}' >"$tmp/sampled.speedscope.json"

# routines INST_ID: prints the self values and totals of all routines.
routines() {
    q "select routine_id, self, total from routine_totals where inst_id = $1 order by 1"
}

tree() {
    q "select * from call_tree where inst_id = $1 order by metric_no, node"
}

# holds KIND INST_ID: checks the sums of the routines and of the call tree, before and after reindex.
holds() {
    local before
    is "$(routines "$2")" "$(cat "$tmp/$1")" "$1: the self values and totals of all frames are as expected"
    is "$(q "select count(*) from call_tree n left join
            (select metric_no, parent, sum(total) as below from call_tree where inst_id = $2 group by 1, 2) c
            on c.metric_no = n.metric_no and c.parent = n.node
        where n.inst_id = $2 and n.total <> n.self + coalesce(c.below, 0)")" \
        0 "$1: the total of a node is the sum of its self value and its children's totals"
    ok "$1: verify succeeds" "$PROFDEPOT" verify "$2"
    before=$(tree "$2" | md5sum)
    ok "$1: reindex succeeds" "$PROFDEPOT" reindex "$2"
    is "$(tree "$2" | md5sum)" "$before" "$1: the tree is the same after reindex"
    is "$(routines "$2")" "$(cat "$tmp/$1")" "$1: the routines are the same after reindex"
    ok "$1: verify succeeds after reindex" "$PROFDEPOT" verify "$2"
}

ok "an evented file loads" "$PROFDEPOT" load "$tmp/evented.speedscope.json"
is "$(q "select count(*), sum(duration) from spans where inst_id = 1")" "$(cat "$tmp/evented.sum")" \
    "evented: the number and the total time of the calls are as expected"
is "$(q "select count(*) from span_blocks where inst_id = 1 and cardinality(ids) > 1")" \
    "$(q "select count(*) from span_blocks where inst_id = 1")" "evented: all spans are stored in blocks"
is "$(q "select sum(s.duration) - coalesce(sum(c.duration), 0) from spans s
    left join (select parent_id, sum(duration) as duration from spans where inst_id = 1 group by 1) c
    on c.parent_id = s.id where s.inst_id = 1")" \
    "$(q "select sum(self) from routine_totals where inst_id = 1")" "evented: the sum of all self values equals the sum that SQL computes"
holds evented 1

ok "a sampled file loads" "$PROFDEPOT" load "$tmp/sampled.speedscope.json"
is "$(q "select count(*), count(distinct stack_id), sum(weight) from samples where inst_id = 2")" \
    "$(cat "$tmp/sampled.sum")" "sampled: the numbers of samples and stacks and the sum of the weights are as expected"
is "$(q "select stack_id, count(*), sum(weight) from samples where inst_id = 2 group by 1 order by 1")" \
    "$(q "select stack_id, count, value from stack_totals where inst_id = 2 order by 1")" \
    "sampled: the totals of the stacks equal the sums of their samples"
is "$(q "select k.routine_ids[1], sum(s.weight) from samples s join stacks k using (inst_id, stack_id)
    where inst_id = 2 group by 1 having sum(s.weight) > 0 order by 1")" \
    "$(q "select routine_id, self from routine_totals where inst_id = 2 and self > 0 order by 1")" \
    "sampled: self values equal the sums that SQL computes by innermost frame"
holds sampled 2

done_testing
