# shellcheck shell=bash
# Compares the depot's content for a file with callgrind_annotate's output. Source this file after tap.sh, pg-temp.sh
# and depot.sh; it needs $tmp.
#
#	annotate_make		creates the table for callgrind_annotate's output
#	annotated FILE		compares the costs of $inst with callgrind_annotate's; prints "compared N of N"

annotate_make() {
    q "create table public.annotated (inclusive boolean, name text, costs numeric[])"
}

annotated() {
    local inclusive
    for inclusive in no yes; do
        (cd / && callgrind_annotate --threshold=100 --show-percs=no --auto=no --inclusive=$inclusive "$1") 2>/dev/null |
            awk -v inclusive=$inclusive '
                /file:function$/ { on = 1; next }
                on && /^-+$/ { next }
                on && /^$/ { exit }
                on {
                    costs = ""
                    while (match($0, /^ *([0-9,]+|\.) +/)) {
                        one = substr($0, 1, RLENGTH)
                        $0 = substr($0, RLENGTH + 1)
                        gsub(/[ ,]/, "", one)
                        costs = costs (costs == "" ? "" : ",") (one == "." ? 0 : one)
                    }
                    sub(/ \[[^]]*\]$/, "")
                    sub(/^UnknownFile\?\?\?:/, "???:")
                    sub(/:UnknownFn\?\?\?$/, ":???")
                    if (costs ~ /[1-9]/)
                        print (inclusive == "yes" ? "t" : "f") "\t" $0 "\t{" costs "}"
                }'
    done >"$tmp/annotated"
    psql -Xq -c "truncate public.annotated" -c "\\copy public.annotated from '$tmp/annotated'"
    psql -XqAt -v inst="$inst" -f "$srcdir/tests/lib/callgrind_annotate.sql"
}
