#!/usr/bin/env bash
# Compares the call trees and routine totals of every kind of result set with SQL's sums of the facts
# (tests/golden/flame/sums.sql). The sums must be the same after "profdepot reindex", in trees that are computed from
# the facts, in pictures, and in the results of flame().
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
golden=$srcdir/tests/golden

"$PROFDEPOT" db migrate >/dev/null 2>&1 || bail_out "the depot cannot be created"

# --- one result set of every kind --------------------------------------------------------------------------

"$PROFDEPOT" load -q --events all "$golden/flame/events.json" >"$tmp/loaded" 2>&1 || diag "$(cat "$tmp/loaded")"
# Omits formats with call graphs: totals of their routines are computed from the graph's edges, not from a tree.
inputs=()
for path in "$golden"/inputs/*; do
    case $path in
    */callgrind.out | */aqtimexml.xml) ;;
    *) inputs+=("$path") ;;
    esac
done
"$PROFDEPOT" load -q "$srcdir/examples/orders-after" "${inputs[@]}" \
    "$golden"/miniprofiler/{camel,clojure,dotnet2,dotnet4,go,odd,ruby}.json >"$tmp/loaded" 2>&1 ||
    diag "$(cat "$tmp/loaded")"
# Loads output from the real tools, if there is any.
corpora=()
for path in aqtime/plain/export aqtime/messy/export chrome/real-react-like/trace.json chrome/real-console/trace.json \
    chrome/real-async-measures/trace.json chrome/ss-chrome-116/trace.json chrome/edge-sync-phases/trace.json \
    miniprofiler/node-1.2.3/tree-4x5.json miniprofiler/go/parallel-children.json; do
    [ ! -e "${PROFDEPOT_CORPORA:-/nonexistent}/$path" ] || corpora+=("$PROFDEPOT_CORPORA/$path")
