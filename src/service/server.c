/* The service: starts the HTTP server with its hooks, waits for a signal, then shuts down. */
#include "service/server.h"

#include "base/clock.h"
#include "category_cache.h"
#include "db/client.h"
#include "db/migrate.h"
#include "jobs.h"
#include "probe.h"
#include "readers.h"
#include "service/handlers/handlers.h"
#include "service/ingest/ingest.h"
#include "service/tokens.h"
#include "service_private.h"
#include "session.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define HEADER_NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

enum {
	OTHER_CONNECTIONS =
		3, /* for the health checks, and for the writer and the flusher of posted events */
};

static void
request_ended(void *service, const struct http_ended *e)
{
	struct service *s = service;

	if (s->log)
		access_log_write(s->log, e);
	metrics_count(s->metrics, e);
}

static void *
worker_begin(void *service)
{
	struct worker *w = xcalloc(1, sizeof(*w));

	w->own.pool = &((struct service *)service)->pool;
	return w;
}

/* Returns whether another process handles the route's requests. Only this process knows which jobs are running. */
static bool
is_remote(const struct http_route *route)
{
	return route->lane == HTTP_HEAVY || route->handler == handle_set_remove ||
	       (route->lane == HTTP_LIGHT && route->handler != handle_job_cancel);
}

/* If memory for posted events ran out, the client may succeed later, unless the body is too large in any case. */
static void
judge_lease(struct http_call *c, struct error *err)
{
	const struct worker *w = c->worker;
	const struct memory_lease *l = w ? w->lease : NULL;

	if (!l || err->code != ERROR_MEMORY)
		return;
	c->answer->status = l->too_large ? 413 : 503;
	error_hint(err, l->too_large
				? "send smaller batches, or start the server with a larger --memory"
				: "send the body again");
}

static bool
handle(void *service, struct http_call *c, const struct http_route *route, struct error *err)
{
	struct service *s = service;
	struct worker *w = c->worker;
	bool ok;

	if (is_remote(route) && !w->reader)
		w->reader = reader_new(s->readers, route->lane == HTTP_HEAVY);
	ok = is_remote(route) ? reader_answer(w->reader, c, route, err) : route->handler(c, err);
	if (!ok) {
		service_request_words(err);
		judge_lease(c, err);
	}
	return ok;
}

/* Ends a transaction and a lease that a handler left open. The locks of a transaction would block others. */
static void
worker_rest(void *worker)
{
	struct worker *w = worker;

	if (w->own.reader)
		db_rollback(w->own.reader);
	if (w->own.loader)
		db_rollback(w->own.loader);
	if (!w->lease)
		return;
	memory_lease_leave(w->lease);
	memory_lease_end(w->lease);
	free(w->lease);
	w->lease = NULL;
}

static void
worker_end(void *worker)
{
	struct worker *w = worker;

	reader_free(w->reader);
	pool_close(w->own.pool, &w->own.reader);
	pool_close(w->own.pool, &w->own.loader);
	free(w);
}

/* The maximum number of connections that the service needs. Workers of the lanes LIGHT and LOADS need two each, because
 * they may write as well as read. All other workers, threads and processes need one each. */
static int64_t
connections_needed(const struct http_options *o)
{
	return o->workers[HTTP_LIGHT] * 2 + o->workers[HTTP_HEAVY] + o->workers[HTTP_LOADS] * 2 +
	       o->workers[HTTP_INGEST] + JOB_THREADS + OTHER_CONNECTIONS;
}

/* Warns if the database has too few free connections. This is not an error, because other programs
 * may close their connections. */
static void
warn_without_connections(const struct server_options *o, struct db *db)
{
	struct error warning = ERROR_INIT;
	int64_t needed = connections_needed(&o->http);
	int64_t fit;

	if (!client_free_connections(db, &fit, &warning) || fit >= needed)
		return;
	error_set(&warning, ERROR_LIMIT,
		"the server may need %lld database connections, but PostgreSQL has only %lld left",
		(long long)needed, (long long)fit);
	error_hint(&warning,
		"start it with fewer workers, or raise max_connections; requests that get no "
		"connection receive status 503");
	error_print(&warning, stderr);
}

