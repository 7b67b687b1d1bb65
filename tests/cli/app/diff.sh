#!/usr/bin/env bash
# Tests profdepot diff and trend: compares them with SQL joins by names and with hand-computed results. Also tests error
# messages.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT

refused() { # STATUS PATTERN TEXT ARGUMENT...
    local expected=$1 pattern=$2 text=$3
    shift 3
    run "$@"
    is "$status" "$expected" "$text is refused: exit status"
    like "$errors" "$pattern" "$text is refused: message"
}

# csv COLUMNS ARGUMENT...: prints these columns of a diff or trend, separated by |, without the header.
csv() {
    local columns=$1
    shift
    "$PROFDEPOT" "$@" --output csv 2>"$tmp/errors" | tr -d '\r' | awk -F, -v wanted="$columns" '
        NR == 1 { n = split(wanted, w, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { line = ""; for (i = 1; i <= n; i++) line = line (i > 1 ? "|" : "") $at[w[i]]; print line }'
}

"$PROFDEPOT" db migrate >/dev/null 2>&1 || bail_out "the depot cannot be created"
refused 2 'no result set' "a diff in an empty depot" diff latest~1 latest
refused 2 'no result set passes the filters' "a trend without result sets" trend live_count
"$PROFDEPOT" load "$srcdir/examples/orders-before" --label branch=main --label os=win >/dev/null 2>&1 ||
    bail_out "the example does not load"
"$PROFDEPOT" load "$srcdir/examples/orders-after" --label branch=main >/dev/null 2>&1 || bail_out "the example does not load"

# --- objects, compared with SQL -----------------------------------------------------------------

# oracle KEY: prints status, key and sums for result sets 1 and 2, joined by names. KEY is an SQL
# expression that may use columns of c (class_names) and s (stacks).
oracle() {
    q "with side as (
           select o.inst_id as i, $1 as key, sum(o.block_count) as n, coalesce(sum(o.col_size), 0) as z
           from resource_profiler_objects o
           left join class_names c on c.inst_id = o.inst_id and c.rec_id = o.col_classrid
           left join stacks s on s.inst_id = o.inst_id and s.stack_id = o.stack_id
           group by 1, 2)
       select case when b.key is null then 'new' when a.key is null then 'gone'
                   when (a.n, a.z) > (b.n, b.z) then 'grown' when (a.n, a.z) < (b.n, b.z) then 'shrunk'
                   else 'same' end,
              coalesce(a.key, b.key), coalesce(b.n, 0), coalesce(a.n, 0), coalesce(b.z, 0), coalesce(a.z, 0)
       from (select * from side where i = 2) a full join (select * from side where i = 1) b using (key)" |
        LC_ALL=C sort
}

all=new,gone,grown,shrunk,same
oracle "coalesce(c.class_name, '') || '|' || coalesce(c.module_name, '')" >"$tmp/expected"
csv "status class module base_count count base_size size" diff 1 2 --by class --status $all |
    LC_ALL=C sort >"$tmp/got"
same_file "$tmp/got" "$tmp/expected" "--by class gives the same rows as SQL"
oracle "coalesce(c.module_name, '')" >"$tmp/expected"
csv "status module base_count count base_size size" diff 1 2 --by module --status $all | LC_ALL=C sort >"$tmp/got"
same_file "$tmp/got" "$tmp/expected" "--by module gives the same rows as SQL"
for match in names lines; do
    identity=s.identity
    [ $match = names ] || identity=s.line_identity
    oracle "coalesce(c.class_name, '') || '|' || coalesce(c.module_name, '') || '|' || coalesce($identity::text, '')" |
        sed -E 's/\|[0-9a-f-]{36}\|/|/; s/\|\|/|/' | LC_ALL=C sort >"$tmp/expected"
    csv "status class module base_count count base_size size" diff 1 2 --match $match --status $all |
        LC_ALL=C sort >"$tmp/got"
    same_file "$tmp/got" "$tmp/expected" "--match $match by stack gives the same rows as SQL"
done
is "$(csv "status module class routine base_count count" diff 1 2 --by own --own 'Orders*' --status gone)" \
    "gone|OrdersGraphics.bpl|TBitmapBuffer|CreateHandle|38|0" "--by own shows the innermost own frame"
is "$(csv "status routine base_total total total_delta total_percent" diff 1 2 --by routine --routine DrawCell --status $all | grep Compatible)" \
    "gone|CreateCompatibleBitmap|38|0|-38|-100.00" "a filter applies to both sides"
is "$(csv "status" diff 1 1 --status $all | sort -u)" same "a result set is equal to itself"
is "$(csv "status" diff 1 2 | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
    "$(csv "status" diff 1 2 --status new,gone,grown,shrunk | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
    "unchanged rows are not shown"
is "$(csv "count" diff 1 2 --sort count:asc | head -n 1)" 0 "--sort sorts the rows"
is "$(csv "count" diff 1 2 --top 2 --skip 1 | wc -l)" 2 "--top and --skip select rows"

# --- statuses and result set names --------------------------------------------------------------

run diff 1 2 --exit-code
is "$status" 1 "--exit-code reports a difference"
run diff 1 2 --exit-code --status new --class Registry
is "$status" 0 "--exit-code ignores a difference outside the filters"
run diff 1 1 --exit-code
is "$status" 0 "--exit-code gives exit status 0 for equal result sets"
run diff 1 2
is "$status" 0 "without --exit-code a difference gives exit status 0"
like "$out" "result set 2, Orders 5.2.2.*before: result set 1, Orders 5.2.1" "the title names both result sets"
like "$out" "1 new, 4 grown, 3 shrunk, 1 gone, 38 the same" "a note counts the rows per status"
like "$out" "profdepot flame 2 --base 1 --metric live_count -o" \
    "a note gives the command for a flame graph"
run diff label:branch=main latest
like "$out" "result set 2,.*before: result set 1," \
    "label:KEY=VALUE as a base selects the previous result set with this label"
run diff latest~1 latest
like "$out" "result set 2,.*before: result set 1," "latest~1 is the previous result set"
run diff label:branch=main,os=win label=branch=main
like "$out" "result set 2,.*before: result set 1," "several labels select a result set"
run report diff 2 --base branch=main --by class
like "$out" "result set 2,.*before: result set 1," "report diff accepts --base"
is "$("$PROFDEPOT" report diff 2 --base 1 --output json)" "$("$PROFDEPOT" diff 1 2 --output json)" \
    "report diff and diff print the same output"
like "$(tr -d '\n' <<<"$("$PROFDEPOT" diff 1 2 --output json)")" '"inst_id":2,.*"base_inst_id":1,"base_caption":"Orders 5.2.1' \
    "JSON names both result sets"
like "$("$PROFDEPOT" diff 1 2 --output markdown)" '### .#1, gone, 0 objects .-38, 0 B, Bitmap' "markdown shows the status and the change"
run diff 1 2 1
is "$(grep -c '^Changes by stack' <<<"$out")" 2 "three result sets lead to two comparisons"
like "$out" "result set 1, Orders 5.2.1.*before: result set 2" "result sets can be compared in reverse order"

# --- samples and spans --------------------------------------------------------------------------

printf 'main;a 10\nmain;b 5\nmain;c 1\n' >"$tmp/before.folded"
printf 'main;a 20\nmain;b 5\nmain;d 2\n' >"$tmp/after.folded"
spans() { # END-OF-MAIN END-OF-A
    printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"main"},{"name":"a"}]},'
    printf '"profiles":[{"type":"evented","name":"t","unit":"milliseconds","startValue":0,"endValue":%s,"events":[' "$1"
    printf '{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":2},{"type":"C","frame":1,"at":%s},{"type":"C","frame":0,"at":%s}]}]}' "$2" "$1"
}
spans 10 6 >"$tmp/before.json"
spans 12.5 9 >"$tmp/after.json"
"$PROFDEPOT" load "$tmp/before.folded" "$tmp/after.folded" "$tmp/before.json" "$tmp/after.json" \
    --label suite=timing >/dev/null 2>"$tmp/errors" || diag "$(cat "$tmp/errors")"
