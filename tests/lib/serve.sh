# shellcheck shell=bash
# A server for the depot. Source this file after tap.sh; it needs curl.
#
#	serve_begin [OPTION...]	starts profdepot serve on a free port; sets $base
#				(http://127.0.0.1:PORT, without a slash at the end), $legacy_base (with
#				--legacy-listen), $server_pid, and $serve_log, its output file
#	serve_end		sends SIGTERM, waits, and returns the server's status
#
# If the script is killed, the server also ends.

server_pid=
serve_log=

# If python3 is a script that searches for the interpreter, puts the interpreter's folder first in PATH.
if command -v python3 >/dev/null; then
    serve_python=$(python3 -S -c 'import sys; print(sys.executable)')
    [ "$serve_python" = "$(command -v python3)" ] || PATH=${serve_python%/*}:$PATH
fi

# shellcheck disable=SC2034 # for the script that sources this
serve_begin() {
    local tries=300
    command -v curl >/dev/null || skip_all "curl is not installed"
    # The log is in the cluster's folder, which pg-temp.sh removes even if the script does not call serve_end.
    serve_log=$(mktemp "${pg_temp_dir:-${TMPDIR:-/tmp}}/profdepot-serve.XXXXXX")
    "$PROFDEPOT" serve --listen 127.0.0.1:0 "$@" >"$serve_log" 2>&1 &
    server_pid=$!
    # The server ends even if this shell is killed.
    (while kill -0 $$ 2>/dev/null && kill -0 "$server_pid" 2>/dev/null; do sleep 1; done
        kill "$server_pid") >/dev/null 2>&1 &
    disown $!
    while ! grep -q '^serving: ' "$serve_log" && kill -0 "$server_pid" 2>/dev/null && [ $tries -gt 0 ]; do
        sleep 0.1
        tries=$((tries - 1))
    done
    base=$(sed -n 's/^serving: \(.*[^/]\)\/*$/\1/p' "$serve_log")
    legacy_base=$(sed -n 's/^legacy senders: \(.*[^/]\)\/*$/\1/p' "$serve_log")
    [ -n "$base" ] || bail_out "the server does not start: $(cat "$serve_log")"
}

serve_end() {
    local status=0
    [ -n "$server_pid" ] || return 0
    kill "$server_pid" 2>/dev/null
    wait "$server_pid" || status=$?
    server_pid=
    rm -f "$serve_log"
    return $status
}
