#!/usr/bin/env bash
# Tests that the migrations, applied one by one, give the same depot as the files in schema/, including every comment
# and grant.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"

ok "migrations/0001_initial.sql was made from schema/; if not, run make migration-0001" \
    "$srcdir/tools/remake-initial" --check
pg_temp_start

# Newer releases of pg_dump write a random key into every dump if the caller passes no key.
key=
if pg_dump --help | grep -q -e --restrict-key; then
    key=--restrict-key=profdepot
fi

# dump FILE: writes the schema of the current database.
dump() {
    pg_dump --schema-only $key "$PGDATABASE" >"$1"
}

ok "schema/ is loaded at once" "$PROFDEPOT" db init
dump "$pg_temp_dir/schema.sql"
psql -XAtc "select version, name, checksum from profdepot.schema_migrations order by version" >"$pg_temp_dir/schema.rows"
pg_temp_database migrated
psql -Xq -v ON_ERROR_STOP=1 -1 -f "$srcdir/schema/000_depot.sql"
ok "the migrations are applied one by one" "$PROFDEPOT" db migrate
dump "$pg_temp_dir/migrated.sql"
psql -XAtc "select version, name, checksum from profdepot.schema_migrations order by version" >"$pg_temp_dir/migrated.rows"
ok "the dump contains comments" grep -q 'COMMENT ON COLUMN profdepot.schema_migrations.checksum' "$pg_temp_dir/schema.sql"
ok "the dump contains grants" grep -q 'TO profdepot_reader' "$pg_temp_dir/schema.sql"
same_file "$pg_temp_dir/migrated.sql" "$pg_temp_dir/schema.sql" "both depots have the same dump"
same_file "$pg_temp_dir/migrated.rows" "$pg_temp_dir/schema.rows" "both depots record the same migrations"
ok "the program contains the files in schema/ in name order" \
    test "$(sed -n 's/^-- \(schema.*\.sql\)$/\1/p' "$srcdir/migrations/0001_initial.sql")" = \
    "$(cd "$srcdir" && LC_ALL=C ls schema/[0-9]*.sql)"
done_testing
