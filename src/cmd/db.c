/* profdepot db: manages the depot's database as a whole. */
#include "app/partition.h"
#include "base/json_writer.h"
#include "base/sql_file.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "db/client.h"
#include "db/cluster.h"
#include "db/distribute.h"
#include "db/migrate.h"

#include <stddef.h>
#include <string.h>

enum {
	DEFAULT_SHARDS = 32,
	MAX_SHARDS = 4096,
};

struct db_command {
	const char *role;
	const char *output;
	int64_t shards;
	struct option_list workers;
	int64_t size;
	bool dry_run, progress;
};

static const struct option_spec db_options[] = {
	{ "role", 0, OPTION_CHOICE, "ROLE", "url: role to connect as; default owner",
		offsetof(struct db_command, role), "owner|loader|reader" },
	{ "output", 0, OPTION_CHOICE, "FORMAT", "status: output format; default text",
		offsetof(struct db_command, output), "text|json" },
	{ "shards", 0, OPTION_INT, "N",
		"distribute: number of parts into which the result sets are divided; default 32",
		offsetof(struct db_command, shards), .min = 1, .max = MAX_SHARDS },
	{ "workers", 0, OPTION_LIST, "URI",
		"distribute: a further server; repeat the option for several servers",
		offsetof(struct db_command, workers) },
	{ "size", 0, OPTION_INT, "N", "partition: number of result sets per range; default 100",
		offsetof(struct db_command, size), NULL, 1, PARTITION_MAX_SETS },
	{ "dry-run", 'n', OPTION_FLAG, NULL,
		"distribute, partition: print the steps and change nothing",
		offsetof(struct db_command, dry_run) },
	{ "progress", 0, OPTION_FLAG, NULL,
		"distribute, partition: show progress even if standard error is not a terminal",
		offsetof(struct db_command, progress) },
	{ .name = NULL },
};

static bool
is_choice(const char *given, const char *choice)
{
	return given && strcmp(given, choice) == 0;
}

/* Returns NULL and sets err if --db or the environment names another server. */
static struct cluster *
private_cluster(struct command_call *call, const char *verb, struct error *err)
{
	struct db_place place;

	if (!db_resolve(call->global->db, &place, err))
		return NULL;
	if (place.kind == DB_PLACE_PRIVATE)
		return cluster_describe(call->arena, err);
	error_set(err, ERROR_USAGE, "db %s is for the private cluster, and %s names another server",
		verb, place.from);
	error_hint(err, "--db private selects the private cluster");
	return NULL;
}

static bool
print_cluster(struct command_call *call, struct cluster *c, struct error *err)
{
	struct cluster_status s;

	if (!cluster_status(c, &s, err))
		return false;
	terminal_printf(call->out, "the private cluster in %s is %s\n", s.home,
		cluster_state_name(s.state));
	return true;
}

static bool
do_start(struct command_call *call, struct error *err)
{
	struct cluster *c = private_cluster(call, "start", err);

	depot_announce(call);
	return c && cluster_start(c, err) && print_cluster(call, c, err);
}

static bool
do_stop(struct command_call *call, struct error *err)
{
	struct cluster *c = private_cluster(call, "stop", err);

	return c && cluster_stop(c, err) && print_cluster(call, c, err);
}

static struct db *
open_as_owner(struct command_call *call, struct error *err)
{
	const struct db_target target = {
		.uri = call->global->db, .role = DB_ROLE_OWNER, .verbose = call->global->verbose
	};

	depot_announce(call);
	return db_open(&target, err);
}

static void
print_migration(struct command_call *call, const struct db *db, const struct migrate_report *r)
{
	if (r->from == r->to)
		terminal_printf(
			call->out, "%s: the depot is at version %d\n", db_place_text(db), r->to);
	else if (r->from == 0)
		terminal_printf(
			call->out, "%s: created a depot of version %d\n", db_place_text(db), r->to);
	else
		terminal_printf(call->out, "%s: migrated the depot from version %d to %d\n",
			db_place_text(db), r->from, r->to);
	if (r->roles_missing)
		fputs("profdepot: this login may not create the roles profdepot_loader and "
		      "profdepot_reader, so only its owner can use the depot\n"
		      "hint: an administrator runs: CREATE ROLE profdepot_loader; CREATE ROLE "
		      "profdepot_reader; then run: profdepot db migrate\n",
			stderr);
}