/* Starts the private cluster, and refuses a database that is not a depot. This happens before any address
 * is printed. Also opens the first connection of the process, which must happen before the process
 * has threads (db/connection.h). */
static bool
check_depot(const struct server_options *o, struct error *err)
{
	const struct db_target target = { .uri = o->db, .role = DB_ROLE_LOADER };
	struct db *db = migrate_open(&target, err);

	if (db)
		warn_without_connections(o, db);
	db_close(db);
	return db != NULL;
}

/* Call it before the process has threads, because the loader forks. */
static bool
start_processes(struct service *s, struct error *err)
{
	s->loader = loader_start(&s->pool, err);
	s->jobs = s->loader ? jobs_new(s->loader, &s->pool) : NULL;
	s->memory =
		s->loader ? memory_pool_new(s->options->memory_bytes, readers_most(s), err) : NULL;
	s->readers = s->memory ? readers_start(s, err) : NULL;
	return s->readers != NULL;
}

static bool
open_log(struct service *s, struct error *err)
{
	const char *path = s->options->access_log;
	int fd;

	if (path && strcmp(path, "-") == 0)
		s->log = stderr;
	if (!path || s->log)
		return true;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
	s->log = fd >= 0 ? fdopen(fd, "a") : NULL;
	if (!s->log)
		return error_set_errno(err, ERROR_FILE, "%s", path);
	setvbuf(s->log, NULL, _IOLBF, 0);
	return true;
}

/* Warns if no token is valid. This is not an error, because tokens can be added while the server
 * runs. */
static void
warn_without_tokens(struct tokens *t, const char *path)
{
	struct error warning = ERROR_INIT;

	for (size_t i = 0; i < tokens_count(t); i++)
		if (!token_is_past(tokens_at(t, i)->expiry))
			return;
	error_set(&warning, ERROR_NOT_FOUND, "%s contains no valid token, so nobody has access",
		path);
	error_hint(&warning, "\"profdepot token add\" creates one; it is valid immediately");
	error_print(&warning, stderr);
}

/* Every client that can connect can send the header with the user's name. Only the permissions of a Unix socket can
 * ensure that the proxy sent the header. */
static bool
check_user_header(struct service *s, struct error *err)
{
	const struct server_options *o = s->options;
	const char *scope = o->user_scope ? o->user_scope : "read";

	if (!o->user_header)
		return !o->user_scope ||
		       error_set(err, ERROR_USAGE, "--user-scope needs --user-header");
	if (!token_scopes_parse(scope, &s->user_scopes, err))
		return error_prefix(err, "--user-scope");
	if (!*o->user_header || o->user_header[strspn(o->user_header, HEADER_NAME_CHARS)])
		return error_set(
			err, ERROR_USAGE, "\"%s\" is not the name of a header", o->user_header);
	if (o->token_file && strncmp(o->http.listen, "unix:", 5) == 0)
		return true;
	error_set(err, ERROR_USAGE, "--user-header needs --token-file and --listen unix:PATH");
	return error_hint(err, "any client of another address could claim to be any user");
}

static bool
open_tokens(struct service *s, struct error *err)
{
	const char *path = s->options->token_file;

	if (!check_user_header(s, err))
		return false;
	if (!path)
		return true;
	s->tokens = tokens_open(path, err);
	if (s->tokens)
		warn_without_tokens(s->tokens, path);
	s->sessions = s->tokens ? sessions_new(s->tokens, s->options->session_seconds,
					  s->options->http.tls_certificate != NULL, err)
				: NULL;
	return s->sessions != NULL;
}

/* Exits, because a worker that waits for the database cannot be interrupted. Acknowledged data is
 * already committed; the database rolls back all other data. */
static void
give_up(struct service *s, struct http_server *http, const char *why)
{
	struct http_counts counts;

	http_server_count(http, &counts);
	fprintf(stderr, "profdepot: %s: %lld requests were not answered\n", why,
		(long long)counts.busy);
	http_server_unlink(http);
	if (s->log)
		fflush(s->log);
	_exit(error_exit_status(ERROR_PARTLY));
}

