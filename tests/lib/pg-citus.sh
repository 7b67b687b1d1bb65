# shellcheck shell=bash
# Runs a test script against an existing Citus cluster instead of a temporary one. pg-temp.sh sources this file if
# PROFDEPOT_TEST_CITUS is set to the URIs of the coordinator and its workers, separated by blanks:
#
#	PROFDEPOT_TEST_CITUS='postgresql://postgres@localhost:9700/postgres postgresql://postgres@localhost:9701/postgres'
#
# The logins must be superusers. Each script has databases of its own, which are dropped when it ends. PROFDEPOT is a
# script that distributes a depot as soon as "db init" or "db migrate" has created it.

# These scripts need a server of their own: they stop it, read its folder or log, use its socket, check roles of the whole
# server, divide the depot into ranges, or drop primary keys, which Citus does not allow. Run cli/store/kill.sh alone,
# because it kills backends, and PostgreSQL then restarts.
pg_citus_private='cli/db/backup.sh cli/db/cluster.sh cli/db/disaster.sh cli/db/migrate.sh cli/db/partition.sh
    cli/db/schema_dump.sh cli/db/session.sh cli/report/plans.sh cli/report/shapes.sh cli/store/cut.sh cli/store/many.sh
    cli/store/ranges.sh cli/store/verify_deep.sh lib/selftest.sh service/live_crash.sh service/live_kill.sh
    service/stop.sh unit/db/db_query.sh'

pg_citus_uris=()
pg_citus_made=()

# The same server with another database.
pg_citus_uri() {
    printf '%s/%s\n' "${1%/*}" "$2"
}

pg_citus_sql() {
    psql -X -q -At -d "$1" -c "$2"
}

# Creates a database with Citus on every server.
pg_citus_database() {
    local uri
    pg_citus_made+=("$1")
    for uri in "${pg_citus_uris[@]}"; do
        pg_citus_sql "$uri" "create database \"$1\" template template0" || bail_out "cannot create the database $1"
        pg_citus_sql "$(pg_citus_uri "$uri" "$1")" 'create extension citus' || bail_out "no Citus at $uri"
    done
    export PGDATABASE=$1
    PROFDEPOT_DB=$(pg_citus_uri "${pg_citus_uris[0]}" "$1")
    export PROFDEPOT_DB
}

# Writes the script that replaces the program.
pg_citus_program() {
    local uri workers=()
    for uri in "${pg_citus_uris[@]:1}"; do
        workers+=(--workers "\"${uri%/*}/\$base\"")
    done
    cat >"$pg_temp_dir/profdepot" <<END
#!/usr/bin/env bash
case "\$1 \${2-}" in
"db init" | "db migrate")
    "$PROFDEPOT" "\$@" || exit
    base=\$(psql -XAt -d "\$PROFDEPOT_DB" -c 'select current_database()') || exit
    # Citus cannot create the same role twice at the same time.
    exec flock "${TMPDIR:-/tmp}" "$PROFDEPOT" db distribute --shards 8 ${workers[*]} >/dev/null
    ;;
*) exec "$PROFDEPOT" "\$@" ;;
esac
END
    chmod +x "$pg_temp_dir/profdepot"
    export PROFDEPOT=$pg_temp_dir/profdepot
}

# Takes user, host and port from the coordinator's URI.
pg_citus_environment() {
    local place=${pg_citus_uris[0]#*//}
    place=${place%%/*}
    export PGUSER=${place%%@*} PGHOST=${place#*@}
    export PGPORT=${PGHOST##*:}
    PGHOST=${PGHOST%:*}
}

pg_citus_start() {
    local name=${0##*/tests/}
    if [[ " $(echo "$pg_citus_private" | tr -s '\n ' ' ') " == *" $name "* ]]; then
        skip_all "this script needs a server of its own"
    fi
    read -ra pg_citus_uris <<<"$PROFDEPOT_TEST_CITUS"
    pg_citus_environment
    pg_citus_program
    pg_citus_database "${1:-profdepot_test}_$$"
}

pg_citus_stop() {
    local uri name
    for name in "${pg_citus_made[@]}"; do
        for uri in "${pg_citus_uris[@]}"; do
            pg_citus_sql "$uri" "drop database if exists \"$name\" with (force)" >/dev/null 2>&1
        done
    done
}
