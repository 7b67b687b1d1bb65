#!/usr/bin/env bash
# Tests truncated, damaged, hostile and endless requests: each gets one JSON error if its sender is
# still connected, and the server keeps running.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/robust.XXXXXX")
depot_make
serve_begin --max-header 4K --connections 4096
at="${base#http://}"
bad() {
    python3 "$srcdir/tests/service/client.py" "$1" "${at%:*}" "${at##*:}" "${@:2}"
}
ok "requests that are cut off at any byte do no harm" bad cut /v1/health /nothing
ok "garbage is rejected" bad garbage
ok "odd paths get an answer or an error" bad paths
ok "odd headers and bodies with two lengths are rejected or answered" bad headers
ok "a request with an invalid Content-Length gets exactly one answer" bad lengths
ok "one connection can carry many requests" bad keepalive
said=$(bad crowd 1000 1000)
is "$?" 0 "1,000 idle and 1,000 slow clients do not disturb other clients"
diag "$said"
ok "the server process still runs" kill -0 "$server_pid"
serve_end
is $? 0 "the server ends with status 0"
done_testing
