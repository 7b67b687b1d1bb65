#!/usr/bin/env bash
# Runs the examples of profdepot-serve(1) and profdepot-token(1).
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d "$pg_temp_dir/manual.XXXXXX")
depot_make
mkdir "$tmp/bin" "$tmp/work"
ln -s "$PROFDEPOT" "$tmp/bin/profdepot"
PATH=$tmp/bin:$PATH
cd "$tmp/work" || exit 1

# serve COMMAND: runs an example that starts a server, with a free port instead of 8080 or 8443, which may be in use.
serve() {
    local pid tries=300 command=$1
    command=$(sed -E 's/(--listen [^ ]*):(8080|8443)/\1:0/' <<<"$command")
    : >out # otherwise, the loop below could read "serving" from the previous example
    $command >out 2>err &
    pid=$!
    while ! grep -q '^serving: ' out && kill -0 $pid 2>/dev/null && [ $tries -gt 0 ]; do
        sleep 0.1
        tries=$((tries - 1))
    done
    like "$(cat out err)" "^serving: " "$1"
    kill $pid
    ok "the server ends: $1" wait_for $pid
}
wait_for() {
    tail --pid="$1" -s 0.1 -f /dev/null
}

for page in serve token; do
    while read -r example; do
        # shellcheck disable=SC2086 # the words of the example
        case $example in
        "profdepot serve "*) serve "$example" ;;
        openssl*) command -v openssl >/dev/null || bail_out "openssl is needed"
            $example 2>/dev/null ;;
        *) ok "$example" $example ;;
        esac
    done < <(sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/s/^\.Dl //p' "$srcdir/man/profdepot-$page.1.in")
done
is "$tap_count" 11 "the manual pages have examples"
done_testing
