#!/usr/bin/env bash
# Every report's query against a fresh schema.
. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/pg-temp.sh"
[ -x "$builddir/tests/unit/test_reports" ] || skip_all "cmocka is not there"
pg_temp_start
"$PROFDEPOT" db migrate >/dev/null || bail_out "no depot"
pg_temp_run tests/unit/test_reports
