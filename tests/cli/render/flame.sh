#!/usr/bin/env bash
# Tests flame graphs: five output formats, correct sums, escaped names, comparisons, the tree, callers and
# hot reports, and the dashboard functions.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
golden=$srcdir/tests/golden/flame

# flame FILE ARGUMENT...: writes a flame graph to $tmp/FILE.
flame() {
    local file=$1
    shift
    "$PROFDEPOT" flame "$@" -o "$tmp/$file" 2>"$tmp/errors" || diag "$(cat "$tmp/errors")"
}

# refused STATUS PATTERN TEXT ARGUMENT...: checks that flame fails with this status and message.
refused() {
    local expected=$1 pattern=$2 text=$3
    shift 3
    run flame "$@"
    is "$status" "$expected" "$text: exit status $expected"
    like "$errors" "$pattern" "$text: the message names the cause"
}

# value FILE: prints the root's value in a JSON picture.
value() {
    sed -n '1s/^{"name":"all","value":\([-0-9.]*\).*/\1/p' "$tmp/$1"
}

# csv ARGUMENT...: prints a CSV report with LF line ends.
csv() {
    "$PROFDEPOT" report "$@" --output csv | tr -d '\r'
}

# bare FILE: prints an SVG without its style and script, which golden files need not repeat.
bare() {
    sed '/^<style>/,/<\/style>$/d; /^<script>/,/<\/script>$/d' "$1"
}

"$PROFDEPOT" db migrate >/dev/null 2>&1 || bail_out "the depot cannot be created"
refused 2 "has no result sets" "an empty depot"
for example in before after; do
    "$PROFDEPOT" load "$srcdir/examples/orders-$example" >/dev/null 2>&1 || bail_out "the example does not load"
done
psql -XqAt -v ON_ERROR_STOP=1 -v before=100 -v after=101 -f "$golden/set.sql" || bail_out "the golden result set cannot be created"

# --- goldens ------------------------------------------------------------------------------------

for file in after.svg after.json after.folded after.html; do
    flame "$file" 101
done
flame compared.svg 101 --base 100
flame compared.json 101 --base 100
flame compared.html 101 --base 100
flame inverted.json 101 --invert
for file in after.json after.folded compared.json inverted.json; do
    same_file "$tmp/$file" "$golden/$file" "$file equals the golden file"
done
for file in after.svg compared.svg; do
    bare "$tmp/$file" >"$tmp/bare"
    same_file "$tmp/bare" "$golden/$file" "$file equals the golden file"
done
"$PROFDEPOT" flame 101 --output svg >"$tmp/stdout"
same_file "$tmp/stdout" "$tmp/after.svg" "flame writes the same bytes to standard output as to a file"
is "$("$PROFDEPOT" flame 101 | head -c 5)" "<?xml" "flame writes an SVG by default"

flame shares.json 101 --base 100 --normalize
like "$(cat "$tmp/shares.json")" '^[{]"name":"all","value":235,"delta":0,"base":235,.*"name":"main","value":232,"delta":7.9302[0-9]*,"base":224.0697[0-9]*,' \
    "--normalize compares shares: 205 of 215 becomes 224 of 235"
flame shares.svg 101 --base 100 --normalize
like "$(cat "$tmp/shares.svg")" 'base values × 1.093 for equal totals' \
    "--normalize: the SVG contains a note with the factor"
flame same.json 101 --base 101
unlike "$(cat "$tmp/same.json")" '"delta":(-|[1-9])' "a result set compared with itself has no changes"
"$PROFDEPOT" flame 101 -o - --output folded >"$tmp/stdout"
same_file "$tmp/stdout" "$golden/after.folded" "-o - writes to standard output"

# --- well-formed and harmless -------------------------------------------------------------------

if command -v xmllint >/dev/null; then
    for file in after.svg compared.svg; do
        ok "$file is well-formed" xmllint --noout --nonet "$tmp/$file"
    done
else
    skip "xmllint is not installed" "pictures are well-formed"
