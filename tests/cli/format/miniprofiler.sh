#!/usr/bin/env bash
# Tests MiniProfiler: the export of each producer's input must equal the input. Also tests reports, storage tables,
# and refused input.
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
golden=$srcdir/tests/golden/miniprofiler
same=("$builddir/tests/tools/compare_json" --profiles)

# load FILE...: sets $inst to the first file's result set, and $insts to the result sets of all
# files. A file may already be known.
load() {
    run load --output json "$@"
    mapfile -t insts < <(printf '%s\n' "$out" | sed -n 's/.*"inst_id": *\([0-9]*\).*/\1/p')
    inst=${insts[0]:-}
}

# came_back TEXT FILE INST: checks that the export contains the profiles of the file. Below, PostgreSQL
# compares the input and the export again.
pairs=0
came_back() {
    pairs=$((pairs + 1))
    "$PROFDEPOT" export --format miniprofiler "${3:-0}" >"$tmp/out.$pairs" 2>"$tmp/errors"
    printf '%s\n' "$2" >"$tmp/in.$pairs"
    ok "$1" "${same[@]}" "$2" "$tmp/out.$pairs"
}

comes_back() {
    load "$2"
    came_back "$1" "$2" "$inst"
}

# --- round trips --------------------------------------------------------------------------------

# unlike A B: passes if the comparison finds a difference.
unlike() {
    printf '%s' "$1" >"$tmp/a"
    printf '%s' "$2" >"$tmp/b"
    ok "the comparison finds the difference between $1 and $2" ! "${same[@]}" "$tmp/a" "$tmp/b"
}
unlike '{"a":1.0}' '{"a":1.00}'
unlike '{"a":1e2}' '{"a":100}'
unlike '{"a":"1"}' '{"a":1}'
unlike '{"a":null}' '{}'
unlike '{}' '{"a":null}'
unlike '{"a":[{"b":1},{"c":2}]}' '{"a":[{"c":2},{"b":1}]}'
unlike '{"a":"\ud800"}' '{"a":"\ufffd"}'
unlike '[{"a":1},{"a":1}]' '[{"a":1}]'

for f in "$golden"/*.json; do
    case ${f##*/} in
    summaries.json | storage.json | repeated*) ;;
    *) comes_back "${f##*/} is exported unchanged" "$f" ;;
    esac
done
load "$golden/edges.json"
is "$(q "select string_agg(code || coalesce(' ' || convert_from(rejected, 'UTF8'), ''), ', ' order by code, rejected)
    from import_issues where inst_id = $inst")" \
    "duplicate-profile, irregular-value 1e999, irregular-value t, irregular-value" "edges.json: each irregular value becomes one issue"
odd_at=$(grep -bo 'null,5' <<<'{"Id":"odd","Root":{"Id":"r","Children":[{"Id":"c"},null,5]}}' | cut -d: -f1)
echo '{"Id":"odd","Root":{"Id":"r","Children":[{"Id":"c"},null,5]}}' >"$tmp/item.json"
comes_back "children that are not objects are exported unchanged" "$tmp/item.json"
like "$("$PROFDEPOT" report issues "$inst")" " item.json +$odd_at +\"Children\" contains null besides objects; kept as an attribute" \
    "children that are not objects: the issue names the file and the offset"
load "$golden/edges.json"
is "$(q "select string_agg(coalesce(to_char(started at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), 'unknown'), ', ' order by track_id)
    from tracks where inst_id = $inst")" \
    "unknown, 2014-05-13 16:53:20.000000, 2014-05-13 16:53:20.123500, 0001-01-01 00:00:00.000000, unknown" "edges.json: the start times of the profiles are stored"
load "$golden/repeated.json"
came_back "if keys are repeated, the last value is exported" "$golden/repeated.out.json" "$inst"
is "$(q "select count(*) from import_issues where inst_id = $inst and code = 'duplicate-key'")" 5 "each repeated key becomes an issue"
comes_back "the profile of a share page is exported unchanged" "$golden/page.html"
# Minified pages have no blanks after "var profiler". This page also has a variable "profilers", which is not the profile.
{ printf '<html><script>var profilers={"a":1};var profiler;var profiler\n=\n' &&
    sed -n 's/^var profiler = \(.*\);$/\1/p' "$golden/page.html" && printf '</script>'; } >"$tmp/small.html"
