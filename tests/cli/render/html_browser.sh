#!/usr/bin/env bash
# Tests report pages in a real browser: content, filters, order, folding, keys, narrow screens, dark mode,
# and names that look like markup. html_browser.js drives Chromium and checks the results.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

if ! command -v node >/dev/null; then
    skip_all "node is not installed"
fi
if ! node -e 'process.exit(require(process.argv[1]).Browser.find() ? 0 : 1)' "$(realpath "$srcdir/tests/lib/chromium.js")"; then
    skip_all "chromium is not installed"
fi
pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

# leak KIND BYTES COUNT FUNCTION...: prints a record with its stack, innermost first.
leak() {
    local kind=$1 bytes=$2 count=$3 place=1 name
    shift 3
    printf '%s leak of %s byte(s) in %s object(s) allocated from:\n    #0 0x1 in malloc /san/malloc.cpp:69\n' \
        "$kind" "$bytes" "$count"
    for name; do
        printf '    #%s 0x%s in %s /src/%s.c:%s\n' "$place" "$place" "$name" shop $((place * 7))
        place=$((place + 1))
    done
    printf '\n'
}
# log: prints a LeakSanitizer log that contains the records from standard input.
log() {
    printf '==77==ERROR: LeakSanitizer: detected memory leaks\n\n'
    cat
    printf 'SUMMARY: AddressSanitizer: 1 byte(s) leaked in 1 allocation(s).\n'
}
{
    leak Direct 4096 4 cart_new session_open main
    leak Direct 30 3 order_note main
    leak Indirect 52000 40 cart_line cart_fill session_open main
    leak Direct 900 9 price_cache main
} | log >"$tmp/before.log"
{
    leak Direct 8192 8 cart_new session_open main
    leak Direct 30 3 order_note main
    leak Indirect 61000 47 cart_line cart_fill session_open main
    leak Direct 700 1 report_header render_page main
} | log >"$tmp/after.log"
cat >"$tmp/race.log" <<'END'
==================
WARNING: ThreadSanitizer: data race (pid=88)
  Write of size 4 at 0x1 by thread T1:
    #0 total_add /src/total.c:5 (shop+0x1)
    #1 worker /src/worker.c:9 (shop+0x2)

  Previous write of size 4 at 0x1 by main thread:
    #0 total_reset /src/total.c:16 (shop+0x3)
    #1 main /src/main.c:20 (shop+0x4)

SUMMARY: ThreadSanitizer: data race /src/total.c:5 in total_add
==================
END
leak Direct 1 1 '<img/src=x/onerror=alert(1)>' main | log >"$tmp/odd.log"
printf 'leak:^report_header$\nleak:never\n' >"$tmp/known.supp"
cd "$tmp" || bail_out "the folder cannot be entered"
for name in before after race odd; do
    "$PROFDEPOT" load "$tmp/$name.log" >/dev/null 2>&1 || bail_out "$name does not load"
done
# page NAME COMMAND...: writes the command's output to $tmp/NAME.html.
page() {
    local name=$1
    shift
    "$PROFDEPOT" "$@" --output html --out "$tmp/$name.html" || bail_out "the page $name cannot be written"
}
page leaks report leaks 2 --suppressions known.supp
page errors report errors 3
page modules report leaks 2 --by class
page summary report summary 2
page diff diff 1 2
page diffroutine diff 1 2 --by routine
page tree report tree 2
page several report leaks 1 2 3
page odd report leaks 4
page trend trend live_size
page dossier report dossier 2 --base 1
# HTML_SCREENSHOTS names a folder for screenshots; `make screenshots` sets it.
cd "$OLDPWD" || bail_out "the previous folder cannot be entered"
node "$srcdir/tests/cli/render/html_browser.js" "$tmp" "${HTML_SCREENSHOTS:-}"