fi
for file in after.svg after.html; do
    is "$(grep -c '<script' "$tmp/$file")" 1 "$file: the only script is profdepot's"
    like "$(cat "$tmp/$file")" 'T&lt;script&gt;alert\(1\)&lt;/script&gt;\.run' "$file: markup in names is escaped"
    like "$(cat "$tmp/$file")" 'end\]\]&gt; of &quot;it&quot; &amp; \\x01\\n\\u202e&#39;' \
        "$file: control and bidirectional characters are visible"
    like "$(cat "$tmp/$file")" 'Ärger 漢字 \\ufffex' "$file: letters are unchanged, noncharacters are visible"
    unlike "$(sed 's/<svg xmlns="[^"]*"//' "$tmp/$file" | grep -v '^var SVG')" \
        '(src|href|url)[=(]|https?://|@import' "$file: there are no external resources"
    unlike "$(tr -d '\n\t' <"$tmp/$file")" $'[\x01-\x08\x0b-\x1f]' "$file: there are no control characters"
done
if command -v openssl >/dev/null; then
    hash() {
        openssl dgst -sha256 -binary | openssl base64 -A
    }
    script=$(awk '/^<script>/ { on = 1; sub(/^<script>/, "") } on { if (sub(/<\/script>.*/, "")) exit; print }' \
        "$tmp/after.html" | hash)
    style=$(awk '/^<style>/ { on = 1; sub(/^<style>/, "") } on { if (sub(/<\/style>.*/, "")) exit; print }' \
        "$tmp/after.html" | hash)
    like "$(cat "$tmp/after.html")" "default-src 'none'; style-src 'sha256-${style//+/\\+}'; script-src 'sha256-${script//+/\\+}'" \
        "the page's Content-Security-Policy allows only its own style and script"
else
    skip "openssl is not installed" "the page's Content-Security-Policy allows only its own style and script"
fi

# --- sums ---------------------------------------------------------------------------------------

for inst in 1 2 100 101; do
    for metric in live_size live_count; do
        flame sum.json "$inst" --metric "$metric"
        column=$([ "$metric" = live_size ] && echo col_size || echo block_count)
        is "$(value sum.json)" "$(q "select sum($column) from resource_profiler_objects where inst_id = $inst")" \
            "the root's value in the graph of result set $inst is the sum of $metric"
        flame sum.folded "$inst" --metric "$metric"
        is "$(awk '{ s += $NF } END { print s }' "$tmp/sum.folded")" "$(value sum.json)" "the folded stacks of result set $inst have the same sum of $metric"
        flame inverted.json "$inst" --metric "$metric" --invert --max-nodes 0
        is "$(value inverted.json)" "$(value sum.json)" "the inverted graph of result set $inst has the same sum of $metric"
    done
done
is "$(csv callers 1 --metric live_count --min-share 0 |
    awk -F, '$1 == 1 { print $2, $5 $6 $7 }' | LC_ALL=C sort)" \
    "$(csv hot 1 --metric live_count |
        awk -F, 'NR > 1 && $1 > 0 { print $1, $5 $6 $7 }' | LC_ALL=C sort)" \
    "level 1 of report callers has the self values of report hot"
is "$(csv hot 1 --metric live_count | awk -F, 'NR > 1 { print $1 " of " $3 }' | sort)" \
    "$("$PROFDEPOT" report routines 1 --output json |
        grep -o '"count":[0-9]*,"size":[0-9]*,"self_count":[0-9]*' |
        sed 's/.*"count":\([0-9]*\),.*:\([0-9]*\)$/\2 of \1/' | sort)" \
    "the reports hot and routines have the same totals"

# --- Grafana --------------------------------------------------------------------------------------------

# field FILE NAME: prints the values of a field, one per line
field() {
    grep -o "{\"name\":\"$2\",\"type\":[^]]*]" "$tmp/$1" | sed 's/.*"values":\[//; s/]$//' | tr ',' '\n'
}
flame whole.grafana 1 --metric live_count --max-nodes 0
flame nodes.json 1 --metric live_count --max-nodes 0
is "$(field whole.grafana level | head -n 2 | tr '\n' ' ')" "0 1 " "a frame for Grafana begins with the root"
is "$(field whole.grafana value | head -n 1)" "$(value nodes.json)" "the value of the root is the total"
is "$(field whole.grafana value | tr '\n' ' ')" "$(grep -o '"value":[-0-9.]*' "$tmp/nodes.json" | cut -d : -f 2 | tr '\n' ' ')" \
    "the frame has the values of all nodes, callers first"
is "$(field whole.grafana self | awk '{ sum += $1 } END { print sum }')" "$(value nodes.json)" "the self values add up to the total"
is "$(grep -o '"nodes":[0-9]*' "$tmp/whole.grafana")" "\"nodes\":$(field whole.grafana level | wc -l)" "the frame has the number of nodes"
like "$(cat "$tmp/whole.grafana")" '"name":"label","type":"string","values":\["all","' "the labels begin with the root's"
flame sizes.grafana 1 --metric live_size
is "$(grep -o '"name":"[a-z]*","type":"number","config":{"unit":"[a-z]*"}' "$tmp/sizes.grafana" | tr '\n' ' ')" \
    '"name":"value","type":"number","config":{"unit":"bytes"} "name":"self","type":"number","config":{"unit":"bytes"} ' "sizes have Grafana's unit"
