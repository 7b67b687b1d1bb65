#!/usr/bin/env bash
# Tests leak reports on result sets in which no two sums have the same class and stack. The report does not group such
# sums, and must have the same rows as the report that groups them.
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

classes=RESOURCE_PROFILER_META_CLASSES_DATA.csv
reports() { # reports INST_ID: prints several leak reports
    local arguments
    for arguments in "" "--by names" "--sort size:desc" "--class *5002*" "--class Class* --min-size 1000" "--routine *Form*" "--thread *"; do
        # shellcheck disable=SC2086 # words
        (set -f; "$PROFDEPOT" report leaks "$1" -o csv $arguments)
    done
}

# The same leaks, but each object has a class of its own.
cp -r "$srcdir/examples/orders-after" "$tmp/own"
chmod -R u+w "$tmp/own"
awk -F, -v OFS=, 'NR > 1 { $3 = 5000 + NR } { print }' "$srcdir/examples/orders-after/RESOURCE_PROFILER_OBJECTS.csv" \
    >"$tmp/own/RESOURCE_PROFILER_OBJECTS.csv"
awk -F, -v OFS=, -v file="$classes" 'FNR > 1 && FILENAME ~ /OBJECTS/ { print "Class" 5000 + FNR, "Own.exe", "", 100 + FNR, 1, -1, 5000 + FNR }
    FILENAME !~ /OBJECTS/ { print }' "$srcdir/examples/orders-after/$classes" "$tmp/own/RESOURCE_PROFILER_OBJECTS.csv" \
    >"$tmp/own/$classes"
# All these classes have the same name, and some objects have equal stacks.
cp -r "$tmp/own" "$tmp/equal"
sed -i 's/^Class[0-9]*,/Class5002,/' "$tmp/equal/$classes"
# A class has two rows.
cp -r "$tmp/own" "$tmp/twice"
sed -n 's/^Class5002,Own.exe,,102,/Class5002,Own.exe,,99999,/p' "$tmp/own/$classes" >>"$tmp/twice/$classes"

run load "$srcdir/examples/orders-after" "$tmp/own" "$tmp/equal" "$tmp/twice"
is "$status" 0 "the result sets load"
is "$(q "select source_name, live_distinct from instances where source_name not like '%orders-after' order by inst_id" |
    sed 's|.*/||')" "own|t
equal|f
twice|f" "the loader finds out whether all sums have different classes or stacks"

for inst_id in 1 2 3 4; do reports $inst_id >"$tmp/$inst_id.loaded"; done
run reindex 1 2 3 4
is "$(q "select count(*) from instances where live_distinct")" 0 "reindex does not look for equal sums"
for inst_id in 1 2 3 4; do
    ok "result set $inst_id has leaks" test "$(wc -l <"$tmp/$inst_id.loaded")" -gt 100
    is "$(reports $inst_id | diff "$tmp/$inst_id.loaded" - | head -n 5)" "" "result set $inst_id: the reports are the same"
done
done_testing
