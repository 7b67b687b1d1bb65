#!/usr/bin/env bash
# Tests tools/sql2c.awk and report2c.awk. The compiled table must contain the files byte for byte, except that
# comments at the top are omitted, parts are inserted, and parameter names are replaced. Runs with every installed awk.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/src/report/sql" "$dir/schema"
cd "$dir" || bail_out "no temporary directory"

# The files contain quotes, backslashes, trigraphs, octal digits after a control character, UTF-8, CR, and long lines.
printf '%s\n' "select 'a\"b' as \"x\\y\", '\\\\', '\\n', E'\\'', '??(', '??/', '%s %d &' -- Grüße, Ж, 漢" \
    "$(printf 'select \00112, \t7 \r')" '' "select '$(head -c 9000 /dev/zero | tr '\0' x)'" > schema/200_b.sql
printf 'select 1\n' > schema/100_a.sql
printf 'select 2 -- no line end' > src/report/sql/leaks.sql
: > schema/empty.sql
# Names in strings, identifiers, comments and casts are not parameters.
cat > src/report/sql/named.sql <<'SQL'
-- Not a :parameter, and not the :other one either.
SELECT :b::bigint, ':c' || E'\':d', "x:e", x::text -- :f
/* :g
:h */
FROM t WHERE a = :a_2 AND (:b IS NULL OR s[1:n] = ANY(:a_2)) $q$ :i
:j $q$ AND ':k
' <> :c
SQL
cat > named.want <<'SQL'
SELECT $1::bigint, ':c' || E'\':d', "x:e", x::text -- :f
/* :g
:h */
FROM t WHERE a = $2 AND ($1 IS NULL OR s[1:n] = ANY($2)) $q$ :i
:j $q$ AND ':k
' <> $3
SQL
printf '%s\n' '-- params: b a' '-- note' 'SELECT :a, :b' > src/report/sql/declared.sql
printf '%s\n' '-- head' 'x AS (SELECT :n),' 'y AS (SELECT :b)' > src/report/sql/part_x.sql
printf '%s\n' '-- head' 'z AS (SELECT :a)' > src/report/sql/part_z.sql
printf '%s\n' '-- with: x z' '-- params: a b n' 'SELECT :b FROM x, z' > src/report/sql/bare.sql
printf '%s\n' '-- params: a n' '-- with: z' 'WITH RECURSIVE r AS (' 'SELECT :n)' 'SELECT FROM r' > src/report/sql/own.sql
cat > bare.want <<'SQL'
WITH x AS (SELECT $3),
y AS (SELECT $2)
, z AS (SELECT $1)
SELECT $2 FROM x, z
SQL
cat > own.want <<'SQL'
WITH RECURSIVE z AS (SELECT $1)
, r AS (
SELECT $2)
SELECT FROM r
SQL
parts="src/report/sql/part_x.sql src/report/sql/part_z.sql"
files="$parts src/report/sql/bare.sql src/report/sql/own.sql src/report/sql/leaks.sql schema/200_b.sql schema/100_a.sql src/report/sql/named.sql src/report/sql/declared.sql"
mkdir base
generate() { # AWK FILE...
    local awk=$1
    shift
    # shellcheck disable=SC2086 # "busybox awk" is two words
    LC_ALL=C $awk -f "$srcdir/tools/sql_file.awk" -f "$srcdir/tools/sql2c.awk" "$@" > table.c &&
        LC_ALL=C $awk -v header=1 -f "$srcdir/tools/sql_file.awk" -f "$srcdir/tools/sql2c.awk" "$@" > base/sql_params.h
}

cat > show.c <<'C'
#include "base/sql_file.h"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	if (argc < 2)
		for (size_t i = 0; i < sql_files_count; i++)
			puts(sql_files[i].name);
	else
		fputs(sql_file_find(argv[1])->text, stdout);
	return sql_files[sql_files_count].name != NULL;
}
C

# shellcheck disable=SC2086 # "busybox awk" is two words
for awk in mawk gawk original-awk "busybox awk"; do
    command -v "${awk%% *}" >/dev/null || continue
    generate "$awk" $files
    is $? 0 "$awk: the code is generated"
    ok "$awk: the generated code compiles without warnings" $CC -std=c11 -Wall -Wextra -Wpedantic -Werror \
        -Wno-overlength-strings -I. -I"$srcdir/include" show.c table.c "$srcdir/src/base/sql_file.c" -o show
    is "$(./show)" $'report/bare\nreport/declared\nreport/leaks\nreport/named\nreport/own\nschema/100_a\nschema/200_b' \
        "$awk: names of files are sorted"
    ./show schema/200_b > got
    same_file got schema/200_b.sql "$awk: the text of a file is unchanged"
    is "$(./show report/leaks)" "select 2 -- no line end" "$awk: the last line needs no line end"
    ./show report/named > got
    same_file got named.want "$awk: names become numbers in order of first appearance"
    for name in bare own; do
        ./show "report/$name" > got
        same_file got "$name.want" "$awk: parts come before the query: $name"
    done
    is "$(./show report/declared | tail -n 1)" 'SELECT $2, $1' "$awk: names become numbers in the declared order"
done