static bool
do_migrate(struct command_call *call, struct error *err)
{
	struct db *db = open_as_owner(call, err);
	struct migrate_report report;
	bool ok = db && migrate_apply(db, &report, err);

	if (ok)
		print_migration(call, db, &report);
	db_close(db);
	return ok;
}

/* --- distribution ---------------------------------------------------------------------------- */

static void
print_step(void *self, const char *text)
{
	FILE *out = self;

	terminal_printf(out, "%s\n", text);
	fflush(out);
}

/* Fails if there is no depot, if the depot must be migrated first, or if it is partly distributed and partial is
 * false. */
static bool
check_current(struct db *db, bool partial, struct error *err)
{
	struct migrate_info info;

	if (!migrate_inspect(db, &info, err))
		return false;
	if (info.state == MIGRATE_CURRENT || (partial && info.state == MIGRATE_PARTIAL))
		return true;
	error_set(err, ERROR_DATABASE, "%s: the depot is %s", db_place_text(db),
		migrate_state_name(info.state));
	return error_hint(err, "run: profdepot db %s",
		info.state == MIGRATE_PARTIAL ? "distribute" : "migrate");
}

static bool
check_unpartitioned(struct db *db, struct error *err)
{
	struct partition_info info;

	if (!partitions_inspect(db, PARTITION_DEFAULT_SETS, &info, err))
		return false;
	return !info.size ||
	       error_set(err, ERROR_DATABASE, "%s: a partitioned depot cannot be distributed",
		       db_place_text(db));
}

static bool
do_distribute(struct command_call *call, struct error *err)
{
	const struct db_command *c = call->target;
	const struct distribute_plan plan = {
		.shards = c->shards ? c->shards : DEFAULT_SHARDS,
		.workers = c->workers.items,
		.worker_count = c->workers.count,
		.dry_run = c->dry_run,
		.progress = c->progress,
		.step = print_step,
		.self = call->out,
	};
	struct db *db = open_as_owner(call, err);
	bool ok = db && check_current(db, true, err) && check_unpartitioned(db, err) &&
		  distribute_depot(db, &plan, err);

	if (ok)
		terminal_printf(call->out,
			c->dry_run ? "%s: nothing was changed\n" : "%s: the depot is distributed\n",
			db_place_text(db));
	db_close(db);
	return ok;
}

static bool
do_rebalance(struct command_call *call, struct error *err)
{
	struct db *db = open_as_owner(call, err);
	bool distributed;
	bool ok = db && check_current(db, false, err) && distribute_inspect(db, &distributed, err);

	if (ok && !distributed) {
		ok = error_set(
			err, ERROR_DATABASE, "%s: the depot is not distributed", db_place_text(db));
		error_hint(err, "run: profdepot db distribute");
	}
	ok = ok && distribute_rebalance(db, print_step, call->out, err);
	db_close(db);
	return ok;
}

/* --- partition ------------------------------------------------------------------------------- */

static bool
partition(struct command_call *call, struct db *db, struct error *err)
{
	const struct db_command *c = call->target;

	return partition_depot(db, &(struct partition_request){ c->size, c->dry_run, c->progress },
		call->out, err);
}

static bool
do_partition(struct command_call *call, struct error *err)
{
	return depot_run(call, DB_ROLE_OWNER, partition, err) == 0;
}

/* --- status ---------------------------------------------------------------------------------- */

struct status {
	struct db_place place;
	bool has_cluster;
	struct cluster_status cluster;
	bool connected;
	const char *text; /* the server, database and user */
	int server_version;
	bool judged; /* whether the depot's state is known */
	struct migrate_info depot;
	bool counted; /* the depot exists, and the next two members are known */
	int64_t size_bytes;
	int64_t result_sets;
	struct db_result *servers;        /* see distribute_servers; NULL if not distributed */
	struct partition_info partitions; /* all zero if the depot is not current */
};

enum server_column {
	SERVER_HOST,
	SERVER_PORT,
	SERVER_IS_COORDINATOR,
	SERVER_SHARDS,
	SERVER_BYTES,
};

