/* Requests come faster than the catalogue changes: each reads it as it was some seconds ago. */
#include "base/clock.h"
#include "ingest.h"
#include "service/service_private.h"
#include "store/categories.h"

#include <stdlib.h>

static const double fresh_seconds = 2.0;

/* One reading of it, freed by the last that uses it. */
struct edition {
	struct category_list list; /* first: what users have of it */
	struct arena arena;
	int users;
	double read_at;
};

struct ingest_catalogue {
	pthread_mutex_t mutex;
	struct edition *now; /* has itself as a user; NULL: none yet */
};

struct ingest_catalogue *
ingest_categories_new(void)
{
	struct ingest_catalogue *c = xcalloc(1, sizeof(*c));

	pthread_mutex_init(&c->mutex, NULL);
	return c;
}

/* Under the mutex. */
static void
leave(struct edition *e)
{
	if (!e || --e->users)
		return;
	arena_release(&e->arena);
	free(e);
}

void
ingest_categories_free(struct ingest_catalogue *c)
{
	leave(c->now);
	pthread_mutex_destroy(&c->mutex);
	free(c);
}

static struct edition *
read_edition(struct http_call *c, struct error *err)
{
	struct db *db = http_reader(c, err);
	struct edition *e = xcalloc(1, sizeof(*e));
	const struct category_list *list;

	e->arena = ARENA_INIT;
	list = db ? categories_read(&e->arena, db, err) : NULL;
	if (!list) {
		arena_release(&e->arena);
		free(e);
		return NULL;
	}
	e->list = *list;
	e->users = 1;
	e->read_at = clock_seconds();
	return e;
}

static const struct category_list *
use(struct ingest_catalogue *k, double not_before)
{
	struct edition *e;

	pthread_mutex_lock(&k->mutex);
	e = k->now && k->now->read_at >= not_before ? k->now : NULL;
	if (e)
		e->users++;
	pthread_mutex_unlock(&k->mutex);
	return e ? &e->list : NULL;
}

const struct category_list *
ingest_categories(struct http_call *c, struct error *err)
{
	struct ingest_catalogue *k = ingest_catalogue(c->service->ingest);
	const struct category_list *list = use(k, clock_seconds() - fresh_seconds);
	struct edition *e;

	if (list)
		return list;
	e = read_edition(c, err);
	if (e) {
		pthread_mutex_lock(&k->mutex);
		leave(k->now);
		k->now = e;
		pthread_mutex_unlock(&k->mutex);
	}
	list = use(k, 0);
	if (list)
		error_clear(err);
	return list;
}

void
ingest_categories_release(struct http_call *c, const struct category_list *list)
{
	struct ingest_catalogue *k = ingest_catalogue(c->service->ingest);

	pthread_mutex_lock(&k->mutex);
	leave((struct edition *)(uintptr_t)list);
	pthread_mutex_unlock(&k->mutex);
}