flame compared.grafana 101 --base 100
is "$(grep -o '"name":"[A-Za-z]*","type":"number"' "$tmp/compared.grafana" | cut -d '"' -f 4 | tr '\n' ' ')" "level value self valueRight selfRight " \
    "a comparison has the fields of both result sets"

# --- stored and computed trees -------------------------------------------------------------------------

flame stored.json 1 --metric live_count --max-nodes 0
flame cut.json 1 --metric live_count --max-nodes 20
is "$(grep -o '"value":' "$tmp/cut.json" | wc -l)" 20 "--max-nodes limits the nodes"
is "$(value cut.json)" "$(value stored.json)" "--max-nodes keeps the sum"
is "$(q "select count(*), sum(f.self), max(f.value), count(*) filter (where f.level = 0) from flame(1, 'live_count', 20) f")" \
    "20|$(value cut.json)|$(value cut.json)|1" \
        "flame() limits the nodes as --max-nodes does: one root and the same total"
is "$(q "select count(*) from flame(1, 'live_count') f")" \
    "$(q "select count(*) from call_tree t join metrics m using (inst_id, metric_no) where inst_id = 1 and m.name = 'live_count'")" \
    "flame() has all nodes of a small tree"
is "$(q "with f as (select f.*, row_number() over () as n from flame(1, 'live_count') f)
    select count(*) from f left join f p on p.n = f.n - 1
    where f.level > coalesce(p.level, -1) + 1 or (f.n = 1) <> (f.level = 0)")" 0 "the rows of flame() are in depth-first order"
is "$(q "select sum(f.value) from flame(1, 'live_count') f where f.level = 1")" \
    "$(q "select f.value - f.self from flame(1, 'live_count') f where f.level = 0")" \
        "the root's self and its children's values add up to its value"
is "$(q "select level, value, self, label from flame(101)")" "0|0|0|all" "flame() of an open result set has only a root"
is "$(q "select * from flame(1, 'no such')")" "0|0|0|all" "flame() of an unknown metric has only a root"
is "$(q "delete from call_tree_blocks; select count(*) from call_tree")" 0 "the stored trees can be deleted"
flame built.json 1 --metric live_count --max-nodes 0
same_file "$tmp/built.json" "$tmp/stored.json" \
    "a tree computed from the facts equals the stored tree"

is "$(q "select stack_text(101, 2)")" 'main;T<script>alert(1)</script>.run;semi:colon' "stack_text() returns a folded stack"
is "$(q "select stack_text(101, 7) || ',' || stack_text(101, 6)")" \
    "main;(unknown);$(q "select label from routine_labels where inst_id = 101 and rec_id = 6"),main;[only<module>.dll];(unknown)" \
    "stack_text() contains labels for unnamed frames"
is "$(q "select coalesce(stack_text(101, 99), 'null')")" null "stack_text() of an unknown stack is NULL"

# --- filters and reports ------------------------------------------------------------------------

flame focus.json 101 --focus 'SEMI*'
is "$(value focus.json)" 65 "--focus keeps all calls below the matching frames"
flame ignore.json 101 --ignore 'semi*' --ignore '*.dll'
is "$(value ignore.json)" 123 "--ignore omits all calls below the matching frames"
flame both.json 101 --focus 'semi*' --ignore 'T<*'
is "$(value both.json)" 0 "--focus and --ignore together can exclude all calls"
is "$(csv tree 101 --min-share 20)" "$(printf '%s\n' \
    level,total,share,self,self_share,call,module,class,routine,file,line,folded \
    0,235,100.00,3,1.28,all,,,,,,f \
    '1,232,98.72,45,19.15,  main,app.exe,,main,main.c,10,t' \
    '2,187,79.57,122,51.91,    T<script>alert(1)</script>.run,app.exe,T<script>alert(1)</script>,run,a&b.pas,20,t' \
    '3,65,27.66,65,27.66,      semi;colon,lib.dll,,semi;colon,,,t')" "report tree prints indented calls"