done
[ ${#corpora[@]} -eq 0 ] || "$PROFDEPOT" load -q "${corpora[@]}" >/dev/null 2>&1
is "$(q "select string_agg(distinct i.format, ',' order by i.format) from instances i")" \
    "aqtime,chrome,collapsed,cpuprofile,dhat,heapprofile,heaptrack,jemalloc,kernelscope,massif,miniprofiler,perf,pprof,sanitizer,speedscope,tcmalloc,valgrind" \
    "the depot contains a result set for every format"
is "$(q "select string_agg(distinct m.family, ',' order by m.family) from metrics m")" \
    errors,gauges,objects,samples,spans "the depot contains metrics from every family"

# --- shapes that exporters do not write ---------------------------------------------------------

# Result set 900: recursion, unknown routines, negative weights, weights with many digits, two values per sample.
# 901: spans that take longer than their parent or precede it, spans whose parent has no routine or
# is on a track of another metric, and cycles. 902: more nodes than the depot stores.
psql -XqAt -v ON_ERROR_STOP=1 -f "$golden/flame/odd.sql" || bail_out "the odd result sets cannot be created"
psql -XqAt -v ON_ERROR_STOP=1 -v inst=902 -v seed=0.42 -v stacks=2500 -v depth=60 -f "$srcdir/bench/sql/flame_tree.sql" ||
    bail_out "the large result set cannot be created"
ok "reindex accepts rows written with SQL" "$PROFDEPOT" reindex 900 901 902
is "$(q "select count(*), bool_or(t.folded) from call_tree t where t.inst_id = 902 and t.metric_no = 1")" \
    "65536|t" "a large tree is stored with its widest nodes"

psql -XqAt -v ON_ERROR_STOP=1 -f "$golden/flame/sums.sql" >"$tmp/sums" 2>&1
is "$(cat "$tmp/sums")" "" "every tree and every total agrees with the facts"

# --- reindex ------------------------------------------------------------------------------------

# stored FILE: writes the stored trees and totals to FILE.
stored() {
    for relation in call_tree routine_totals stack_totals metrics; do
        q "select '$relation', r.* from $relation r order by r::text"
    done >"$1"
}

stored "$tmp/before"
mapfile -t ids < <(q "select inst_id from instances order by inst_id")
ok "reindex works for every result set" "$PROFDEPOT" reindex "${ids[@]}"
stored "$tmp/after"
ok "reindex writes the same trees as the load" cmp "$tmp/before" "$tmp/after"
ok "verify finds no difference after reindex" "$PROFDEPOT" verify "${ids[@]}"

# --- pictures -----------------------------------------------------------------------------------

# draw FOLDER ARGUMENT...: draws every metric of every result set as JSON.
draw() {
    local folder=$tmp/$1 id name
    shift
    mkdir -p "$folder"
    while IFS='|' read -r id name; do
        "$PROFDEPOT" flame "$id" --metric "$name" --output json "$@" </dev/null \
            >"$folder/$id.$name" 2>&1
    done <"$tmp/metrics"
}

# roots FOLDER: prints INST.METRIC TOTAL for every picture.
roots() {
    (cd "$tmp/$1" && for file in *; do
        printf '%s %s\n' "$file" "$(head -c 200 "$file" | sed -n '1s/^{"name":"all","value":\([-0-9.]*\).*/\1/p')"
    done)
}

q "select m.inst_id, m.name from metrics m where m.inst_id <> 902 and m.family <> 'gauges' order by 1, 2" >"$tmp/metrics"
echo "902|live_size" >>"$tmp/metrics"
draw whole --max-nodes 0
draw cut --max-nodes 5
draw inverted --invert --max-nodes 40
is "$(roots whole | LC_ALL=C sort)" "$(q "select m.inst_id || '.' || m.name || ' ' || coalesce(trim_scale(t.total), 0)
    from metrics m left join call_tree t on t.inst_id = m.inst_id and t.metric_no = m.metric_no and t.node = 0
    where (m.inst_id <> 902 or m.name = 'live_size') and m.family <> 'gauges'" | LC_ALL=C sort)" \
        "a picture's total equals the stored root's total"
is "$(roots cut)" "$(roots whole)" "pictures with a limited number of nodes have the same total as complete pictures"
is "$(roots inverted)" "$(roots whole)" "inverted pictures have the same total as complete pictures"
isnt "$(grep -o '"value":' "$tmp/whole/902.live_size" | wc -l)" 65536 "a picture with --max-nodes 0 has more nodes than the depot stores"
is "$(grep -o '"value":' "$tmp/whole/902.live_size" | wc -l)" \
    "$(q "with recursive p as (
            select s.stack_id, cardinality(s.routine_ids) as k, md5('')::uuid as key from stacks s where s.inst_id = 902
            union all
            select p.stack_id, p.k - 1, md5(p.key::text || s.routine_ids[p.k])::uuid
            from p join stacks s on s.inst_id = 902 and s.stack_id = p.stack_id where p.k > 0)
        select count(distinct p.key) from p")" "a picture with --max-nodes 0 has all nodes"

# Inverted trees of large result sets are made from the stacks. With a filter they are made from the whole tree.
for limits in "--max-nodes 0" "--min-share 0.02 --max-nodes 0" "--min-share 2"; do
    # shellcheck disable=SC2086 # several options
    for filter in "" "--focus *"; do
        (set -f; "$PROFDEPOT" flame 902 --metric live_size --invert $limits $filter --output folded) \
            >"$tmp/bottom${filter:+.filtered}" 2>&1
    done
    ok "an inverted tree of the stacks equals the inverted tree of the whole tree ($limits)" \
        cmp "$tmp/bottom" "$tmp/bottom.filtered"
    isnt "$(wc -l <"$tmp/bottom")" 0 "... and is not empty"
done

# --- the dashboard functions --------------------------------------------------------------------

# Checks that there is one root, that rows are in depth-first order, that self and children add up to the
# value, and that the number of rows does not exceed the requested number.
is "$(q "with m as materialized (select inst_id, name from metrics),
    f as (
        select m.inst_id, m.name, n.n, f.*, f.ordinality as r
        from m, (values (1), (7), (8192), (100000)) n (n),
            flame(m.inst_id, m.name, n.n) with ordinality f),
    b as (select f.*, lag(f.level, 1, -1) over (partition by f.inst_id, f.name, f.n order by f.r) as before from f)
    select count(*) filter (where (b.r = 1) <> (b.level = 0)),
           count(*) filter (where b.level > b.before + 1 or b.level < 0),
           count(*) filter (where b.label is null or b.label = ''),
           count(*) filter (where b.r > b.n)
    from b")" "0|0|0|0" \
        "flame() returns a root and labelled nodes in depth-first order, up to the given number, for every metric"
is "$(q "with m as materialized (
        select m.inst_id, m.name, coalesce(t.total, 0)::float8 as total
        from metrics m
        left join call_tree t on t.inst_id = m.inst_id and t.metric_no = m.metric_no and t.node = 0)
    select count(*) > 100,
           count(*) filter (where abs(s.self - m.total) > 1e-9 * greatest(1, abs(s.value))
                               or abs(s.value - m.total) > 1e-9 * greatest(1, abs(s.value)))
    from m
    cross join (values (1), (7), (8192), (100000)) n (n)
    cross join lateral (select sum(f.self) as self, max(f.value) filter (where f.level = 0) as value
        from flame(m.inst_id, m.name, n.n) f) s")" "t|0" \
    "the self values in flame() add up to the stored total"
is "$(q "with cut as (
        select t.inst_id, t.metric_no, t.parent, sum(t.total) as total, count(*) as n
        from call_tree t where t.rank >= 8192 group by 1, 2, 3)
    select count(*) filter (where t.cut_self is distinct from
                   t.self + case when t.rank < 8192 then coalesce(c.total, 0) else 0 end),
           bool_or(c.n > 1 and t.rank < 8192 and t.cut_self <> t.self)
    from call_tree t left join cut c
        on c.inst_id = t.inst_id and c.metric_no = t.metric_no and c.parent = t.node")" "0|t" \
    "flame() adds the values of omitted nodes to the self values of their callers"

# --- hot routines of a tree with more nodes than are stored ----------------------------------------------------

# A stack can contain a routine several times, to test that recursive calls count once.
awk 'BEGIN { srand(3); for (i = 0; i < 70000; i++) printf "main;f%d;f%d;f%d;f%d %d\n", i % 41, i % 53, rand() * 40, i % 1771, i % 9 + 1 }' \
    >"$tmp/many.folded"
awk '{ print; if (NR == 5) sub(/main;/, "main;f7;f7;") } NR == 5 { print }' "$tmp/many.folded" >"$tmp/more.folded"
"$PROFDEPOT" load --quiet "$tmp/more.folded" || bail_out "the large tree is not loaded"
many=$(q "select inst_id from instances where source_name like '%more.folded'")
is "$(q "select max(rank) + 1 from call_tree where inst_id = $many")" 65536 "the tree was cut"
for options in "" "--min-share 0.1" "--sort total --top 30 --skip 5"; do
    # shellcheck disable=SC2086 # a list of options
    is "$("$PROFDEPOT" report hot "$many" $options -o csv | md5sum)" \
        "$("$PROFDEPOT" report hot "$many" $options --focus '*' -o csv | md5sum)" \
        "the stored costs of routines are those of the whole tree${options:+, $options}"
done
q "update resource_profiler_meta_routines set col_routine_name = 'f7' where inst_id = $many and col_routine_name in ('f8', 'f9')"
is "$("$PROFDEPOT" report hot "$many" -o csv | md5sum)" "$("$PROFDEPOT" report hot "$many" --focus '*' -o csv | md5sum)" \
    "routines with equal names are one row"
q "delete from routine_totals where inst_id = $many"
is "$("$PROFDEPOT" report hot "$many" -o csv | md5sum)" "$("$PROFDEPOT" report hot "$many" --focus '*' -o csv | md5sum)" \
    "without stored costs, the report reads the tree"
"$PROFDEPOT" rm "$many" >/dev/null

# --- trees computed from the facts -----------------------------------------------------------------------------

q "delete from call_tree_blocks"
draw built --max-nodes 0
ok "pictures are the same without stored trees" diff -rq "$tmp/built" "$tmp/whole"
done_testing
