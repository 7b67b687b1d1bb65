#!/usr/bin/env bash
# Tests that an export in AQTime's tables loses nothing: each input of the golden cases, the examples and the corpora
# is loaded, exported, and loaded into a second depot. Digests and reports must be equal.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
depot_make
first=$PGDATABASE

use() { # DATABASE
    export PGDATABASE=$1 PROFDEPOT_DB="postgresql://$PGUSER@/$1?host=$PGHOST"
}

# inputs: prints the paths of all inputs, separated by NUL. Zip files are omitted, because some contain further archives.
inputs() {
    local corpora=$tmp/none
    [ ! -d "${PROFDEPOT_CORPORA:-}" ] || corpora=$PROFDEPOT_CORPORA
    mkdir -p "$corpora"
    find "$srcdir/tests/golden" "$srcdir/examples" "$corpora" -name '*.csv' -printf '%h\0' | sort -zu
    find "$srcdir/tests/golden" "$srcdir/examples" "$corpora" -type f ! -name '*.csv' ! -name '*.zip' -print0 | sort -z
}

# facts: prints the digest, metadata and row counts of every result set.
facts() {
    q "select i.inst_id, i.content_digest, i.format, i.caption, i.tool, i.host, i.thread_key, i.attributes
        from instances i order by 1"
    q "select to_jsonb(r) from runs r order by r.inst_id"
    q "select to_jsonb(c) from coverage c order by c.inst_id, c.what"
    q "select to_jsonb(l) from result_set_labels l order by l.inst_id, l.key"
    q "select to_jsonb(m) from metrics m order by m.inst_id, m.metric_no"
    q "select inst_id, relation, row_count, value_sum from result_set_counts
        where relation not in ('stacks', 'relations') order by 1, 2"
}

# The titles contain the INST_ID, which is the same in both depots.
reports() { # FILE INST_ID...
    local name file=$1
    shift
    for name in leaks errors classes objects threads modules peak hot callers gauges profiles requests commands marks \
        measures console suppressions; do
        echo "== $name"
        "$PROFDEPOT" report "$name" "$@" 2>&1
    done >"$file"
}

mkdir "$tmp/export"
export_make "$tmp/aqtime"
"$PROFDEPOT" load --quiet --run nightly --commit c2 --parent-commit c1 --environment ci --label branch=main \
    --application app --app-version 3 "$tmp/aqtime" "$srcdir/tests/golden/inputs/valgrind.xml"
inputs | xargs -0 -n 100 "$PROFDEPOT" load --quiet >/dev/null 2>&1
count=$(q "select count(*) from instances")
ok "many inputs load ($count result sets)" test "$count" -ge 40
for inst in $(q "select inst_id from instances order by 1"); do
    "$PROFDEPOT" export --format aqtime "$inst" -o "$tmp/export/$inst" 2>>"$tmp/failures" >&2 ||
        echo "$inst: $(tail -n 1 "$tmp/failures")" >>"$tmp/refused"
done
is "$(cat "$tmp/refused" 2>/dev/null)" "" "every result set is exported as AQTime's tables"
facts >"$tmp/facts1"
missing=$(q "select string_agg(n::text, ',') from generate_series(1, (select max(inst_id) from instances)) n
    where not exists (select from instances where inst_id = n)")
# The second depot shows below that the digests of all are equal; this is how the first one finds known content.
known=$(cd "$tmp/export" && "$PROFDEPOT" load --quiet --output json ./*[05] 2>/dev/null | grep -c '"state":"known"')
is "$known" "$(find "$tmp/export" -mindepth 1 -maxdepth 1 -name '*[05]' | wc -l)" "every fifth export is known when it is loaded again"

# In the second depot each result set gets the same INST_ID as in the first one, because placeholders use the
# INST_IDs that the first depot lacks.
pg_temp_database copies
depot_make
q "insert into instances (inst_id) select unnest('{$missing}'::bigint[])"
(cd "$tmp/export" && printf '%s\n' * | sort -n | xargs -n 100 "$PROFDEPOT" load --quiet 2>"$tmp/failures" >&2)
q "delete from instances where format is null"
facts >"$tmp/facts2"
same_file "$tmp/facts2" "$tmp/facts1" "the $count loaded exports have the same digests, metadata and counts"
# Every eighth result set, and at least one of each format: equal digests, metadata and counts leave little for the
# reports to find.
sets=$(q "select inst_id from instances where inst_id % 8 = 0 or inst_id in (select min(inst_id) from instances group by format) order by 1")
# shellcheck disable=SC2086 # a list of numbers
reports "$tmp/reports2" $sets
use "$first"
# shellcheck disable=SC2086
reports "$tmp/reports1" $sets
same_file "$tmp/reports2" "$tmp/reports1" "$(wc -w <<<"$sets") result sets have equal reports ($(wc -l <"$tmp/reports1") lines)"

# --- an export that needs few additional tables -------------------------------------------------

is "$(cd "$tmp/export/1" && echo PROFDEPOT_*)" "PROFDEPOT_LABELS.csv PROFDEPOT_RESULT_SETS.csv PROFDEPOT_RUNS.csv" \
    "the export of AQTime's own result set has only the tables that it needs"
diag "round trips: $count"
done_testing
