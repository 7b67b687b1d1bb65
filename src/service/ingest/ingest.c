#include "ingest_private.h"

#include "base/clock.h"

#include <stdlib.h>

enum {
	WAITING_MAX_ROWS = 2 * 1000 * 1000, /* then workers wait */
};

/* A client that can be told waits so long for a database that is away. */
static const double impatient_seconds = 5.0;

struct ingest *
ingest_new(struct service *service)
{
	struct ingest *g = xcalloc(1, sizeof(*g));

	g->service = service;
	pthread_mutex_init(&g->mutex, NULL);
	pthread_cond_init(&g->writer_wanted, NULL);
	pthread_cond_init(&g->flusher_wanted, NULL);
	pthread_cond_init(&g->room, NULL);
	g->live = live_new();
	live_progress_init(&g->progress);
	g->catalogue = ingest_categories_new();
	return g;
}

void
ingest_free(struct ingest *g)
{
	if (!g)
		return;
	ingest_categories_free(g->catalogue);
	live_free(g->live);
	service_close_db(g->service, g->db);
	service_close_db(g->service, g->flush_db);
	pthread_cond_destroy(&g->room);
	pthread_cond_destroy(&g->flusher_wanted);
	pthread_cond_destroy(&g->writer_wanted);
	pthread_mutex_destroy(&g->mutex);
	free(g);
}

/* --- jobs ---------------------------------------------------------------------------------------
 */

void
ingest_list_append(struct ingest_list *l, struct ingest_job *jobs)
{
	if (!jobs)
		return;
	if (l->first)
		l->last->next = jobs;
	else
		l->first = jobs;
	for (struct ingest_job *j = jobs; j; j = j->next) {
		l->rows += j->rows;
		l->last = j;
	}
}

void
ingest_list_prepend(struct ingest_list *l, struct ingest_job *jobs)
{
	struct ingest_job *behind = ingest_list_take(l);

	ingest_list_append(l, jobs);
	ingest_list_append(l, behind);
}

struct ingest_job *
ingest_list_take(struct ingest_list *l)
{
	struct ingest_job *jobs = l->first;

	*l = (struct ingest_list){ 0 };
	return jobs;
}

void
ingest_job_set(struct ingest_job *j, int64_t inst_id)
{
	if (j->inst_id_count == j->inst_id_room) {
		j->inst_id_room = j->inst_id_room ? 2 * j->inst_id_room : 4;
		j->inst_ids = xrealloc(j->inst_ids, j->inst_id_room * sizeof(*j->inst_ids));
	}
	j->inst_ids[j->inst_id_count++] = inst_id;
}

/* Jobs count until they are answered, but for those that are being stored. */
void
ingest_submit(struct http_call *c, struct ingest_job *j)
{
	struct ingest *g = c->service->ingest;

	j->exchange = c->exchange;
	j->next = NULL;
	j->since = clock_seconds();
	c->deferred = true;
	pthread_mutex_lock(&g->mutex);
	while (g->waiting.rows + g->stored.rows > WAITING_MAX_ROWS && !g->stopping)
		pthread_cond_wait(&g->room, &g->mutex);
	ingest_list_append(&g->waiting, j);
	pthread_cond_signal(&g->writer_wanted);
	pthread_mutex_unlock(&g->mutex);
}

static void
end_job(struct ingest_job *j)
{
	struct exchange *x = j->exchange;
	bool ok = !j->failed;

	if (ok && j->kind->answer)
		j->kind->answer(j, x->answer.out);
	if (ok && !j->known)
		atomic_fetch_add(&x->listener->server->service->events_stored, (int64_t)j->events);
	if (!ok)
		x->error = j->error;
	j->kind->release(j);
	free(j->name);
	free(j->inst_ids);
	free(j);
	http_exchange_end(x, ok);
}

void
ingest_end(struct ingest_job *jobs)
{
	while (jobs) {
		struct ingest_job *j = jobs;

		jobs = j->next;
		end_job(j);
	}
}

void
ingest_fail(struct ingest_job *j, const struct error *err)
{
	j->failed = true;
	j->error = *err;
}

bool
ingest_job_refuse(struct ingest_job *j, struct error *err)
{
	ingest_fail(j, err);
	error_clear(err);
	return true;
}

/* What is left waits. */
static struct ingest_job *
end_impatient(struct ingest_job *jobs, bool all, const struct error *err)
{
	struct ingest_job *left = NULL;
	struct ingest_job **tail = &left;
	double now = clock_seconds();

	while (jobs) {
		struct ingest_job *j = jobs;

		jobs = j->next;
		j->next = NULL;
		if (!all && (j->patient || now - j->since < impatient_seconds)) {
			*tail = j;
			tail = &j->next;
			continue;
		}
		ingest_fail(j, err);
		end_job(j);
	}
	return left;
}

void
ingest_refuse_waiting(struct ingest *g, bool all, const struct error *err)
{
	struct ingest_job *jobs;

	pthread_mutex_lock(&g->mutex);
	jobs = ingest_list_take(&g->waiting);
	pthread_mutex_unlock(&g->mutex);
	jobs = end_impatient(jobs, all, err);
	pthread_mutex_lock(&g->mutex);
	ingest_list_prepend(&g->waiting, jobs);
	pthread_cond_broadcast(&g->room);
	pthread_mutex_unlock(&g->mutex);
}

/* --- the threads --------------------------------------------------------------------------------
 */

bool
ingest_start(struct ingest *g, struct error *err)
{
	g->flusher_runs = pthread_create(&g->flusher, NULL, ingest_flush, g) == 0;
	g->writer_runs = g->flusher_runs && pthread_create(&g->writer, NULL, ingest_write, g) == 0;
	return g->writer_runs ||
	       error_set(err, ERROR_INTERNAL, "cannot start the threads that store");
}

/* The writer's end comes when all that it stored was answered. */
void
ingest_stop(struct ingest *g)
{
	pthread_mutex_lock(&g->mutex);
	g->stopping = true;
	pthread_cond_broadcast(&g->writer_wanted);
	pthread_cond_broadcast(&g->room);
	pthread_mutex_unlock(&g->mutex);
	if (g->writer_runs)
		pthread_join(g->writer, NULL);
	g->writer_runs = false;
	pthread_mutex_lock(&g->mutex);
	g->ended = true;
	pthread_cond_broadcast(&g->flusher_wanted);
	pthread_mutex_unlock(&g->mutex);
	if (g->flusher_runs)
		pthread_join(g->flusher, NULL);
	g->flusher_runs = false;
}

struct ingest_catalogue *
ingest_catalogue(struct ingest *g)
{
	return g->catalogue;
}
