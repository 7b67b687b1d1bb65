#!/usr/bin/env bash
# Tests profdepot load --odbc. An SQLite and a PostgreSQL database with an export's tables give the
# same result as the export's files, and errors are reported.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
# shellcheck source=tests/lib/depot.sh
. "$srcdir/tests/lib/depot.sh"
# shellcheck source=tests/lib/export.sh
. "$srcdir/tests/lib/export.sh"

# driver NAME: prints the driver's file name, which depends on the distribution.
driver() {
    local place
    for place in /usr/lib/*/odbc /usr/lib/odbc /usr/lib64 /usr/lib /usr/local/lib/odbc /usr/local/lib \
        /opt/homebrew/lib; do
        if [ -e "$place/$1" ]; then
            echo "$place/$1"
            return 0
        fi
    done
    return 1
}
# quickstart installs the drivers. Without them, this test could check nothing, so a missing driver is a failure.
sqlite_driver=$(driver libsqlite3odbc.so) || bail_out "libsqliteodbc is not installed"
pg_driver=$(driver psqlodbcw.so) || bail_out "odbc-postgresql is not installed"
command -v sqlite3 >/dev/null || bail_out "sqlite3 is not installed"

pg_temp_start
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; pg_temp_stop' EXIT
# With Debian's settings, PostgreSQL's driver writes one log per process to /tmp.
mkdir "$tmp/ini"
touch "$tmp/ini/odbcinst.ini"
export ODBCSYSINI=$tmp/ini
depot_make
psql -XqAt -c "create database aqtime" || bail_out "the second database cannot be created"

sq() {
    sqlite3 -batch "$tmp/$1.db"
}
lite() { # lite NAME: prints the connection string of the SQLite database NAME
    echo "Driver=$sqlite_driver;Database=$tmp/$1.db"
}
pg() {
    psql -XqAt -v ON_ERROR_STOP=1 -d aqtime "$@"
}
pg_string="Driver=$pg_driver;Servername=$PGHOST;Port=${PGPORT:-5432};Database=aqtime;Username=${PGUSER:-$(id -un)}"

# type_of COLUMN: prints the column's type in AQTime's databases.
type_of() {
    case $1 in
    INST_ID | ID | REC_ID | PARENT_ID | COL_*RID | COL_GET_ | COL_THREADID | COL_HIT_COUNT | COL_ERROR_CODE | \
        COL_KIND | COL_SOURCE_LINE | COL_TOKEN | COL_WIN32THREADID | COL_COMPILER | COL_PROFILELINES) echo bigint ;;
    COL__ | COL_ADDRESS | COL_*SIZE | COL_*COUNT | COL_*CREATED) echo "numeric(20,0)" ;;
    *) echo text ;;
    esac
}

# fill FOLDER DATABASE: creates a table for each file of the export, in PostgreSQL and in the SQLite database. The
# columns have AQTime's types in PostgreSQL, and are text columns in SQLite.
fill() {
    local file table columns column types
    for file in "$1"/*.csv; do
        table=$(basename "$file" .csv)
        types=
        columns=
        for column in $(head -n 1 "$file" | tr -d '\r"' | tr ',' ' '); do
            types="$types${types:+, }\"$column\" $(type_of "$column")"
            columns="$columns${columns:+, }\"$column\" text"
        done
        pg -c "create table \"$table\" ($types)" -c "\\copy \"$table\" from '$file' csv header"
        sq "$2" <<<"create table \"$table\" ($columns);"
        { echo "begin;" && pg -c "select format('insert into \"$table\" values (%s);', string_agg(coalesce('''' ||
                replace(replace(j.value, '''', ''''''), chr(13), '''||char(13)||''') || '''', 'NULL'), ','
                order by j.n))
            from (select row_number() over () as r, t.* from \"$table\" t) t,
                json_each_text(to_json(t)) with ordinality j (key, value, n)
            where j.key <> 'r' group by t.r order by t.r" &&
            echo "commit;"; } | sq "$2"
    done
}
drop() {
    pg -c "drop schema public cascade" -c "create schema public" 2>/dev/null
}

digests() { # digests N: prints the digests of the newest N result sets
    q "select content_digest from instances order by inst_id desc limit $1" | sort
}

# --- a small export -------------------------------------------------------------------------------

export_make "$tmp/a"
export_edit "$tmp/a" META_ROUTINES '3s/form.pas/"o'"'"'Ж𝄞\\"/; 4s/,main,/,"",/'
fill "$tmp/a" small
run load "$tmp/a"
is "$status" 0 "the export is loaded from its files"
content=$(digests 1)
run load --odbc "$(lite small)" --output json
like "$out" '"inst_id":1,.*"state":"known"' "an export loaded from SQLite is recognised as the known content"
run load --odbc "$pg_string" --output json
like "$out" '"inst_id":1,.*"state":"known"' "an export loaded from PostgreSQL is recognised as the known content"
like "$out" '"source":"psqlodbcw.so/aqtime@' "the source consists of driver, database and server"
run load --again --odbc "$(lite small)" --label way=odbc
is "$status" 0 "--again loads a copy"
copy=$(q "select max(inst_id) from instances")
like "$out" "^loaded   result set $copy  \"first\": 2 objects, 1 error, 8 frames" "the output contains the number of the copy"
is "$(digests 1)" "$content" "the copy has the same content digest as the result set loaded from files"
is "$(q "select source_name, source_inst_id, format, input_digest is null, input_bytes is null
    from instances where inst_id = $copy")" "libsqlite3odbc.so/small.db|1|aqtime|t|t" "the source of the copy is stored"
run verify "$copy"
is "$status" 0 "the copy passes verification"
is "$(q "select col_source_file from resource_profiler_meta_routines where inst_id = $copy and id = 1")" "o'Ж𝄞\\" \
    "texts are loaded unchanged"
is "$(q "select col_routine_name = '', col_source_file from resource_profiler_meta_routines where inst_id = $copy
    and id in (0, 2) order by id")" "f|
t|main.pas" "empty texts and NULLs are loaded"
is "$(q "select col_address from resource_profiler_objects where inst_id = $copy order by id limit 1")" \
    18446744073705122959 "a sign-extended handle is loaded"

# The tables have lower-case names and types that AQTime does not use, and one text is long.
long=$(printf 'xЖ𝄞%.0s' {1..9000})
sq lower <<SQL
create table instances (inst_id integer, caption varchar(50));
insert into instances values (1, '$long'), (2, 'second');
create table Resource_Profiler_Objects (id integer, inst_id integer, col__ integer, col_size double, col_address real);
insert into Resource_Profiler_Objects values (0, 1, 7, 4096.0, 2147483648.0), (1, 1, NULL, NULL, NULL), (0, 2, 1, 1, 1);
create table resource_profiler_threads_old (x integer);
create table other (y integer);
SQL
run load --odbc "$(lite lower)"
is "$status" 0 "tables with lower-case names and few columns are loaded"
is "$(q "select caption = '$long' from instances where source_inst_id = 1 order by inst_id desc limit 1")" t \
    "a long text is read in several pieces"
is "$(q "select id, col__, col_size, col_address from resource_profiler_objects o join instances i using (inst_id)
    where i.caption = '$long' order by id")" "0|7|4096|2147483648
1|||" "doubles with integer values are loaded as integers"
is "$(q "select message from import_issues where code = 'unknown-table' and inst_id = (select max(inst_id) from instances)")" \
    "table RESOURCE_PROFILER_THREADS_OLD was left out" "tables of other programs are ignored"
sq lower <<<"insert into instances values (3, 'third'); insert into Resource_Profiler_Objects values (0, 3, 1, 1, 1);"
run load --odbc "$(lite lower)" --output json
is "$(grep -o '"state":"[a-z]*"' <<<"$out" | tr '\n' ' ')" '"state":"known" "state":"known" "state":"loaded" ' \
    "only new result sets are loaded"
run load --again --odbc "$(lite lower)" --inst 2 --inst 3 --output json
is "$(grep -o '"source_inst_id":[0-9]*' <<<"$out" | tr '\n' ' ')" '"source_inst_id":2 "source_inst_id":3 ' \
    "--inst selects result sets"
run load --again --odbc "$pg_string" --inst 1
is "$status" 0 "--inst works with columns that need quotes"

# --- encodings -------------------------------------------------------------------------------------

# little DATABASE CAPTION [SQL]: creates an SQLite database with the smallest export.
little() {
    sq "$1" <<<"$3 create table INSTANCES (INST_ID integer, CAPTION nvarchar(100));
        create table RESOURCE_PROFILER_OBJECTS (INST_ID integer, ID integer, COL__ integer);
        insert into INSTANCES values (1, $2); insert into RESOURCE_PROFILER_OBJECTS values (1, 0, 1);"
}
caption() {
    q "select caption from instances order by inst_id desc limit 1"
}
little wide "'Prüf Ж 𝄞 16'" "pragma encoding = 'UTF-16';"
run load --odbc "$(lite wide)"
is "$(caption)" "Prüf Ж 𝄞 16" "a UTF-16 database is loaded"
little latin "cast(x'5072fc66' as text)"
run load --odbc "$(lite latin)"
like "$status $errors" '^3 .*INSTANCES: row 1: column CAPTION has text that is not UTF-8.*--encoding' \
    "bytes that are not UTF-8 are refused"
run load --odbc "$(lite latin)" --encoding LATIN1
is "$(caption)" "Prüf" "--encoding sets the code page"
run load --odbc "$(lite latin)" --encoding no-such
like "$status $errors" "^2 .*the encoding 'no-such' is not known" "an unknown encoding is a usage error"
psql -XqAt -c "create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0"
psql -XqAt -d latin <<'SQL'
set client_encoding = 'UTF8';
create table "INSTANCES" ("INST_ID" smallint, "CAPTION" varchar(40));
create table "RESOURCE_PROFILER_OBJECTS" ("INST_ID" smallint, "ID" bigint, "COL__" double precision, "COL_SIZE" real);
insert into "INSTANCES" values (1, 'Prüfstand é');
insert into "RESOURCE_PROFILER_OBJECTS" values (1, 0, 3, 0);
SQL
run load --odbc "${pg_string/Database=aqtime/Database=latin}"
is "$(caption)" "Prüfstand é" "a PostgreSQL database in Latin-1 is loaded"

# --- refused --------------------------------------------------------------------------------------

sets=$(q "select count(*) from instances")
refused() { # STATUS PATTERN TEXT CONNECTION [OPTION...]
    local expected=$1 pattern=$2 text=$3
    shift 3
    run load --odbc "$@"
    is "$status" "$expected" "$text: exit status $expected"
    like "$errors" "$pattern" "$text: the message names the cause"
    unlike "$errors$out" 'geheim' "$text: the output contains no password"
}
refused 3 'cannot connect: .*odbcinst' "no such driver" "Driver=/no/where.so;Database=x;PWD=geheim"
refused 3 'cannot connect: ' "no such database" "${pg_string/Database=aqtime/Database=no-such-one};Password={geheim}"
refused 3 'nosuch.*cannot connect' "no such server" \
    "Driver=$pg_driver;Servername=nosuch.invalid;Database=x;UID=u;PWD=geheim"
refused 3 'empty.db: no tables of' "a database without AQTime's tables" "$(lite empty);PWD=geheim"
refused 3 'no result set' "--inst with an unknown INST_ID" "$(lite small)" --inst 9
refused 2 'is not an INST_ID' "--inst with letters" "$(lite small)" --inst x
run load "$tmp/a" --inst 1
is "$status" 2 "--inst without --odbc is a usage error"
cp "$tmp/small.db" "$tmp/column.db"
sq column <<<'alter table RESOURCE_PROFILER_OBJECTS drop column "INST_ID";'
refused 3 'RESOURCE_PROFILER_OBJECTS.*INST_ID' "a table without INST_ID" "$(lite column)"
refused 3 'RESOURCE_PROFILER_OBJECTS has no column INST_ID' "a table without INST_ID, with --inst" "$(lite column)" --inst 1
pg -c 'create schema more' -c 'create table more."Instances" (inst_id integer)'
refused 3 'two tables for INSTANCES: "more"."Instances" and "public"."INSTANCES"' "two tables with the same name" "$pg_string"
pg -c 'drop schema more cascade' 2>/dev/null
pg -c 'alter table "RESOURCE_PROFILER_THREADS" rename to "T"' -c "create view \"RESOURCE_PROFILER_THREADS\" as
    select t.* from \"T\" t where pg_terminate_backend(pg_backend_pid())"
refused 3 'RESOURCE_PROFILER_THREADS.*(connection|terminat|server)' "a lost connection" \
    "$pg_string;Password=geheim"
pg -c 'drop view "RESOURCE_PROFILER_THREADS"' -c "create view \"RESOURCE_PROFILER_THREADS\" as
    select (1/(\"ID\"-\"ID\"))::text as \"COL_SIZE\", t.\"ID\", t.\"INST_ID\" from \"T\" t"
refused 3 'RESOURCE_PROFILER_THREADS.*division by zero' "a failing query" "$pg_string"
is "$(q "select count(*) from instances")" "$sets" "no refused database was loaded"
run load --odbc "Driver=/no/where.so" "$tmp/a"
is "$status" 5 "a file is loaded even if the database is refused"

# --- the corpus -----------------------------------------------------------------------------------

corpus=${PROFDEPOT_CORPORA:-/nonexistent}/aqtime/plain
if [ -d "$corpus" ]; then
    ways=0
    drop
    fill "$corpus/export" corpus
    for way in "$pg_string" "$(lite corpus)"; do
        run load --again --odbc "$way"
        is "$status" 0 "the corpus is loaded from ${way##*/}"
        by_odbc=$(digests 2)
        run load --again "$corpus/export"
        is "$by_odbc" "$(digests 2)" "the corpus from ${way##*/} has the same content as its files"
        run load --odbc "$way" --output json
        is "$(grep -c '"state":"known"' <<<"$out") $(grep -c . <<<"$out")" "2 2" "a second load from ${way##*/} recognises the result sets as known"
        # Loads the database into a new depot over ODBC, and compares the depot's reports with AQTime's answers.
        depot=$PGDATABASE
        pg_temp_database "way_$((++ways))"
        "$PROFDEPOT" db migrate >/dev/null
        run load --odbc "$way"
        for pair in classes:classes objects:objects errors:errors leaks:leak_groups routines:routines_inclusive; do
            "$PROFDEPOT" report "${pair%:*}" all --output json >"$tmp/got.json"
            ok "report ${pair%:*} on data from ${way##*/} equals AQTime's ${pair#*:}" "$builddir/tests/tools/compare_report" "$corpus/expected.json" \
                "${pair#*:}" "$tmp/got.json"
        done
        export PGDATABASE=$depot PROFDEPOT_DB="postgresql://$PGUSER@/$depot?host=$PGHOST"
    done
else
    skip "PROFDEPOT_CORPORA is not set" "reports on data loaded over ODBC are equal to AQTime's"
fi

done_testing
