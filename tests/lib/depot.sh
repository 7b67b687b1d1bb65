# shellcheck shell=bash
# A depot in the temporary cluster. Source this file after tap.sh and pg-temp.sh.
#
#	depot_make		creates the schema in the database of pg_temp_start; if PROFDEPOT_TEST_PARTITIONS is
#				set, the depot is partitioned with this number of result sets per range
#	q SQL			runs SQL in schema profdepot and prints the rows without a header
#	run ARGUMENT...		runs profdepot; sets $out, $errors, $status
#
# A script must set $tmp to its own folder before it uses run.

depot_make() {
    local file
    if "$PROFDEPOT" db migrate >/dev/null 2>&1; then
        [ -z "${PROFDEPOT_TEST_PARTITIONS-}" ] ||
            "$PROFDEPOT" db partition --size "$PROFDEPOT_TEST_PARTITIONS" >/dev/null ||
            bail_out "the depot cannot be partitioned"
        return 0
    fi
    for file in "$srcdir"/schema/*.sql; do
        psql -X -q -v ON_ERROR_STOP=1 -f "$file" || bail_out "the depot cannot be created"
    done
}

q() {
    psql -XqAt -v ON_ERROR_STOP=1 -c "set search_path = profdepot" -c "$1"
}

# shellcheck disable=SC2034 # for the script that sources this
run() {
    out=$("$PROFDEPOT" "$@" 2>"$tmp/errors")
    status=$?
    errors=$(cat "$tmp/errors")
}
