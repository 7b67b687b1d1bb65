#!/usr/bin/env bash
# Tests that objects, errors and their stacks are stored in the depot, and that invalid rows are refused.
. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/pg-temp.sh"
[ -x "$builddir/tests/unit/store/test_load" ] || skip_all "cmocka is not installed"
pg_temp_start
"$PROFDEPOT" db migrate >/dev/null || bail_out "the depot cannot be created"
pg_temp_run tests/unit/store/test_load
