#!/usr/bin/env bash
# Runs every report's query on the schema, and tests which report each name selects.
. "$srcdir/tests/lib/tap.sh"
. "$srcdir/tests/lib/pg-temp.sh"
[ -x "$builddir/tests/unit/report/test_reports" ] || skip_all "cmocka is missing"
pg_temp_start
"$PROFDEPOT" db migrate >/dev/null || bail_out "the depot cannot be created"
psql -Xq -v ON_ERROR_STOP=1 -v inst=7 -f "$srcdir/tests/golden/findings/set.sql" || bail_out "the findings cannot be created"
psql -Xq -v ON_ERROR_STOP=1 -v inst=8 -f "$srcdir/tests/golden/reports/set.sql" || bail_out "the golden result set cannot be created"
pg_temp_run tests/unit/report/test_reports
