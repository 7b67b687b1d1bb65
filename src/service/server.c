#include "service/server.h"

#include "base/clock.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "db/migrate.h"
#include "jobs.h"
#include "service/ingest/ingest.h"
#include "service/tokens.h"
#include "service_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MAX_PEM_BYTES = 1024 * 1024,
	SPARE_DESCRIPTORS = 256,
};

struct pem {
	struct strbuf certificate, key;
};

/* --- what it needs ------------------------------------------------------------------------------
 */

static bool
read_pem(const char *path, struct strbuf *b, struct error *err)
{
	FILE *f = fopen(path, "re");
	size_t n = 0;
	char *room;

	if (!f)
		return error_set_errno(err, ERROR_FILE, "%s", path);
	while ((room = strbuf_reserve(b, 4096)) && (n = fread(room, 1, 4096, f)) > 0)
		b->size += n;
	if (room)
		room[0] = '\0';
	fclose(f);
	if (!room || !b->data || !strstr(b->data, "-----BEGIN"))
		return error_set(err, ERROR_USAGE, "%s: no PEM file", path);
	return true;
}

static bool
read_tls(const struct server_options *o, struct pem *pem, struct error *err)
{
	strbuf_init(&pem->certificate, MAX_PEM_BYTES);
	strbuf_init(&pem->key, MAX_PEM_BYTES);
	if (!o->tls_certificate && !o->tls_key)
		return true;
	if (!o->tls_certificate || !o->tls_key)
		return error_set(err, ERROR_USAGE,
			"--tls-certificate and --tls-key go together, and one is missing");
	return read_pem(o->tls_certificate, &pem->certificate, err) &&
	       read_pem(o->tls_key, &pem->key, err);
}

/* Each connection is a descriptor, and may have two temporary files. */
static void
raise_descriptors(const struct server_options *o)
{
	struct rlimit r;
	rlim_t wanted = (rlim_t)o->connections * 3 + SPARE_DESCRIPTORS;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur >= wanted)
		return;
	r.rlim_cur = r.rlim_max == RLIM_INFINITY || r.rlim_max > wanted ? wanted : r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
}

/* Makes the private cluster run, or refuses what is no depot, before anybody is told an address.
 * It is also the first connection, before there are threads (db/connection.h). */
static bool
check_depot(const struct server_options *o, struct error *err)
{
	const struct db_target target = { .uri = o->db, .role = DB_ROLE_LOADER };
	struct db *db = migrate_open(&target, err);

	db_close(db);
	return db != NULL;
}