read -r s1 s2 t1 t2 < <(q "select string_agg(i.inst_id::text, ' ' order by i.source_name like '%folded' desc, i.source_name like 'after%')
    from instances i where i.inst_id > 2")
is "$(csv "status base_self self self_delta self_percent" diff "$s1" "$s2")" \
    "$(printf 'grown|10|20|10|100.00\nnew|0|2|2|\ngone|1|0|-1|-100.00')" \
        "samples are compared by stack"
is "$(csv "status routine base_self self base_total total" diff "$s1" "$s2" --by routine --status grown,same --sort routine)" \
    "$(printf 'grown|a|10|20|10|20\nsame|b|5|5|5|5\ngrown|main|0|0|16|27')" \
        "samples are compared by routine, with totals"
is "$(csv "status base_self self" diff "$s1" "$s2" --normalise --sort self)" \
    "$(printf 'grown|16.875|20\nshrunk|8.4375|5\nnew|0|2\ngone|1.6875|0')" "--normalise scales the base to the same total"
like "$("$PROFDEPOT" diff "$s1" "$s2" --normalise)" "16 before|27 before, 27 now.*multiplied by 1.6875" \
    "a note gives the factor that --normalise applied"
is "$(csv "status routine base_self self base_total total" diff "$t1" "$t2" --by routine --sort routine)" \
    "$(printf 'grown|a|4|7|4|7\ngrown|main|6|5.5|10|12.5')" "spans are compared by routine"
is "$(csv "status base_self self self_delta self_percent" diff "$t1" "$s1" --sort self)" "$(printf 'new||10||\nnew||5||\nnew||1||')" \
    "there are no figures of a metric that the base does not have"
like "$("$PROFDEPOT" diff "$t1" "$s1")" "metric samples: not measured before, 16 now" "a note reports that it was not measured"
like "$("$PROFDEPOT" diff "$t1" "$s1" --output json)" "\"incomplete\":\[\"result set $t1 has no metric samples, so every row is new\"\]" "and every row is new"
like "$("$PROFDEPOT" diff "$s1" "$t1" -o json)" '"base_self":null,"self":[0-9.]+,"self_delta":null.*"totals":[{][^}]*"base_self":null' \
    "the same holds for JSON and its totals"
is "$(csv "status base_self self" diff "$t1" "$t2" --routine a)" "grown|4|7" \
    "--routine selects a routine's spans"
for pair in "1 2 live_count" "1 2 errors" "$s1 $s2 -" "$t1 $t2 -"; do
    read -r base new metric <<<"$pair"
    set --
    [ "$metric" = - ] || set -- --metric "$metric"
    ok "flame --base draws the change of $pair" "$PROFDEPOT" flame "$new" --base "$base" "$@" -o "$tmp/flame.svg"
done

# --- pages: the same rows in the same order as without --top ----------------------------------------

# Many rows differ only in their names, so that their order depends on the names. Some stacks are in both inputs, some
# in only one. Other inputs have stacks on several tracks, and several lines of one routine.
many() { # SIDE
    awk -v side="$1" 'BEGIN {
        for (i = 0; i < 6000; i++) {
            if (i % 11 == side) continue
            weight = side == 1 && i % 3 ? 5 : i % 4 + 2
            printf "main;part_%d;%s %d\n", (i * 7) % 13, (i % 2 ? "leaf_" (i * 13) % 6000 : "alloc;inner_" i), weight
        }
    }'
}
many 0 >"$tmp/many-before.folded"
many 1 >"$tmp/many-after.folded"
callgrind_like() { # FOLDER WEIGHT
    printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":['
    printf '{"name":"main","file":"%s/a.c","line":1},{"name":"f","file":"%s/a.c","line":3},{"name":"f","file":"%s/a.c","line":4}]},' "$1" "$1" "$1"
    printf '"profiles":[{"type":"sampled","name":"lines","unit":"none","startValue":0,"endValue":9,"samples":[[0,1],[0,2],[0]],"weights":[2,%s,3]},' "$2"
    printf '{"type":"sampled","name":"lines","unit":"none","startValue":0,"endValue":9,"samples":[[0,1],[0,1,2]],"weights":[1,%s]}]}' "$2"
}
callgrind_like /one 4 >"$tmp/lines-before.json"
callgrind_like /two 7 >"$tmp/lines-after.json"
modules() { # FOLDER WEIGHT
    printf '# comm: x\n%s/app`main;%s/app`f %s\n%s/app`main;`f 3\nmain;g 2\n' "$1" "$1" "$2" "$1"
}
modules /one 4 >"$tmp/modules-before.folded"
modules /two 7 >"$tmp/modules-after.folded"
pages() { # NAME ARGUMENT...: compares single pages of a comparison with the whole comparison.
    local name=$1 skip top base new
    shift
    base=$(q "select inst_id from instances where source_name like '$name-before%'")
    new=$(q "select inst_id from instances where source_name like '$name-after%'")
    "$PROFDEPOT" diff "$base" "$new" --output csv "$@" >"$tmp/all.csv"
    for page in "0 50" "1990 7" "2700 2000" "20000 5"; do
        read -r skip top <<<"$page"
        "$PROFDEPOT" diff "$base" "$new" --output csv --skip "$skip" --top "$top" "$@"
    done >"$tmp/pages.csv"
    for page in "0 50" "1990 7" "2700 2000" "20000 5"; do
        read -r skip top <<<"$page"
        awk -v skip="$skip" -v top="$top" 'NR == 1 || (NR - 1 > skip && NR - 1 <= skip + top)' "$tmp/all.csv"
    done >"$tmp/expected.csv"
    same_file "$tmp/pages.csv" "$tmp/expected.csv" "pages of $name are those of the whole comparison ${*:-}"
    is "$("$PROFDEPOT" diff "$base" "$new" --top 1 "$@" | grep -E '^total|the same$|^metric')" \
        "$("$PROFDEPOT" diff "$base" "$new" "$@" | grep -E '^total|the same$|^metric')" "pages of $name have the same totals ${*:-}"
}
"$PROFDEPOT" load "$tmp"/many-*.folded "$tmp"/lines-*.json "$tmp"/modules-*.folded >/dev/null 2>"$tmp/errors" || diag "$(cat "$tmp/errors")"
pages many
pages many --sort self:asc
pages many --sort self_percent
pages many --sort status:asc --status new,same,gone
pages many --sort stack
pages many --normalise
pages lines --status $all
pages modules --status $all
pages many --match lines
pages lines --match lines --status $all
pages modules --match lines --status $all
pages many --routine 'LEAF_1*' --routine inner_20
pages many --routine '*' --normalise
pages lines --routine f --status $all
pages modules --routine f --match lines --status $all

