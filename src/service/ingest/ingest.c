/* The group-commit queue: starts, stops, and accepts jobs. */
#include "ingest_private.h"

#include "base/arena.h"
#include "base/clock.h"

#include <stdlib.h>

enum {
	WAITING_MAX_ROWS = 2 * 1000 * 1000, /* above this, ingest_submit blocks */
};

struct ingest *
ingest_new(struct db_pool *pool)
{
	struct ingest *g = xcalloc(1, sizeof(*g));

	g->pool = pool;
	pthread_mutex_init(&g->mutex, NULL);
	pthread_cond_init(&g->writer_wanted, NULL);
	pthread_cond_init(&g->flusher_wanted, NULL);
	pthread_cond_init(&g->room, NULL);
	g->live = live_new();
	live_progress_init(&g->progress);
	return g;
}

void
ingest_free(struct ingest *g)
{
	if (!g)
		return;
	live_free(g->live);
	pool_close(g->pool, &g->db);
	pool_close(g->pool, &g->flush_db);
	pthread_cond_destroy(&g->room);
	pthread_cond_destroy(&g->flusher_wanted);
	pthread_cond_destroy(&g->writer_wanted);
	pthread_mutex_destroy(&g->mutex);
	free(g);
}

/* Waits while the unfinished jobs have more than WAITING_MAX_ROWS rows in total. Jobs in the writer's current
 * transaction do not count. */
void
ingest_submit(struct ingest *g, struct ingest_job *j)
{
	j->next = NULL;
	j->since = clock_seconds();
	pthread_mutex_lock(&g->mutex);
	while (g->waiting.rows + g->stored.rows > WAITING_MAX_ROWS && !g->stopping)
		pthread_cond_wait(&g->room, &g->mutex);
	ingest_list_append(&g->waiting, j);
	pthread_cond_signal(&g->writer_wanted);
	pthread_mutex_unlock(&g->mutex);
}

bool
ingest_start(struct ingest *g, struct error *err)
{
	g->flusher_runs = pthread_create(&g->flusher, NULL, ingest_flush, g) == 0;
	g->writer_runs = g->flusher_runs && pthread_create(&g->writer, NULL, ingest_write, g) == 0;
	return g->writer_runs || error_set(err, ERROR_INTERNAL, "cannot start the writer threads");
}

/* The writer ends once all stored jobs are durable. */
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