load --again "$tmp/small.html"
came_back "the profile of a minified share page is exported unchanged" "$golden/page.html" "$inst"
printf '<html>\n<script>var profiler={"Id":"a"}</script>' >"$tmp/rootless.html"
load "$tmp/rootless.html"
like "$status $errors" '^3 .*rootless.html: offset 28: .*it has no Root' "the offset in an error about a share page counts from the start of the page"
comes_back "the profiles of a file with one profile per line are exported unchanged" "$golden/shop.ndjson"
shop=$inst
gzip -c "$golden/stj.json" >"$tmp/stj.json.gz"
load "$tmp/stj.json.gz"
like "$out" known "a compressed copy is recognised as a known result set"
ok "verify finds no differences" "$PROFDEPOT" verify "$shop"

mkdir "$tmp/many"
cp "$golden/go.json" "$golden/ruby.json" "$golden/page.html" "$tmp/many"
echo "not JSON" >"$tmp/many/readme.txt"
load "$tmp/many"
is "$(q "select count(*) from tracks where inst_id = $inst")" 4 "all the profiles in a folder form one result set"
is "$(q "select string_agg(code, ' ') from import_issues where inst_id = $inst")" no-profile "a file in the folder that is not a profile becomes an issue"
"$PROFDEPOT" export --format miniprofiler "$inst" >"$tmp/out.json"
(cat "$golden/go.json" && sed -n 's/.*var profiler = \(.*\);$/\1/p' "$golden/page.html" && cat "$golden/ruby.json") >"$tmp/expected"
ok "an export contains all profiles of the folder" "${same[@]}" "$tmp/expected" "$tmp/out.json"
is "$(head -c 1 "$tmp/out.json")" '[' "an export of several profiles is an array"
track=$(q "select track_id from tracks where inst_id = $inst and source_id = 'z2'")
"$PROFDEPOT" export --format miniprofiler --track "$track" "$inst" >"$tmp/out.json"
is "$(grep -c '"z2"' "$tmp/out.json") $(grep -c '"z1"' "$tmp/out.json")" "1 0" "an export with --track contains only the profile of that track"

corpora=${PROFDEPOT_CORPORA:-../shared/corpora}/miniprofiler
if [ -d "$corpora" ]; then
    files=()
    while read -r f; do
        case $f in
        */NOT-A-PROFILE* | *results-list*)
            run load "$f"
            is "$status" 3 "${f#"$corpora"/} is refused"
            like "$errors" 'looked for .*Root' "${f#"$corpora"/}: the hint names the expected content"
            ;;
        *) files+=("$f") ;;
        esac
    done < <(find "$corpora" -name '*.json' -o -name '*.html' | LC_ALL=C sort)
    load --again "${files[@]}"
    is "$status ${#insts[@]}" "0 ${#files[@]}" "all the other corpus files load"
    for i in "${!files[@]}"; do
        came_back "${files[i]#"$corpora"/} is exported unchanged" "${files[i]}" "${insts[i]:-}"
    done
    is "$(q "select string_agg(distinct code, ' ') from import_issues where inst_id >= ${insts[0]:-0}")" "" \
        "the other files of the corpora have no issues"
else
    skip "the corpora are missing" "exports of the corpora contain the same profiles"
fi

# Compares each input and its export as PostgreSQL's jsonb, which does not use profdepot's parser. jsonb preserves
# the scale of numbers. It rejects lone surrogates and \u0000, so \u0000 is first replaced by another character.
for ((i = 1; i <= pairs; i++)); do
    in=$(cat "$tmp/in.$i")
    case $in in
    *.json) echo "\\set a \`cat '$in'\`" ;;
    *) continue ;;
    esac
    echo "\\set b \`cat '$tmp/out.$i'\`"
    echo "insert into judged select '${in##*/}', pg_temp.value(:'a'), pg_temp.value(:'b');"
