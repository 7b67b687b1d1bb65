#!/usr/bin/env bash
# Creates an SQLite database for the unit test of the ODBC rowset, and runs the test.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"

test_program=$builddir/tests/unit/input/test_odbc
[ -x "$test_program" ] || skip_all "cmocka is not installed"
# The test needs sqlite3 and its driver, which quickstart installs. If one of them is missing, the test fails instead
# of being skipped.
command -v sqlite3 >/dev/null || bail_out "sqlite3 is not installed"
driver=
for place in /usr/lib/*/odbc /usr/lib/odbc /usr/lib64 /usr/lib /usr/local/lib/odbc /usr/local/lib; do
    [ -n "$driver" ] || [ ! -e "$place/libsqlite3odbc.so" ] || driver=$place/libsqlite3odbc.so
done
[ -n "$driver" ] || bail_out "libsqliteodbc is not installed"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
sqlite3 -batch "$tmp/x.db" <<'SQL'
create table INSTANCES (INST_ID integer, CAPTION text, N double);
with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
    insert into INSTANCES select i, 'caption ' || i, i / 2.0 from n;
create table "quoted ""PROFDEPOT_" (A text);
insert into "quoted ""PROFDEPOT_" values (NULL), (''), ('é€𝄞'), (replace(hex(zeroblob(6000)), '00', 'Ж𝄞'));
create table PROFDEPOT_EMPTY (A integer);
SQL
ODBC_TEST="Driver=$driver;Database=$tmp/x.db;Password=hidden" "$test_program"
