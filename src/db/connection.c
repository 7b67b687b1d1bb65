/* Connects to a database and sets up the session. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/sql_file.h"
#include "base/terminal.h"
#include "db/cluster.h"
#include "db/watch.h"
#include "db_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MIN_SERVER_VERSION = 150000,
	MIN_FOREIGN_VERSION = 100000,
	START_WAIT_MS = 60000,
	START_STEP_MS = 100,
	RECONNECT_MS = 15000,
};

/* --- the place ------------------------------------------------------------------------------- */

static bool
is_connection_string(const char *s)
{
	return strncmp(s, "postgresql://", 13) == 0 || strncmp(s, "postgres://", 11) == 0 ||
	       strchr(s, '=');
}

/* Copies libpq's message without the text in quotes, because that text can be a password. */
static void
drop_quoted(const char *message, char *out, size_t size)
{
	size_t n = 0;
	bool quoted = false;

	for (const char *s = message; *s && *s != '\n' && n + 4 < size; s++) {
		if (*s == '"') {
			quoted = !quoted;
			memcpy(out + n, quoted ? "\"..." : "\"", quoted ? 4 : 1);
			n += quoted ? 4 : 1;
		} else if (!quoted) {
			out[n++] = *s;
		}
	}
	out[n] = '\0';
}

static bool
check_uri(const char *uri, const char *from, struct error *err)
{
	char *message = NULL;
	char safe[300] = "neither a URI nor key=value pairs";
	PQconninfoOption *options = NULL;

	if (is_connection_string(uri)) {
		options = PQconninfoParse(uri, &message);
		if (!options && message)
			drop_quoted(message, safe, sizeof(safe));
		PQfreemem(message);
	}
	if (options) {
		PQconninfoFree(options);
		return true;
	}
	error_set(err, ERROR_USAGE, "%s is not a database connection: %s", from, safe);
	return error_hint(err, "write postgresql://USER@HOST:PORT/DATABASE, or private");
}

static bool
resolve_uri(const char *uri, const char *from, struct db_place *place, struct error *err)
{
	if (strcmp(uri, "private") == 0) {
		*place = (struct db_place){ .kind = DB_PLACE_PRIVATE, .from = from };
		return true;
	}
	*place = (struct db_place){ .kind = DB_PLACE_SERVER, .uri = uri, .from = from };
	return check_uri(uri, from, err);
}

bool
db_resolve(const char *uri, struct db_place *place, struct error *err)
{
	static const char *const names[] = { "PGHOST", "PGHOSTADDR", "PGPORT", "PGSERVICE",
		"PGDATABASE" };

	if (uri)
		return resolve_uri(uri, "--db", place, err);
	uri = db_environment("PROFDEPOT_DB");
	if (uri)
		return resolve_uri(uri, "PROFDEPOT_DB", place, err);
	*place = (struct db_place){ .kind = DB_PLACE_PRIVATE, .from = "default" };
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (db_environment(names[i])) {
			*place = (struct db_place){ .kind = DB_PLACE_SERVER, .from = names[i] };
			break;
		}
	}
	return true;
}

/* --- connecting ------------------------------------------------------------------------------ */

static bool
connect_failed(const PGconn *conn, const struct db_place *place, struct error *err)
{
	char flat[900];

	db_flatten_message(PQerrorMessage(conn), flat, sizeof(flat));
	error_set(err, ERROR_DATABASE, "%s", flat[0] ? flat : "out of memory");
	if (db_environment("PGOPTIONS"))
		return error_hint(
			err, "PGOPTIONS is set and is sent to the server: check its value");
	if (place->kind == DB_PLACE_PRIVATE)
		return error_hint(err, "\"profdepot db status\" shows the private cluster and its "
				       "log");
	return error_hint(err,
		"%s names this server: check the name, and that the server is running%s",
		place->from, place->is_foreign ? "" : "; --db private means the private cluster");
}

/* Unsets PGHOST and PGHOSTADDR if they would override the host in the URI. */
static void
keep_to_uri(const char *uri)
{
	PQconninfoOption *options = PQconninfoParse(uri, NULL);
	bool has_host = false;
	bool has_address = false;

	for (const PQconninfoOption *o = options; o && o->keyword; o++) {
		if (o->val && strcmp(o->keyword, "host") == 0)
			has_host = true;
		if (o->val && strcmp(o->keyword, "hostaddr") == 0)
			has_address = true;
	}
	PQconninfoFree(options);
	if ((has_host || has_address) && getenv("PGSERVICE"))
		unsetenv("PGSERVICE");
	if (has_host && !has_address && getenv("PGHOSTADDR"))
		unsetenv("PGHOSTADDR");
}

static PGconn *
connect_uri(const char *uri)
{
	const char *keywords[] = { "dbname", "fallback_application_name", NULL };
	const char *values[] = { uri, "profdepot", NULL };

	return PQconnectdbParams(keywords, values, 1);
}