done >"$tmp/judge.sql"
psql -XqAt -v ON_ERROR_STOP=1 >"$tmp/judged" 2>&1 <<SQL
set client_min_messages = error;
create temporary table judged (file text, a jsonb, b jsonb);
create function pg_temp.value(p_text text) returns jsonb language plpgsql as \$\$
declare v jsonb;
begin
    v := replace(p_text, '\u0000', '\u2400')::jsonb;
    if jsonb_typeof(v) = 'object' and v ? 'snapshots' then
        v := v -> 'snapshots';
        if jsonb_array_length(v) = 1 then v := v -> 0; end if;
    end if;
    return v;
exception when others then return null;
end \$\$;
\i $tmp/judge.sql
select 'differs: ' || file from judged where a::text is distinct from b::text;
select 'cannot read: ' || file from judged where a is null;
select 'judged ' || (count(*) >= ${#files[@]} - 5) from judged where a is not null;
SQL
is "$(grep -v '^cannot read: \(lone-surrogates\|odd\|dotnet4\).json$' "$tmp/judged")" "judged true" "PostgreSQL finds no difference between the inputs and the exports"

# --- the model ----------------------------------------------------------------------------------

spans() {
    q "select $2 from spans where inst_id = $shop and $1 order by id"
}
is "$(spans "kind = 'call' and source_id = 'c3'" "category, execute_type, command, start, duration, first_fetch, errored")" \
    "sql|Reader|select * from lines where id = 2|40|20|6|t" "the columns of a call are stored"
is "$(spans "kind = 'client'" "name, start, duration" | head -n 1)" "Request Start|0|-1" "the columns of a client timing are stored"
is "$(q "select string_agg(r.col_routine_name, ' < ' order by f.n) from stacks s, unnest(s.routine_ids) with ordinality f (id, n),
    resource_profiler_meta_routines r where s.inst_id = $shop and s.stack_id = (select stack_id from spans
    where inst_id = $shop and source_id = 'c1') and r.inst_id = s.inst_id and r.rec_id = f.id")" "Load < Main" \
    "a stack trace snippet becomes a stack, innermost frame first"
is "$(q "select started at time zone 'UTC', host, user_name, duration from tracks where inst_id = $shop and track_id = 1")" \
    "2023-11-14 22:13:20|web1|ann|100" "the columns of a profile are stored"

# --- reports ------------------------------------------------------------------------------------

report() {
    local name=$1 words=$2
    set -f
    # shellcheck disable=SC2086 # words of a report
    "$PROFDEPOT" report $words "$shop" 2>&1 | sed "s/result set $shop/result set N/" >"$tmp/report"
    set +f
    if [ -n "${GOLDEN_WRITE:-}" ]; then
        cp "$tmp/report" "$golden/$name"
    fi
    ok "report $words prints the expected rows" diff -u "$golden/$name" "$tmp/report"
}
report profiles.csv "profiles --output csv"
report profiles_web1.csv "profiles --host WEB1 --sort duration --top 1 --output csv"
report requests.csv "requests --output csv"
report profile.txt "profile --profile p1"
report profile.md "profile --name *<b>* --output markdown"
report profile_calls.csv "profile --by calls --profile p1 --output csv"
report commands.csv "commands --output csv"
report commands_normalised.csv "commands --by normalised --slower-than 9 --output csv"
report duplicates.csv "duplicates --output csv"
report duplicates_normalised.csv "duplicates --by normalised --output csv"
report duplicates_across.csv "duplicates --by across-normalised --output csv"
report calltypes.csv "calltypes --output csv"
report clienttimings.csv "clienttimings --output csv"

rows() {
    set -f
    # shellcheck disable=SC2086 # words of a report
    "$PROFDEPOT" report $1 "$shop" --output csv | tail -n +2 | wc -l
    set +f
}
is "$(rows "profiles --since 2023-11-14T22:14:20Z")" 2 "report profiles: --since includes the given time"
is "$(rows "profiles --until 2023-11-14T22:14:20Z")" 1 "report profiles: --until excludes the given time"
is "$(rows "profiles --min-duration 100")" 2 "report profiles: --min-duration selects profiles by their duration"
is "$(rows "profiles --user b*")" 1 "report profiles: --user accepts a pattern"
is "$(rows "commands --command SELECT*id?=?1")" 1 "report commands: --command selects commands by their text"
is "$(rows "commands --by normalised --command *lines?where* --command get*")" 2 "report commands: --command selects normalised texts"
is "$(rows "duplicates --command *id?=?1") $(rows "duplicates --command *id?=?3")" "1 0" "report duplicates has --command, too"
is "$(rows "profiles --top 1 --skip 2")" 1 "report profiles: --skip can leave only the last profile"
is "$(rows "profiles --skip 3")" 0 "report profiles: --skip can skip all profiles"
is "$("$PROFDEPOT" report profile "$shop" --trivial 0.5 --profile p1 --output csv | grep -c ',t$')" 0 "report profile: --trivial sets the threshold for trivial steps"
run report profiles "$shop" --since yesterday
like "$errors" "\"yesterday\" is not a time" "report profiles: --since refuses a word"
load "$golden/go.json"
run report profile "$inst"
like "$out" " 0\.000831 ms" "report profile: text output rounds the inexact digits of doubles"
run report profile "$inst" --output csv
like "$out" ",0\.0008310000000000262," "report profile: CSV contains all digits of doubles"
run report clienttimings "$inst"
like "$out" "has no client timings" "report clienttimings: the message says that the result set has no client timings"

shape() {
    is "$(q "select command_shape(\$q\$$1\$q\$)")" "$2" "command_shape normalises $1"
}
shape "select 'it''s', -5, 1.5e3 , 0xFF from t1 where a in (1, 2,3)" "select ?, ?, ? , ? from t1 where a in (?)"
shape "insert into t values (1,'a'), (2, 'b')" "insert into t values (?)"
shape "select &#39;x&#39; where a &lt; 3" "select ? where a < ?"
shape "GET user:42" "GET user:?"
shape "get s:6AECB94c-0d39-43bf-b763-9a4dc3445ff3:7" "get s:?:?"
shape "select 1 where a IN (@p0, @p1,@p2) and b = @p3" "select ? where a IN (?) and b = @p3"
shape "select 1 where a in (\$1, \$2)" "select ? where a in (?)"

# --- the storage --------------------------------------------------------------------------------

storage=storage_$$
psql -Xqc "create database $storage" || bail_out "the database cannot be created"
storage() {
    PGDATABASE=$storage psql -XqAt -v ON_ERROR_STOP=1 "$@"
}
uri="host=$PGHOST port=${PGPORT:-5432} dbname=$storage user=${PGUSER:-$(id -un)}"
storage -f "$golden/storage.sql" || bail_out "the storage tables cannot be created"
run load --output json --from-db "$uri"
inst=$(printf '%s\n' "$out" | sed -n 's/.*"inst_id": *\([0-9]*\).*/\1/p' | head -n 1)
"$PROFDEPOT" export --format miniprofiler "${inst:-0}" >"$tmp/out.json" 2>"$tmp/errors"
ok "storage: profiles are rebuilt from rows" "${same[@]}" "$golden/storage.json" "$tmp/out.json"
"$PROFDEPOT" export "${inst:-0}" >"$tmp/own.json" 2>"$tmp/errors"
ok "storage: export writes MiniProfiler's format by default" cmp "$tmp/own.json" "$tmp/out.json"
is "$(q "select count(*) from tracks where inst_id = $inst and (attributes ->> '@rebuilt')::boolean")" 2 "storage: an attribute marks the profiles as rebuilt"
is "$(q "select string_agg(code || ' ' || rejected, ', ' order by issue_no) from (select code,
    right(convert_from(rejected, 'UTF8'), 2) as rejected, row_number() over () as issue_no
    from import_issues where inst_id = $inst) i" 2>&1 | tr ',' '\n' | sed 's/^ //' | LC_ALL=C sort | tr '\n' ' ')" \
    "duplicate-id 01 duplicate-id 13 no-root 03 orphan-row 25 orphan-row 99 parent-cycle 22 parent-cycle 23 parent-cycle 24 " \
    "storage: rows without a profile or without a path to the root are reported"
storage -c 'create schema s' -c 'alter table miniprofilers rename to "Mini Profilers"' -c 'alter table "Mini Profilers" set schema s'
run load --from-db "$uri"
like "$errors" "no table miniprofilers.*--from-tables" "storage: if a table is missing, the message names --from-tables"
run load --again --from-db "$uri" --from-tables 's."Mini Profilers",miniprofilertimings,miniprofilerclienttimings'
is "$status" 0 "storage: a load with the right --from-tables succeeds"
run load --from-db "$uri" --from-tables a,b
is "$status" 2 "storage: --from-tables requires three names"
# --from-db also accepts a database that does not meet the requirements of a depot.
latin=latin_$$
psql -Xqc "create database $latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0" || bail_out "the database cannot be created"
PGDATABASE=$latin psql -XqAt <<'SQL'
set client_encoding = 'UTF8';
create table miniprofilers (rowid serial, id uuid, roottimingid uuid, name varchar(200), started timestamp(3), durationmilliseconds numeric(15,1));
create table miniprofilertimings (rowid serial, id uuid, miniprofilerid uuid, parenttimingid uuid, name varchar(200),
    durationmilliseconds numeric(15,3), startmilliseconds numeric(15,3));
create table miniprofilerclienttimings (rowid serial, id uuid, miniprofilerid uuid, name varchar(200), start numeric(9,3), duration numeric(9,3));
insert into miniprofilers values (1, md5('a')::uuid, md5('b')::uuid, 'Prüfung é', '2026-01-01', 5);
insert into miniprofilertimings values (1, md5('b')::uuid, md5('a')::uuid, null, 'Prüfung é', 5, 0);
SQL
run load --from-db "${uri/dbname=$storage/dbname=$latin}"
is "$status|$(q "select name from tracks where inst_id = (select max(inst_id) from instances)")" "0|Prüfung é" "storage: a database in Latin-1 loads"
run load --from-db "host=/nonexistent dbname=x"
is "$status|$(grep '^hint' <<<"$errors")" "4|hint: --from-db names this server: check the name, and that the server is running" \
    "storage: if the server cannot be reached, the hint names --from-db"
run load --from-db nothing
like "$status $errors" '^2 .*--from-db is not a database connection' "storage: --from-db refuses text that is not a connection string"
if [ -d "$corpora" ]; then
    storage -c 'drop schema s cascade; drop table miniprofilertimings, miniprofilerclienttimings' \
        -f "$corpora/dotnet-pg-storage/schema-4.5.4.sql" -f "$corpora/dotnet-pg-storage/rows.sql" 2>/dev/null
    run load --output json --from-db "$uri"
    inst=$(printf '%s\n' "$out" | sed -n 's/.*"inst_id": *\([0-9]*\).*/\1/p' | head -n 1)
    is "$(q "select string_agg(source_id || duration || name, ' ' order by source_id) from tracks where inst_id = $inst" | sha256sum)" \
        "$(storage -c "select string_agg(id::text || durationmilliseconds || name, ' ' order by id) from miniprofilers" | sha256sum)" \
        "storage tables written by .NET: the profiles are the same"
    is "$(q "select string_agg(source_id || start || duration || name, ' ' order by source_id) from spans where inst_id = $inst and kind = 'step'" | sha256sum)" \
        "$(storage -c "select string_agg(id::text || startmilliseconds || durationmilliseconds || name, ' ' order by id) from miniprofilertimings" | sha256sum)" \
        "storage tables written by .NET: the steps are the same"
    is "$(q "select count(*) || ' ' || sum(start) || ' ' || sum(duration) from spans where inst_id = $inst and kind = 'client'")" \
        "$(storage -c "select count(*) || ' ' || sum(start) || ' ' || sum(duration) from miniprofilerclienttimings")" \
        "storage tables written by .NET: the client timings are the same"
    is "$(q "select count(*) || ' ' || sum(duration) from spans where inst_id = $inst and kind = 'call'")" \
        "$(storage -c "select count(*) || ' ' || sum((c.value ->> 'DurationMilliseconds')::numeric) from miniprofilertimings t,
            json_each(t.customtimingsjson::json) k, json_array_elements(k.value) c")" "storage tables written by .NET: the calls are the same"
fi
psql -Xqc "drop database $storage" -c "drop database $latin"

# --- bad input ----------------------------------------------------------------------------------

# refused TEXT PATTERN: checks that TEXT does not load and that the message matches PATTERN.
refused() {
    printf '%s' "$1" >"$tmp/bad.json"
    run load --format miniprofiler "$tmp/bad.json"
    is "$status" 3 "${1:0:40}: the file is refused"
    like "$errors" "$2" "${1:0:40}: the message gives the reason"
}
before=$(q "select count(*) from instances")
refused '{"Id":"a","Root":' "end|offset"
refused '{"Id":"a"}' "no Root"
refused '{"Id":"a","Root":[]}' "Root is neither an object nor null"
refused '{"Root":{}}' "no Id"
refused '"hidden"' "not an object"
refused '[]' "no profile"
refused '[1,null]' "not an object"
refused '{"snapshots":[]}' "no profile"
refused '<html>var profiler = {"Id":1,</html>' "offset"
refused 'plain' "neither JSON nor a share page"
cp "$golden/dotnet2.json" "$tmp/named.json"
run load --again "$tmp/named.json"
like "$out" '"named.json": [0-9]+ spans, [0-9]+ tracks?$' "the file name becomes the caption"
q "delete from instances where inst_id = (select max(inst_id) from instances)"
cp "$golden/summaries.json" "$tmp/summaries.json"
run load "$tmp/summaries.json"
like "$errors" "results list" "the message says that the file may be a results list"
i=0
cut_ok=yes
size=$(wc -c <"$golden/dotnet2.json")
while [ "$i" -lt $((size - 1)) ]; do
    head -c "$i" "$golden/dotnet2.json" >"$tmp/bad.json"
    "$PROFDEPOT" load --dry-run --format miniprofiler "$tmp/bad.json" >"$tmp/said" 2>&1
    [ $? = 3 ] || cut_ok="at $i: $(cat "$tmp/said")"
    i=$((i + 23))
done
is "$cut_ok" yes "a truncated profile is refused at every length"
is "$(q "select count(*) from instances")" "$before" "refused files create no result sets"

awk 'BEGIN { n = 5000
    printf "{\"Id\":\"d\",\"Root\":"
    for (i = 0; i < n; i++) printf "{\"Name\":\"s\",\"DurationMilliseconds\":1,\"StartMilliseconds\":0,\"Children\":["
    for (i = 0; i < n; i++) printf "]}"
    print "}" }' >"$tmp/deep.json"
comes_back "5,000 nested steps are exported unchanged" "$tmp/deep.json"
awk 'BEGIN { printf "{\"Id\":\"w\",\"Root\":{\"Name\":\"s\",\"DurationMilliseconds\":1,\"StartMilliseconds\":0,\"CustomTimings\":{\"sql\":["
    for (i = 0; i < 36824; i++) printf "%s{\"CommandString\":\"select %d\",\"StartMilliseconds\":%d.5,\"DurationMilliseconds\":0.25,\"StackTraceSnippet\":\"A > B\"}", i ? "," : "", i % 100, i
    print "]}}}" }' >"$tmp/wide.json"
comes_back "36,824 calls are exported unchanged" "$tmp/wide.json"
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "{\"Root\":" }' >"$tmp/bad.json"
run load --format miniprofiler "$tmp/bad.json"
like "$errors" "deep" "200,000 nested objects are refused as too deep"
done_testing
