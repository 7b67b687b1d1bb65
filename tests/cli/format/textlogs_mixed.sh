#!/usr/bin/env bash
# Tests logs that contain reports of several formats: each report becomes a result set, in the order of the log,
# with the same content as in a file of its own.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/textlogs.sh
. "$srcdir/tests/lib/textlogs.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
golden=$srcdir/tests/golden/textlogs

# check_joined CASE...: loads the cases as one file.
check_joined() {
    local name files=() expected=()
    for name in "$@"; do
        files+=("$golden/$name.txt")
        expected+=("$golden/$name.expected.json")
    done
    cat "${files[@]}" >"$tmp/joined.txt"
    textlog_join "${expected[@]}" >"$tmp/joined.json"
    is "$(textlog_differences "$tmp/joined.txt" "$tmp/joined.json" | head -n 40)" "" "$* in one file"
}

cases=()
for file in "$golden"/*.txt; do
    cases+=("$(basename "$file" .txt)")
done
count=${#cases[@]}
check_joined "${cases[@]}"
reversed=()
for ((i = count - 1; i >= 0; i--)); do
    reversed+=("${cases[i]}")
done
check_joined "${reversed[@]}"
# The lines of a report must not become part of a report in another format.
for ((i = 0; i < count; i++)); do
    check_joined "${cases[i]}" "${cases[(i + 1) % count]}" "${cases[(i + 5) % count]}"
done
check_joined vld vld crt vld
check_joined fastmm4 memcheck

# Each line of memcheck is followed by a line of heaptrc.
paste -d '\n' "$golden/memcheck.txt" "$golden/heaptrc.txt" | grep . >"$tmp/joined.txt"
textlog_join "$golden/memcheck.expected.json" "$golden/heaptrc.expected.json" >"$tmp/joined.json"
is "$(textlog_differences "$tmp/joined.txt" "$tmp/joined.json" | head -n 40)" "" "alternating lines of memcheck and heaptrc"

# --- sanitizers -----------------------------------------------------------------------------------------

# digests FILE...: prints the digests of the files' result sets
digests() {
    "$PROFDEPOT" load --dry-run --again --output json "$@" 2>"$tmp/errors" | grep -o '"digest":"[^"]*"' | sort
}

# sanitizer_content FILE: loads the file, and prints the content of its reports of sanitizers without the numbers
# of lines
sanitizer_content() {
    local before
    before=$(q "select max(inst_id) from instances")
    run load --again "$1"
    for inst in $(q "select inst_id from instances where inst_id > $before and format = 'sanitizer'"); do
        psql -XqAt -F ' | ' -v ON_ERROR_STOP=1 -v "inst=$inst" -f "$srcdir/tests/cli/format/sanitizer_dump.sql" |
            sed -E 's/"line":[0-9]+/"line"/'
    done
}

# All reports of sanitizers become one result set. Their lines must not become part of other reports.
sanitizer=$srcdir/tests/golden/sanitizer
cat "$sanitizer"/{lsan,asan-gcc,tsan,msan-ubsan}.txt >"$tmp/joined.txt"
sanitizer_content "$tmp/joined.txt" >"$tmp/content"
for ((i = 0; i < count; i++)); do
    pair=("$golden/${cases[i]}.txt" "$golden/${cases[(i + 1) % count]}.txt")
    digests "${pair[@]}" >"$tmp/digests"
    cat "$sanitizer"/lsan.txt "${pair[0]}" "$sanitizer"/{asan-gcc,tsan}.txt "${pair[1]}" "$sanitizer/msan-ubsan.txt" >"$tmp/joined.txt"
    is "$(digests "$tmp/joined.txt" | comm -3 "$tmp/digests" - | sed 's/[0-9a-f]\{8,\}/DIGEST/')" "$(printf '\t"digest":"DIGEST"')" \
        "${cases[i]} and ${cases[(i + 1) % count]} between the reports of sanitizers"
done
is "$(sanitizer_content "$tmp/joined.txt" | diff "$tmp/content" - | head -n 10)" "" "the sanitizers' reports in a mixed log have the content that they have alone"

# Each line of a sanitizer's log is followed by a line of a valgrind log. The suppressions in the valgrind log are
# removed first, because other lines inside a suppression would become part of the suppression.
sed '/^{$/,/^}$/d' "$golden/memcheck.txt" >"$tmp/memcheck.txt"
paste -d '\n' "$sanitizer/lsan.txt" "$tmp/memcheck.txt" | grep . >"$tmp/joined.txt"
is "$(digests "$tmp/joined.txt" | wc -l) $(digests "$tmp/memcheck.txt" | comm -13 <(digests "$tmp/joined.txt") - | wc -l)" "2 0" \
    "alternating lines of LeakSanitizer and memcheck"
is "$(sanitizer_content "$tmp/joined.txt")" "$(sanitizer_content "$sanitizer/lsan.txt")" \
    "alternating lines of LeakSanitizer and memcheck: the leaks are the same"

# --- commands -------------------------------------------------------------------------------------------

cat "$golden/vld.txt" "$golden/crt.txt" >"$tmp/both.txt"
before=$(q "select max(inst_id) from instances")
run load --dry-run --again "$tmp/both.txt"
is "$(grep -c "^checked  new result set" <<<"$out")" 2 "a dry run lists both result sets"
run load --again "$tmp/both.txt"
is "$(q "select format, tool from instances where inst_id > $before order by inst_id")" "vld|vld
crt|crt" "each result set has its own format and tool"
is "$(q "select format, what, degree from instances join coverage using (inst_id) where inst_id > $before
    order by inst_id, what" | sort | uniq -c | sed 's/^ *//')" "1 crt|errors|none
1 crt|heap|none
1 crt|leaks|full
1 crt|races|none
1 crt|samples|none
1 crt|spans|none
1 vld|errors|none
1 vld|heap|none
1 vld|leaks|full
1 vld|races|none
1 vld|samples|none
1 vld|spans|none" "each result set states what its own tool looked for"
run load "$tmp/both.txt"
is "$(grep -c "^known " <<<"$out")" 2 "both result sets are known when the log comes again"
run load "$golden/crt.txt"
like "$out" "^known " "a report that was loaded from the mixed log is known"
before=$(q "select max(inst_id) from instances")
run load --again --format crt "$tmp/both.txt"
is "$(q "select format from instances where inst_id > $before")" crt "--format selects the reports of one format"

corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/textlogs
for expected in "$corpora"/mixed/*.expected.json; do
    [ -f "$expected" ] || { skip "corpora/textlogs is missing" "the cases of corpora/textlogs/mixed"; break; }
    file=${expected%.expected.json}.txt
    is "$(textlog_differences "$file" "$expected" | head -n 40)" "" "mixed/${file##*/} has the expected content"
done
done_testing
