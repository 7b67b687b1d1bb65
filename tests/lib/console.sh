# shellcheck shell=bash
# Runs the examples of a document: the commands in its console blocks. Their output must equal the output shown. A
# line "..." in the document matches any number of lines. Source this file after tap.sh and depot.sh; it needs $tmp.
#
#	console_begin		enters a new folder that contains "examples", and puts "profdepot" into PATH
#	console_run FILE	runs the commands in the file's console blocks in order

console_begin() {
    mkdir "$tmp/bin" "$tmp/work"
    ln -s "$PROFDEPOT" "$tmp/bin/profdepot"
    ln -s "$srcdir/examples" "$tmp/work/examples"
    PATH=$tmp/bin:$PATH
    cd "$tmp/work" || exit 1
}

# as_shown EXPECTED GOT: succeeds if the two files are equal; "..." in EXPECTED matches any number of lines.
as_shown() {
    awk 'NR == FNR { want[++n] = $0; next }
        { got[++m] = $0 }
        function fits(i, j) {
            while (i <= n && want[i] != "...") {
                if (j > m || want[i] != got[j])
                    return 0
                i++
                j++
            }
            if (i > n)
                return j == m + 1
            while (j <= m + 1)
                if (fits(i + 1, j++))
                    return 1
            return 0
        }
        END { exit !fits(1, 1) }' "$1" "$2"
}

# example COMMAND: runs the command and compares its output with $tmp/expected.
example() {
    local status=0
    bash -c "$1" 2>"$tmp/errors" >"$tmp/raw" || status=$?
    sed 's/\r$//' "$tmp/raw" >"$tmp/got" # CSV ends its lines with CR LF
    is "$status" 0 "$1" || diag "$(cat "$tmp/errors")"
    if as_shown "$tmp/expected" "$tmp/got"; then
        pass "the output is as shown: $1"
    else
        fail "the output is as shown: $1"
        diag "$(diff "$tmp/expected" "$tmp/got")"
    fi
}

# console_run FILE: runs the commands in the file's console blocks in order.
console_run() {
    local command='' inside='' line
    while IFS= read -r line; do
        case $inside$line in
        '```console') inside=yes ;;
        'yes```' | 'yes$ '*)
            [ -z "$command" ] || example "$command"
            command=
            : >"$tmp/expected"
            [ "$line" = '```' ] && inside='' || command=${line#"$ "}
            ;;
        yes*) printf '%s\n' "$line" >>"$tmp/expected" ;;
        esac
    done <"$1"
}