# --- pages of objects ---------------------------------------------------------------------------------

made_objects() { # NAME OBJECTS
    "$builddir/examples/generate-example" --out "$tmp/objects-$1" --objects "$2" --stacks 2500 --depth 4-9 --routines 60 --leak-profile "$1"
}
made_unsized() { # NAME BASKETS
    printf 'An unexpected memory leak has occurred. The unexpected small block leaks are:\n\n13 - 20 bytes: TBasket x %d, TFruit x 9\n\n' "$2"
    printf 'The sizes of unexpected leaked medium and large blocks are: %d036\n' "$2"
}
# Comparisons by class or module do not read the stacks. With a filter, they do.
by_class() { # NAME: compares both.
    local name=$1 base new words
    base=$(q "select inst_id from instances where source_name like '$name-before%'")
    new=$(q "select inst_id from instances where source_name like '$name-after%'")
    for words in "--by class" "--by module" "--by class --metric live_size" "--by module --sort size --match lines"; do
        read -ra words <<<"$words"
        "$PROFDEPOT" diff "$base" "$new" --output csv --status $all "${words[@]}" >"$tmp/classes.csv"
        set -f
        "$PROFDEPOT" diff "$base" "$new" --output csv --status $all "${words[@]}" --class '*' >"$tmp/stacks.csv"
        set +f
        same_file "$tmp/classes.csv" "$tmp/stacks.csv" "classes of $name have the objects of their stacks (${words[*]})"
    done
}
made_objects before 9000
made_objects after 7000
made_unsized before 3 >"$tmp/unsized-before.txt"
made_unsized after 4 >"$tmp/unsized-after.txt"
"$PROFDEPOT" load "$tmp"/objects-* "$tmp"/unsized-*.txt >/dev/null 2>"$tmp/errors" || diag "$(cat "$tmp/errors")"
for words in "" "--metric live_size" "--sort count:asc" "--sort size_percent" "--sort status --status $all" "--sort class" \
    "--sort class:desc --status $all" "--sort module:asc" "--match lines --status $all" "--routine *Open --status $all" \
    "--class *Pen"; do
    read -ra words <<<"$words"
    set -f
    pages objects "${words[@]}"
    set +f
