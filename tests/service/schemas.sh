#!/usr/bin/env bash
# Tests that real answers of every route match the schemas of the API description.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"
need_corpora
python=
for p in /usr/bin/python3 "$(command -v python3)"; do
    [ -n "$python" ] || ! "$p" -c 'import jsonschema' 2>/dev/null || python=$p
done
[ -n "$python" ] || skip_all "python3-jsonschema is not installed"

pg_temp_start
depot_make
tmp=$(mktemp -d)
trap 'serve_end; pg_temp_stop; rm -rf "$tmp"' EXIT
psql -X -q -c 'create role web login in role profdepot_reader'
token=$("$PROFDEPOT" token add tester --scope read,ingest,review,admin,sql --token-file "$tmp/tokens") ||
    bail_out "the token cannot be added"
serve_begin --query-timeout 60 --web "$srcdir/web" --token-file "$tmp/tokens" \
    --sql --sql-db "postgresql://web@/$PGDATABASE?host=$PGHOST"
"$python" "$srcdir/tests/service/schemas.py" "$base" "$PROFDEPOT_CORPORA" "$tmp" "$token" >"$tmp/said" 2>"$tmp/trace"
is "$?" 0 "all requests can be sent"
while read -r word text; do
    case $word in
    ok) pass "$text" ;;
    bad) fail "$text" ;;
    *) diag "$text" ;;
    esac
done <"$tmp/said"
[ ! -s "$tmp/trace" ] || diag "$(tail -n 5 "$tmp/trace")"
serve_end
is $? 0 "the server ends with status 0"
done_testing
