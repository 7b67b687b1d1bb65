# shellcheck shell=bash
# Compares the loaded content of a text log with its expected content (corpora/textlogs). Source this file after depot.sh.
#
#	textlog_differences FILE EXPECTED	loads FILE and prints how its content differs from EXPECTED
#	textlog_check FILE EXPECTED...	pairs of arguments: loads all files together, and compares each with its expected content; one
#				test case per file
#	textlog_variants FILE	writes copies of FILE to $tmp/variants, with the encodings, line ends and prefixes of other programs
#	textlog_different_variants	prints the files in $tmp/variants with other content than $tmp/variants/plain. A dry run
#				prints the digests of the content
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
    EXPECTED=$2 psql -XqAt -v ON_ERROR_STOP=1 -v before="$before" -v upto=9223372036854775807 -v cut=$cut \
        -f "$srcdir/tests/cli/format/textlogs_check.sql" 2>&1
}

# One session compares the files of all arguments, because starting sessions and loads takes longer than the work.
textlog_check() {
    local before files=() expected=() i range cut
    while [ $# -gt 0 ]; do
        files+=("$1")
        expected+=("$2")
        shift 2
    done
    before=$(q "select coalesce(max(inst_id), 0) from instances")
    run load --again "${files[@]}"
    q "select min(inst_id) - 1, max(inst_id), source_name from instances where inst_id > $before group by source_name" >"$tmp/ranges"
    for i in "${!files[@]}"; do
        range=$(awk -F '|' -v name="${files[i]##*/}" '$3 == name { print $1, $2 }' "$tmp/ranges")
        cut=false
        [[ ${files[i]} != *-cut* ]] || cut=true
        if [ -n "$range" ]; then
            printf '%s\n' "discard temp;" "\\o '$tmp/differences.$i'" "\\setenv EXPECTED '${expected[i]}'" \
                "\\set before ${range% *}" "\\set upto ${range#* }" "\\set cut $cut" "\\i '$srcdir/tests/cli/format/textlogs_check.sql'"
        fi
    done >"$tmp/check.sql"
    rm -f "$tmp"/differences.*
    psql -XqAt -f "$tmp/check.sql" >"$tmp/said" 2>&1
    for i in "${!files[@]}"; do
        is "$(head -n 40 "$tmp/differences.$i" 2>&1)" "" \
            "${files[i]#"${files[i]%/*/*}"/} has the expected content"
    done
    is "$(head -n 20 "$tmp/said")" "" "the comparison has no errors"
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

# A file can have several result sets.
textlog_different_variants() {
    local file
    "$PROFDEPOT" load --dry-run --again --output json "$tmp/variants"/* 2>"$tmp/errors" |
        sed -n 's/.*"source":"[^"]*\/\([^"]*\)".*"digest":"\([^"]*\)".*/\1 \2/p' |
        awk '{ all[$1] = all[$1] " " $2 } END { for (name in all) print name all[name] }' >"$tmp/digests"
    for file in "$tmp/variants"/*; do
        sed -n "s/^plain\b/${file##*/}/p" "$tmp/digests" | grep -qxFf - "$tmp/digests" || echo "${file##*/}"
    done
}
