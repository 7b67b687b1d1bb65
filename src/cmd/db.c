/* profdepot db: manages the depot's database as a whole. */
#include "base/json_writer.h"
#include "base/sql_file.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "db/client.h"
#include "db/cluster.h"
#include "db/migrate.h"

#include <stddef.h>
#include <string.h>

struct db_command {
	const char *role;
	const char *output;
};

static const struct option_spec db_options[] = {
	{ "role", 0, OPTION_CHOICE, "ROLE", "url: role to connect as; default owner",
		offsetof(struct db_command, role), "owner|loader|reader" },
	{ "output", 0, OPTION_CHOICE, "FORMAT", "status: output format; default text",
		offsetof(struct db_command, output), "text|json" },
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

struct status {
	struct db_place place;
	bool has_cluster;
	struct cluster_status cluster;
	bool connected;
	const char *text; /* the server, database and user */
	int server_version;
	bool judged; /* whether the depot's state is known */
	struct migrate_info depot;
	bool counted; /* whether the depot exists and its size and result sets are known */
	int64_t size_bytes;
	int64_t result_sets;
};

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
	return true;
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
print_json(FILE *out, const struct status *s)
{
	struct json_writer w;
	const struct cluster_status *c = &s->cluster;

	json_writer_init(&w, out, true);
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
	{ "init", do_migrate }, /* connecting to the private cluster creates and starts it */
	{ "start", do_start },
	{ "stop", do_stop },
	{ "status", do_status },
	{ "migrate", do_migrate },
	{ "url", do_url },
};

static int
run(struct command_call *call, struct error *err)
{
	const char *name = call->operands.count == 1 ? call->operands.items[0] : "";

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (strcmp(verbs[i].name, name) == 0)
			return verbs[i].run(call, err) ? 0 : -1;
	if (call->operands.count == 1)
		error_set(err, ERROR_USAGE, "unknown verb \"%s\"", name);
	else
		error_set(err, ERROR_USAGE, "which verb?");
	error_hint(err, "profdepot db init, start, stop, status, migrate or url");
	return -1;
}

const struct command command_db = {
	.name = "db",
	.operands = "init|start|stop|status|migrate|url",
	.summary = "create, start and inspect the depot's database",
	.description =
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
		"unqualified names resolve in the depot. The URI never contains a password.",
	.options = db_options,
	.target_size = sizeof(struct db_command),
	.run = run,
};
