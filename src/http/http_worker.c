/*
 * Workers: threads that answer requests which have arrived whole. Each has
 * connections of its own to the database, so that none waits for another's
 * transaction.
 */
#include "base/clock.h"
#include "db/connection.h"
#include "input/spool.h"
#include "server_private.h"
#include "service/service_private.h"

#include <stdlib.h>
#include <string.h>

/* --- connections ---------------------------------------------------------------------------- */

struct db *
service_open_db(struct service *s, const struct db_target *target, struct error *err)
{
	struct db *db = db_open(target, err);

	if (db)
		atomic_fetch_add(&s->connections, 1);
	return db;
}

void
service_close_db(struct service *s, struct db *db)
{
	if (!db)
		return;
	atomic_fetch_sub(&s->connections, 1);
	db_close(db);
}

/* The server may have been started anew since the last request: then there is another. */
static struct db *
connection(struct http_worker *w, struct db **db, enum db_role role, struct error *err)
{
	const struct db_target target = { .uri = w->server->options->db, .role = role };

	if (*db && !db_is_alive(*db)) {
		service_close_db(w->server->service, *db);
		*db = NULL;
	}
	if (!*db)
		*db = service_open_db(w->server->service, &target, err);
	return *db;
}

struct db *
http_reader(struct http_call *c, struct error *err)
{
	return connection(c->worker, &c->worker->reader, DB_ROLE_READER, err);
}

struct db *
http_loader(struct http_call *c, struct error *err)
{
	return connection(c->worker, &c->worker->loader, DB_ROLE_LOADER, err);
}

/* --- work ------------------------------------------------------------------------------------ */

static bool
answer(struct http_call *call, struct error *err)
{
	struct exchange *x = call->exchange;

	if (!spool_rewind(x->request.body, err))
		return false;
	x->sent = spool_new(HTTP_BODY_MEMORY_BYTES);
	x->answer.out = http_spool_stream(x->sent);
	if (!x->answer.out)
		return error_set(err, ERROR_INTERNAL, "no memory for an answer");
	return x->route->handler(call, err);
}

static bool
is_kept(struct exchange *x)
{
	if (fflush(x->answer.out) == 0 && !ferror(x->answer.out))
		return true;
	return error_set(&x->error, ERROR_FILE, "there is no room to keep the answer in");
}

void
http_exchange_end(struct exchange *x, bool ok)
{
	if (!ok || !is_kept(x))
		http_answer_error(x);
	x->state = EXCHANGE_ANSWERED;
	MHD_resume_connection(x->connection);
}

static void
work_on(struct http_worker *w, struct exchange *x)
{
	struct http_call call = {
		.arena = &x->arena,
		.request = &x->request,
		.answer = &x->answer,
		.service = w->server->service,
		.worker = w,
		.exchange = x,
	};
	struct error err = ERROR_INIT;
	bool ok = answer(&call, &err);

	/* What a handler left open would hold locks until the next request. */
	if (w->reader)
		db_rollback(w->reader);
	if (w->loader)
		db_rollback(w->loader);
	if (call.deferred)
		return; /* and perhaps gone */
	x->error = err;
	http_exchange_end(x, ok);
}

static struct exchange *
next_exchange(struct server *s)
{
	struct exchange *x;

	pthread_mutex_lock(&s->mutex);
	while (!s->first && !s->stopping)
		pthread_cond_wait(&s->wanted, &s->mutex);
	x = s->first;
	if (x) {
		s->first = x->next;
		s->waiting--;
	}
	pthread_mutex_unlock(&s->mutex);
	return x;
}

static void *
run(void *argument)
{
	struct http_worker *w = argument;
	struct exchange *x;

	while ((x = next_exchange(w->server)))
		work_on(w, x);
	service_close_db(w->server->service, w->reader);
	service_close_db(w->server->service, w->loader);
	return NULL;
}

bool
http_enqueue(struct server *s, struct exchange *x)
{
	bool fits;

	pthread_mutex_lock(&s->mutex);
	/* An old sender ends at a 503: it waits instead, and its connection holds it back. */
	fits = !s->stopping && (x->request.legacy || s->waiting < s->options->queue);
	if (fits) {
		x->next = NULL;
		if (s->first)
			s->last->next = x;
		else
			s->first = x;
		s->last = x;
		s->waiting++;
		pthread_cond_signal(&s->wanted);
	}
	pthread_mutex_unlock(&s->mutex);
	return fits;
}

/* --- their life ------------------------------------------------------------------------------ */

bool
http_workers_start(struct server *s, struct error *err)
{
	size_t count = (size_t)s->options->workers;

	s->workers = xcalloc(count, sizeof(*s->workers));
	for (; s->worker_count < count; s->worker_count++) {
		struct http_worker *w = &s->workers[s->worker_count];

		w->server = s;
		if (pthread_create(&w->thread, NULL, run, w) != 0)
			return error_set(err, ERROR_INTERNAL, "cannot start worker %zu",
				s->worker_count + 1);
	}
	return true;
}

void
http_workers_stop(struct server *s)
{
	pthread_mutex_lock(&s->mutex);
	s->stopping = true;
	pthread_cond_broadcast(&s->wanted);
	pthread_mutex_unlock(&s->mutex);
	for (size_t i = 0; i < s->worker_count; i++)
		pthread_join(s->workers[i].thread, NULL);
	free(s->workers);
	s->workers = NULL;
	s->worker_count = 0;
}
