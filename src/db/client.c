/* Passes the connection to other programs, as a URI or in psql's environment. */
#include "db/client.h"

#include "base/memory.h"
#include "base/sql_file.h"
#include "cluster_private.h"
#include "db_private.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char search_path_option[] = "-csearch_path=profdepot";

/* The option's value; NULL if no value was given. */
static const char *
given(const PQconninfoOption *o)
{
	return o->val && o->val[0] ? o->val : NULL;
}

/* The server's options: the connection's own options, the depot's search path, and the role. */
static const char *
client_options(const struct db *db, const PQconninfoOption *all, struct arena *a)
{
	const char *options = "";

	for (const PQconninfoOption *o = all; o->keyword; o++)
		if (strcmp(o->keyword, "options") == 0 && given(o))
			options = o->val;
	if (!strstr(options, search_path_option))
		options =
			arena_printf(a, "%s%s%s", options, *options ? " " : "", search_path_option);
	if (db->session_role)
		options = arena_printf(a, "%s -crole=%s", options, db->session_role);
	return options;
}

/* Returns true if the option must not be in the query part of the URI. This applies to options that are in another
 * part of the URI, are secret, or are chosen by the client. */
static bool
is_left_out(const PQconninfoOption *o)
{
	static const char *const names[] = { "user", "dbname", "options", "password", "passfile",
		"sslpassword", "service", "application_name", "fallback_application_name",
		"client_encoding", "replication" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(o->keyword, names[i]) == 0)
			return true;
	return false;
}

static bool
is_default(const PQconninfoOption *o)
{
	return !given(o) || (o->compiled && strcmp(o->val, o->compiled) == 0);
}

static void
append_parameter(struct strbuf *uri, const char *name, const char *value)
{
	bool first = !strchr(strbuf_str(uri), '?');

	strbuf_printf(uri, "%c%s=", first ? '?' : '&', name);
	uri_append_encoded(uri, value);
}

/* The port is always part of the URI, because PGPORT could otherwise change it. An empty hostaddr
 * prevents PGHOSTADDR from replacing the host. */
static void
append_parameters(struct strbuf *uri, const PQconninfoOption *all)
{
	bool has_host = false;
	bool has_address = false;

	for (const PQconninfoOption *o = all; o->keyword; o++) {
		bool is_port = strcmp(o->keyword, "port") == 0;

		if (is_left_out(o) || (is_default(o) && !(is_port && given(o))))
			continue;
		has_host = has_host || strcmp(o->keyword, "host") == 0;
		has_address = has_address || strcmp(o->keyword, "hostaddr") == 0;
		append_parameter(uri, o->keyword, o->val);
	}
	if (has_host && !has_address && getenv("PGHOSTADDR"))
		append_parameter(uri, "hostaddr", "");
}

static const char *
server_uri(const struct db *db, struct arena *a)
{
	PQconninfoOption *all = PQconninfo(db->conn);
	struct strbuf uri;
	const char *result;

	if (!all)
		memory_exhausted();
	strbuf_init(&uri, CLUSTER_OUTPUT_MAX_BYTES);
	strbuf_append_str(&uri, "postgresql://");
	uri_append_encoded(&uri, PQuser(db->conn));
	strbuf_append_str(&uri, "@/");
	uri_append_encoded(&uri, PQdb(db->conn));
	append_parameters(&uri, all);
	append_parameter(&uri, "options", client_options(db, all, a));
	PQconninfoFree(all);
	result = arena_strdup(a, strbuf_str(&uri));
	strbuf_release(&uri);
	return result;
}

const char *
client_uri(const struct db *db, struct arena *a)
{
	struct error ignored = ERROR_INIT;
	struct cluster *c;

	if (!db->is_private)
		return server_uri(db, a);
	c = cluster_describe(a, &ignored);
	return c ? cluster_uri(c, db->role, CLUSTER_URI_PLAIN) : server_uri(db, a);
}

/* The encoding is not exported, because psql derives it from the terminal's locale. */
static void
export_connection(const struct db *db, struct arena *a)
{
	PQconninfoOption *all = PQconninfo(db->conn);
	const char *options;

	if (!all)
		memory_exhausted();
	options = client_options(db, all, a);
	for (const PQconninfoOption *o = all; o->keyword; o++) {
		if (!o->envvar || strcmp(o->keyword, "client_encoding") == 0 ||
			strcmp(o->keyword, "application_name") == 0)
			continue;
		if (given(o))
			setenv(o->envvar, o->val, 1);
		else
			unsetenv(o->envvar);
	}
	unsetenv("PGSERVICE"); /* the service's settings are now in the other variables */
	setenv("PGOPTIONS", options, 1);
	PQconninfoFree(all);
}

/* Runs psql from PATH, or else from the directory of the server's programs. */
static void
run_psql(struct arena *a, char **argv)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	struct error ignored = ERROR_INIT;
	struct server_programs p;

	sigaction(SIGPIPE, &usual, NULL);
	execvp("psql", argv);
	if (errno != ENOENT || !programs_find(&p, a, 0, &ignored))
		return;
	argv[0] = arena_printf(a, "%s/psql", p.bin);
	execv(argv[0], argv);
}

bool
client_become_psql(struct db *db, const char *const *args, size_t count, struct error *err)
{
	struct arena a = ARENA_INIT;
	char **argv = arena_alloc_array(&a, count + 2, sizeof(*argv));

	argv[0] = arena_strdup(&a, "psql");
	for (size_t i = 0; i < count; i++)
		argv[i + 1] = arena_strdup(&a, args[i]);
	export_connection(db, &a);
	db_close(db);
	run_psql(&a, argv);
	error_set_errno(err, ERROR_NOT_FOUND, "cannot run psql");
	arena_release(&a);
	return error_hint(err, "install the package postgresql-client");
}

bool
client_free_connections(struct db *db, int64_t *count, struct error *err)
{
	struct db_result *r =
		db_query(db, sql_file_find("db/free_connections")->text, NULL, 0, err);

	if (!r)
		return error_prefix(err, "cannot count the free connections");
	*count = db_result_int64(r, 0, 0, 1);
	db_result_free(r);
	return true;
}

bool
client_only_reads(struct db *db, bool *only, struct error *err)
{
	struct db_result *r =
		db_query(db, sql_file_find("db/login_only_reads")->text, NULL, 0, err);

	if (!r)
		return error_prefix(err, "cannot read the login's rights");
	*only = db_result_bool(r, 0, 0);
	return db_done(r);
}
