#!/usr/bin/env bash
# tools/sql2c.awk: what the compiled table holds is byte for byte what the files hold, with every awk
# that is installed.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/src/report/sql" "$dir/schema"
cd "$dir" || bail_out "no temporary directory"

# Quotes, backslashes, trigraphs, octal digits after a control character, UTF-8, CR, long lines.
printf '%s\n' "select 'a\"b' as \"x\\y\", '\\\\', '\\n', E'\\'', '??(', '??/', '%s %d &' -- Grüße, Ж, 漢" \
    "$(printf 'select \00112, \t7 \r')" '' "select '$(head -c 9000 /dev/zero | tr '\0' x)'" > schema/200_b.sql
printf 'select 1\n' > schema/100_a.sql
printf 'select 2 -- no line end' > src/report/sql/leaks.sql
: > schema/empty.sql
files="src/report/sql/leaks.sql schema/200_b.sql schema/100_a.sql"

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
    LC_ALL=C $awk -f "$srcdir/tools/sql2c.awk" $files > table.c
    is $? 0 "$awk: generates"
    ok "$awk: compiles without a warning" $CC -std=c11 -Wall -Wextra -Wpedantic -Werror \
        -Wno-overlength-strings -I"$srcdir/include" show.c table.c "$srcdir/src/base/sql_file.c" -o show
    is "$(./show)" $'report/leaks\nschema/100_a\nschema/200_b' "$awk: names, sorted"
    ./show schema/200_b > got
    same_file got schema/200_b.sql "$awk: the text comes back"
    is "$(./show report/leaks)" "select 2 -- no line end" "$awk: a last line without an end"
done

awk=${AWK:-awk}
LC_ALL=C "$awk" -f "$srcdir/tools/sql2c.awk" > table.c
is $? 0 "no files at all: generates"
# shellcheck disable=SC2086
ok "no files at all: compiles" $CC -std=c11 -I"$srcdir/include" -c table.c -o table.o
ok "a missing file is an error" ! env LC_ALL=C "$awk" -f "$srcdir/tools/sql2c.awk" schema/none.sql
ok "an empty file is an error" ! env LC_ALL=C "$awk" -f "$srcdir/tools/sql2c.awk" schema/empty.sql
ok "a file twice is an error" ! env LC_ALL=C "$awk" -f "$srcdir/tools/sql2c.awk" schema/100_a.sql schema/100_a.sql
ok "another kind of file is an error" ! env LC_ALL=C "$awk" -f "$srcdir/tools/sql2c.awk" show.c
done_testing