static int64_t
server_number(const struct status *s, size_t row, enum server_column column)
{
	return db_result_int64(s->servers, row, column, 0);
}

/* The size of the largest server, divided by the average size of the servers that have shards. */
static double
imbalance(const struct status *s)
{
	int64_t most = 0;
	int64_t sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < db_result_rows(s->servers); i++) {
		int64_t bytes = server_number(s, i, SERVER_BYTES);

		if (server_number(s, i, SERVER_SHARDS) == 0)
			continue;
		count++;
		sum += bytes;
		most = bytes > most ? bytes : most;
	}
	return sum > 0 ? (double)most * (double)count / (double)sum : 1;
}

/* If the depot is distributed, s->size_bytes so far counts only the part on this server. Replaces it by the sum over
 * all servers. */
static bool
count_servers(struct db *db, struct status *s, struct error *err)
{
	bool distributed;

	if (!distribute_inspect(db, &distributed, err))
		return false;
	if (!distributed)
		return true;
	s->servers = distribute_servers(db, err);
	if (!s->servers)
		return false;
	s->size_bytes = 0;
	for (size_t i = 0; i < db_result_rows(s->servers); i++)
		s->size_bytes += server_number(s, i, SERVER_BYTES);
	return true;
}

static bool
count_depot(struct db *db, struct status *s, struct error *err)
{
	struct db_result *r;

	if (s->depot.state == MIGRATE_ABSENT)
		return true;
	r = db_query(db, sql_file_find("db/depot_status")->text, NULL, 0, err);
	if (!r)
		return false;
	s->counted = true;
	s->size_bytes = db_result_int64(r, 0, 0, 0);
	s->result_sets = db_result_int64(r, 0, 1, 0);
	db_result_free(r);
	return count_servers(db, s, err) &&
	       (s->depot.state != MIGRATE_CURRENT ||
		       partitions_inspect(db, PARTITION_DEFAULT_SETS, &s->partitions, err));
}

static bool
ask_server(struct command_call *call, struct status *s, struct error *err)
{
	struct db *db = open_as_owner(call, err);
	bool ok;

	if (!db)
		return false;
	s->connected = true;
	s->text = arena_strdup(call->arena, db_place_text(db));
	s->server_version = db_server_version(db);
	s->judged = migrate_inspect(db, &s->depot, err);
	ok = s->judged && count_depot(db, s, err);
	db_close(db);
	return ok;
}

/* Collects the status, without starting the private cluster. */
static bool
collect(struct command_call *call, struct status *s, struct error *err)
{
	struct cluster *c;

	if (!db_resolve(call->global->db, &s->place, err))
		return false;
	s->has_cluster = s->place.kind == DB_PLACE_PRIVATE;
	if (s->has_cluster) {
		c = cluster_describe(call->arena, err);
		if (!c || !cluster_status(c, &s->cluster, err))
			return false;
		if (s->cluster.state != CLUSTER_RUNNING)
			return true;
	}
	return ask_server(call, s, err);
}

static void
print_servers(FILE *out, const struct status *s)
{
	for (size_t i = 0; i < db_result_rows(s->servers); i++)
		terminal_printf(out, "%s %s, port %lld%s: %lld shards, %.1f MiB\n",
			i ? "             " : "servers:     ",
			db_result_value(s->servers, i, SERVER_HOST).data,
			(long long)server_number(s, i, SERVER_PORT),
			db_result_bool(s->servers, i, SERVER_IS_COORDINATOR) ? " (coordinator)"
									     : "",
			(long long)server_number(s, i, SERVER_SHARDS),
			(double)server_number(s, i, SERVER_BYTES) / (1024.0 * 1024.0));
	terminal_printf(
		out, "imbalance:    the largest server has %.2f times the average\n", imbalance(s));
}

