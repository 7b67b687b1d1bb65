#!/usr/bin/env bash
# Tests profdepot owners: storing a CODEOWNERS file, its versions, and the owners of paths.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

# --- without owners ------------------------------------------------------------------------------

for verb in "show" "of src/a.c"; do
    # shellcheck disable=SC2086
    run owners $verb
    is "$status" 2 "owners $verb fails if the depot has no owners"
    is "$errors" "profdepot: the depot has no owners
hint: \"profdepot owners set FILE\" stores a CODEOWNERS file" "the message says that the depot has no owners"
done
for arguments in "" "set" "set a b" "show x" "clear x" "of" "list"; do
    # shellcheck disable=SC2086
    run owners $arguments
    is "$status" 2 "owners $arguments is a usage error"
done

# --- set, show, of -------------------------------------------------------------------------------

cat >"$tmp/CODEOWNERS" <<'END'
# Owners of the shop.
* @org/all
/src/shop/  @cart me@example.org # two
*.pas	@delphi
/src/gen/
END
run owners set "$tmp/CODEOWNERS"
is "$status" 0 "a file is stored" || diag "$errors"
is "$out" "stored 4 rules" "the number of rules is printed"
"$PROFDEPOT" owners show >"$tmp/shown"
same_file "$tmp/shown" "$tmp/CODEOWNERS" "show prints the file unchanged"
run owners of /home/ci/build-7/src/shop/cart.c 'C:\build\src\ui\Form.pas' ../src/gen/a.c x.c
is "$out" "$(printf '%s\n' \
    Owners '' \
    'Source file                       Owners' \
    '--------------------------------  --------------------' \
    '/home/ci/build-7/src/shop/cart.c  @cart me@example.org' \
    'C:\build\src\ui\Form.pas          @delphi' \
    '../src/gen/a.c' \
    'x.c                               @org/all')" "of prints the owners of paths"
is "$("$PROFDEPOT" owners of src/gen/a.c src/shop/a.c --output csv)" \
    "$(printf 'source_file,owners\r\nsrc/gen/a.c,\r\nsrc/shop/a.c,@cart me@example.org\r')" "owners of accepts --output"

# --- invalid files -------------------------------------------------------------------------------

# refused CONTENT MESSAGE: checks that owners set rejects the file with this message, and keeps the stored file.
refused() {
    printf '%b' "$1" >"$tmp/bad"
    run owners set "$tmp/bad"
    is "$status" 3 "an invalid file is rejected"
    is "$(head -n 1 <<<"$errors")" "profdepot: $tmp/bad$2" "the message names the file and the line"
    ok "the stored file is unchanged" cmp <("$PROFDEPOT" owners show) "$tmp/CODEOWNERS"
}
refused '* @a\n!x.c @b\n' ':2: a pattern that begins with "!": "!x.c"'
like "$errors" "hint: services disagree on \"!\"" "the hint says what to write"
refused 'a[bc].c @a\n' ':1: a pattern with a range of characters: "a[bc].c"'
refused '\n\nmy file.c @a\n' ':3: not an owner: "file.c"'
refused '# nothing\n' ': no rules'
refused 'a.c @\xff\n' ':1: a line that is not UTF-8'
refused 'a.c @a\x1b[0m\n' ':1: a control character'
head -c 3200000 /dev/zero | tr '\0' '\n' >"$tmp/large"
run owners set "$tmp/large"
is "$status" 3 "a file of more than 3 MiB is rejected"
run owners set "$tmp/missing"
is "$status" 3 "a missing file is an error"

# --- versions ------------------------------------------------------------------------------------

is "$(printf '* @new\n' | "$PROFDEPOT" owners set --author someone - && "$PROFDEPOT" owners show)" \
    "$(printf 'stored 1 rule\n* @new')" "a file from standard input replaces the previous one"
run owners clear
is "$status" 0 "the owners are removed" || diag "$errors"
run owners show
is "$status" 2 "after clear the depot has no owners"
is "$(q "select author, length(content) from owner_files where author = 'someone' or content = ''
    order by ledger_no" | cut -d'|' -f2 | tr '\n' ' ')" "7 0 " "all versions are kept"
