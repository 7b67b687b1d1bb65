#!/usr/bin/env bash
# Tests depots on a server: creation, migration, refusals, and the roles with their privileges.
# shellcheck source=tests/lib/tap.sh
. "$srcdir/tests/lib/tap.sh"
# shellcheck source=tests/lib/pg-temp.sh
. "$srcdir/tests/lib/pg-temp.sh"
pg_temp_start

depot() {
    "$PROFDEPOT" "$@" 2>&1
}

# sql STATEMENT [USER]: runs the statement as this user
sql() {
    psql -XAtq -v ON_ERROR_STOP=1 -U "${2:-postgres}" -c "$1" 2>&1
}

# as USER: makes profdepot log in as this role from now on.
as() {
    export PROFDEPOT_DB="postgresql://$1@/$PGDATABASE?host=$PGHOST"
}

newest=$(printf '%s\n' "$srcdir"/migrations/[0-9]*.sql | sed -n '$s|.*/0*\([0-9]*\)_.*|\1|p')

# --- the roles do not exist yet, and the login cannot create them ---

sql "create role alice login; create role bob login createrole; create role carol login"
sql "alter database $PGDATABASE owner to alice"
as alice
said=$(depot db url)
like "$said" 'there is no depot' "an empty database is refused"
like "$said" 'hint: .*profdepot db migrate' "the hint for an empty database names db migrate"
like "$(depot db status)" 'depot: *absent' "db status reports that there is no depot"
said=$(depot db init)
like "$said" "created a depot of version $newest" "the database's owner can create a depot"
like "$said" 'may not create the roles' "db init notes that the login may not create the roles"
like "$(depot db migrate)" "is at version $newest" "db migrate after db init is not an error"
is "$(sql "select count(*) from pg_roles where rolname like 'profdepot%'")" 0 \
    "a login without CREATEROLE creates no roles"
is "$("$PROFDEPOT" sql -XAtc 'select current_user')" alice \
    "without the reader role, sql uses the login role"
like "$("$PROFDEPOT" sql -XAtc 'select count(*) from instances')" '^0$' \
    "the owner's login can read the depot"
as carol
said=$(depot db url)
like "$said" 'permission denied' "a login without rights is refused"
like "$said" 'hint: .*profdepot_reader' "the hint for a login without rights names the reader role"

# --- a login that can create roles ---

pg_temp_database second
sql "alter database second owner to bob"
as bob
unlike "$(depot db init)" 'may not create the roles' "a login with CREATEROLE creates the roles"
is "$(sql "select string_agg(rolname || rolcanlogin, ' ' order by rolname) from pg_roles where rolname like 'profdepot%'")" \
    "profdepot_loaderfalse profdepot_readerfalse" "the roles are groups that cannot log in"
like "$(depot db url --role reader)" 'role%3Dprofdepot_reader' \
    "the login that created the roles can become the reader"
is "$("$PROFDEPOT" sql -XAtc 'select current_user')" profdepot_reader "sql uses the reader role"
pg_temp_database third
ok "a second depot on the server uses the existing roles" "$PROFDEPOT" db init
pg_temp_database first_again
export PGDATABASE=profdepot_test
as alice
unlike "$(depot db migrate)" 'may not create the roles' \
    "db migrate grants privileges to roles that were created after the depot"
sql "grant profdepot_reader to carol"
as carol
is "$("$PROFDEPOT" sql -XAtc 'select current_user || count(*) from instances')" profdepot_reader0 \
    "a member of the reader role can read the depot"

# --- rights ---

sql "create role dave login; grant profdepot_loader to dave; create role erin login; grant profdepot_reader to erin"
sql "create table profdepot.later (n int)" alice
is "$(sql "select count(*) from profdepot.later" erin)" 0 "the reader can read a table added later"
like "$(sql "insert into profdepot.instances default values" erin)" 'permission denied' "the reader cannot write"
like "$(sql "select profdepot.analyze_relations(1, '{instances}')" erin)" 'permission denied' \
    "the reader cannot run the owner's functions"
is "$(sql "insert into profdepot.instances default values returning inst_id" dave)" 1 \
    "the loader can write"
is "$(sql "delete from profdepot.instances returning inst_id" dave)" 1 \
    "the loader can remove result sets"
is "$(sql "select profdepot.analyze_relations(1, '{instances}')" dave)" "" \
    "the loader can update statistics"
like "$(sql "insert into profdepot.schema_migrations values (7, '', '')" dave)" 'permission denied' "the loader cannot migrate"
like "$(sql "create table profdepot.mine (n int)" dave)" 'permission denied' "the loader cannot create tables"

# --- every state of a depot ---

