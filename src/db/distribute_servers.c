/* The servers of a Citus cluster: adds servers and moves shards between them. */
#include "distribute_private.h"

#include "base/clock.h"
#include "base/number.h"
#include "base/sql_file.h"
#include "db_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	REBALANCE_POLL_MS = 500,
	STILL_SECONDS = 10, /* if no shard moves for this time, reports the reason */
	AGAIN_SECONDS = 60, /* time until the next such report */
	HOST_BYTES = 256,
};

/* The address at which the other servers reach a server. */
struct server {
	char host[HOST_BYTES];
	int port;
};

static bool
read_server(const struct db *db, const char *what, struct server *s, struct error *err)
{
	const char *host = PQhost(db->conn);

	*s = (struct server){ .port = (int)strtol(PQport(db->conn), NULL, 10) };
	snprintf(s->host, sizeof(s->host), "%s", host);
	if (host[0] && host[0] != '/')
		return true;
	error_set(err, ERROR_USAGE, "%s: the other servers cannot reach the %s at a UNIX socket",
		db_place_text(db), what);
	return error_hint(err, "use a URI with the server's host name, not its socket");
}

static bool
is_member(const struct db_result *nodes, const struct server *s)
{
	for (size_t i = 0; nodes && i < db_result_rows(nodes); i++)
		if (text_equal(db_result_value(nodes, i, 0), text_from(s->host)) &&
			db_result_int64(nodes, i, 1, 0) == s->port)
			return true;
	return false;
}

static bool
has_coordinator(const struct db_result *nodes)
{
	return nodes && db_result_rows(nodes) > 0 && db_result_bool(nodes, 0, 2);
}

/* Calls citus_add_node or citus_set_coordinator_host with the server's address. */
static bool
call_with_server(struct db *db, const char *function, const struct server *s, struct error *err)
{
	char sql[120];
	const char *params[] = { s->host, INT64_TEXT(s->port) };

	snprintf(sql, sizeof(sql), "SELECT pg_catalog.%s($1::text, $2::integer)", function);
	return db_done(db_query(db, sql, params, 2, err)) ||
	       error_prefix(err, "server %s, port %d", s->host, s->port);
}

static bool
check_database(const struct db *db, const struct db *worker, struct error *err)
{
	if (strcmp(PQdb(db->conn), PQdb(worker->conn)) == 0)
		return true;
	error_set(err, ERROR_USAGE, "%s: the database must have the same name on every server, %s",
		db_place_text(worker), PQdb(db->conn));
	return error_hint(err, "create it there: createdb --template template0 --encoding UTF8 %s",
		PQdb(db->conn));
}

/* Connects to a further server, and sets *s to its address. Returns NULL on failure. */
static struct db *
open_worker(const struct db *db, const char *uri, struct server *s, struct error *err)
{
	const struct db_target target = { .uri = uri, .role = DB_ROLE_OWNER, .stays = true };
	struct db *worker = db_open(&target, err);

	if (!worker || (check_database(db, worker, err) && read_server(worker, "worker", s, err)))
		return worker;
	db_close(worker);
	return NULL;
}

static bool
add_server(struct db *db, const struct distribute_plan *plan, const char *uri,
	const struct db_result *nodes, struct error *err)
{
	struct server s;
	struct db *worker = open_worker(db, uri, &s, err);
	bool ok = worker && distribute_extension(worker, plan, err);

	if (ok && !is_member(nodes, &s)) {
		distribute_step(plan, "add the server %s, port %d", s.host, s.port);
		ok = plan->dry_run || call_with_server(db, "citus_add_node", &s, err);
	}
	db_close(worker);
	return ok;
}

static bool
set_coordinator(struct db *db, const struct distribute_plan *plan, const struct db_result *nodes,
	struct error *err)
{
	struct server s;

	if (has_coordinator(nodes))
		return true;
	if (!read_server(db, "coordinator", &s, err))
		return false;
	distribute_step(plan, "make %s, port %d, the coordinator", s.host, s.port);
	return plan->dry_run || call_with_server(db, "citus_set_coordinator_host", &s, err);
}

/* The servers of the cluster; NULL in a database without Citus. */
static bool
read_nodes(struct db *db, struct db_result **nodes, struct error *err)
{
	bool has;

	*nodes = NULL;
	if (!distribute_has_citus(db, &has, err))
		return false;
	if (!has)
		return true;
	*nodes = db_query(db, sql_file_find("db/citus_nodes")->text, NULL, 0, err);
	return *nodes != NULL;
}

bool
distribute_check_servers(struct db *db, const struct distribute_plan *plan, struct error *err)
{
	struct db_result *nodes;
	struct server s;
	bool ok;

	if (plan->worker_count == 0)
		return true;
	if (!read_nodes(db, &nodes, err))
		return false;
	ok = has_coordinator(nodes) || read_server(db, "coordinator", &s, err);
	for (size_t i = 0; ok && i < plan->worker_count; i++) {
		struct db *worker = open_worker(db, plan->workers[i], &s, err);

		ok = worker != NULL;
		db_close(worker);
	}
	db_result_free(nodes);
	return ok;
}

