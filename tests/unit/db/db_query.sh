#!/usr/bin/env bash
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
pg_temp_start
pg_temp_run tests/unit/db/test_db_query
