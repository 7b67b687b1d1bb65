#!/usr/bin/env bash
# Tests that rows that the sink receives are stored in the depot.
. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/pg-temp.sh"
[ -x "$builddir/tests/unit/store/test_load" ] || skip_all "cmocka is not there"
pg_temp_start
"$PROFDEPOT" db migrate >/dev/null || bail_out "no depot"
pg_temp_run tests/unit/store/test_load
