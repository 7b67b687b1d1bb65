/* Workers: threads that call the handlers of requests that have arrived completely. */
#include "http_private.h"

#include "input/spool.h"

#include <stdlib.h>
#include <string.h>

static bool
answer(struct http_call *call, struct error *err)
{
	struct exchange *x = call->exchange;

	if (!spool_rewind(x->request.body, err))
		return false;
	x->sent = spool_new(HTTP_BODY_MEMORY_BYTES);
	x->answer.out = http_spool_stream(x->sent);
	if (!x->answer.out)
		return error_set(err, ERROR_INTERNAL, "no memory for the answer");
	return x->route->handler(call, err);
}

struct exchange *
http_defer(struct http_call *c)
{
	c->deferred = true;
	return c->exchange;
}

FILE *
http_deferred_out(struct exchange *x)
{
	return x->answer.out;
}

static bool
is_kept(struct exchange *x)
{
	if (fflush(x->answer.out) == 0 && !ferror(x->answer.out))
		return true;
	return error_set(&x->error, ERROR_FILE, "no space left to store the answer");
}

void
http_finish(struct exchange *x, const struct error *err)
{
	if (err)
		x->error = *err;
	if (err || !is_kept(x))
		http_answer_error(x);
	x->state = EXCHANGE_ANSWERED;
	MHD_resume_connection(x->connection);
}

static void
work_on(struct http_worker *w, struct exchange *x)
{
	const struct http_hooks *hooks = w->server->hooks;
	struct http_call call = {
		.arena = &x->arena,
		.request = &x->request,
		.answer = &x->answer,
		.server = w->server,
		.owner = hooks->self,
		.worker = w->state,
		.exchange = x,
	};
	struct error err = ERROR_INIT;
	bool ok = answer(&call, &err);

	hooks->worker_rest(w->state);
	if (!call.deferred) /* a deferred exchange may have been freed already */
		http_finish(x, ok ? NULL : &err);
}

static struct exchange *
next_exchange(struct http_server *s)
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
	const struct http_hooks *hooks = w->server->hooks;
	struct exchange *x;

	w->state = hooks->worker_begin(hooks->self);
	while ((x = next_exchange(w->server)))
		work_on(w, x);
	hooks->worker_end(w->state);
	return NULL;
}

bool
http_enqueue(struct http_server *s, struct exchange *x)
{
	bool fits;

	pthread_mutex_lock(&s->mutex);
	/* The queue's limit does not apply to old senders, because a 503 would make them give up. */
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

bool
http_workers_start(struct http_server *s, struct error *err)
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
http_server_finish(struct http_server *s)
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
