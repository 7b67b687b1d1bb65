#!/usr/bin/env bash
# The C code and the SQL functions must give the same owner and the same normal form of every frame.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"

pg_temp_start
tmp=$(mktemp -d "${TMPDIR:-/tmp}/profdepot-test.XXXXXX") || bail_out "the temporary folder cannot be created"
trap 'status=$?; rm -rf "$tmp"; (exit $status); pg_temp_stop' EXIT
"$PROFDEPOT" db migrate >"$tmp/migrate" 2>&1 || bail_out "the depot cannot be created: $(cat "$tmp/migrate")"

# compare WHAT: compares the results of C and SQL for the frames in $tmp/names. Each line has the module, class,
# routine, file and unit of a frame, in COPY's format.
compare() {
    "$builddir/tests/tools/frame_rules" <"$tmp/names" >"$tmp/c" || bail_out "frame_rules fails"
    # One statement per rule: a session caches 32 regular expressions, and both rules together need more than 32.
    psql -XqAt -v ON_ERROR_STOP=1 >"$tmp/owners" <<SQL || bail_out "SQL fails"
CREATE TEMP TABLE names (number serial, module text, class text, routine text, file text, unit text);
\\copy names (module, class, routine, file, unit) FROM '$tmp/names'
COPY (SELECT CASE WHEN profdepot.is_allocator_frame(routine) THEN 'allocator'
                  WHEN profdepot.is_system_frame(module, class, routine, file, unit) THEN 'system' ELSE 'own' END
      FROM names ORDER BY number) TO STDOUT;
\\o $tmp/forms
COPY (SELECT profdepot.normal_frame_name(unit, class, routine) FROM names ORDER BY number) TO STDOUT;
SQL
    paste "$tmp/owners" "$tmp/forms" >"$tmp/sql"
    is "$(wc -l <"$tmp/sql")" "$(wc -l <"$tmp/names")" "$1: SQL has a row for each name"
    ok "$1: both rules agree on $(wc -l <"$tmp/names") names" cmp -s "$tmp/c" "$tmp/sql"
    paste "$tmp/names" "$tmp/c" "$tmp/sql" | awk -F'\t' '$6 != $8 || $7 != $9' | head -n 20 | while IFS= read -r line; do
        diag "$line"
    done
}

# Compares the results for the names in the unit test, first as routines and then in every column.
sed -n 's/^[[:space:]]*{ \("[^/].*\),* },*$/\1/p; s/^[[:space:]]*assert_normal(\(.*\)$/\1/p' "$srcdir/tests/unit/model/test_frame_name.c" |
    grep -o '"\([^"\\]\|\\\\\)*"' | sed 's/^"//; s/"$//' | LC_ALL=C sort -u >"$tmp/words"
sed 's/.*/\t\t&\t\t/' "$tmp/words" >"$tmp/names"
compare "the unit test's names"
awk -v OFS='\t' '{ print $0, $0, $0, $0, $0; print "app", last, $0, "a.c", "Unit1"; print "", $0, last, "", last; last = $0 }' \
    "$tmp/words" >"$tmp/names"
compare "the unit test's names in other columns"

# Compares random names, which consist of parts that the rules recognise.
awk -v seed=7 'BEGIN {
    srand(seed)
    n = split("a|b|foo|TFoo|EBar|std::|::|.|@|$|$q|$qqr|$xq|%|(|)|<|>|[|]|{|}| | const|operator|operator<<|int|3ul|true|,|" \
        "class |__int64|{lambda(|)#1}|'"'"'lambda'"'"'|$_0|.part.0|.cold|+0x12|+7|@@GLIBC_2.2|@plt|[clone .x]|(.isra.0)|" \
        "::h0123456789abcdef|[abi:cxx11]|(anonymous namespace)|std::__1::|!|~|*|&|_|0x12|$bctr|$badd|malloc|runtime.|" \
        "/usr/lib/|libc.so|.dll|rtl|vcl|.bpl|GetMem|SysFreeMem|FastMM_|System|Classes|Controls|TControl|Vcl.|fastmm4|@LStr|std::basic_string<char, std::char_traits<char>, std::allocator<char> >|(void)", part, "|")
    for (i = 0; i < 20000; i++) {
        for (column = 1; column <= 5; column++) {
            name = ""
            count = int(rand() * (column == 3 ? 9 : 3))
            for (k = 0; k < count; k++)
                name = name part[1 + int(rand() * n)]
            printf "%s%s", name, column < 5 ? "\t" : "\n"
        }
    }
}' >"$tmp/names"
compare "random names"

