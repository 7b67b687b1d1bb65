#!/usr/bin/env bash
# Tests the examples of README.md: runs the commands in its console blocks. Their output must equal the
# output shown. A line "..." in the README matches any number of lines.
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
mkdir "$tmp/bin" "$tmp/work"
ln -s "$PROFDEPOT" "$tmp/bin/profdepot"
ln -s "$srcdir/examples" "$tmp/work/examples"
PATH=$tmp/bin:$PATH
cd "$tmp/work" || exit 1

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

# example COMMAND: runs it and compares its output with $tmp/expected.
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

command=
inside=
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
done <"$srcdir/README.md"

isnt "$tap_count" 0 "the README has examples"

# Every file that the README or another document refers to must exist.
cd "$srcdir" || exit 1
for file in README.md CONTRIBUTING.md doc/architecture.md; do
    while IFS= read -r target; do
        ok "$file: $target exists" test -e "$(dirname "$file")/$target"
    done < <(grep -oE '\]\([^):#]+\)' "$file" | sed 's/^](//; s/)$//' | sort -u)
done

# The README must name all the packages that quickstart installs.
told=$(tr '\n' ' ' <README.md)
told=${told#*Debian packages: }
told=${told%%\`quickstart\`*}
read -rd '' -a packages < <(sed -n '/^packages=(/,/)$/{s/^packages=(\|)$//g;p}' quickstart)
for package in "${packages[@]}"; do
    like " $told " " $package " "README.md names the package $package"
done
done_testing