static bool
open_log(struct server *s, struct error *err)
{
	const char *path = s->options->access_log;
	int fd;

	if (!path)
		return true;
	if (strcmp(path, "-") == 0) {
		s->log = stderr;
		return true;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
	s->log = fd >= 0 ? fdopen(fd, "a") : NULL;
	if (!s->log)
		return error_set_errno(err, ERROR_FILE, "%s", path);
	setvbuf(s->log, NULL, _IOLBF, 0);
	return true;
}

/* --- serving
 * -------------------------------------------------------------------------------------- */

static bool
start(struct server *s, const struct pem *pem, FILE *out, struct error *err)
{
	const struct server_options *o = s->options;
	const char *certificate = pem->certificate.size ? pem->certificate.data : NULL;

	if (!http_listen(s, o->listen, false, err) ||
		(o->legacy_listen && !http_listen(s, o->legacy_listen, true, err)) ||
		!http_clients_start(s, err) || !ingest_start(s->service->ingest, err) ||
		!http_workers_start(s, err))
		return false;
	for (size_t i = 0; i < s->listener_count; i++)
		if (!http_daemon_start(&s->listeners[i], certificate, pem->key.data, err))
			return false;
	for (size_t i = 0; i < s->listener_count; i++) {
		const struct listener *l = &s->listeners[i];

		fprintf(out, "%s%s%s%s\n", l->legacy ? "legacy senders: " : "serving: ",
			l->is_unix    ? ""
			: certificate ? "https://"
				      : "http://",
			l->name, l->is_unix ? "" : "/");
	}
	if (fflush(out) != 0)
		return error_set_errno(err, ERROR_FILE, "cannot tell the address");
	return true;
}

/* Nobody new is let in: a quiesced socket would still keep clients waiting in its backlog. */
static void
close_doors(struct server *s)
{
	for (size_t i = 0; i < s->listener_count; i++)
		if (s->listeners[i].daemon) {
			MHD_quiesce_daemon(s->listeners[i].daemon);
			shutdown(s->listeners[i].fd, SHUT_RDWR);
		}
}

/* A worker that waits for the database cannot be called back: the process ends under it. What was
 * acknowledged is committed, and what was not is rolled back by the server. */
static void
give_up(struct server *s, const char *why)
{
	fprintf(stderr, "profdepot: %s: %zu requests were not answered\n", why,
		http_clients_busy(s));
	for (size_t i = 0; i < s->listener_count; i++)
		http_unlisten(&s->listeners[i]);
	if (s->log)
		fflush(s->log);
	_exit(error_exit_status(ERROR_PARTLY));
}

/* What is under way is answered, for a time, and unless there is a second signal. */
static void
finish_requests(struct server *s, double until, const sigset_t *ends)
{
	const struct timespec moment = { 0, 10L * 1000 * 1000 };

	http_clients_dismiss(s);
	while (http_clients_busy(s) > 0) {
		if (sigtimedwait(ends, NULL, &moment) > 0)
			give_up(s, "told twice to end");
		if (clock_seconds() > until)
			give_up(s, "the time to end is over");
	}
}

/* Nobody waits for a job's answer: what has not ended in time is cancelled, and leaves nothing. */
static void
finish_jobs(struct server *s, double until, const sigset_t *ends)
{
	const struct timespec moment = { 0, 10L * 1000 * 1000 };

	while (!jobs_idle(s->service->jobs) && clock_seconds() < until)
		if (sigtimedwait(ends, NULL, &moment) > 0)
			give_up(s, "told twice to end");
	jobs_free(s->service->jobs);
	s->service->jobs = NULL;
}

static void
stop(struct server *s, const sigset_t *ends)
{
	double until = clock_seconds() + (double)s->options->stop_seconds;

	close_doors(s);
	finish_requests(s, until, ends);
	http_workers_stop(s);
	/* All that was handed to it is stored and answered. */
	ingest_stop(s->service->ingest);
	finish_jobs(s, until, ends);
	for (size_t i = 0; i < s->listener_count; i++) {
		if (s->listeners[i].daemon)
			MHD_stop_daemon(s->listeners[i].daemon);
		http_unlisten(&s->listeners[i]);
	}
	http_clients_stop(s);
}

static void
wait_for_end(const sigset_t *ends)
{
	int which;

	while (sigwait(ends, &which) != 0)
		;
}

/* Threads inherit the mask: only the waiting one gets them. */
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
serve(struct server *s, const struct pem *pem, FILE *out, struct error *err)
{
	sigset_t ends;
	sigset_t before;
	bool ok;

	block_signals(&ends, &before);
	ok = start(s, pem, out, err);
	if (ok)
		wait_for_end(&ends);
	stop(s, &ends);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

/* Not refused: tokens may be added while it serves. */
static void
tell_of_tokens(struct tokens *t, const char *path)
{
	struct error none = ERROR_INIT;

	for (size_t i = 0; i < tokens_count(t); i++)
		if (!token_is_past(tokens_at(t, i)->expiry))
			return;
	error_set(&none, ERROR_NOT_FOUND, "there is no token in %s that holds: nobody is let in",
		path);
	error_hint(&none, "\"profdepot token add\" makes one; it counts from then on");
	error_print(&none, stderr);
}

bool
server_run(const struct server_options *options, FILE *out, struct error *err)
{
	struct service service = { .options = options, .started = clock_seconds() };
	struct server s = { .options = options, .service = &service };
	struct pem pem;
	bool ok = read_tls(options, &pem, err);

	pthread_mutex_init(&s.mutex, NULL);
	pthread_cond_init(&s.wanted, NULL);
	if (ok && options->token_file) {
		service.tokens = tokens_open(options->token_file, err);
		ok = service.tokens != NULL;
		if (ok)
			tell_of_tokens(service.tokens, options->token_file);
	}
	if (options->rate) {
		s.rate = xcalloc(1, sizeof(*s.rate));
		pthread_mutex_init(&s.rate->mutex, NULL);
		s.rate->seed = process_seed();
	}
	ok = ok && web_files_read(&s.arena, options->web, &service.pages, err);
	service.jobs = jobs_new(&service);
	service.metrics = metrics_new();
	service.ingest = ingest_new(&service);
	raise_descriptors(options);
	ok = ok && open_log(&s, err) && check_depot(options, err) && serve(&s, &pem, out, err);
	if (s.log && s.log != stderr)
		fclose(s.log);
	free(s.rate);
	jobs_free(service.jobs);
	metrics_free(service.metrics);
	ingest_free(service.ingest);
	tokens_free(service.tokens);
	strbuf_release(&pem.certificate);
	strbuf_release(&pem.key);
	pthread_cond_destroy(&s.wanted);
	pthread_mutex_destroy(&s.mutex);
	arena_release(&s.arena);
	return ok;
}
