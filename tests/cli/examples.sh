#!/usr/bin/env bash
# Tests that the committed examples are consistent, and that the generator writes exactly these examples.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"

generate=$builddir/examples/generate-example
work=$(mktemp -d "${TMPDIR:-/tmp}/profdepot-test.XXXXXX") || bail_out "the temporary folder cannot be created"
trap 'rm -rf "$work"' EXIT

ok "the examples can be written again" "${BASH:-bash}" "$srcdir/examples/regenerate" "$generate" "$work"
for folder in orders-before orders-after; do
    ok "the generator writes $folder" diff -r "$srcdir/examples/$folder" "$work/$folder"
    is "$(find "$work/$folder" -type f | wc -l)" 11 "$folder has eleven tables"
    bytes=$(cat "$work/$folder"/* | wc -c)
    ok "$folder is small ($bytes bytes)" test "$bytes" -lt 61440
done

# rows FOLDER TABLE: prints the rows without the header.
rows() {
    tail -n +2 "$1/$2.csv"
}

# distinct_stacks FOLDER: prints the number of distinct stacks, compared by routine and line.
distinct_stacks() {
    rows "$1" RESOURCE_PROFILER_CREATION_CALL_STACK |
        ${AWK:-awk} -F, '$7 == 0 && NR > 1 { print stack; stack = "" } { stack = stack " " $2 ":" $3 } END { print stack }' |
        LC_ALL=C sort -u | wc -l
}

"$generate" --out "$work/one" --objects 3000 --stacks 500 --depth 4-12 --routines 300 --seed 7 --errors 40
"$generate" --out "$work/twice" --objects 6000 --stacks 500 --depth 4-12 --routines 300 --seed 7 --errors 40
is "$(distinct_stacks "$work/one")" "$(distinct_stacks "$work/twice")" "the number of distinct stacks does not depend on the number of objects"
for table in META_ROUTINES META_LINES META_CLASSES_DATA; do
    same_file "$work/one/RESOURCE_PROFILER_$table.csv" "$work/twice/RESOURCE_PROFILER_$table.csv" \
        "$table does not depend on the number of objects"
done
is "$(rows "$work/one" RESOURCE_PROFILER_CREATION_CALL_STACK | ${AWK:-awk} -F, '
    BEGIN { parent = -1 }
    $4 != NR - 1 || $7 != ($6 == parent ? position + 1 : 0) { bad++ }
    { parent = $6; position = $7 }
    END { print bad + 0 }')" 0 "stack rows have consecutive IDs, positions start at 0 and have no gaps"
is "$({ rows "$work/one" RESOURCE_PROFILER_OBJECTS; echo; rows "$work/one" RESOURCE_PROFILER_CLASSES_DATA; } |
    ${AWK:-awk} -F, '
    !NF { classes = 1; next }
    !classes { count[$3]++; size[$3] += $5; next }
    $2 != count[$12] + 0 || $3 != size[$12] + 0 || $2 > $5 || $5 > $7 || $3 > $6 || $6 > $8 { bad++ }
    END { print bad + 0 }')" 0 "class counters agree with the objects: live <= peak <= total"
ok "some handles are sign-extended" grep -q ',184467440[0-9]*,' "$work/one/RESOURCE_PROFILER_OBJECTS.csv"
isnt "$({ rows "$work/one" RESOURCE_PROFILER_CREATION_CALL_STACK | cut -d, -f6; seq 0 2999; } | sort -n | uniq -u | wc -l)" 0 \
    "some objects have no stack"

"$generate" --out "$work/shuffled" --objects 3000 --stacks 500 --depth 4-12 --routines 300 --seed 7 --errors 40 --shuffled
stacks=RESOURCE_PROFILER_CREATION_CALL_STACK.csv
ok "--shuffled changes the order of rows" ! cmp -s "$work/one/$stacks" "$work/shuffled/$stacks"
LC_ALL=C sort "$work/one/$stacks" >"$work/a"
LC_ALL=C sort "$work/shuffled/$stacks" >"$work/b"
same_file "$work/b" "$work/a" "shuffled rows have the same content"

# Checks that the other two formats contain the same data.
"$generate" --out "$work/semicolon" --objects 300 --leak-profile both --format semicolon
"$generate" --out "$work/ssms" --objects 300 --leak-profile both --format ssms
"$generate" --out "$work/plain" --objects 300 --leak-profile both
table=RESOURCE_PROFILER_OBJECTS.csv
tail -c +4 "$work/semicolon/$table" | tr ';' , | tr -d '\r' >"$work/a"
same_file "$work/a" "$work/plain/$table" "the format semicolon has the same cells"
{ iconv -f UTF-16 -t UTF-8 "$work/ssms/$table" | tr '\t' , | tr -d '\r' && echo; } >"$work/a"
same_file "$work/a" "$work/plain/$table" "the format ssms has the same cells"
is "$(rows "$work/plain" INSTANCES | wc -l)" 2 "the two profiles form two result sets"

ok "too many stacks are rejected" ! "$generate" --out "$work/x" --stacks 100000 --depth 2-3 --routines 1
ok "an unknown option is rejected" ! "$generate" --out "$work/x" --colour
done_testing
