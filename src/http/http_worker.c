/* Workers: threads that call the handlers of requests that have arrived completely. */
#include "http_coding.h"
#include "http_private.h"

#include "base/clock.h"
#include "input/spool.h"

#include <stdlib.h>
#include <string.h>

const char *
http_lane_name(enum http_lane lane)
{
	static const char *const names[] = { "at once", "light", "heavy", "loads", "ingest" };

	return names[lane];
}

static bool
answer(struct http_call *call, struct error *err)
{
	struct exchange *x = call->exchange;

	if (!spool_rewind(x->request.body, err))
		return false;
	x->sent = http_spool_new(x);
	x->answer.out = http_spool_stream(x->sent);
	if (!x->answer.out)
		return error_set(err, ERROR_INTERNAL, "no memory for the answer");
	return call->server->hooks->handle(call->owner, call, x->route, err);
}

static struct http_call
call_of(struct exchange *x, void *worker)
{
	return (struct http_call){
		.arena = &x->arena,
		.request = &x->request,
		.answer = &x->answer,
		.server = x->listener->server,
		.deadline = clock_seconds() + (double)x->listener->server->options->answer_seconds,
		.owner = x->listener->server->hooks->self,
		.worker = worker,
		.exchange = x,
	};
}

struct exchange *
http_defer(struct http_call *c)
{
	struct exchange *x = c->exchange;

	c->deferred = true;
	if (x->state != EXCHANGE_WORKING) { /* on the listener's thread */
		x->state = EXCHANGE_WORKING;
		MHD_suspend_connection(x->connection);
	}
	return x;
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

/* Completes the answer, but does not send it. */
static void
complete(struct exchange *x, const struct error *err)
{
	if (err)
		x->error = *err;
	if (err || !is_kept(x))
		http_answer_error(x);
	else
		http_code_body(x);
	x->state = EXCHANGE_ANSWERED;
}

void
http_finish(struct exchange *x, const struct error *err)
{
	complete(x, err);
	MHD_resume_connection(x->connection);
}

bool
http_answer_now(struct exchange *x)
{
	struct http_call call = call_of(x, NULL);
	struct error err = ERROR_INIT;
	bool ok = answer(&call, &err);

	if (call.deferred)
		return false;
	complete(x, ok ? NULL : &err);
	return true;
}

static void
work_on(struct http_worker *w, struct exchange *x)
{
	const struct http_hooks *hooks = w->server->hooks;
	struct http_call call = call_of(x, w->state);
	struct error err = ERROR_INIT;
	bool ok = answer(&call, &err);

	hooks->worker_rest(w->state);
	if (!call.deferred) /* a deferred exchange may have been freed already */
		http_finish(x, ok ? NULL : &err);
}

/* --- queues --- */

static struct exchange *
next_exchange(struct http_server *s, struct http_queue *q)
{
	struct exchange *x;

	pthread_mutex_lock(&s->mutex);
	while (!q->first && !s->stopping)
		pthread_cond_wait(&q->wanted, &s->mutex);
	x = q->first;
	if (x) {
		q->first = x->next;
		q->waiting--;
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
	while ((x = next_exchange(w->server, w->queue)))
		work_on(w, x);
	hooks->worker_end(w->state);
	return NULL;
}

static void
append(struct http_queue *q, struct exchange *x)
{
	x->next = NULL;
	x->queued = clock_seconds();
	if (q->first)
		q->last->next = x;
	else
		q->first = x;
	q->last = x;
	q->waiting++;
}

bool
http_enqueue(struct http_server *s, struct exchange *x)
{
	struct http_queue *q = &s->queues[x->route->lane];
	bool fits;

	pthread_mutex_lock(&s->mutex);
	/* A 503 would make an old sender give up, so the limit does not apply to its requests. */
	fits = !s->stopping && (x->request.legacy || q->waiting < s->options->queue);
	if (fits) {
		append(q, x);
		pthread_cond_signal(&q->wanted);
	}
	pthread_mutex_unlock(&s->mutex);
	return fits;
}

static bool
brings_data(const struct http_route *route)
{
	return route->body == HTTP_BODY_EVENTS || route->body == HTTP_BODY_UPLOAD;
}

/* A request is late if its client has gone, unless the request brings data to store. A request is also late if it has
 * waited too long, unless it comes from an old sender, which would give up after a 503. */
static bool
is_late(const struct exchange *x, double before)
{
	if (!brings_data(x->route) && atomic_load(&x->abandoned))
		return true;
	return x->queued < before && !x->request.legacy;
}

/* Moves exchanges that have waited too long to the list *late. The caller holds the mutex. */
static void
take_late(struct http_queue *q, double before, struct exchange **late)
{
	struct exchange *next;
	struct exchange *x = q->first;

	q->first = NULL;
	q->waiting = 0;
	for (; x; x = next) {
		double queued = x->queued;

		next = x->next;
		if (is_late(x, before)) {
			x->next = *late;
			*late = x;
		} else {
			append(q, x);
			x->queued = queued;
		}
	}
}

void
http_queues_expire(struct http_server *s)
{
	double before = clock_seconds() - (double)s->options->queue_seconds;
	struct exchange *late = NULL;
	struct error err = ERROR_INIT;

	pthread_mutex_lock(&s->mutex);
	for (int i = 0; i < HTTP_LANES; i++)
		if (s->queues[i].first)
			take_late(&s->queues[i], before, &late);
	pthread_mutex_unlock(&s->mutex);
	error_set(&err, ERROR_LIMIT,
		"the request waited too long, because other requests are running");
	while (late) {
		struct exchange *x = late;

		late = x->next;
		x->answer.status = atomic_load(&x->abandoned) ? HTTP_CLIENT_GONE : 503;
		http_finish(x, &err);
	}
}

static bool
start_queue(struct http_server *s, enum http_lane lane, struct error *err)
{
	struct http_queue *q = &s->queues[lane];
	size_t count = (size_t)s->options->workers[lane];

	q->workers = xcalloc(count, sizeof(*q->workers));
	for (; q->worker_count < count; q->worker_count++) {
		struct http_worker *w = &q->workers[q->worker_count];

		w->server = s;
		w->queue = q;
		if (pthread_create(&w->thread, NULL, run, w) != 0)
			return error_set(err, ERROR_INTERNAL, "cannot start %s worker %zu",
				http_lane_name(lane), q->worker_count + 1);
	}
	return true;
}

bool
http_workers_start(struct http_server *s, struct error *err)
{
	for (int lane = 0; lane < HTTP_LANES; lane++)
		if (!start_queue(s, (enum http_lane)lane, err))
			return false;
	return true;
}

static void
end_queue(struct http_queue *q)
{
	for (size_t i = 0; i < q->worker_count; i++)
		pthread_join(q->workers[i].thread, NULL);
	free(q->workers);
	q->workers = NULL;
	q->worker_count = 0;
}

void
http_server_finish(struct http_server *s)
{
	pthread_mutex_lock(&s->mutex);
	s->stopping = true;
	for (int i = 0; i < HTTP_LANES; i++)
		pthread_cond_broadcast(&s->queues[i].wanted);
	pthread_mutex_unlock(&s->mutex);
	for (int i = 0; i < HTTP_LANES; i++)
		end_queue(&s->queues[i]);
}
