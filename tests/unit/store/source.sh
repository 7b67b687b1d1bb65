#!/usr/bin/env bash
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
pg_temp_start
depot_make
psql -X -q -v ON_ERROR_STOP=1 -f "$srcdir/tests/golden/source/sets.sql" || bail_out "the result sets cannot be created"
pg_temp_run tests/unit/store/test_source
