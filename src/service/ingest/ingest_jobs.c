/* Group-commit jobs: how they are queued and completed. */
#include "ingest_private.h"

#include "base/array.h"
#include "base/clock.h"

#include <stdlib.h>

/* Maximum time that a job waits while the database is down, unless it is patient. */
static const double impatient_seconds = 5.0;

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
	struct ingest_job *after = ingest_list_take(l);

	ingest_list_append(l, jobs);
	ingest_list_append(l, after);
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
	*ARRAY_ADD(j->inst_ids, j->inst_id_count, j->inst_id_room) = inst_id;
}

void
ingest_job_release(struct ingest_job *j)
{
	free(j->name);
	free(j->inst_ids);
}

void
ingest_end(struct ingest_job *jobs)
{
	while (jobs) {
		struct ingest_job *j = jobs;

		jobs = j->next;
		j->done(j);
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

/* Makes jobs fail: all of them or, if `all` is false, those that have waited too long and are not
 * patient. Returns the other jobs. */
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
		j->done(j);
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