/* Connects. Tries again for a while if the server rejects the connection because it is starting or shutting
 * down. */
static PGconn *
connect_patiently(const char *uri)
{
	PGconn *conn = connect_uri(uri);

	for (int waited = 0; waited < START_WAIT_MS; waited += START_STEP_MS) {
		if (PQstatus(conn) == CONNECTION_OK || PQping(uri) != PQPING_REJECT)
			break;
		PQfinish(conn);
		clock_sleep_ms(START_STEP_MS);
		conn = connect_uri(uri);
	}
	return conn;
}

/* Starts the private cluster and connects to it. Tries twice, because the server can end after cluster_start has
 * found it. */
static PGconn *
connect_private(
	const struct db_place *place, enum db_role role, int64_t *log_from, struct error *err)
{
	struct arena arena = ARENA_INIT;
	struct cluster *c = cluster_describe(&arena, err);
	PGconn *conn = NULL;

	if (getenv("PGSERVICE"))
		unsetenv("PGSERVICE"); /* libpq would let the service override the URI */
	for (int attempt = 0; c && attempt < 2 && PQstatus(conn) != CONNECTION_OK; attempt++) {
		PQfinish(conn);
		conn = NULL;
		if (!cluster_start(c, err))
			break;
		*log_from = cluster_log_size(c);
		conn = connect_patiently(cluster_uri(c, role, CLUSTER_URI_STRICT));
		if (PQstatus(conn) != CONNECTION_OK)
			connect_failed(conn, place, err);
		if (PQstatus(conn) != CONNECTION_OK && cluster_disk_is_full(c))
			cluster_hint_full(c, err);
	}
	arena_release(&arena);
	return conn;
}

/* Connects to the place; the caller owns the connection. */
static PGconn *
connect_place(const struct db_place *place, enum db_role role, int64_t *log_from, struct error *err)
{
	PGconn *conn;

	if (place->kind == DB_PLACE_PRIVATE) {
		conn = connect_private(place, role, log_from, err);
	} else {
		if (place->uri)
			keep_to_uri(place->uri);
		conn = connect_uri(place->uri ? place->uri : "");
		if (PQstatus(conn) != CONNECTION_OK)
			connect_failed(conn, place, err);
	}
	if (PQstatus(conn) == CONNECTION_OK)
		return conn;
	PQfinish(conn);
	return NULL;
}

/* --- the session ----------------------------------------------------------------------------- */

/* Citus warns if it cannot find an intermediate result, and goes on as if the result had no rows. */
static const char intermediate_result_lost[] = "CIINF";

static void
print_notice(void *self, const PGresult *result)
{
	struct db *db = self;
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
	const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);

	if (sqlstate && strcmp(sqlstate, intermediate_result_lost) == 0)
		db->incomplete = true;
	if (db->watch && db->watch->message && message && severity &&
		strcmp(severity, "INFO") == 0) {
		const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);

		db->watch->message(db->watch->self, message, detail ? detail : "");
		return;
	}
	if (message && (db->verbose || (severity && strcmp(severity, "WARNING") == 0)))
		terminal_printf(stderr, "profdepot: server: %s\n", message);
}

static const char *
or_default(const char *s)
{
	return s && *s ? s : "default";
}

static void
describe_place(struct db *db)
{
	snprintf(db->place, sizeof(db->place), "database %s at %s, port %s, as %s",
		or_default(PQdb(db->conn)), or_default(PQhost(db->conn)),
		or_default(PQport(db->conn)), or_default(PQuser(db->conn)));
}

static bool
check_foreign_server(struct db *db, struct error *err)
{
	const char *encoding = PQparameterStatus(db->conn, "server_encoding");

	if (PQserverVersion(db->conn) < MIN_FOREIGN_VERSION)
		return error_set(err, ERROR_DATABASE, "%s: the server is older than PostgreSQL %d",
			db->place, MIN_FOREIGN_VERSION / 10000);
	if (encoding && strcmp(encoding, "SQL_ASCII") == 0)
		return error_set(err, ERROR_DATABASE,
			"%s: the database has the encoding SQL_ASCII, which leaves the meaning of its text undefined",
			db->place);
	return true;
}

static bool
check_server(struct db *db, struct error *err)
{
	int version = PQserverVersion(db->conn);
	const char *encoding = PQparameterStatus(db->conn, "server_encoding");

	if (version < MIN_SERVER_VERSION) {
		error_set(err, ERROR_DATABASE, "%s: the server is PostgreSQL %d", db->place,
			version / 10000);
		return error_hint(err, "profdepot needs PostgreSQL 15 or newer");
	}
	if (!encoding || strcmp(encoding, "UTF8") != 0) {
		error_set(err, ERROR_DATABASE, "%s: the database is encoded in %s", db->place,
			encoding ? encoding : "an unknown way");
		return error_hint(err,
			"profdepot needs UTF8: createdb --template template0 --encoding UTF8 NAME");
	}
	return true;
}

