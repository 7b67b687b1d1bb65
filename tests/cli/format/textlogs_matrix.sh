#!/usr/bin/env bash
# Tests that each plain case of corpora/textlogs, and each log of a sanitizer, has the same content in every
# encoding, with every line end and with every prefix. A dry run prints the digest of the content.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/textlogs.sh
. "$srcdir/tests/lib/textlogs.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make

# --- sanitizers: each error names its file and its line in the file ---------------------------------------

# sanitizer_content FILE: loads the file, and prints its content without the numbers of lines
sanitizer_content() {
    run load --again "$1"
    psql -XqAt -F ' | ' -v ON_ERROR_STOP=1 -v "inst=$(q "select max(inst_id) from instances")" \
        -f "$srcdir/tests/cli/format/sanitizer_dump.sql" |
        sed -E 's/"line":[0-9]+/"line"/; s/^(issue .*) \| [0-9]* \|/\1/; s/ in line [0-9]+/ in line N/'
}

for log in "$srcdir"/tests/golden/sanitizer/*.txt; do
    textlog_variants "$log"
    cp "$log" "$tmp/variants/plain"
    rm -rf "$tmp/same"
    for file in "$tmp/variants"/*; do
        mkdir -p "$tmp/same/${file##*/}"
        mv "$file" "$tmp/same/${file##*/}/log.txt"
    done
    sanitizer_content "$tmp/same/plain/log.txt" >"$tmp/content"
    # In these two logs, other text would separate lines that belong together: a runtime error and its stack, or the
    # summary and the last line of a process.
    [[ $log != */mixed.txt && $log != */msan-ubsan.txt ]] || rm -r "$tmp/same/foreign-lines"
    for name in utf16-after-8bit foreign-lines; do
        [ -d "$tmp/same/$name" ] || continue
        is "$(sanitizer_content "$tmp/same/$name/log.txt" | diff "$tmp/content" - | head -n 10)" "" "${log##*/}: $name has the same content"
        rm -r "$tmp/same/$name"
    done
    "$PROFDEPOT" load --dry-run --again --output json "$tmp/same"/*/log.txt 2>"$tmp/errors" |
        sed -n 's/.*"digest":"\([^"]*\)".*/\1/p' | sort | uniq -c >"$tmp/digests"
    is "$(awk '{ print $1 }' "$tmp/digests")" "$(find "$tmp/same" -type f | wc -l)" "${log##*/}: all variants have the same content"
done

# --- corpora/textlogs ------------------------------------------------------------------------------------

corpora=${PROFDEPOT_CORPORA:-$srcdir/../shared/corpora}/textlogs
if [ ! -d "$corpora" ]; then
    skip "corpora/textlogs is missing" "the plain cases of corpora/textlogs"
    done_testing
    exit
fi

# is_plain FILE: succeeds if the file is in UTF-8, not truncated, and not changed by other programs.
is_plain() {
    [[ $1 != */mod-* && $1 != *cut* && $1 != *utf16* && $1 != *github* && $1 != *jenkins* && $1 != *debugview* ]] &&
         [ "$(stat -c %s "$1")" -lt 100000 ] &&
        [ "$(tail -c 1 "$1")" = "" ] && iconv -f UTF-8 -t UTF-16 "$1" >/dev/null 2>&1
}

for folder in valgrind fastmm4 fastmm5 delphi-rtl vld crt heaptrc drmemory jcl madexcept umdh eurekalog; do
    for file in "$corpora/$folder"/*.txt "$corpora/$folder"/*.out; do
        if [ ! -f "$file" ] || ! is_plain "$file"; then
            continue
        fi
        sed 's/\r*$//; 1s/^\xEF\xBB\xBF//' "$file" >"$tmp/plain"
        textlog_variants "$tmp/plain"
        cp "$tmp/plain" "$tmp/variants/"
        # A line inside a suppression would become part of the suppression. The tools below write to separate files,
        # which contain no lines of other programs.
        ! grep -q '^{$' "$tmp/plain" || rm "$tmp/variants/foreign-lines"
        [[ $folder != fastmm* && $folder != jcl && $folder != eurekalog && $folder != madexcept ]] || rm "$tmp/variants/foreign-lines"
        is "$(textlog_different_variants)" "" "$folder/${file##*/}: all variants have the same content"
    done
done
done_testing