bool
distribute_add_servers(struct db *db, const struct distribute_plan *plan, struct error *err)
{
	struct db_result *nodes;
	bool ok;

	if (plan->worker_count == 0)
		return true;
	if (!read_nodes(db, &nodes, err))
		return false;
	ok = set_coordinator(db, plan, nodes, err);
	for (size_t i = 0; ok && i < plan->worker_count; i++)
		ok = add_server(db, plan, plan->workers[i], nodes, err);
	db_result_free(nodes);
	return ok;
}

struct db_result *
distribute_servers(struct db *db, struct error *err)
{
	return db_query(db, sql_file_find("db/citus_servers")->text, NULL, 0, err);
}

/* --- rebalancing ----------------------------------------------------------------------------- */

/* Columns of src/db/sql/citus_waits.sql. */
enum wait_column {
	WAIT_HOST,
	WAIT_PORT,
	WAIT_DATABASE,
	WAIT_NAME, /* NULL unless the transaction is prepared */
	WAIT_SECONDS,
};

struct moves {
	bool any; /* there was a rebalance */
	bool running;
	bool failed;
	int64_t total, done;
	char message[400];
};

static bool
is_one_of(struct text state, const char *const *words)
{
	for (; *words; words++)
		if (text_equal(state, text_from(*words)))
			return true;
	return false;
}

static bool
read_moves(struct db *db, struct moves *m, struct error *err)
{
	static const char *const running[] = { "scheduled", "running", "cancelling", "failing",
		NULL };
	static const char *const failed[] = { "failing", "failed", "cancelled", NULL };
	struct db_result *r =
		db_query(db, sql_file_find("db/citus_rebalance_state")->text, NULL, 0, err);

	if (!r)
		return false;
	*m = (struct moves){ .any = db_result_rows(r) > 0 };
	if (m->any) {
		m->running = is_one_of(db_result_value(r, 0, 0), running);
		m->failed = is_one_of(db_result_value(r, 0, 0), failed);
		m->total = db_result_int64(r, 0, 1, 0);
		m->done = db_result_int64(r, 0, 2, 0);
		if (db_result_value(r, 0, 3).data)
			db_flatten_message(
				db_result_value(r, 0, 3).data, m->message, sizeof(m->message));
	}
	db_result_free(r);
	return true;
}

/* Reports the transactions for which the moves wait. Citus itself completes those that it prepared in its own
 * databases, but not those of a database that was dropped on the coordinator. */
static bool
report_waits(struct db *db, const struct distribute_plan *plan, struct error *err)
{
	struct db_result *r = db_query(db, sql_file_find("db/citus_waits")->text, NULL, 0, err);

	if (!r)
		return false;
	for (size_t i = 0; i < db_result_rows(r); i++) {
		const char *name = db_result_value(r, i, WAIT_NAME).data;
		const char *host = db_result_value(r, i, WAIT_HOST).data;
		const char *database = db_result_value(r, i, WAIT_DATABASE).data;
		long long port = (long long)db_result_int64(r, i, WAIT_PORT, 0);
		long long seconds = (long long)db_result_int64(r, i, WAIT_SECONDS, 0);

		if (name)
			distribute_step(plan,
				"waiting for the transaction %.200s, which was prepared %lld s "
				"ago (%s, port %lld, database %s); if it remains for minutes, end "
				"it there with ROLLBACK PREPARED",
				name, seconds, host, port, database);
		else
			distribute_step(plan,
				"waiting for a transaction that began %lld s ago (%s, port %lld, "
				"database %s)",
				seconds, host, port, database);
	}
	db_result_free(r);
	return true;
}

/* Waits until the shards have moved. The server moves them in the background, so the moves go on
 * if this client ends. */
static bool
wait_for_moves(
	struct db *db, const struct distribute_plan *plan, struct moves *m, struct error *err)
{
	int64_t reported = -1;
	double report_at = 0;

	while (read_moves(db, m, err)) {
		double now = clock_seconds();

		if (m->done != reported) {
			distribute_step(plan, "%lld of %lld shards moved", (long long)m->done,
				(long long)m->total);
			report_at = now + STILL_SECONDS;
		}
		reported = m->done;
		if (!m->running)
			return true;
		if (now >= report_at) {
			if (!report_waits(db, plan, err))
				return false;
			report_at = now + AGAIN_SECONDS;
		}
		clock_sleep_ms(REBALANCE_POLL_MS);
	}
	return false;
}

bool
distribute_rebalance(
	struct db *db, void (*step)(void *self, const char *text), void *self, struct error *err)
{
	const struct distribute_plan plan = { .step = step, .self = self };
	struct moves m;
	struct db_result *r;

	if (!read_moves(db, &m, err))
		return false;
	if (!m.running) {
		r = db_query(db, "SELECT pg_catalog.citus_rebalance_start()", NULL, 0, err);
		if (!r)
			return false;
		m.any = db_result_value(r, 0, 0).data != NULL;
		db_result_free(r);
		if (!m.any) {
			distribute_step(&plan, "the shards are balanced");
			return true;
		}
	}
	if (!wait_for_moves(db, &plan, &m, err))
		return false;
	if (!m.failed)
		return distribute_statistics(db, err);
	error_set(err, ERROR_DATABASE, "shards could not be moved%s%s", *m.message ? ": " : "",
		m.message);
	return error_hint(err, "the log of the coordinator has the reason; run the command again");
}