done
by_class objects
by_class unsized
pages unsized
pages unsized --status $all --metric live_size
like "$(q "select min(x.n) from (select count(*) as n from live_totals l join instances i using (inst_id)
           where i.source_name like 'objects%' group by inst_id) x")" '^[0-9]{4}$' "the result sets have more stacks than a page"
object_set() { q "select inst_id from instances where source_name like '$1%'"; }
q "update resource_profiler_objects set col_size = null where inst_id = $(object_set objects-after) and id % 7 = 1"
pages objects --status $all
by_class objects
echo 'leak:TOrderView.*' | "$PROFDEPOT" suppress add --reason test - >/dev/null 2>"$tmp/errors" || diag "$(cat "$tmp/errors")"
pages objects --status $all
by_class objects
q "delete from suppressions" >/dev/null
q "update resource_profiler_meta_classes_data set col_module_name = 'bin/' || col_module_name
   where inst_id = $(object_set objects-after) and rec_id % 3 = 1"
by_class objects
# A class without a module equals a class with a module if their stacks are equal.
q "update resource_profiler_meta_classes_data set col_module_name = null where inst_id = $(object_set objects-after) and rec_id % 2 = 1"
pages objects --status $all
by_class objects
for set in $(object_set objects) $(object_set unsized); do
    "$PROFDEPOT" rm "$set" >/dev/null 2>"$tmp/errors" || diag "$(cat "$tmp/errors")"