static bool
become_reader(struct db *db, struct error *err)
{
	const char *const *params = SQL_VALUES(
		SQL_DB_BECOME_READER, [SQL_DB_BECOME_READER_ROLE] = db_role_name(DB_ROLE_READER));
	struct db_result *r = db_query(db, sql_file_find("db/become_reader")->text, params, 1, err);

	if (!r)
		return false;
	if (db_result_rows(r) == 1)
		db->session_role = db_role_name(DB_ROLE_READER);
	db_result_free(r);
	return true;
}

/* Sets up what sessions need that can write. *moved is true if the session is now on another server. */
static bool
become_writer(struct db *db, bool *moved, struct error *err)
{
	struct db_result *r = db_query(db, sql_file_find("db/session_writer")->text, NULL, 0, err);
	bool has_citus = r && db_result_bool(r, 0, 0);

	*moved = false;
	if (!db_done(r))
		return false;
	return !has_citus || db->stays || coordinator_move(db, moved, err);
}

static bool
set_up_on_server(struct db *db, bool *moved, struct error *err)
{
	bool reader = db->is_foreign || db->role == DB_ROLE_READER;

	*moved = false;
	if (!(db->is_foreign ? check_foreign_server(db, err) : check_server(db, err)))
		return false;
	if (!db->is_private && !pooler_check(db, err))
		return false;
	if (!db_exec(db, sql_file_find("db/session")->text, err) ||
		!db_exec(db,
			reader ? "SET default_transaction_read_only = on"
			       : "SET default_transaction_read_only = off",
			err))
		return error_prefix(err, "%s", db->place);
	if (!db->is_foreign &&
		!db_done(db_query(db, sql_file_find("db/session_depot")->text, NULL, 0, err)))
		return error_prefix(err, "%s", db->place);
	if (!reader)
		return become_writer(db, moved, err);
	return db->is_foreign || db->is_private || become_reader(db, err);
}

static bool
set_up_session(struct db *db, struct error *err)
{
	bool moved = true;

	while (moved) {
		PQsetNoticeReceiver(db->conn, print_notice, db);
		describe_place(db);
		if (!set_up_on_server(db, &moved, err))
			return false;
	}
	return true;
}

struct db *
db_open(const struct db_target *target, struct error *err)
{
	struct db_place place;
	int64_t log_from = 0;
	struct db *db;
	PGconn *conn;

	if (!(target->foreign ? resolve_uri(target->uri, target->foreign, &place, err)
			      : db_resolve(target->uri, &place, err)))
		return NULL;
	place.is_foreign = target->foreign != NULL;
	conn = connect_place(&place, target->role, &log_from, err);
	if (!conn)
		return NULL;
	db = xcalloc(1, sizeof(*db));
	db->conn = conn;
	db->is_private = place.kind == DB_PLACE_PRIVATE;
	db->log_from = log_from;
	db->verbose = target->verbose;
	db->role = target->role;
	db->is_foreign = target->foreign != NULL;
	db->stays = target->stays;
	if (set_up_session(db, err))
		return db;
	db_close(db);
	return NULL;
}

static bool
start_private(struct error *err)
{
	struct arena arena = ARENA_INIT;
	struct cluster *c = cluster_describe(&arena, err);
	bool ok = c && cluster_start(c, err);

	arena_release(&arena);
	return ok;
}

bool
db_reconnect(struct db *db, struct error *err)
{
	char flat[900];

	for (int waited = 0; waited < RECONNECT_MS; waited += START_STEP_MS) {
		if (db->is_private && !start_private(err))
			return false;
		PQreset(db->conn);
		if (PQstatus(db->conn) == CONNECTION_OK)
			return set_up_session(db, err);
		clock_sleep_ms(START_STEP_MS);
	}
	db_flatten_message(PQerrorMessage(db->conn), flat, sizeof(flat));
	return error_set(err, ERROR_DATABASE, "%s", flat);
}

void
db_close(struct db *db)
{
	if (!db)
		return;
	if (db->copier)
		db->drop_copier(db->copier);
	PQfinish(db->conn);
	free(db);
}

bool
db_is_private(const struct db *db)
{
	return db->is_private;
}

bool
db_is_alive(struct db *db)
{
	/* The first call reads the server's last message; the second call detects that the
	 * connection has ended. */
	for (int i = 0; i < 2; i++)
		if (!PQconsumeInput(db->conn))
			return false;
	return PQstatus(db->conn) == CONNECTION_OK;
}

int
db_server_version(const struct db *db)
{
	return PQserverVersion(db->conn);
}

const char *
db_time_zone(const struct db *db)
{
	return PQparameterStatus(db->conn, "TimeZone");
}

const char *
db_place_text(const struct db *db)
{
	return db->place;
}

const char *
db_session_role(const struct db *db)
{
	return db->session_role;
}