static void
print_text(FILE *out, const struct status *s)
{
	terminal_printf(out, "server:       %s (%s)\n",
		s->has_cluster ? "private cluster" : "other server", s->place.from);
	if (s->has_cluster) {
		terminal_printf(out, "state:        %s\n", cluster_state_name(s->cluster.state));
		if (s->cluster.pid)
			terminal_printf(out, "process:      %ld, as %s\n", s->cluster.pid,
				s->cluster.account);
		terminal_printf(out, "data:         %s\n", s->cluster.data);
		terminal_printf(out, "socket:       %s\n", s->cluster.socket);
		terminal_printf(out, "log:          %s\n", s->cluster.log);
	}
	if (!s->connected)
		return;
	terminal_printf(out, "connection:   %s\n", s->text);
	terminal_printf(
		out, "PostgreSQL:   %d.%d\n", s->server_version / 10000, s->server_version % 10000);
	if (s->judged)
		terminal_printf(out, "depot:        %s, version %d (this program's: %d)\n",
			migrate_state_name(s->depot.state), s->depot.version,
			s->depot.program_version);
	if (!s->counted)
		return;
	terminal_printf(out, "size:         %.1f MiB\n", (double)s->size_bytes / (1024.0 * 1024.0));
	terminal_printf(out, "result sets:  %lld\n", (long long)s->result_sets);
	if (s->servers)
		print_servers(out, s);
	if (s->partitions.size)
		terminal_printf(out, "partitions:   %lld %s; new ranges have %lld result sets\n",
			(long long)s->partitions.ranges,
			by_count((unsigned long long)s->partitions.ranges, "range", "ranges"),
			(long long)s->partitions.size);
}

static void
json_number(struct json_writer *w, const char *key, bool known, int64_t value)
{
	json_key(w, key);
	if (known)
		json_int(w, value);
	else
		json_null(w);
}

static void
json_servers(struct json_writer *w, const struct status *s)
{
	json_key(w, "servers");
	json_begin_array(w);
	for (size_t i = 0; s->servers && i < db_result_rows(s->servers); i++) {
		json_begin_object(w);
		json_key_text(w, "host", db_result_value(s->servers, i, SERVER_HOST));
		json_number(w, "port", true, server_number(s, i, SERVER_PORT));
		json_key(w, "coordinator");
		json_bool(w, db_result_bool(s->servers, i, SERVER_IS_COORDINATOR));
		json_number(w, "shards", true, server_number(s, i, SERVER_SHARDS));
		json_number(w, "size_bytes", true, server_number(s, i, SERVER_BYTES));
		json_end_object(w);
	}
	json_end_array(w);
}

static void
print_json(FILE *out, const struct status *s)
{
	struct json_writer w;
	const struct cluster_status *c = &s->cluster;

	json_writer_init_answer(&w, out, true);
	json_begin_object(&w);
	json_key_text(&w, "server", text_from(s->has_cluster ? "private" : "other"));
	json_key_text(&w, "chosen_by", text_from(s->place.from));
	json_key_text(
		&w, "state", text_from(s->has_cluster ? cluster_state_name(c->state) : "running"));
	json_number(&w, "pid", c->pid != 0, c->pid);
	json_key_text(&w, "account", text_from(c->account));
	json_key_text(&w, "data_directory", text_from(c->data));
	json_key_text(&w, "socket_directory", text_from(c->socket));
	json_key_text(&w, "log", text_from(c->log));
	json_key_text(&w, "connection", text_from(s->text));
	json_number(&w, "server_version", s->connected, s->server_version);
	json_key_text(
		&w, "depot", text_from(s->judged ? migrate_state_name(s->depot.state) : NULL));
	json_number(&w, "depot_version", s->judged, s->depot.version);
	json_number(&w, "program_version", s->judged, s->depot.program_version);
	json_number(&w, "size_bytes", s->counted, s->size_bytes);
	json_number(&w, "result_sets", s->counted, s->result_sets);
	json_servers(&w, s);
	json_number(&w, "partition_size", s->partitions.size != 0, s->partitions.size);
	json_number(&w, "partitions", s->partitions.size != 0, s->partitions.ranges);
	json_end_object(&w);
	fputc('\n', out);
}

static bool
do_status(struct command_call *call, struct error *err)
{
	const struct db_command *c = call->target;
	struct status s = { .has_cluster = false };

	bool ok = collect(call, &s, err);

	if (!ok && !s.connected)
		return false;
	if (is_choice(c->output, "json"))
		print_json(call->out, &s);
	else
		print_text(call->out, &s);
	db_result_free(s.servers);
	return ok;
}