done

# --- routines: the stored costs give the same rows as the stacks -------------------------------------

recursive() { # WEIGHT
    printf 'main;f;g;f;g 3\nmain;f %s\nmain;g;main 5\nmain;only_%s 2\nmain;zero 0\n' "$1" "$1"
}
recursive 4 >"$tmp/recursive-before.folded"
recursive 7 >"$tmp/recursive-after.folded"
recursive 4 | grep -v zero >"$tmp/positive-before.folded"
recursive 7 | grep -v zero >"$tmp/positive-after.folded"
"$PROFDEPOT" load "$tmp"/recursive-*.folded "$tmp"/positive-*.folded >/dev/null 2>"$tmp/errors" || diag "$(cat "$tmp/errors")"
routines() { # NAME ARGUMENT...: compares the stored costs of routines with those of the stacks, which a filter selects.
    local name=$1 base new
    shift
    base=$(q "select inst_id from instances where source_name like '$name-before%'")
    new=$(q "select inst_id from instances where source_name like '$name-after%'")
    set -- diff "$base" "$new" --by routine "$@"
    "$PROFDEPOT" "$@" --status $all --output csv >"$tmp/stored.csv"
    "$PROFDEPOT" "$@" --status $all --output csv --routine '*' >"$tmp/stacks.csv"
    same_file "$tmp/stored.csv" "$tmp/stacks.csv" "routines of $name have the costs of their stacks ($*)"
    is "$("$PROFDEPOT" "$@" --top 1 | grep -E '^total|the same$|^metric')" \
        "$("$PROFDEPOT" "$@" --top 1 --routine '*' | grep -E '^total|the same$|^metric')" \
        "routines of $name have the totals of their stacks ($*)"
}
for name in many lines modules recursive positive; do routines $name; done
routines positive --normalise
is "$(csv "routine base_self self base_total total" diff \
    "$(q "select inst_id from instances where source_name like 'positive-before%'")" \
    "$(q "select inst_id from instances where source_name like 'positive-after%'")" --by routine)" \
    "$(printf 'f|4|7|7|10\nmain|5|5|14|17\nonly_4|2|0|2|0\nonly_7|0|2|0|2')" "recursion counts once"

q "update stacks set identity = null where inst_id = (select inst_id from instances where source_name like 'many-after%') and stack_id = 7"
pages many --sort base_self

