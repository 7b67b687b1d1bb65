# shellcheck shell=bash
# A temporary PostgreSQL cluster for one test script. It listens only on a UNIX socket and is removed when the
# script ends. Source this file after tap.sh, then call:
#
#	pg_temp_start			creates the cluster; skips the script if PostgreSQL is not installed
#	psql -c 'select 1'		uses the cluster, which libpq's environment and PROFDEPOT_DB point to
#	pg_temp_run tests/unit/test_x	runs a compiled test; its TAP output becomes the output of this script
#
# If root runs the tests, the server runs as the account postgres. Only that account and root can enter the socket's
# directory, so the server trusts every connection, and tests log in as any role with psql -U.
# If a script sets its own trap on EXIT, the trap must call pg_temp_stop. With PROFDEPOT_TEST_CITUS, the tests use an
# existing Citus cluster: see pg-citus.sh.

pg_temp_dir=
pg_temp_bin=
# The compiled program; on Citus, PROFDEPOT is a script that starts it.
# shellcheck disable=SC2034 # for the script that sources this
pg_temp_program=${PROFDEPOT-}

if [ -n "${PROFDEPOT_TEST_CITUS-}" ]; then
    # shellcheck source=tests/lib/pg-citus.sh
    . "$srcdir/tests/lib/pg-citus.sh"
fi

# Finds initdb and pg_ctl, which are rarely in PATH on Debian.
pg_temp_find() {
    local dir
    for dir in "$(pg_config --bindir 2>/dev/null)" $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV) \
        /usr/pgsql-*/bin /usr/local/pgsql/bin /opt/homebrew/bin; do
        if [ -x "$dir/initdb" ] && [ -x "$dir/pg_ctl" ]; then
            pg_temp_bin=$dir
            return 0
        fi
    done
    return 1
}

# Runs a command as the server's account.
pg_temp_as() {
    if [ "$(id -u)" -eq 0 ]; then
        (cd / && runuser -u postgres -- env -u LC_ALL LC_CTYPE=C.UTF-8 "$@")
    else
        (cd / && "$@")
    fi
}

