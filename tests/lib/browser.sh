# shellcheck shell=bash
# Page tests. Source this file after tap.sh. It sources pg-temp.sh, depot.sh and serve.sh, and skips the script if a
# required program is missing.
#
#	browser_depot			creates the cluster, the depot and the folder $tmp, which are removed at the end
#	browser_run SCRIPT ARGUMENT...	runs tests/browser/SCRIPT on the server at $base and ends this script

# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/serve.sh
. "$srcdir/tests/lib/serve.sh"

if ! command -v node >/dev/null; then
    skip_all "node is not installed"
fi
if ! node -e 'process.exit(require(process.argv[1]).Browser.find() ? 0 : 1)' "$(realpath "$srcdir/tests/lib/chromium.js")"; then
    skip_all "chromium is not installed"
fi
for package in playwright-core axe-core; do
    if [ ! -d "$srcdir/web/node_modules/$package" ]; then
        skip_all "$package is not installed: run npm ci in web/"
    fi
done

browser_depot() {
    pg_temp_start
    tmp=$(mktemp -d)
    trap 'serve_end; rm -rf "$tmp"; pg_temp_stop' EXIT
    depot_make
}

# shellcheck disable=SC2154 # serve_begin sets base
browser_run() {
    local script=$1
    shift
    BASE=$base node "$srcdir/tests/browser/$script" "$@"
}