# --- Get Results in one run, errors -------------------------------------------------------------

q "insert into instances (inst_id, caption) values (500, 'run'), (501, 'a'), (502, 'b');
   insert into resource_profiler_meta_classes_data (inst_id, id, parent_id, rec_id, col_class_name, col_module_name)
   values (500, 0, -1, 7, 'Bitmap', 'app.exe');
   insert into resource_profiler_objects (inst_id, id, parent_id, rec_id, col_classrid, col_get_, col__, col_size)
   values (500, 0, -1, 0, 7, 1, 1, 10), (500, 1, -1, 1, 7, 1, 2, 10), (500, 2, -1, 2, 7, 2, 2, 15),
          (500, 3, -1, 3, 7, 2, 3, 10), (500, 4, -1, 4, 7, 3, 3, 10);
   insert into resource_profiler_errors (inst_id, id, parent_id, rec_id, col_kind, col_name, col_description, count)
   values (501, 0, -1, 0, 1, 'InvalidRead', 'Invalid read of size 4', 2), (501, 1, -1, 1, 1, 'InvalidFree', 'x', 1),
          (502, 0, -1, 0, 1, 'InvalidRead', 'Invalid read of size 4', 5), (502, 1, -1, 1, 1, 'Overlap', 'y', 1)" >/dev/null
is "$(csv "status object_number base_size size" diff 500 --get 1 --get 2 --by object --sort object_number:asc)" \
    "$(printf 'gone|1|10|0\ngrown|2|10|15\nnew|3|0|10')" "two Get Results are compared by object"
is "$(csv "inst_id status object_number" diff 500 --get 1 --get 2 --get 3 --by object --status gone)" \
    "$(printf '500|gone|1\n500|gone|2')" "three Get Results lead to two comparisons"
is "$(csv object_number diff 1 2 --by object --sort object_number:desc | head -1)" \
    "$(q "select max(col__) from resource_profiler_objects where inst_id in (1, 2)")" "object numbers are sorted as numbers"
like "$("$PROFDEPOT" diff 500 --get 1 --get 2)" "Get # 2; before: result set 500, run, Get # 1" "the title names both Get Results"
is "$(csv "status kind base_count count" diff 501 502)" \
    "$(printf 'grown|InvalidRead|2|5\ngone|InvalidFree|1|0\nnew|Overlap|0|1')" \
        "errors are compared by name and stack, with the number of occurrences"
is "$(csv "status kind" diff 501 502 --name 'invalid*')" "$(printf 'grown|InvalidRead\ngone|InvalidFree')" "--name selects errors by name"

q "insert into instances (inst_id) values (503), (504);
   insert into resource_profiler_meta_routines (inst_id, id, parent_id, rec_id, col_routine_name, col_source_file, col_source_line)
   values (503, 0, -1, 0, 'f', 'f.c', 10), (504, 0, -1, 0, 'f', 'f.c', 12);
   insert into stacks (inst_id, stack_id, routine_ids) values (503, 1, '{0}'), (504, 1, '{0}');
   insert into resource_profiler_objects (inst_id, id, parent_id, rec_id, col_size, stack_id)
   values (503, 0, -1, 0, 10, 1), (504, 0, -1, 0, 10, 1)" >/dev/null
is "$(csv status diff 503 504 --status $all)" same \
    "--match names treats frames on different lines as equal"
is "$(csv status diff 503 504 --match lines --status $all | LC_ALL=C sort | tr '\n' ' ')" "gone new " \
    "--match lines treats frames on different lines as different"

# --- trend --------------------------------------------------------------------------------------

is "$(csv "inst_id value" trend live_size --label branch=main)" \
    "$(q "select inst_id, sum(col_size) from resource_profiler_objects where inst_id < 3 group by 1 order by 1")" \
        "a trend shows sizes"
is "$(csv "inst_id value percent" trend live_count --label branch=main --class 'REGISTRY')" \
    "$(q "select o.inst_id, count(*), case o.inst_id when 2 then round(100.0 * (37 - 20) / 20, 2)::text end
          from resource_profiler_objects o join class_names c on c.inst_id = o.inst_id and c.rec_id = o.col_classrid
          where c.class_name = 'Registry' group by 1 order by 1")" "a trend shows one class"