# values FILE INITIALISERS: checks that SQL_VALUES compiles with these initialisers.
values() {
    printf '#include "base/sql_file.h"\nint main(void) { return SQL_VALUES(%s, %s)[0] != NULL; }\n' "$1" "$2" > use.c
    $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -I. -I"$srcdir/include" -fsyntax-only use.c 2>errors
}
ok "SQL_VALUES with all values compiles" values SQL_REPORT_DECLARED "[SQL_REPORT_DECLARED_A] = NULL, [SQL_REPORT_DECLARED_B] = NULL"
ok "SQL_VALUES without a value does not compile" ! values SQL_REPORT_DECLARED "[SQL_REPORT_DECLARED_A] = NULL"
ok "SQL_VALUES with a repeated value does not compile" ! \
    values SQL_REPORT_DECLARED "[SQL_REPORT_DECLARED_A] = NULL, [SQL_REPORT_DECLARED_A] = NULL"
ok "SQL_VALUES with a misspelt name does not compile" ! \
    values SQL_REPORT_DECLARED "[SQL_REPORT_DECLARED_A] = NULL, [SQL_REPORT_DECLARED_BB] = NULL"

awk=${AWK:-awk}
LC_ALL=C "$awk" -f "$srcdir/tools/sql_file.awk" -f "$srcdir/tools/sql2c.awk" > table.c
is $? 0 "sql2c.awk succeeds without any files"
# shellcheck disable=SC2086
ok "the code that is generated without any files compiles" $CC -std=c11 -I. -I"$srcdir/include" -c table.c -o table.o
ok "a missing file is an error" ! env LC_ALL=C "$awk" -f "$srcdir/tools/sql_file.awk" -f "$srcdir/tools/sql2c.awk" schema/none.sql
ok "an empty file is an error" ! env LC_ALL=C "$awk" -f "$srcdir/tools/sql_file.awk" -f "$srcdir/tools/sql2c.awk" schema/empty.sql
ok "a repeated file is an error" ! env LC_ALL=C "$awk" -f "$srcdir/tools/sql_file.awk" -f "$srcdir/tools/sql2c.awk" schema/100_a.sql schema/100_a.sql
ok "a file that is not SQL is an error" ! env LC_ALL=C "$awk" -f "$srcdir/tools/sql_file.awk" -f "$srcdir/tools/sql2c.awk" show.c

# refuses SQL MESSAGE NAME: checks that sql2c.awk rejects a file under src/ with this text.
refuses() {
    printf '%b\n' "$1" > src/report/sql/bad.sql
    LC_ALL=C "$awk" -f "$srcdir/tools/sql_file.awk" -f "$srcdir/tools/sql2c.awk" src/report/sql/bad.sql > table.c 2>errors
    is "$?: $(cat errors)" "1: sql2c.awk: src/report/sql/bad.sql$2" "$3"
}
refuses '-- params: a\nSELECT :a, :b' ':2: parameter :b is not in the file'\''s "-- params:" line' "an undeclared parameter is an error"
refuses '-- params: a b\nSELECT :a' ': parameter :b is never used' "an unused parameter is an error"
refuses '-- params: A\nSELECT 1' ': "A" is not the name of a parameter' "an upper-case parameter is an error"
refuses '-- with: y\nSELECT 1' ': there is no part_y.sql' "an unknown part is an error"
refuses 'SELECT :a,\n$1' ':2: a numbered parameter: parameters have names, such as :inst_id' "a numbered parameter is an error"
refuses "SELECT 'a" ": ends inside '" "an unclosed string is an error"

# report2c.awk makes initialisers from the comments at the top of a file.
report2c() { # FILE...
    LC_ALL=C "$awk" -f "$srcdir/tools/sql_file.awk" -f "$srcdir/tools/report2c.awk" "$@"
}
cat > src/report/sql/bare.sql <<'SQL'
-- title: A "title"
-- layout: records
-- facts: call tree
-- params: inst_id min_size
-- order: size desc, name
-- parts: name
-- part: - "no name"
-- column: number integer "#" rank
-- column: name text "Name"
-- column: size integer bytes "Size" sum machine
-- First line,
-- second line.
SELECT 1
SQL
cat > want <<'C'

#define REPORT_FILE_bare \
	.file = "report/bare", .has_query = true, \
	.title = "A \"title\"", \
	.note = "First line, second line.", \
	.layout = TABLE_RECORDS, \
	.facts = REPORT_FACTS_CALL_TREE, \
	.columns = { \
		{ "number", "#", TABLE_INTEGER, TABLE_UNIT_NONE }, \
		{ "name", "Name", TABLE_TEXT, TABLE_UNIT_NONE }, \
		{ "size", "Size", TABLE_INTEGER, TABLE_UNIT_BYTES, .summed = true, .machine = true }, \
	}, \
	.column_count = 3, .owner_has_routine = false, \
	.params = { REPORT_INST_ID, REPORT_MIN_SIZE, }, .param_count = 2, \
	.order = { { 2, true }, { 1, false }, }, .order_count = 2, \
	.part_values = { "", }, \
	.part_names = { "no name", }, .part_name_count = 1, \
	.rank_column = 0, .tie_column = -1, .part_column = 1
C
report2c schema/100_a.sql src/report/sql/leaks.sql src/report/sql/bare.sql | sed '1,3d;/^#endif/,$d' | sed '$d' > got
same_file got want "a report's comments become initialisers"
sed -i 's/^-- order: size/-- order: count/' src/report/sql/bare.sql
ok "-- order: with an unknown column is an error" ! report2c src/report/sql/bare.sql
sed -i 's/^-- order: .*/-- ordr: size/' src/report/sql/bare.sql
ok "an unknown key in the comments is an error" ! report2c src/report/sql/bare.sql
done_testing
