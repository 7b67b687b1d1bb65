/* Health checks: one thread queries the database for all clients that ask. */
#include "probe.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/json_writer.h"
#include "db/migrate.h"

#include <pthread.h>
#include <stdlib.h>

struct probe {
	struct connections own; /* used only by `thread` */
	int64_t query_ms;
	double started;
	pthread_t thread;
	bool running;
	pthread_mutex_t mutex;
	pthread_cond_t wanted;
	/* Guarded by the mutex. */
	struct exchange **asking;
	size_t count, room;
	bool stopping;
};

static bool
query(struct probe *p, struct migrate_info *info, struct error *err)
{
	struct db *db = pool_connect(p->own.pool, &p->own.reader, DB_ROLE_READER, err);
	bool ok = db && db_begin_snapshot(db, err) && db_set_timeout(db, p->query_ms, err) &&
		  migrate_inspect(db, info, err);

	if (db)
		db_rollback(db);
	return ok;
}

static void
write_answer(const struct probe *p, const struct migrate_info *info, FILE *out)
{
	struct json_writer w;

	json_writer_init_answer(&w, out, false);
	json_begin_object(&w);
	json_key_string(&w, "status", "ok");
	json_key_int(&w, "depot_version", info->version);
	json_key_fixed3(&w, "uptime_seconds", clock_seconds() - p->started);
	json_end_object(&w);
	fputc('\n', out);
}

static void
answer(struct probe *p, struct exchange **asking, size_t count)
{
	struct error err = ERROR_INIT;
	struct migrate_info info;
	bool ok = query(p, &info, &err);

	for (size_t i = 0; i < count; i++) {
		if (ok)
			write_answer(p, &info, http_deferred_out(asking[i]));
		http_finish(asking[i], ok ? NULL : &err);
	}
}

/* Waits for exchanges, takes all of them, and returns their number; 0 when the probe ends. The
 * caller frees the array *asking. */
static size_t
take(struct probe *p, struct exchange ***asking)
{
	size_t count;

	pthread_mutex_lock(&p->mutex);
	while (!p->count && !p->stopping)
		pthread_cond_wait(&p->wanted, &p->mutex);
	*asking = p->asking;
	count = p->count;
	p->asking = NULL;
	p->count = p->room = 0;
	pthread_mutex_unlock(&p->mutex);
	return count;
}

static void *
run(void *argument)
{
	struct probe *p = argument;
	struct exchange **asking;
	size_t count;

	while ((count = take(p, &asking))) {
		answer(p, asking, count);
		free(asking);
	}
	return NULL;
}

struct probe *
probe_new(struct db_pool *pool, int64_t query_seconds)
{
	struct probe *p = xcalloc(1, sizeof(*p));

	p->own.pool = pool;
	p->query_ms = query_seconds * 1000;
	p->started = clock_seconds();
	pthread_mutex_init(&p->mutex, NULL);
	pthread_cond_init(&p->wanted, NULL);
	return p;
}

bool
probe_start(struct probe *p, struct error *err)
{
	p->running = pthread_create(&p->thread, NULL, run, p) == 0;
	return p->running || error_set(err, ERROR_INTERNAL, "cannot start a thread");
}

void
probe_free(struct probe *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->mutex);
	p->stopping = true;
	pthread_cond_signal(&p->wanted);
	pthread_mutex_unlock(&p->mutex);
	if (p->running)
		pthread_join(p->thread, NULL);
	pool_close(p->own.pool, &p->own.reader);
	pthread_cond_destroy(&p->wanted);
	pthread_mutex_destroy(&p->mutex);
	free(p);
}

void
probe_ask(struct probe *p, struct exchange *x)
{
	pthread_mutex_lock(&p->mutex);
	*ARRAY_ADD(p->asking, p->count, p->room) = x;
	pthread_cond_signal(&p->wanted);
	pthread_mutex_unlock(&p->mutex);
}
