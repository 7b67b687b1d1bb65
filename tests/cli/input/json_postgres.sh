#!/usr/bin/env bash
# Compares the JSON reader with PostgreSQL's json type. Both must accept the same documents, except that
# only the reader accepts a leading BOM. Like the reader, the json type accepts \u0000 and lone
# surrogates; jsonb and ->> do not.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
pg_temp_start

count=${JSON_CASES:-10000}
query() {
    psql -XAtq -v ON_ERROR_STOP=1 "$@" 2>&1
}

ok "the tables and functions are created" query <<'SQL'
CREATE TABLE cases (ours boolean, document bytea, string bytea);
CREATE FUNCTION json_accepts(document bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM convert_from(document, 'UTF8')::json;
    RETURN true;
EXCEPTION WHEN data_exception OR character_not_in_repertoire THEN
    RETURN false;
END $$;
CREATE FUNCTION json_string(document bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN convert_from(document, 'UTF8')::json #>> '{}';
EXCEPTION WHEN data_exception OR character_not_in_repertoire THEN
    RETURN NULL; -- invalid, or it contains \u0000 or a lone surrogate
END $$;
SQL

for seed in 1 2 3; do
    "$builddir/tests/tools/json_cases" "$count" "$seed" > "$pg_temp_dir/cases" || fail "json_cases fails for seed $seed"
    ok "$count documents of seed $seed are stored" query -c '\copy cases FROM '"'$pg_temp_dir/cases'"
done
is "$(query -c 'SELECT count(*) FROM cases')" $((3 * count)) "all documents are stored"
is "$(query -c "SELECT count(*) > $count / 4 FROM cases WHERE ours")" t "more than a quarter of the documents are valid"
is "$(query -c "SELECT count(*) > $count / 4 FROM cases WHERE NOT ours")" t "more than a quarter of the documents are invalid"
is "$(query -c "SELECT ours, document FROM cases WHERE ours <> json_accepts(document)
    AND substr(document, 1, 3) <> '\\xefbbbf' ORDER BY length(document) LIMIT 10")" "" \
    "the reader and PostgreSQL accept the same documents"
is "$(query -c "SELECT document FROM cases WHERE ours AND json_accepts(document)
    AND substr(document, 1, 3) = '\\xefbbbf'")" "" "PostgreSQL rejects a BOM"
is "$(query -c "SELECT ours, document FROM cases WHERE substr(document, 1, 3) = '\\xefbbbf'
    AND ours <> json_accepts(substr(document, 4)) LIMIT 10")" "" "a BOM does not change whether a document is accepted"
is "$(query -c "SELECT document, string FROM cases WHERE string IS NOT NULL AND position('\\x1a'::bytea in string) = 0
    AND substr(document, 1, 3) <> '\\xefbbbf'
    AND convert_from(string, 'UTF8') IS DISTINCT FROM json_string(document) LIMIT 10")" "" \
    "the reader and PostgreSQL decode the same strings"
is "$(query -c "SELECT count(*) > 100 FROM cases WHERE json_string(document) = convert_from(string, 'UTF8')")" t \
    "more than 100 strings were compared"
done_testing
