#include "ingest.h"

#include "base/arena.h"
#include "base/clock.h"
#include "db/connection.h"
#include "service_private.h"

#include <stdlib.h>
#include <time.h>

enum {
	GROUP_MAX_ROWS = 100 * 1000,        /* of a transaction */
	WAITING_MAX_ROWS = 2 * 1000 * 1000, /* then workers wait */
	TRIES = 5,
	EXPIRE_SECONDS = 3600,
	REST_SECONDS = 1,
};

/* A client that can be told waits so long for a database that is away. */
static const double impatient_seconds = 5.0;

struct ingest {
	struct service *service;
	struct ingest_catalogue *catalogue;
	pthread_t thread;
	bool running;

	pthread_mutex_t mutex;
	pthread_cond_t wanted, room;
	/* Guarded by the mutex. */
	struct ingest_job *first, *last;
	size_t waiting_rows;
	bool stopping;

	/* The thread's own. */
	struct db *db;
	struct live *live;
	double expired;
};

struct ingest *
ingest_new(struct service *service)
{
	struct ingest *g = xcalloc(1, sizeof(*g));

	g->service = service;
	pthread_mutex_init(&g->mutex, NULL);
	pthread_cond_init(&g->wanted, NULL);
	pthread_cond_init(&g->room, NULL);
	g->live = live_new();
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
	pthread_cond_destroy(&g->room);
	pthread_cond_destroy(&g->wanted);
	pthread_mutex_destroy(&g->mutex);
	free(g);
}

/* --- jobs ---------------------------------------------------------------------------------------
 */

void
ingest_job_set(struct ingest_job *j, int64_t inst_id)
{
	if (j->inst_id_count == j->inst_id_room) {
		j->inst_id_room = j->inst_id_room ? 2 * j->inst_id_room : 4;
		j->inst_ids = xrealloc(j->inst_ids, j->inst_id_room * sizeof(*j->inst_ids));
	}
	j->inst_ids[j->inst_id_count++] = inst_id;
}

void
ingest_submit(struct http_call *c, struct ingest_job *j)
{
	struct ingest *g = c->service->ingest;

	j->exchange = c->exchange;
	j->next = NULL;
	j->since = clock_seconds();
	c->deferred = true;
	pthread_mutex_lock(&g->mutex);
	while (g->waiting_rows > WAITING_MAX_ROWS && !g->stopping)
		pthread_cond_wait(&g->room, &g->mutex);
	if (g->first)
		g->last->next = j;
	else
		g->first = j;
	g->last = j;
	g->waiting_rows += j->rows;
	pthread_cond_signal(&g->wanted);
	pthread_mutex_unlock(&g->mutex);
}

/* Answers; the job and its request are gone then. */
static void
end_job(struct ingest_job *j)
{
	struct exchange *x = j->exchange;
	bool ok = !j->failed;

	if (ok && j->kind->answer)
		j->kind->answer(j, x->answer.out);
	if (ok && !j->known)
		atomic_fetch_add(&x->listener->server->service->events_stored, (int64_t)j->events);
	x->error = j->error;
	j->kind->release(j);
	free(j->name);
	free(j->inst_ids);
	free(j);
	http_exchange_end(x, ok);
}

static void
fail_job(struct ingest_job *j, const struct error *err)
{
	j->failed = true;
	j->error = *err;
}

/* --- groups: jobs of one transaction, as a list ------------------------------------------------
 */

static void
end_all(struct ingest_job *jobs)
{
	while (jobs) {
		struct ingest_job *j = jobs;

		jobs = j->next;
		end_job(j);
	}
}

/* The database is away: who can be told is told. What is left waits. */
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
		fail_job(j, err);
		end_job(j);
	}
	return left;
}

/* False: the end. *jobs NULL: nothing came for a while. */
static bool
take_group(struct ingest *g, struct ingest_job **jobs)
{
	struct timespec until;
	struct ingest_job *j;
	size_t rows = 0;
	bool more;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += REST_SECONDS;
	pthread_mutex_lock(&g->mutex);
	while (!g->first && !g->stopping &&
		pthread_cond_timedwait(&g->wanted, &g->mutex, &until) == 0)
		;
	*jobs = g->first;
	for (j = *jobs; j; j = j->next) {
		rows += j->rows;
		if (rows >= GROUP_MAX_ROWS)
			break;
	}
	g->first = j ? j->next : NULL;
	if (j)
		j->next = NULL;
	g->waiting_rows -= rows;
	pthread_cond_broadcast(&g->room);
	more = *jobs || !g->stopping;
	pthread_mutex_unlock(&g->mutex);
	return more;
}

