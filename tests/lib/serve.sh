# shellcheck shell=bash
# A server of the depot. Source after tap.sh; needs curl.
#
#	serve_begin [OPTION...]	profdepot serve on a free port: $base (http://127.0.0.1:PORT, without
#				a slash at its end), $legacy_base (with --legacy-listen),
#				$server_pid; $serve_log is what it says on both outputs
#	serve_end		SIGTERM, and waits; its status
#
# A script that dies in between leaves no server: serve_begin sees to that by itself.

server_pid=
serve_log=

# Where python3 is a script that looks for the interpreter, once is enough.
if command -v python3 >/dev/null; then
    serve_python=$(python3 -S -c 'import sys; print(sys.executable)')
    [ "$serve_python" = "$(command -v python3)" ] || PATH=${serve_python%/*}:$PATH
fi

# shellcheck disable=SC2034 # for the script that sources this
serve_begin() {
    local tries=300
    command -v curl >/dev/null || skip_all "curl is not installed"
    # Not every script ends its servers by serve_end; pg-temp.sh's folder goes anyway.
    serve_log=$(mktemp "${pg_temp_dir:-${TMPDIR:-/tmp}}/profdepot-serve.XXXXXX")
    "$PROFDEPOT" serve --listen 127.0.0.1:0 "$@" >"$serve_log" 2>&1 &
    server_pid=$!
    # The server's end does not hang on this shell's: a killed script must not leave it.
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