is "$(q "select count(*), count(distinct ledger_no), count(author) from owner_files")" "3|3|3" \
    "each version has its own ledger number and its author"
run owners set "$tmp/CODEOWNERS"
is "$("$PROFDEPOT" owners of src/shop/a.c --output json | grep -c '@cart me@example.org')" 1 \
    "a file can be stored again"
# --- findings ------------------------------------------------------------------------------------

printf '*.c* @core\n' >"$tmp/CODEOWNERS"
run owners set "$tmp/CODEOWNERS"
run load -q "$srcdir/tests/golden/sanitizer/asan-gcc.txt"
is "$status" 0 "findings in files with an owner are loaded" || diag "$errors"
run history --owner '@CORE' -o csv
is "$(grep -c ',@core,' <<<"$out")" "$(($(wc -l <<<"$out") - 1))" "history shows and filters by owner"
isnt "$(grep -c ',@core,' <<<"$out")" 0 "some findings have this owner"
run history --owner nobody -o csv
is "$(wc -l <<<"$out")" 1 "no finding has another owner"
run load -q "$srcdir/tests/golden/valgrind/memcheck.xml"
is "$status" 0 "leaks in files with an owner are loaded" || diag "$errors"
for report in leaks errors "leaks --by own" "leaks --by record" "leaks --by stack" "errors --by record"; do
    # shellcheck disable=SC2086 # words of a command line
    run report $report -o csv
    all=$(grep -c . <<<"$out")
    # shellcheck disable=SC2086
    run report $report --owner '@co*' -o csv
    own=$(grep -c . <<<"$out")
    # shellcheck disable=SC2086
    run report $report --owner '@cor' -o csv
    ok "report $report filters by owner" test "$status $((own > 1)) $((own <= all))" = "0 1 1" -a "$(grep -c . <<<"$out")" = 1
done
run report leaks -o csv
is "$(head -n 1 <<<"$out" | tr -d '\r' | sed 's/.*,//') $(grep -c ',@core.$' <<<"$out")" "owner $(grep -c 'app\.c' <<<"$out")" \
    "report leaks shows the owner of each leak"
run report errors
ok "people see the owner, too" grep -q '  @core$' <<<"$out"
for by in class module routine thread; do
    run report leaks --by $by --owner '@core' -o csv
    isnt "$(wc -l <<<"$out")" 1 "report leaks --by $by has the leaks of an owner"
    run report leaks --by $by --owner '@other' -o csv
    is "$(wc -l <<<"$out")" 1 "report leaks --by $by has no leaks of another owner"
done
run report leaks --sort owner
is "$status" 2 "the owner is not a column to sort by"
run report hot --owner '@core'
is "$status" 2 "a report without findings does not take --owner"
q "update instances set state = 'open'" >/dev/null
run report leaks --owner '@core'
is "$status" 3 "an open result set has no own frames yet"
like "$errors" 'hint: "profdepot reindex [0-9]+" closes it' "the hint says how to get them"
q "update instances set state = 'closed'" >/dev/null
printf '*.c* @core @org/heap\n' >"$tmp/CODEOWNERS"
run owners set "$tmp/CODEOWNERS"
run history --owner '@org/heap' -o csv
isnt "$(wc -l <<<"$out")" 1 "a glob is compared with each owner"
printf '*.c* @core\n' >"$tmp/CODEOWNERS"
run owners set "$tmp/CODEOWNERS"
run check --against history --output json
like "$out" '"owner": "@core"' "the JSON of a check has the owner"
run check --against history --output sarif
like "$out" '"owner": "@core"' "SARIF has the owner"
run owners clear
run report leaks -o csv
unlike "$(head -n 1 <<<"$out")" 'owner' "without owners, reports have no such column"
run report leaks --owner '@core'
is "$status" 2 "without owners, no findings can be selected by owner"
like "$errors" 'hint: "profdepot owners set CODEOWNERS" stores them' "the hint says how to store owners"
done_testing
