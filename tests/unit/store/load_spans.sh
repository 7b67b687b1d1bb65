#!/usr/bin/env bash
# Tests that spans received by the sink are stored in the depot.
. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/pg-temp.sh"
[ -x "$builddir/tests/unit/store/test_load_spans" ] || skip_all "cmocka is not installed"
pg_temp_start
"$PROFDEPOT" db migrate >/dev/null || bail_out "the depot cannot be created"
pg_temp_run tests/unit/store/test_load_spans
