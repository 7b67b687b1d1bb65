#!/usr/bin/env bash
# Tests that a new column needs only two changes: its declaration in schema/300_facts.sql and a member of the row
# struct. The test adds a column to RESOURCE_PROFILER_OBJECTS in a copy of these files. The
# schema page and the code that is generated for COPY, digests and reading must then contain the column.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/schema" "$dir/include/model" "$dir/src/store"
cp "$srcdir"/schema/[0-9]*.sql "$dir/schema"
cp "$srcdir/include/model/rows.h" "$dir/include/model"

# generate NAME: makes NAME.h, NAME.c and NAME.mdoc from the copied schema
generate() {
    (cd "$dir" && LC_ALL=C ${AWK:-awk} -v header=1 -f "$srcdir/tools/schema2c.awk" schema/*.sql) >"$dir/$1.h" &&
        (cd "$dir" && LC_ALL=C ${AWK:-awk} -f "$srcdir/tools/schema2c.awk" schema/*.sql) >"$dir/$1.c" &&
        (cd "$dir" && LC_ALL=C ${AWK:-awk} -f "$srcdir/tools/schema2mdoc.awk" schema/[1-9]*.sql) >"$dir/$1.mdoc"
}

# added KIND TEXT: checks that TEXT is in new.KIND, but not in old.KIND
added() {
    grep -qF -- "$2" "$dir/new.$1" && ! grep -qF -- "$2" "$dir/old.$1"
}

ok "files are generated from the current schema" generate old
ok "the generated files equal the files in the build" cmp "$dir/old.c" "$builddir/src/store/columns.c"

# Change 1: the declaration of the column and its comment.
sed -i 's/^    leak_kind text .*/&\n    swap_size numeric(20, 0), -- digest=alone/
    s/^COMMENT ON COLUMN profdepot.resource_profiler_objects.leak_kind .*/&\nCOMMENT ON COLUMN profdepot.resource_profiler_objects.swap_size IS '\''bytes swapped out'\'';/' \
    "$dir/schema/300_facts.sql"
# Change 2: the member of the struct.
sed -i '/^struct object_row {/a\	struct number swap_size;' "$dir/include/model/rows.h"

ok "the declaration changed in two lines" test "$(diff -r "$srcdir/schema" "$dir/schema" | grep -c '^>')" = 2
ok "files are generated from the schema with one more column" generate new
ok "COPY's column list has the new column" added h 'stack_id, leak_kind, swap_size, attributes'
ok "the generated code writes the new column" added c 'copier_number(c, row->swap_size);'
ok "the generated code reads the new column" added c 'row->swap_size = row_number(v);'
ok "the SELECT for reading rows contains the new column" added c 't.leak_kind, t.swap_size, t.attributes'
ok "the schema page has the new column" added mdoc '.It Va swap_size Pq numeric(20, 0), may be NULL'
ok "the schema page has the new column's comment" added mdoc 'bytes swapped out.'
ok "a row with a value in the new column has an additional hash" added c 'if (!row->swap_size.null) {'
ok "the hashes of other rows stay the same" test \
    "$(diff <(grep -e words -e texts "$dir/old.c") <(grep -e words -e texts "$dir/new.c") | grep -c '^<')" = 0

cp "$dir/new.h" "$dir/src/store/columns.h"
# shellcheck disable=SC2086 # a list of options, and CC may have arguments
ok "the generated code compiles" ${CC:-cc} -std=c11 -fsyntax-only "-I$dir/include" "-I$dir/src" $CHECK_CPPFLAGS "$dir/new.c"
done_testing
