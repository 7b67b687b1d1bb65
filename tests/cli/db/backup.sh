#!/usr/bin/env bash
# Runs the examples of doc/backup.md: first on a depot in a server, then on a private cluster. The depot contains
# rows of every kind that a backup must include, and a restored depot must have the same schema and rows.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/console.sh
. "$srcdir/tests/lib/console.sh"

pg_temp_start depot
tmp=$(mktemp -d "${TMPDIR:-/tmp}/profdepot-test.XXXXXX") || bail_out "the temporary folder cannot be created"
chmod 755 "$tmp"
clean_up() {
    local status=$? home
    for home in "$tmp/home" "$tmp/work/second" "$tmp/work/third" "$tmp/work/fourth" "$tmp/work/fifth"; do
        [ ! -d "$home/data" ] || PROFDEPOT_HOME=$home "$PROFDEPOT" db stop --db private >/dev/null 2>&1
    done
    rm -rf "$tmp"
    (exit "$status")
    pg_temp_stop
}
trap clean_up EXIT

# The examples run PostgreSQL's programs, which must have the same version as the server.
PATH=$pg_temp_bin:$PATH
console_begin

# Stores rows of every kind.
fill() {
    "$PROFDEPOT" db init &&
        printf 'main;work 7\n' >folded.txt &&
        "$PROFDEPOT" load --format collapsed --run nightly folded.txt &&
        "$PROFDEPOT" load examples/orders-requests.miniprofiler.json examples/orders-page.trace.json \
            examples/orders-start.speedscope.json examples/orders-host.kernelscope.ndjson &&
        "$PROFDEPOT" load --label branch=main --application Orders examples/orders-before examples/orders-after &&
        "$PROFDEPOT" suppress add --pattern leak:TSettings --reason 'known' --author me &&
        printf '* @shop\n' | "$PROFDEPOT" owners set - &&
        "$PROFDEPOT" stream set branch host &&
        "$PROFDEPOT" category add probes --column name:string
}
# state FILE URI: writes the definition and the rows of a depot's schema. The rows are sorted, because tables
# have no order.
state() {
    pg_dump --schema profdepot --inserts "$2" | grep -vE '^\\(un)?restrict ' | LC_ALL=C sort >"$1"
}
# restored_as FILE URI DESCRIPTION: compares the depot with the state of the original.
restored_as() {
    state "$tmp/restored.state" "$2"
    ok "$3" cmp "$tmp/restored.state" "$1"
}

# doc_part PATTERN: writes the part of the page that begins at the heading and ends before the next "## " heading.
doc_part() {
    awk -v heading="$1" '/^## / { in_part = $0 == "## " heading } in_part' "$srcdir/doc/backup.md" >"$tmp/part.md"
    ok "doc/backup.md has the part \"$1\"" grep -q '^```console$' "$tmp/part.md"
}

# --- a depot in a server ---

server=$PROFDEPOT_DB
unset PROFDEPOT_DB
fill >"$tmp/said" 2>&1 || bail_out "the depot cannot be filled: $(cat "$tmp/said")"
state "$tmp/server.state" "$server"
ok "the state contains rows of the depot's suppressions" grep -q 'INSERT INTO profdepot.suppressions' "$tmp/server.state"
ok "the state contains rights" grep -q '^GRANT .* TO profdepot_reader' "$tmp/server.state"
doc_part "A depot in a server of your own"
console_run "$tmp/part.md"
restored_as "$tmp/server.state" "${server/\/depot?/\/restored?}" "the restored depot has the same schema, rights and rows"
restored_as "$tmp/server.state" "${server/\/depot?/\/moved?}" "db migrate grants rights that were not restored"

# A damaged copy must fail the check that the page describes.
psql -Xq -d moved -c 'delete from profdepot.resource_profiler_objects where ctid = (select min(ctid) from profdepot.resource_profiler_objects)'
PGDATABASE=moved run verify --deep
is "$status" 1 "the check detects a row that is missing after a restore"
PGDATABASE=restored run load --quiet "$srcdir/examples/orders-after"
PGDATABASE=restored run list --output csv
is "$(printf '%s\n' "$out" | wc -l)" "$("$PROFDEPOT" list --output csv | wc -l)" "a restored depot recognises its inputs"
echo 'main;other 3' >more.folded
PGDATABASE=restored run load more.folded
like "$status $out" '^0 loaded' "a restored depot accepts loads"

# --- the private cluster ---

export PROFDEPOT_HOME=$tmp/home
unset PGHOST PGUSER PGDATABASE
fill >"$tmp/said" 2>&1 || bail_out "the private cluster cannot be filled: $(cat "$tmp/said")"
state "$tmp/private.state" "$("$PROFDEPOT" db url)"
doc_part "The private cluster"
console_run "$tmp/part.md"
for copy in second third fourth; do
    restored_as "$tmp/private.state" "$(PROFDEPOT_HOME=$PWD/$copy "$PROFDEPOT" db url 2>/dev/null)" \
        "the $copy private cluster has the same schema, rights and rows"
    PROFDEPOT_HOME=$PWD/$copy "$PROFDEPOT" db stop >/dev/null
done
doc_part "Single result sets"
console_run "$tmp/part.md"
done_testing