pg_temp_database zero
psql -Xq -v ON_ERROR_STOP=1 -1 -f "$srcdir/schema/000_depot.sql"
like "$(depot db url)" "is at version 0, and this program needs $newest" "an older depot is refused"
like "$(depot db status)" 'depot: *older' "db status reports an older depot"
like "$(depot db migrate)" "created a depot of version $newest" "db migrate upgrades an older depot"
is "$(sql "select count(*) from profdepot.instances")" 0 "an upgraded depot has the table instances"
is "$(sql "select has_table_privilege('profdepot_reader', 'profdepot.instances', 'select')")" t \
    "db migrate grants the roles their rights on new tables"

sql "insert into profdepot.schema_migrations values (9999, 'future', '\\x00')"
said=$(depot db url)
like "$said" "is at version 9999, and this program supports versions up to $newest" "a newer depot is refused"
like "$said" 'hint: use a newer profdepot' "the hint for a newer depot asks for a newer profdepot"
like "$(depot db migrate)" 'is at version 9999' "db migrate refuses a newer depot"
like "$(depot db status)" 'depot: *newer' "db status reports a newer depot"
sql "delete from profdepot.schema_migrations where version = 9999"
sql "update profdepot.schema_migrations set checksum = '\\x00' where version = 1"
like "$(depot db migrate)" 'migration 1 is not the one' \
    "db migrate refuses a depot whose migration was changed"
like "$(depot db url)" 'migration 1 is not the one' "db url refuses a depot whose migration was changed"

pg_temp_database half
psql -Xq -v ON_ERROR_STOP=1 -1 -f "$srcdir/schema/000_depot.sql"
sql "create table profdepot.resource_profiler_errors (n int)"
said=$(depot db migrate) && status=0 || status=$?
is "$status" 4 "a failed migration ends with the exit status for database errors"
like "$said" 'migrations/0001_initial.sql: relation "resource_profiler_errors" already exists' \
    "the message about a failed migration names the file and the reason"
is "$(sql "select count(*) from pg_class where relnamespace = 'profdepot'::regnamespace and relkind = 'r'")" 2 \
    "a failed migration creates no relations"
is "$(sql "select count(*) from pg_locks where locktype = 'advisory'")" 0 "a failed migration leaves no lock"

pg_temp_database foreign_schema
sql "create schema profdepot; create table profdepot.other (n int)"
like "$(depot db migrate)" 'schema profdepot is not a depot' \
    "a schema that belongs to another application is refused"
pg_temp_database given_schema
sql "create schema profdepot authorization alice"
as alice
like "$(depot db migrate)" 'created a depot' "db migrate uses a schema created by an administrator"
as postgres

pg_temp_database together
for i in 1 2 3; do
    "$PROFDEPOT" db migrate >"$pg_temp_dir/together.$i" 2>&1 &
    eval "starter$i=$!"
done
statuses=
for i in 1 2 3; do
    eval "wait \$starter$i"
    statuses="$statuses $?"
done
is "$statuses" " 0 0 0" "three processes can migrate at once"
is "$(cat "$pg_temp_dir"/together.? | grep -c 'created a depot')" 1 \
    "exactly one of three processes creates the depot"

# --- unsuitable servers ---

psql -Xq -d postgres -c "create database ascii template template0 encoding 'SQL_ASCII' locale 'C'"
said=$(PROFDEPOT_DB="postgresql://postgres@/ascii?host=$PGHOST" depot db migrate)
like "$said" 'encoded in SQL_ASCII' "a database that is not encoded in UTF8 is refused"
like "$said" 'hint: .*--encoding UTF8' "the hint for a wrong encoding names createdb's option"
said=$(PROFDEPOT_DB="postgresql://postgres@127.0.0.1:1/none" depot list)
like "$said" 'Connection refused.*hint: PROFDEPOT_DB names this server: check the name' \
    "the hint for an unreachable server names PROFDEPOT_DB"
said=$(depot list --db "postgresql://postgres@/none?host=$PGHOST")
like "$said" '"none" does not exist.*hint: --db names this server' \
    "the hint for a missing database names --db"
said=$(PGOPTIONS='-c nonsense=1 -c search_path=pg_temp' depot db status)
like "$said" 'unrecognized configuration parameter.*hint: PGOPTIONS is set' \
    "the hint for refused PGOPTIONS names the variable"
is "$(PGOPTIONS='-c search_path=pg_temp -c default_transaction_read_only=on -c DateStyle=German' depot db migrate |
    grep -c 'is at version')" 1 "PGOPTIONS cannot change the session's settings"
is "$(PGOPTIONS='-c search_path=pg_temp' "$PROFDEPOT" sql -XAtc 'select count(*) from instances')" 0 \
    "PGOPTIONS cannot change psql's session"
like "$(PROFDEPOT_DB="postgresql://postgres@/nowhere?host=$PGHOST" depot db status)" 'database "nowhere" does not exist' \
    "the message about a missing database names it"
ok "db url works with a server from libpq's environment" env -u PROFDEPOT_DB "$PROFDEPOT" db url
like "$(env -u PROFDEPOT_DB "$PROFDEPOT" db status)" 'other server .PGHOST.' \
    "db status names the variable that selects the server"
done_testing
