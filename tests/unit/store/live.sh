#!/usr/bin/env bash
# Tests the table posted_progress: its row for a profdepot server shows which of the server's transactions are
# committed, even if the server's connections were closed (needs PROFDEPOT_DB).
. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/pg-temp.sh"
[ -x "$builddir/tests/unit/store/test_live" ] || skip_all "cmocka is not installed"
PG_TEMP_OPTIONS="-c wal_writer_delay=10s"
pg_temp_start
"$PROFDEPOT" db migrate >/dev/null || bail_out "the depot cannot be created"
pg_temp_run tests/unit/store/test_live
