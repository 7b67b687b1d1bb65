/*
 * The flusher: waits for the disk, and for standbys, on a connection of its own, and
 * answers what is durable then. All that the writer committed in the meantime shares
 * the next wait.
 */
#include "ingest_private.h"

/* False: the end. Number of the last transaction that is stored. */
static bool
wait_for_stored(struct ingest *g, int64_t *last)
{
	bool more;

	pthread_mutex_lock(&g->mutex);
	while (!g->ended && (!g->stored.first || g->unsure))
		pthread_cond_wait(&g->flusher_wanted, &g->mutex);
	more = !g->ended;
	if (more)
		*last = g->stored.last->group;
	pthread_mutex_unlock(&g->mutex);
	return more;
}

static bool
reconnect(struct ingest *g, struct error *err)
{
	const struct db_target target = { .uri = g->service->options->db, .role = DB_ROLE_LOADER };

	if (g->flush_db && db_is_alive(g->flush_db))
		return true;
	service_close_db(g->service, g->flush_db);
	g->flush_db = service_open_db(g->service, &target, err);
	return g->flush_db && db_exec(g->flush_db, "SET application_name = 'profdepot flush'", err);
}

/* Transactions up to this one are durable; 0 when that is not known of any. */
static int64_t
flush(struct ingest *g)
{
	struct error ignored = ERROR_INIT; /* the writer comes upon it as well, or gets around it */
	int64_t groups;

	if (reconnect(g, &ignored) &&
		live_progress_flush(g->flush_db, g->progress.server, &groups, &ignored))
		return groups;
	return 0;
}

/* Jobs of transactions up to that one. Under the mutex. */
static struct ingest_job *
take_until(struct ingest_list *l, int64_t groups)
{
	struct ingest_list durable = { 0 };
	struct ingest_job *j = ingest_list_take(l);

	while (j && j->group <= groups) {
		struct ingest_job *next = j->next;

		j->next = NULL;
		ingest_list_append(&durable, j);
		j = next;
	}
	ingest_list_append(l, j);
	return durable.first;
}

/* When the writer settled meanwhile, what it stored since has higher numbers than all that this
 * answer is about. */
static void
answer(struct ingest *g, int64_t groups, int64_t last)
{
	struct ingest_job *durable;

	pthread_mutex_lock(&g->mutex);
	durable = take_until(&g->stored, groups);
	g->unsure = g->stored.first && g->stored.first->group <= last;
	if (g->unsure || g->stopping)
		pthread_cond_signal(&g->writer_wanted);
	pthread_cond_broadcast(&g->room);
	pthread_mutex_unlock(&g->mutex);
	ingest_end(durable);
}

void *
ingest_flush(void *ingest)
{
	struct ingest *g = ingest;
	int64_t last;

	while (wait_for_stored(g, &last))
		answer(g, flush(g), last);
	return NULL;
}