/* Waits for a short time. If a second signal arrives, ends the process. */
static void
wait_a_moment(struct service *s, struct http_server *http, const sigset_t *ends)
{
	const struct timespec moment = { 0, 10L * 1000 * 1000 };

	if (sigtimedwait(ends, NULL, &moment) > 0)
		give_up(s, http, "stopped by a second signal");
}

static bool
is_busy(struct http_server *http)
{
	struct http_counts counts;

	http_server_count(http, &counts);
	return counts.busy > 0;
}

static void
stop(struct service *s, struct http_server *http, const sigset_t *ends)
{
	double until = clock_seconds() + (double)s->options->stop_seconds;

	http_server_dismiss(http);
	while (is_busy(http)) {
		wait_a_moment(s, http, ends);
		if (clock_seconds() > until)
			give_up(s, http, "--stop-timeout expired");
	}
	http_server_finish(http);
	ingest_stop(s->ingest);
	/* jobs_free cancels jobs that did not end in time. They leave nothing in the depot. */
	while (!jobs_idle(s->jobs) && clock_seconds() < until)
		wait_a_moment(s, http, ends);
	jobs_free(s->jobs);
	s->jobs = NULL;
	http_server_free(http);
}

/* Threads inherit the signal mask, so only sigwait receives these signals. */
static void
block_signals(sigset_t *ends, sigset_t *before)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGPIPE, &ignore, NULL);
	sigemptyset(ends);
	sigaddset(ends, SIGTERM);
	sigaddset(ends, SIGINT);
	pthread_sigmask(SIG_BLOCK, ends, before);
}

static bool
serve(struct service *s, const struct http_options *options, FILE *out, struct error *err)
{
	const struct http_hooks hooks = {
		.self = s,
		.routes = http_routes,
		.legacy_routes = http_logger_routes,
		.hint = "GET /v1/openapi.json lists all paths and parameters",
		.legacy_route = http_logger_route,
		.authorise = service_authorise,
		.handle = handle,
		.ended = request_ended,
		.worker_begin = worker_begin,
		.worker_rest = worker_rest,
		.worker_end = worker_end,
	};
	struct http_server *http;
	sigset_t ends;
	sigset_t before;
	int which;
	bool ok;

	block_signals(&ends, &before);
	http = ingest_start(s->ingest, err) && probe_start(s->probe, err)
		       ? http_server_start(options, &hooks, err)
		       : NULL;
	if (http) {
		http_server_print(http, out);
		ok = fflush(out) == 0 ||
		     error_set_errno(err, ERROR_FILE, "cannot print the address");
		while (ok && sigwait(&ends, &which) != 0)
			;
		stop(s, http, &ends);
	} else {
		ok = false;
		ingest_stop(s->ingest);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

bool
server_run(const struct server_options *options, FILE *out, struct error *err)
{
	struct http_options http = options->http;
	struct service s = { .options = options,
		.routes = http_routes,
		.types = route_types,
		.pool = { .uri = options->db },
		.started = clock_seconds() };
	struct arena arena = ARENA_INIT;
	bool ok;

	http.guarded = options->token_file != NULL;
	http.answer_seconds = options->query_seconds;
	s.metrics = metrics_new();
	s.categories = category_cache_new();
	s.ingest = ingest_new(&s.pool);
	s.probe = probe_new(&s.pool, options->query_seconds);
	ok = open_tokens(&s, err) && web_files_read(&arena, options->web, &s.pages, err) &&
	     open_log(&s, err) && check_depot(options, err) && start_processes(&s, err) &&
	     jobs_open(s.jobs, err);
	http.memory = s.memory;
	ok = ok && serve(&s, &http, out, err);
	if (s.log && s.log != stderr)
		fclose(s.log);
	jobs_free(s.jobs);
	readers_free(s.readers); /* before loader_free: the readers have the loader's socket */
	memory_pool_free(s.memory);
	loader_free(s.loader);
	probe_free(s.probe);
	metrics_free(s.metrics);
	ingest_free(s.ingest);
	category_cache_free(s.categories);
	sessions_free(s.sessions);
	tokens_free(s.tokens);
	arena_release(&arena);
	return ok;
}