if [ -d "${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}" ]; then
    corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}
    find "$corpora/leaks" "$corpora/speedscope/samples" "$corpora/textlogs/fastmm4" "$corpora/textlogs/fastmm5" \
        "$corpora/textlogs/eurekalog" "$corpora/textlogs/jcl" -type f ! -name '*.json.txt' ! -name 'expected*' -size -2000k \
        -exec "$PROFDEPOT" load --quiet {} + >/dev/null 2>&1
    psql -XqAt -v ON_ERROR_STOP=1 >"$tmp/names" -c "COPY (SELECT DISTINCT COALESCE(col_module_name, ''), COALESCE(col_class_name, ''),
        COALESCE(col_routine_name, ''), COALESCE(col_source_file, ''), COALESCE(col_unit_name, '')
        FROM profdepot.resource_profiler_meta_routines) TO STDOUT" || bail_out "the names cannot be read"
    ok "the corpora have names" test "$(wc -l <"$tmp/names")" -gt 1000
    compare "the corpora's names"
    stacks=$(psql -XqAt -c "SELECT count(*) FROM profdepot.stacks WHERE own_identity IS NOT NULL AND own_place IS NOT NULL")
    ok "the corpora have stacks with own frames: $stacks" test "$stacks" -gt 1000
    is "$(psql -XqAt -c "WITH i AS MATERIALIZED (SELECT inst_id FROM profdepot.instances),
        k AS MATERIALIZED (SELECT i.inst_id, o.* FROM i CROSS JOIN LATERAL profdepot.stack_owns(i.inst_id) o)
        SELECT count(*) > 1000,
               count(*) FILTER (WHERE (s.own_place, s.own_identity) IS DISTINCT FROM (k.own_place, k.own_identity))
        FROM k JOIN profdepot.stacks s ON s.inst_id = k.inst_id AND s.stack_id = k.stack_id")" "t|0" \
        "the loader and SQL find the same own frames and identities of all stacks"
    is "$(psql -XqAt -c "WITH names AS (
            SELECT DISTINCT ON (r.inst_id, r.rec_id) r.inst_id, r.rec_id,
                   profdepot.normal_frame_name(r.col_unit_name, r.col_class_name, r.col_routine_name) AS name
            FROM profdepot.resource_profiler_meta_routines r
            WHERE r.rec_id IS NOT NULL
            ORDER BY r.inst_id, r.rec_id, r.id)
        SELECT COALESCE(n.inst_id, k.inst_id), n.rec_id, k.routine_id
        FROM (SELECT * FROM names WHERE name <> '') n
        FULL JOIN profdepot.routine_identities k ON k.inst_id = n.inst_id AND k.routine_id = n.rec_id
        WHERE k.identity IS DISTINCT FROM encode(substr(sha256(convert_to(n.name, 'UTF8')), 1, 16), 'hex')::uuid
        LIMIT 10")" "" "the loader and SQL find the same identities of all routines"
    tail -n +2 "$corpora/textlogs/mangling/mangling.tsv" | awk -F'\t' -v OFS='\t' '{ gsub(/\\/, "\\\\", $2); print "", "", $2, "", $3 }' >"$tmp/names"
    compare "Borland's names"
    # A decorated name must have the same normal form as the unit, class and routine that it
    # contains.
    tail -n +2 "$corpora/textlogs/mangling/mangling.tsv" | awk -F'\t' -v OFS='\t' '$1 !~ /itanium|broken/ { print "", $5, $6, "", $4 }' >"$tmp/names"
    "$builddir/tests/tools/frame_rules" <"$tmp/names" >"$tmp/expected"
    tail -n +2 "$corpora/textlogs/mangling/mangling.tsv" | awk -F'\t' -v OFS='\t' '$1 !~ /itanium|broken/ { print "", "", $2, "", $3 }' >"$tmp/names"
    "$builddir/tests/tools/frame_rules" <"$tmp/names" >"$tmp/found"
    is "$(cut -f2 "$tmp/found")" "$(cut -f2 "$tmp/expected")" "decorated names have the same normal form as their unit, class and routine"
else
    skip "the corpora are missing" 5
fi
done_testing