metric=$(q "select name from metrics where inst_id = $s1 order by metric_no limit 1")
is "$(csv "value" trend "$metric" --label suite=timing --routine a | tr '\n' ' ')" "10 20 " "a trend of a routine omits result sets that did not measure the routine"
q "insert into coverage select inst_id, 'errors', 'full', 'test' from instances where caption ~ '^.\$'
   on conflict (inst_id, what) do update set degree = 'full'"
for pair in "live_count --class" "live_size --class" "objects --module" "errors --name" "$metric --routine"; do
    read -r name filter <<<"$pair"
    "$PROFDEPOT" trend "$name" --last 0 --output csv >"$tmp/sums.csv"
    "$PROFDEPOT" trend "$name" --last 0 --output csv "$filter" '*' >"$tmp/facts.csv"
    same_file "$tmp/sums.csv" "$tmp/facts.csv" "a trend of $name has the same values as with a filter that everything passes"
done
like "$("$PROFDEPOT" trend errors --caption '?')" "errors  ▁▁▅█  in count" "a trend contains a line of bars"
is "$(csv "inst_id" trend live_count --last 1)" 504 "--last selects the newest result sets"
"$PROFDEPOT" trend errors --caption '?' --output html --out "$tmp/trend.html"
is "$(grep -c '<circle' "$tmp/trend.html") $(grep -c 'class="line"' "$tmp/trend.html") $(grep -c '^<tr><td' "$tmp/trend.html")" \
    "4 3 4" "the trend page has a line through four values, and a table"
is "$(grep -c ' style=' "$tmp/trend.html")" 0 "the trend page has no inline styles"

# --- pages --------------------------------------------------------------------------------------

for i in 1 2; do
    q "update instances set app_version = '5.2.$i', loaded_at = '2026-11-23 22:25:04' where inst_id = $i"
done
page=$("$PROFDEPOT" diff 1 2 --output html)
like "$page" '<p class="origin">loaded 2026-11-23 22:25, version 5.2.2, labels branch=main</p>' \
    "a page shows when the result set was loaded, its version and its labels"
like "$page" '<p class="origin">before: loaded 2026-11-23 22:25, version 5.2.1, labels branch=main os=win</p>' \
    "a comparison's page also shows the base's time, version and labels"
like "$page" '<footer>report diff of profdepot, created 20[0-9-]+ [0-9:]+ UTC</footer>' "a page shows when it was created"
for report in leaks hot suppressions; do
    like "$("$PROFDEPOT" report "$report" 2 --output html)" 'loaded 2026-11-23 22:25, version 5.2.2, labels branch=main' \
        "the page of report $report shows where the result set comes from"
done
q "update instances set app_version = '<b>' where inst_id = 2"
like "$("$PROFDEPOT" report leaks 2 --output html)" 'version &lt;b&gt;, labels' "markup in a version is escaped"
refused 2 'no metric|has a metric' "a trend of an unknown metric" trend nonsense
refused 2 'no span name' "a duration trend without --name" trend duration
refused 2 'spans of that name' "a duration trend of unknown spans" trend duration --name nope
refused 2 'statistic is only for' "--statistic for an objects metric" trend live_count --statistic p95

# --- the same program, reported differently -----------------------------------------------------

