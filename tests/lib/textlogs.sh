# shellcheck shell=bash
# Compares the loaded content of a text log with its expected content (corpora/textlogs). Source this file after depot.sh.
#
#	textlog_differences FILE EXPECTED	loads FILE and prints how its content differs from EXPECTED
#	textlog_variants FILE	writes copies of FILE to $tmp/variants, with the encodings, line ends and prefixes of other programs
#	textlog_join EXPECTED...	prints the expected content of a file that contains the reports of all these files

textlog_differences() {
    local before cut=false
    [[ $1 != *-cut* ]] || cut=true
    before=$(q "select coalesce(max(inst_id), 0) from instances")
    run load --again "$1"
    # Status 5: the load caused issues of severity error.
    if [ "$status" -ne 0 ] && [ "$status" -ne 5 ]; then
        echo "not loaded: $errors"
        return
    fi
    EXPECTED=$2 psql -XqAt -v ON_ERROR_STOP=1 -v before="$before" -v cut=$cut \
        -f "$srcdir/tests/cli/format/textlogs_check.sql" 2>&1
}

textlog_join() {
    local file all="" n=0
    {
        for file in "$@"; do
            n=$((n + 1))
            # shellcheck disable=SC2016 # psql runs the command
            printf '\\set e%d `cat "%s"`\n' "$n" "$file"
            all+="${all:+ union all }select $n, :'e$n'::json"
        done
        echo "select json_build_object('reports', (select json_agg(r order by n, m) from x, json_array_elements(d -> 'reports')
            with ordinality y(r, m)), 'issues', (select coalesce(json_agg(i), '[]') from x, json_array_elements(d -> 'issues') i))
            from (values (1)) one;" | sed "s/^select/with x(n, d) as ($all) select/"
    } >"$tmp/join.sql"
    psql -XqAt -v ON_ERROR_STOP=1 -f "$tmp/join.sql"
}

textlog_mail() { sed 's/^/> /; s/ $//' "$1"; }
textlog_debugview() { awk '{ printf "%08d\t%.8f\t[4711] %s\n", NR, NR / 7, $0 }' "$1"; }
textlog_github() { awk '{ printf "2026-11-20T08:14:%02d.%07dZ %s\n", NR % 60, NR * 1234, $0 }' "$1"; }
textlog_jenkins() { awk '{ printf "[2026-11-20T08:14:%02d.%03dZ] %s\n", NR % 60, NR % 1000, $0 }' "$1"; }
textlog_utf16() { iconv -f UTF-8 -t "UTF-16$1" "$2"; }

textlog_variants() {
    local v=$tmp/variants
    rm -rf "$v"
    mkdir "$v"
    sed 's/$/\r/' "$1" >"$v/crlf"
    sed 's/$/\r\r/' "$1" >"$v/crcrlf"
    { printf '\xEF\xBB\xBF' && cat "$1"; } >"$v/utf8-mark"
    textlog_utf16 LE "$1" >"$v/utf16le"
    textlog_utf16 BE "$1" >"$v/utf16be"
    { printf '\xFF\xFE' && textlog_utf16 LE "$v/crlf"; } >"$v/utf16le-mark"
    { printf '\xFE\xFF' && textlog_utf16 BE "$1"; } >"$v/utf16be-mark"
    { printf 'the log begins\n' && textlog_utf16 LE "$1"; } >"$v/utf16-after-8bit"
    textlog_github "$1" >"$v/github"
    textlog_jenkins "$1" >"$v/jenkins"
    sed 's/^/3: /' "$1" >"$v/ctest"
    sed 's/^/1>/' "$1" >"$v/visual-studio"
    textlog_debugview "$1" >"$v/debugview"
    sed 's/^/shop-1  | /' "$1" >"$v/compose"
    textlog_mail "$1" >"$v/mail"
    textlog_mail "$v/crlf" | sed 's/^/> /' >"$v/mail-twice"
    awk '1; NR % 3 == 0 { print "The thread 0x1a2b has exited with code 0 (0x0)." }' "$1" >"$v/foreign-lines"
}