static enum db_role
chosen_role(const struct db_command *c)
{
	if (is_choice(c->role, "loader"))
		return DB_ROLE_LOADER;
	return is_choice(c->role, "reader") ? DB_ROLE_READER : DB_ROLE_OWNER;
}

static bool
do_url(struct command_call *call, struct error *err)
{
	enum db_role role = chosen_role(call->target);
	struct db *db = depot_open(call, role, err);

	if (!db)
		return false;
	if (!db_is_private(db) && role != DB_ROLE_OWNER && !db_session_role(db))
		terminal_printf(stderr,
			"profdepot: the URI connects as the login itself, which cannot become "
			"%s on this server\n",
			db_role_name(role));
	terminal_printf(call->out, "%s\n", client_uri(db, call->arena));
	db_close(db);
	return true;
}

static const struct {
	const char *name;
	bool (*run)(struct command_call *call, struct error *err);
} verbs[] = {
	{ "init", do_migrate }, /* the connection creates and starts the private cluster */
	{ "start", do_start },
	{ "stop", do_stop },
	{ "status", do_status },
	{ "migrate", do_migrate },
	{ "url", do_url },
	{ "distribute", do_distribute },
	{ "rebalance", do_rebalance },
	{ "partition", do_partition },
};

static int
run(struct command_call *call, struct error *err)
{
	const char *name = call->operands.count == 1 ? call->operands.items[0] : "";

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(verbs[i].name, name) == 0)
			return verbs[i].run(call, err) ? 0 : -1;
	if (call->operands.count && strcmp(call->operands.items[0], "retain") == 0)
		error_set(err, ERROR_USAGE, "\"retain\" must come directly after \"db\"");
	else if (call->operands.count == 1)
		error_set(err, ERROR_USAGE, "unknown verb \"%s\"", name);
	else
		error_set(err, ERROR_USAGE, "db needs one verb");
	error_hint(err, "\"profdepot db --help\" lists the verbs");
	return -1;
}

const struct command command_db = {
	.name = "db",
	.operands = "VERB",
	.summary = "create, start and inspect the depot's database",
	.description =
		"The verbs are init, start, stop, status, url, migrate, distribute, rebalance, partition "
		"and retain.\n\n"
		"init creates a depot: in the private cluster, which is created and started if "
		"necessary, or in the database that --db or the environment names. migrate upgrades an "
		"older depot to this program's version. Running either of them again does no harm.\n\n"
		"start and stop control the private cluster, which commands start if necessary. "
		"Its home is PROFDEPOT_HOME, or profdepot in the XDG data directory. For root it "
		"is /var/lib/profdepot, and the cluster runs as the account postgres. The cluster "
		"listens on a UNIX socket only. --db private selects the private cluster even if the "
		"environment names another server.\n\n"
		"status reports the state without starting anything.\n\n"
		"url prints a connection URI for psql and other programs. On that connection, "
		"unqualified names resolve in the depot. The URI never contains a password.\n\n"
		"distribute spreads the result sets over several servers with the extension Citus, and "
		"adds the servers that --workers names. Run it again after it was interrupted, after "
		"migrate, or to add servers. An interrupted run keeps the tables that it has finished; "
		"until another run has finished the rest, other commands reject the depot. rebalance "
		"moves result sets until the servers hold similar amounts; loads and reports continue "
		"meanwhile. doc/citus.md describes the servers.\n\n"
		"partition divides the depot's large relations into ranges of result sets. Every range "
		"has tables of its own, so that a range whose result sets are all removed is dropped as "
		"a whole. The result sets that are already in the depot form the first range. The "
		"conversion reads these relations once; loads and reports wait meanwhile. If it is interrupted, nothing changes. If a range "
		"size is set already, --size applies to future ranges. A partitioned depot cannot be "
		"changed back.\n\n"
		"retain removes old result sets according to rules. \"profdepot db retain\" and its operands "
		"and options mean the same as \"profdepot retain\"; see profdepot-retain(1).",
	.options = db_options,
	.target_size = sizeof(struct db_command),
	.defaults = &(const struct db_command){ .size = PARTITION_DEFAULT_SETS },
	.run = run,
};
