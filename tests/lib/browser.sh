# shellcheck shell=bash
# Runs page tests. Source this file after tap.sh; it skips the script if a required program is missing.
#
#	browser_run SCRIPT ARGUMENT...	runs tests/browser/SCRIPT on the server at $base and ends this script

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

# shellcheck disable=SC2154 # serve_begin sets base
browser_run() {
    local script=$1
    shift
    BASE=$base node "$srcdir/tests/browser/$script" "$@"
}
