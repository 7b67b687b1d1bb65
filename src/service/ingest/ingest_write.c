/* The writer: stores waiting jobs in one transaction, and finds out after a failure whether it
 * was committed. */
#include "ingest_private.h"

#include "base/clock.h"

#include <string.h>
#include <time.h>

enum {
	GROUP_MAX_ROWS = 100 * 1000, /* a transaction with this number of rows takes no more jobs */
	TRIES = 10,
	EXPIRE_SECONDS = 3600,
	REST_SECONDS = 1,
};

/* --- groups: the jobs of one transaction --- */

/* The caller holds the mutex. */
static bool
is_over(const struct ingest *g)
{
	return g->stopping && !g->waiting.first && !g->stored.first;
}

/* Takes the first waiting jobs for one transaction. A job whose transaction has failed is taken alone. */
static struct ingest_job *
take_first(struct ingest_list *l)
{
	struct ingest_list group = { 0 };
	struct ingest_job *j = ingest_list_take(l);

	while (j && group.rows < GROUP_MAX_ROWS) {
		struct ingest_job *next = j->next;

		if (group.first && (j->tries || group.first->tries))
			break;
		j->next = NULL;
		ingest_list_append(&group, j);
		j = next;
	}
	ingest_list_append(l, j);
	return group.first;
}

/* Takes the jobs of the next transaction, and waits for them if necessary. *jobs is NULL if no job
 * came for a while, or if g->unsure was set in the meantime. Returns false when the writer must
 * end. */
static bool
take_group(struct ingest *g, struct ingest_job **jobs)
{
	struct timespec until;
	bool more;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += REST_SECONDS;
	pthread_mutex_lock(&g->mutex);
	while (!g->waiting.first && !g->unsure && !is_over(g) &&
		pthread_cond_timedwait(&g->writer_wanted, &g->mutex, &until) == 0)
		;
	more = !is_over(g);
	*jobs = take_first(&g->waiting);
	pthread_cond_broadcast(&g->room);
	pthread_mutex_unlock(&g->mutex);
	return more;
}

static void
give_back(struct ingest *g, struct ingest_job *jobs)
{
	pthread_mutex_lock(&g->mutex);
	ingest_list_prepend(&g->waiting, jobs);
	pthread_mutex_unlock(&g->mutex);
}

static void
hand_over(struct ingest *g, struct ingest_job *jobs)
{
	pthread_mutex_lock(&g->mutex);
	ingest_list_append(&g->stored, jobs);
	pthread_cond_signal(&g->flusher_wanted);
	pthread_mutex_unlock(&g->mutex);
}

/* --- a transaction --- */