static bool
is_stopping(struct ingest *g)
{
	bool stopping;

	pthread_mutex_lock(&g->mutex);
	stopping = g->stopping;
	pthread_mutex_unlock(&g->mutex);
	return stopping;
}

/* --- a transaction ------------------------------------------------------------------------------
 */

bool
ingest_job_refuse(struct ingest_job *j, struct error *err)
{
	fail_job(j, err);
	error_clear(err);
	return true;
}

static bool
refuse_name(struct ingest_job *j)
{
	struct error err = ERROR_INIT;

	error_set(&err, ERROR_INPUT, "another batch named \"%s\" was stored already", j->name + 2);
	error_hint(&err, "a name stands for one body; give each batch a name of its own");
	return ingest_job_refuse(j, &err);
}

static bool
open_job(struct ingest *g, struct ingest_job *j, struct error *err)
{
	enum live_named found = LIVE_NEW;

	j->known = false;
	j->failed = false;
	j->inst_id_count = 0;
	if (j->name && !live_named_find(g->live, j->name, j->digest, &found, err))
		return false;
	if (found == LIVE_DIFFERS)
		return refuse_name(j);
	j->known = found == LIVE_KNOWN;
	if (j->known)
		return true;
	return j->kind->open(g->live, j, err) &&
	       (!j->name || live_named_add(g->live, j->name, j->digest, found == LIVE_AGAIN,
				    j->inst_ids, j->inst_id_count, err));
}

static bool
write_jobs(struct ingest *g, struct ingest_job *jobs, struct error *err)
{
	for (struct ingest_job *j = jobs; j; j = j->next)
		if (!open_job(g, j, err))
			return false;
	for (struct ingest_job *j = jobs; j; j = j->next)
		if (!j->failed && !j->known && !j->kind->write(g->live, j, err))
			return false;
	return true;
}

/* xid is empty when nothing can have been committed. */
static bool
store(struct ingest *g, struct ingest_job *jobs, char xid[LIVE_XID_BYTES], struct error *err)
{
	char day[LIVE_DAY_BYTES];

	xid[0] = '\0';
	live_day(day);
	if (live_begin(g->live, g->db, day, xid, err) && write_jobs(g, jobs, err) &&
		live_commit(g->live, err))
		return true;
	live_rollback(g->live);
	return false;
}

/* --- when the database goes away ------------------------------------------------------------- */

static void
disconnect(struct ingest *g)
{
	live_disconnect(g->live);
	service_close_db(g->service, g->db);
	g->db = NULL;
}

static bool
reconnect(struct ingest *g, struct error *err)
{
	const struct db_target target = { .uri = g->service->options->db, .role = DB_ROLE_LOADER };

	if (g->db && db_is_alive(g->db))
		return true;
	disconnect(g);
	g->db = service_open_db(g->service, &target, err);
	return g->db != NULL;
}

static void
sleep_a_moment(void)
{
	const struct timespec moment = { 0, 100L * 1000 * 1000 };

	nanosleep(&moment, NULL);
}

/* While the writer cannot store anything. */
static void
refuse_waiting(struct ingest *g, bool all, const struct error *err)
{
	struct ingest_job *jobs;
	struct ingest_job *j;

	pthread_mutex_lock(&g->mutex);
	jobs = g->first;
	g->first = NULL;
	pthread_mutex_unlock(&g->mutex);
	jobs = end_impatient(jobs, all, err);
	pthread_mutex_lock(&g->mutex);
	if (jobs) {
		for (j = jobs; j->next; j = j->next)
			;
		j->next = g->first;
		if (!g->first)
			g->last = j;
		g->first = jobs;
	}
	g->waiting_rows = 0;
	for (j = g->first; j; j = j->next)
		g->waiting_rows += j->rows;
	pthread_cond_broadcast(&g->room);
	pthread_mutex_unlock(&g->mutex);
}

/* Until there is a connection; what is left of the jobs. */
static struct ingest_job *
wait_for_database(struct ingest *g, struct ingest_job *jobs)
{
	struct error err = ERROR_INIT;

	while (!reconnect(g, &err)) {
		bool all = is_stopping(g);

		jobs = end_impatient(jobs, all, &err);
		refuse_waiting(g, all, &err);
		if (!jobs && all)
			return NULL;
		error_clear(&err);
		sleep_a_moment();
	}
	return jobs;
}

