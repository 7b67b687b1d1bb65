#!/usr/bin/env bash
# Tests that manual pages and the program's tables agree in both directions: commands, options, reports, formats,
# issue codes and environment variables. Also tests that the pages are valid mdoc and that the completion works.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"

man=$builddir/man
cd "$srcdir" || exit 1

# lines TEXT...: prints the words, sorted and unique, one per line.
lines() {
    printf '%s\n' "$@" | tr ' ' '\n' | sed '/^$/d' | LC_ALL=C sort -u
}

# The commands that the program lists.
commands=$("$PROFDEPOT" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
is "$(lines "$(cd "$man" && printf '%s\n' profdepot-*.1 | sed 's/^profdepot-//; s/\.1$//')")" "$(lines "$commands")" \
    "every command has a page, and every page has a command"
is "$(lines "$(sed -n 's/^\.It Xr profdepot-\([a-z]*\) 1$/\1/p' "$man/profdepot.1")")" "$(lines "$commands")" \
    "profdepot.1 names every command"

# options_of_help COMMAND, options_of_page PAGE: print the options that the help or the page describes.
options_of_help() {
    "$PROFDEPOT" "$1" --help | sed -n 's/^  \(-[a-z], \|    \)--\([a-z-]*\).*/\2/p'
}
options_of_page() {
    sed -n 's/^\.It \(Fl [a-z] , \)\{0,1\}Fl -\([a-z-]*\).*/\2/p' "$1"
}
for command in $commands; do
    is "$(lines "$(options_of_page "$man/profdepot-$command.1")")" \
        "$(lines "$(options_of_help "$command")")" "options of $command: page and --help agree"
done

# In a row X(...) of a table, the name is the second argument (issue codes) or the first one (reports).
is "$(lines "$(sed -n 's/^\.It Li \([a-z-]*\) Pq [a-z]*$/\1/p' "$man/profdepot-schema.5")")" \
    "$(lines "$(sed -n 's/^	X(ISSUE_[A-Z_]*, "\([a-z-]*\)".*/\1/p' include/model/issue_table.h)")" \
    "profdepot-schema.5 names every issue code"
if [ -f "$man/profdepot-report.1" ]; then
    is "$(lines "$(sed -n 's/^\.It Cm \([a-z-]*\).*/\1/p' "$man/profdepot-report.1")")" \
        "$(lines "dossier $(sed -n 's/^	X("\([a-z-]*\)", \(NULL\|"[a-z-]*"\), .*/\1/p' include/report/tables.h)")" \
        "profdepot-report.1 names every report"
fi
if [ -f "$man/profdepot-formats.1" ]; then
    is "$(lines "$(sed -n 's/^\.It Cm \([a-z-]*\).*/\1/p' "$man/profdepot-formats.1")")" \
        "$(lines "$("$PROFDEPOT" formats | sed '/^$/,$d; s/ .*//')")" \
        "profdepot-formats.1 names every format"
fi

# profdepot.1 must describe exactly the variables that the sources read by name. libpq reads the PG
# variables.
asked=$(grep -rhoE '(getenv|env_path|environment)\("[A-Z_]+"' src | sed 's/.*"\([A-Z_]*\)"/\1/')
asked="$asked $(grep -rhoE '"(PROFDEPOT|XDG|PG)[A-Z_]+"' src/db src/cmd src/service | tr -d '"')"
asked="$asked $(grep -rhoE '"HOME"' src/db | tr -d '"')"
# $asked also contains variables that the program only removes from the environment of a private
# cluster's server.
documented=$(sed -n 's/^\.It Ev \(.*\)/\1/p' "$man/profdepot.1" | tr -d ',')
for variable in $(lines "$documented"); do
    ok "the sources read the variable $variable in profdepot.1" grep -qw "$variable" <<<"$asked"
done
for variable in $(lines "$(grep -oE '\b(PROFDEPOT_[A-Z]+|XDG_[A-Z_]+|HOME|COLUMNS|TMPDIR|TZ|PATH)\b' <<<"$asked")"); do
    ok "profdepot.1 describes $variable" grep -qw "$variable" <<<"$documented"
done

# On a macro line, mdoc removes quotes around words; literals must use \(dq instead.
is "$(cd "$man" && grep -n '^\.\(Ql\|Dl\|Li\) .*"' ./*.[15])" "" "no literal in a page contains an unescaped quote"

if command -v mandoc >/dev/null; then
    for page in "$man"/*.[15]; do
        is "$(cd "$man" && mandoc -T lint -W warning "${page##*/}" 2>&1)" "" "mandoc has no warnings for ${page##*/}"
    done
else
    skip "mandoc is not installed" "mandoc has no warnings for the pages"
fi

# complete_words WORD...: prints bash's completions of the last word.
complete_words() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _profdepot; echo "${COMPREPLY[*]}"' \
        - "$man/profdepot" "$@"
}
is "$(complete_words profdepot ver)" "verify" "a command can be completed"
is "$(complete_words profdepot rm --dr)" "--dry-run" "an option can be completed"
is "$(complete_words profdepot list --output j)" "json" "the value of an option can be completed"
is "$(complete_words profdepot --db somewhere rei)" "reindex" "a command after --db can be completed"
is "$(complete_words profdepot list --label x)" "" "free text is not completed"
ok "the completion is valid bash" bash -n "$man/profdepot"
done_testing