# The account postgres must be able to enter the parent folder, and a socket's path has at most 107 bytes.
pg_temp_make_dir() {
    local parent
    for parent in "${TMPDIR:-/tmp}" /tmp /var/tmp; do
        if [ ${#parent} -gt 60 ] || [[ $parent == *,* ]]; then
            continue
        fi
        pg_temp_dir=$(mktemp -d "$parent/profdepot-test.XXXXXX") || continue
        chmod 755 "$pg_temp_dir"
        if pg_temp_as test -x "$pg_temp_dir"; then
            return 0
        fi
        rmdir "$pg_temp_dir"
    done
    pg_temp_dir=
    return 1
}

# initdb takes seconds, but copying an empty cluster takes a tenth of a second. The first script of a build
# directory therefore stores a copy of its cluster there, which `make clean' removes.
pg_temp_initdb() {
    local made="${builddir:-/nonexistent}/tests/pg-made" name
    name=$made/$(id -u)-$("$pg_temp_bin/initdb" --version | tr -cd '0-9.')
    if [ -d "$name" ] && cp -a "$name" "$pg_temp_dir/data"; then
        return 0
    fi
    rm -rf "$pg_temp_dir/data"
    mkdir -m 700 "$pg_temp_dir/data" || return 1
    [ "$(id -u)" -ne 0 ] || chown postgres: "$pg_temp_dir/data"
    pg_temp_as "$pg_temp_bin/initdb" -D "$pg_temp_dir/data" -U postgres -E UTF8 --locale=C.UTF-8 \
        -A trust --no-sync --no-instructions || return 1
    # The move is atomic, because other scripts may store their copies at the same time.
    { mkdir -p "$made" && cp -a "$pg_temp_dir/data" "$name.$$" && mv -T "$name.$$" "$name"; } 2>/dev/null ||
        rm -rf "$name.$$"
}

pg_temp_create() {
    pg_temp_initdb || return 1
    mkdir -m 700 "$pg_temp_dir/run" || return 1
    [ "$(id -u)" -ne 0 ] || chown postgres: "$pg_temp_dir/run"
    pg_temp_as "$pg_temp_bin/pg_ctl" -D "$pg_temp_dir/data" -l "$pg_temp_dir/run/log" -w -t 60 \
        -o "-c listen_addresses='' -c unix_socket_directories='$pg_temp_dir/run' -c fsync=off \
            -c full_page_writes=off -c max_connections=40 -c shared_buffers=32MB ${PG_TEMP_OPTIONS:-}" \
        start
}

# pg_temp_start [DATABASE]: creates the cluster with an empty UTF8 database.
pg_temp_start() {
    local said
    pg_temp_find || skip_all "PostgreSQL server programs are not installed"
    # Debian's psql is a script that searches for the real psql. This search takes longer than psql itself.
    [ ! -x "$pg_temp_bin/psql" ] || PATH=$pg_temp_bin:$PATH
    if [ "$(id -u)" -eq 0 ] && ! id postgres >/dev/null 2>&1; then
        skip_all "the account postgres, which would run the server, does not exist"
    fi
    umask 022
    pg_temp_make_dir || bail_out "cannot create a directory for a temporary cluster"
    trap pg_temp_stop EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    if [ -n "${PROFDEPOT_TEST_CITUS-}" ]; then
        pg_citus_start "${1-}"
        return
    fi
    if ! said=$(pg_temp_create 2>&1 </dev/null); then
        diag "$said"
        [ ! -f "$pg_temp_dir/run/log" ] || diag "$(cat "$pg_temp_dir/run/log")"
        bail_out "the temporary cluster does not start"
    fi
    export PGHOST=$pg_temp_dir/run PGUSER=postgres PGDATABASE=${1:-profdepot_test}
    unset PGPORT PGHOSTADDR PGSERVICE
    psql -X -q -d postgres -c "create database $PGDATABASE template template0" ||
        bail_out "cannot create a database in the temporary cluster"
    export PROFDEPOT_DB="postgresql://$PGUSER@/$PGDATABASE?host=$PGHOST"
}

# Creates another empty database in the cluster and selects it.
pg_temp_database() {
    if [ -n "${PROFDEPOT_TEST_CITUS-}" ]; then
        pg_citus_database "$1_$$"
        return
    fi
    psql -X -q -d postgres -c "create database $1 template template0" || bail_out "cannot create the database $1"
    export PGDATABASE=$1 PROFDEPOT_DB="postgresql://$PGUSER@/$1?host=$PGHOST"
}

# Runs SQL on each server that has rows of the depot, and prints the rows of all servers. Citus then shows the shards in
# catalogues, too.
pg_temp_everywhere() {
    local uri
    if [ -n "${PROFDEPOT_TEST_CITUS-}" ]; then
        for uri in "${pg_citus_uris[@]}"; do
            PGOPTIONS='-c citus.override_table_visibility=off' pg_citus_sql "$(pg_citus_uri "$uri" "$PGDATABASE")" "$1"
        done
    else
        psql -XqAt -c "$1"
    fi
}

# Shows the server's log, for a failing test.
pg_temp_log() {
    cat "$pg_temp_dir/run/log"
}

# pg_temp_runs PID: succeeds if the process runs; a zombie, which has ended but is not reaped yet, does not run.
pg_temp_runs() {
    [ -r "/proc/$1/stat" ] && ! grep -q ') Z' "/proc/$1/stat"
}

pg_temp_stop() {
    local status=$? pid tries=50
    [ -n "$pg_temp_dir" ] || return $status
    [ -z "${PROFDEPOT_TEST_CITUS-}" ] || pg_citus_stop
    pid=$(head -n 1 "$pg_temp_dir/data/postmaster.pid" 2>/dev/null)
    if [ -n "$pid" ]; then
        pg_temp_as "$pg_temp_bin/pg_ctl" -D "$pg_temp_dir/data" -m immediate -W stop >/dev/null 2>&1
        while pg_temp_runs "$pid" && [ $tries -gt 0 ]; do
            sleep 0.1
            tries=$((tries - 1))
        done
    fi
    rm -rf "$pg_temp_dir" || { sleep 1; rm -rf "$pg_temp_dir"; }
    pg_temp_dir=
    return $status
}

# pg_temp_run PROGRAM ARGUMENT...: runs a compiled test from the build directory and ends the script
# with its status.
pg_temp_run() {
    local status=0 program=$1
    shift
    "$builddir/$program" "$@" || status=$?
    exit $status
}