/* The server says goodbye before its connection is seen to be gone. */
static bool
is_lost(struct ingest *g, const struct error *err)
{
	if (db_is_alive(g->db) && strncmp(err->sqlstate, "57P", 3) != 0 &&
		strncmp(err->sqlstate, "08", 2) != 0)
		return false;
	disconnect(g);
	return true;
}

/* After the connection broke: was it committed? The server may still be at it. */
static bool
was_committed(struct ingest *g, struct ingest_job **jobs, const char *xid)
{
	bool committed = false;
	bool known = false;

	while (xid[0] && *jobs && !known) {
		struct error err = ERROR_INIT;

		*jobs = wait_for_database(g, *jobs);
		if (!*jobs)
			return false;
		/* What it says of no transaction was none that it wrote down. */
		if (!live_was_committed(g->db, xid, &committed, &known, &err))
			known = !is_lost(g, &err);
		if (!known)
			sleep_a_moment();
	}
	return committed;
}

/* --- storing -------------------------------------------------------------------------------------
 */

/* Deadlocks with another server, and the like: the next try may well go through. */
static bool
may_pass(const struct error *err)
{
	return strncmp(err->sqlstate, "40", 2) == 0 || strcmp(err->sqlstate, "55P03") == 0 ||
	       (err->code == ERROR_DATABASE && !err->sqlstate[0]);
}

/* Stores all of them in one transaction, or tells err of a transaction that failed. Jobs
 * that were answered meanwhile are gone from the list. */
static bool
store_group(struct ingest *g, struct ingest_job **jobs, int tries, struct error *err)
{
	char xid[LIVE_XID_BYTES];

	for (int i = 0; i < tries && *jobs; i++) {
		*jobs = wait_for_database(g, *jobs);
		if (!*jobs)
			return true;
		error_clear(err);
		if (store(g, *jobs, xid, err))
			return true;
		if (is_lost(g, err)) {
			if (was_committed(g, jobs, xid))
				return true;
			/* Who cannot be told waits as long as it takes. */
			if (*jobs && (*jobs)->patient && !(*jobs)->next)
				i--;
		} else if (!may_pass(err)) {
			return false;
		}
	}
	return *jobs == NULL;
}

static void
store_each(struct ingest *g, struct ingest_job *jobs)
{
	while (jobs) {
		struct ingest_job *j = jobs;
		struct error err = ERROR_INIT;

		jobs = j->next;
		j->next = NULL;
		if (!store_group(g, &j, TRIES, &err) && j)
			fail_job(j, &err);
		end_all(j);
	}
}

/* Between groups, when nobody waits for it. */
static void
keep_house(struct ingest *g)
{
	struct error ignored = ERROR_INIT;
	double now = clock_seconds();

	if (!g->db || !db_is_alive(g->db))
		return;
	live_analyze(g->live, g->db, &ignored);
	if (now - g->expired < EXPIRE_SECONDS)
		return;
	g->expired = now;
	live_named_expire(g->db, &ignored);
}

static void *
run(void *argument)
{
	struct ingest *g = argument;
	struct ingest_job *jobs;

	while (take_group(g, &jobs)) {
		struct error err = ERROR_INIT;

		if (!jobs || store_group(g, &jobs, jobs->next ? 1 : TRIES, &err)) {
			end_all(jobs);
		} else if (jobs->next) {
			store_each(g, jobs);
		} else {
			fail_job(jobs, &err);
			end_all(jobs);
		}
		keep_house(g);
	}
	return NULL;
}

bool
ingest_start(struct ingest *g, struct error *err)
{
	if (pthread_create(&g->thread, NULL, run, g) != 0)
		return error_set(err, ERROR_INTERNAL, "cannot start the thread that stores");
	g->running = true;
	return true;
}

void
ingest_stop(struct ingest *g)
{
	pthread_mutex_lock(&g->mutex);
	g->stopping = true;
	pthread_cond_broadcast(&g->wanted);
	pthread_cond_broadcast(&g->room);
	pthread_mutex_unlock(&g->mutex);
	if (g->running)
		pthread_join(g->thread, NULL);
	g->running = false;
}

struct ingest_catalogue *
ingest_catalogue(struct ingest *g)
{
	return g->catalogue;
}
