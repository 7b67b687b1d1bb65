/* Caches the event categories and rereads them every few seconds. */
#include "category_cache.h"

#include "base/clock.h"
#include "store/categories.h"

#include <pthread.h>
#include <stdlib.h>

static const double fresh_seconds = 2.0;

/* The result of one query; its last user frees it. */
struct edition {
	struct category_list list; /* must be first */
	struct arena arena;
	int users;
	double read_at;
};

struct category_cache {
	pthread_mutex_t mutex;
	struct edition *now; /* NULL before the first query; the cache is one of its users */
};

struct category_cache *
category_cache_new(void)
{
	struct category_cache *c = xcalloc(1, sizeof(*c));

	pthread_mutex_init(&c->mutex, NULL);
	return c;
}

/* The caller holds the mutex. */
static void
leave(struct edition *e)
{
	if (!e || --e->users)
		return;
	arena_release(&e->arena);
	free(e);
}

void
category_cache_free(struct category_cache *c)
{
	leave(c->now);
	pthread_mutex_destroy(&c->mutex);
	free(c);
}

static struct edition *
read_edition(struct connections *c, struct error *err)
{
	struct db *db = pool_connect(c->pool, &c->reader, DB_ROLE_READER, err);
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
use(struct category_cache *k, double not_before)
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
category_cache_use(struct category_cache *k, struct connections *c, struct error *err)
{
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
category_cache_leave(struct category_cache *k, const struct category_list *list)
{
	pthread_mutex_lock(&k->mutex);
	leave((struct edition *)(uintptr_t)list);
	pthread_mutex_unlock(&k->mutex);
}
