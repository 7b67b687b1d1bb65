#!/usr/bin/env bash
# Tests loads that fail because a disk is full or the server goes away. Such a load must report one clear error and
# leave the depot unchanged, and the next load must succeed. A file size limit simulates the full disk: the server
# gets "File too large" instead of "No space left on device", but it handles both errors in the same way.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

full_bytes=$((20 * 1024 * 1024)) # a WAL segment still fits
pg_temp_start
tmp=$(mktemp -d "${TMPDIR:-/tmp}/profdepot-test.XXXXXX") || bail_out "the temporary folder cannot be created"
trap 'status=$?; rm -rf "$tmp"; (exit $status); pg_temp_stop' EXIT
"$PROFDEPOT" db migrate >"$tmp/migrate" 2>&1 || bail_out "the depot cannot be created: $(cat "$tmp/migrate")"
"$builddir/examples/generate-example" --out "$tmp/large" --objects 250000 --stacks 300 --depth 2-4 \
    --seed 5 >/dev/null || bail_out "the example cannot be generated"
export_make "$tmp/small"

rows_left() {
    psql -XqAt -c "select (select count(*) from profdepot.instances)
        + (select count(*) from profdepot.resource_profiler_objects)
        + (select count(*) from profdepot.stacks) + (select count(*) from profdepot.import_issues)"
}

# Limits the file size in new server processes.
limit_server() {
    pg_temp_as prlimit --pid "$(head -n 1 "$pg_temp_dir/data/postmaster.pid")" --fsize="$1":
}
limit_server $full_bytes
said=$("$PROFDEPOT" load --output json "$tmp/large" 2>"$tmp/errors")
is $? 4 "the server's disk is full: exit status 4"
like "$(cat "$tmp/errors")" 'could not (extend|write).*(File too large|No space left)' \
    "the server's disk is full: the message gives the server's reason"
like "$said" '"state":"failed"' "the server's disk is full: the output says that the load failed"
is "$(rows_left)" 0 "the server's disk is full: no rows are left"
limit_server unlimited
ok "after space has been freed, the next load succeeds" "$PROFDEPOT" load "$tmp/small"
psql -Xq -c 'truncate profdepot.instances, profdepot.resource_profiler_objects, profdepot.stacks,
    profdepot.import_issues'

# Archives are unpacked into profdepot's own temporary files.
(cd "$tmp/large" && tar czf "$tmp/large.tar.gz" -- *.csv)
(
    ulimit -S -f 1024
    "$PROFDEPOT" load "$tmp/large.tar.gz" >/dev/null 2>"$tmp/errors"
)
is $? 3 "profdepot's disk is full: exit status 3"
like "$(cat "$tmp/errors")" 'File too large|No space left' \
    "profdepot's disk is full: the message gives the reason"
is "$(rows_left)" 0 "profdepot's disk is full: no rows are left"

# The server goes away while rows are being sent.
"$PROFDEPOT" load "$tmp/large" >/dev/null 2>"$tmp/errors" &
loader=$!
tries=200
until [ "$(psql -XqAt -c "select count(*) from pg_stat_activity where query like 'COPY%'" 2>/dev/null)" != 0 ] ||
    [ $tries -eq 0 ]; do
    tries=$((tries - 1))
done
pg_temp_as "$pg_temp_bin/pg_ctl" -D "$pg_temp_dir/data" -m immediate -w stop >/dev/null 2>&1
wait $loader
is $? 4 "the server goes away during a load: exit status 4"
like "$(cat "$tmp/errors")" 'server|connection' \
    "the server goes away during a load: the error names the server"
unlike "$(cat "$tmp/errors")" 'password' \
    "the server goes away during a load: the error contains no password"
pg_temp_as "$pg_temp_bin/pg_ctl" -D "$pg_temp_dir/data" -l "$pg_temp_dir/run/log" -w -t 60 \
    -o "-c listen_addresses='' -c unix_socket_directories='$pg_temp_dir/run' -c fsync=off" start \
    >/dev/null 2>&1 </dev/null
is "$(rows_left)" 0 "the server goes away during a load: no rows are left"
ok "after the server's restart, the next load succeeds" "$PROFDEPOT" load "$tmp/large"

# Tests a load without a server, and outputs that cannot be written.
PROFDEPOT_DB="host=$tmp dbname=x" "$PROFDEPOT" load "$tmp/small" >/dev/null 2>"$tmp/errors"
is $? 4 "without a server, the exit status is 4"
"$PROFDEPOT" report leaks --out /dev/full/x 2>"$tmp/errors"
is $? 3 "if an output file cannot be created, the exit status is 3"
"$PROFDEPOT" report objects --top 0 --output json >/dev/full 2>"$tmp/errors"
is $? 3 "if standard output is full, the exit status is 3"
like "$(cat "$tmp/errors")" 'No space left' "if standard output is full, the message gives the reason"
done_testing