static bool
refuse_name(struct ingest_job *j)
{
	struct error err = ERROR_INIT;

	error_set(
		&err, ERROR_INPUT, "a different batch named \"%s\" is already stored", j->name + 2);
	error_hint(&err, "give each batch its own name");
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

static void
number(struct ingest_job *jobs, int64_t group)
{
	for (struct ingest_job *j = jobs; j; j = j->next)
		j->group = group;
}

/* Stores the jobs in one transaction. The commit may succeed even if the function returns false.
 * Therefore the jobs get the transaction's number before the commit. */
static bool
store(struct ingest *g, struct ingest_job *jobs, struct error *err)
{
	char day[LIVE_DAY_BYTES];

	live_day(day);
	if (live_begin(g->live, g->db, day, &g->progress, err) && write_jobs(g, jobs, err)) {
		number(jobs, g->progress.last);
		if (live_commit(g->live, err))
			return true;
	}
	live_rollback(g->live);
	return false;
}

/* --- the connection --- */

static void
disconnect(struct ingest *g)
{
	live_disconnect(g->live);
	pool_close(g->pool, &g->db);
	g->settled = false;
}

static bool
reconnect(struct ingest *g, struct error *err)
{
	if (g->db && db_is_alive(g->db))
		return true;
	disconnect(g);
	return pool_connect(g->pool, &g->db, DB_ROLE_LOADER, err) != NULL;
}

/* Returns whether the connection was lost, and disconnects if it was. The SQLSTATE is checked, too,
 * because a server that shuts down sends an error before it closes the connection. */
static bool
is_lost(struct ingest *g, const struct error *err)
{
	if (db_is_alive(g->db) && strncmp(err->sqlstate, "57P", 3) != 0 &&
		strncmp(err->sqlstate, "08", 2) != 0)
		return false;
	disconnect(g);
	return true;
}

/* Returns whether another try may succeed, for example after a deadlock. */
static bool
may_pass(const struct error *err)
{
	return strncmp(err->sqlstate, "40", 2) == 0 || strcmp(err->sqlstate, "55P03") == 0 ||
	       (err->code == ERROR_DATABASE && !err->sqlstate[0]);
}

/* --- after a failure --- */

static bool
is_settled(struct ingest *g)
{
	bool unsure;

	pthread_mutex_lock(&g->mutex);
	unsure = g->unsure;
	pthread_mutex_unlock(&g->mutex);
	return g->settled && !unsure && g->db && db_is_alive(g->db);
}

/* Puts the stored jobs back before the waiting jobs, so that all remain in the order of arrival. */
static void
take_back_stored(struct ingest *g)
{
	pthread_mutex_lock(&g->mutex);
	ingest_list_prepend(&g->waiting, ingest_list_take(&g->stored));
	g->unsure = false;
	pthread_mutex_unlock(&g->mutex);
}

/* Completes the waiting jobs whose transactions are durable. The other transactions were lost. */
static void
end_durable(struct ingest *g, int64_t groups)
{
	struct ingest_list durable = { 0 };
	struct ingest_list lost = { 0 };
	struct ingest_job *j;

	pthread_mutex_lock(&g->mutex);
	j = ingest_list_take(&g->waiting);
	while (j) {
		struct ingest_job *next = j->next;

		j->next = NULL;
		if (j->group > groups)
			j->group = 0;
		ingest_list_append(j->group ? &durable : &lost, j);
		j = next;
	}
	g->waiting = lost;
	pthread_cond_broadcast(&g->room);
	pthread_mutex_unlock(&g->mutex);
	ingest_end(durable.first);
}

/* Asks the database which transactions are committed. Sets *all to true if no later try can succeed. All
 * waiting jobs must then fail. */
static bool
ask_progress(struct ingest *g, bool *all, struct error *err)
{
	int64_t known = g->progress.groups;

	*all = false;
	if (!reconnect(g, err)) {
		pthread_mutex_lock(&g->mutex);
		*all = g->stopping;
		pthread_mutex_unlock(&g->mutex);
		return false;
	}
	if (!live_progress_settle(g->db, &g->progress, err)) {
		*all = !is_lost(g, err) && !may_pass(err);
		return false;
	}
	if (g->progress.groups != known)
		live_disconnect(g->live);
	return true;
}

static bool
is_waiting(struct ingest *g)
{
	bool waiting;

	pthread_mutex_lock(&g->mutex);
	waiting = g->waiting.first != NULL;
	pthread_mutex_unlock(&g->mutex);
	return waiting;
}

/* Asks the database which of the stored jobs are durable, and ends those jobs. Repeats the question
 * until the database answers or no job is waiting. The writer calls this function at the start and after a
 * failure. */
static void
settle(struct ingest *g)
{
	take_back_stored(g);
	while (is_waiting(g)) {
		struct error err = ERROR_INIT;
		bool all;

		g->settled = ask_progress(g, &all, &err);
		if (g->settled) {
			end_durable(g, g->progress.groups);
			return;
		}
		ingest_refuse_waiting(g, all, &err);
		if (is_waiting(g))
			clock_sleep_ms(100);
	}
}

/* --- storing --- */

/* Counts a failed try. A patient job may retry without limit if the connection was lost. */
static void
count_try(struct ingest_job *j, bool lost, const struct error *err)
{
	if (!lost || !j->patient || !j->tries)
		j->tries++;
	j->error = *err;
}

/* Stores the jobs in one transaction. If that fails, puts them back into the queue. The next call of `settle`
 * asks the database whether they were committed after all. */
static void
store_group(struct ingest *g, struct ingest_job *jobs)
{
	struct error err = ERROR_INIT;
	bool lost;

	if (jobs->tries >= TRIES) {
		jobs->failed = true;
		ingest_end(jobs);
		return;
	}
	if (store(g, jobs, &err)) {
		hand_over(g, jobs);
		return;
	}
	g->settled = false;
	lost = is_lost(g, &err);
	if (!jobs->next && !lost && !may_pass(&err)) {
		ingest_fail(jobs, &err);
		ingest_end(jobs);
		return;
	}
	for (struct ingest_job *j = jobs; j; j = j->next)
		count_try(j, lost, &err);
	give_back(g, jobs);
}

/* Updates statistics and deletes old rows. The writer calls this function between two groups. */
static void
keep_house(struct ingest *g)
{
	struct error ignored = ERROR_INIT;
	double now = clock_seconds();

	if (!g->db || !db_is_alive(g->db))
		return;
	live_analyze(g->live, g->db, &ignored);
	if (now < g->next_expiry)
		return;
	g->next_expiry = now + EXPIRE_SECONDS;
	live_named_expire(g->db, &ignored);
	live_progress_expire(g->db, &ignored);
}

void *
ingest_write(void *ingest)
{
	struct ingest *g = ingest;
	struct error ignored = ERROR_INIT;
	struct ingest_job *jobs;

	while (take_group(g, &jobs)) {
		if (!is_settled(g)) {
			give_back(g, jobs);
			settle(g);
			continue;
		}
		if (jobs)
			store_group(g, jobs);
		keep_house(g);
	}
	if (g->db && db_is_alive(g->db))
		live_progress_remove(g->db, &g->progress, &ignored);
	return NULL;
}