is "$(csv tree 101 --top 2 | wc -l)" 4 "report tree --top does not count the root"
run report tree 101
like "$out" "metric live_size: 235 bytes in all" "report tree names the metric"
run report tree 101 --metric live_count
like "$out" "metric live_count: [0-9]+ in all" "report tree shows counts without a unit"
printf 'a;b 3\n' >"$tmp/none.folded"
run load -q "$tmp/none.folded"
flame named.json latest
same_file "$tmp/named.json" <("$PROFDEPOT" flame --output json) "\"latest\" is the default"
printf 'a;b 5\n' >"$tmp/now.folded"
run load -q --label branch=now "$tmp/now.folded"
flame changed.json label:branch=now --base latest~1
is "$(value changed.json)|$(grep -o '"delta":[0-9]*' "$tmp/changed.json" | head -n 1)" '5|"delta":2' \
    "flame accepts label:KEY=VALUE and latest~1 as result sets"
run export --format speedscope latest
like "$status $out" '^0 .*"weights":\[5\]' "export accepts latest as a result set"
run export nothing
like "$status $errors" '^2 .*"nothing" is not the name of a result set.*label:KEY=VALUE or run:KEY' \
    "export explains how to name a result set"
run export
like "$status $errors" '^2 .*no result set was given' "export without a result set is refused"
run report hot
like "$out" "Self \\(samples\\) +Self Share +Total \\(samples\\) +Share.*metric samples: 5 in all" \
    "report hot shows the name of a metric without a unit"
is "$(csv hot 101 --focus 'semi*' --top 1 | tail -n 1)" "40,61.54,65,100.00,app.exe,T<script>alert(1)</script>,run,a&b.pas,20" \
    "report hot accepts --focus"
run report tree 101 --metric errors
is "$status" 2 "report tree with an unknown metric: exit status 2"
like "$errors" "no metric \"errors\".*it has: live_size, live_count" \
    "report tree with an unknown metric: the message lists the metrics"
run report hot 101 --min-share x
like "$errors" "min-share" "report hot refuses an invalid share"
run report callers 101 --sort total
like "$errors" "does not take --sort" "report callers refuses --sort"

# --- long names ---------------------------------------------------------------------------------

# Names longer than 64 KiB are written whole in every format.
long=$(head -c 70000 /dev/zero | tr '\0' A)
more=$(head -c 70000 /dev/zero | tr '\0' '<')
printf '{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"%s"},{"name":"%s"}]},
    "profiles":[{"type":"sampled","name":"p","unit":"none","startValue":0,"endValue":2,"samples":[[0],[1]],"weights":[1,1]}]}' \
    "$long" "$more" >"$tmp/long.speedscope.json"
run load "$tmp/long.speedscope.json"
is "$status" 0 "a profile with long names is loaded"
for file in long.svg long.json long.folded long.html; do
    flame $file
    ok "$file has the long name" grep -q "$long" "$tmp/$file"
done
is "$(cut -d ' ' -f 1 "$tmp/long.folded" | sort)" "$(printf '%s\n%s' "$more" "$long" | sort)" "folded stacks contain only the names"
is "$(value long.json)" 2 "the JSON picture of long names is complete"
is "$(grep -o '&lt;' "$tmp/long.svg" | wc -l | awk '{ print ($1 >= 70000) }')" 1 "escaped characters do not cut a long name"

# --- refusals -----------------------------------------------------------------------------------

refused 2 "no metric \"x\".*it has" "an unknown metric" 1 --metric x
refused 2 "there is no result set 7" "an unknown result set" 7
refused 2 "there is no result set 8" "an unknown base" 1 --base 8
refused 2 "option --base: .*x. is not the name of a result set.*label:KEY=VALUE or run:KEY" "an invalid base" 1 --base x
refused 2 "option --base: no result set .*branch=none" "a base with an unknown label" 1 --base label:branch=none
refused 2 "cannot choose a format from the name" "an unknown file name extension" 1 -o "$tmp/x.png"
refused 2 "one result set" "two result sets" 1 2
refused 2 "option --min-share.*not a percentage" "a share above 100 per cent" 1 --min-share 120
refused 2 "width" "a width below the minimum" 1 --width 3
refused 2 "option --width.*20000" "a width above the maximum" 1 --width 20001
refused 2 "option --max-nodes" "--max-nodes with a negative number" 1 --max-nodes -1
refused 2 "option --max-nodes.*16777216" "--max-nodes above the maximum" 1 --max-nodes 16777217
refused 2 "option --output.*svg|html|json|grafana|folded" "an unknown format" 1 --output png
refused 2 "needs a result set to compare with" "--normalize without a base" 1 --normalize
refused 2 "no metric \"errors\"" "a metric that the base does not have" 2 --metric errors --base 100
q "insert into instances (inst_id, caption) values (102, 'bare')"
refused 2 "has no call tree" "an empty result set" 102
run report tree 102
is "$status" 0 "report tree of an empty result set succeeds"
like "$out" "has no call tree" "report tree of an empty result set reports that there is no call tree"
done_testing