# memcheck FILE FOLDER LINE NEW BLOCKS: loads a leak of BLOCKS blocks that FOLDER/libshop.so allocates with NEW in LINE.
memcheck() {
    frame() { # MODULE FUNCTION LINE
        printf '<frame><ip>0x%X</ip><obj>%s</obj><fn>%s</fn><dir>/src</dir><file>shop.cc</file><line>%s</line></frame>' \
            $((RANDOM + 4096)) "$1" "$2" "$3"
    }
    {
        printf '<?xml version="1.0"?>\n<valgrindoutput><protocolversion>4</protocolversion><protocoltool>memcheck</protocoltool>'
        printf '<pid>%s</pid><ppid>1</ppid><tool>memcheck</tool><args><vargv></vargv><argv><exe>%s/shop</exe></argv></args>' \
            $((RANDOM + 1)) "$2"
        printf '<status><state>RUNNING</state><time>00:00:00:00.020 </time></status><error><unique>0x0</unique><tid>1</tid>'
        printf '<kind>Leak_DefinitelyLost</kind><xwhat><text>x</text><leakedbytes>%s</leakedbytes><leakedblocks>%s</leakedblocks></xwhat><stack>' \
            $(($5 * 8)) "$5"
        frame /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so "$4" 1
        frame "$2/libshop.so" cart_fill "$3"
        frame "$2/shop" main $(($3 + 40))
        printf '</stack></error><status><state>FINISHED</state><time>00:00:01</time></status>'
        printf '<errorcounts></errorcounts><suppcounts></suppcounts></valgrindoutput>\n'
    } >"$1"
    "$PROFDEPOT" load "$1" >/dev/null 2>&1 || bail_out "$1 does not load"
}
memcheck "$tmp/mangled.xml" /opt/v1 7 _Znwm 3
memcheck "$tmp/plain.xml" /home/x/v2 19 'operator new(unsigned long)' 5
is "$(csv "status class base_count count" diff latest~1 latest)" "grown|operator new|3|5" "leaks are matched despite mangled names, other folders and other lines"
is "$(csv "status class base_count count" diff latest~1 latest --by class)" "grown|operator new|3|5" "classes are matched despite mangled names and other folders"
is "$(csv "status routine base_count count" diff latest~1 latest --by own)" "grown|cart_fill|3|5" \
    "--by own without globs skips allocators and system libraries"
is "$(csv "status routine" diff latest~1 latest --by own --own shop)" "grown|main" "--own matches a module without its folder"
is "$(csv "status base_count count" diff latest~1 latest --module 'libshop*')" "grown|3|5" "--module matches a module without its folder"
is "$(csv "status" diff latest~1 latest --module v2)" "" "--module does not match a folder"
is "$("$PROFDEPOT" trend live_count --module libshop.so --last 2 --output json | grep -o '"value":[0-9]*' | paste -sd' ')" \
    '"value":3 "value":5' "trend --module matches a module without its folder"

# --- refusals -----------------------------------------------------------------------------------

refused 2 'give two result sets' "a single result set" diff 1
refused 2 'no result set 99' "an unknown result set" diff 99 1
refused 2 'no result set "label:branch=x"' "an unknown label" diff label:branch=x 1
refused 2 'is not the name of a result set' "a word that names no result set" diff first 1
refused 2 'not a status' "an unknown status" diff 1 2 --status fresh
refused 2 'neither.*nonsense.*there is: live_' "a metric that neither result set has" diff 1 2 --metric nonsense
refused 2 'only for samples and spans' "--normalise for objects" diff 1 2 --normalise
refused 2 'single --get has nothing to compare with' "a single --get" diff 1 --get 1
refused 2 'within one' "--get with two result sets" diff 1 2 --get 1 --get 2
refused 2 'does not apply to errors' "--class for errors" diff 1 2 --metric errors --class X
refused 2 'needs objects' "--by object for errors" diff 501 502 --by object
refused 2 'which result set to compare with' "report diff without --base" report diff 2
refused 2 'no column' "--sort by an unknown column" diff 1 2 --sort nope

# --- a base of the same tool --------------------------------------------------------------------------

mkdir "$tmp/tools"
printf 'main;old 7\n' >"$tmp/tools/a.folded"
printf 'main;new 9\n' >"$tmp/tools/b.folded"
"$PROFDEPOT" load -q --format collapsed --label nightly=yes "$tmp/tools/a.folded"
"$PROFDEPOT" load -q --label nightly=yes "$srcdir/examples/orders-start.speedscope.json"
"$PROFDEPOT" load -q --format collapsed "$tmp/tools/b.folded"
run diff label:nightly=yes latest
like "$out" 'before: result set [0-9]+, a.folded' "a base with a label is preferably a result set of the same tool"
"$PROFDEPOT" load -q "$srcdir/examples/orders-host.kernelscope.ndjson"
run diff label:nightly=yes latest
like "$out" 'before: result set [0-9]+, Orders 5.2.2, start' "if no result set with the label is of the same tool, the base is the newest one"
done_testing
