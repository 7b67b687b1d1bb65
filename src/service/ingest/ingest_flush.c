/*
 * The flusher has its own connection. On it, the flusher waits for the disk and for standbys. Then it
 * completes the durable jobs. All transactions that the writer commits in the meantime share the next
 * wait.
 */
#include "ingest_private.h"

/* Waits for stored jobs. Sets *last to the number of the last stored transaction. Returns false when the
 * flusher must end. */
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
	if (g->flush_db && db_is_alive(g->flush_db))
		return true;
	return pool_connect(g->pool, &g->flush_db, DB_ROLE_LOADER, err) &&
	       db_exec(g->flush_db, "SET application_name = 'profdepot flush'", err);
}

/* Makes the stored transactions durable. Returns the number of the last one; 0 if it is unknown. */
static int64_t
flush(struct ingest *g)
{
	struct error ignored = ERROR_INIT; /* the writer handles failures */
	int64_t groups;

	if (reconnect(g, &ignored) &&
		live_progress_flush(g->flush_db, g->progress.server, &groups, &ignored))
		return groups;
	return 0;
}

/* Removes and returns the jobs of transactions up to number `groups`. The caller holds the
 * mutex. */
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

/* Ends the jobs of the transactions up to number `groups`, because these transactions are durable. `last` is
 * the last transaction that was stored before the flush. If other jobs of transactions up to `last` remain, the
 * writer must check them. Later jobs were stored during the flush, so they wait for the next flush. */
static void
end_durable(struct ingest *g, int64_t groups, int64_t last)
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
		end_durable(g, flush(g), last);
	return NULL;
}
