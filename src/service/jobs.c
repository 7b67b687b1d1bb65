/* Loads uploads in the background, with up to two threads. */
#include "jobs_private.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MAX_WAITING = 100, /* each job has an open file */
	MAX_ENDED = 1000,  /* above this number, the oldest jobs are forgotten */
};

static void
set_state(struct job *job, enum job_state state)
{
	job->all->counts[job->state]--;
	job->all->counts[state]++;
	job->state = state;
	if (state > JOB_RUNNING) {
		job->ended = clock_seconds();
		close(job->fd);
		job->fd = -1;
	}
}

static void
job_free(struct job *job)
{
	if (job->fd >= 0)
		close(job->fd);
	free(job->result);
	arena_release(&job->arena);
	free(job);
}

/* --- running --- */

static void
watch(void *self, int64_t done_bytes, int64_t all_bytes, int64_t rows)
{
	struct job *job = self;

	pthread_mutex_lock(&job->all->mutex);
	job->done_bytes = done_bytes < all_bytes ? done_bytes : all_bytes;
	job->all_bytes = all_bytes;
	job->rows = rows;
	pthread_mutex_unlock(&job->all->mutex);
}

static void
finish(struct job *job, bool ok, const struct loader_reply *reply, const struct error *err)
{
	enum job_state state = ok                             ? JOB_DONE
			       : atomic_load(&job->cancelled) ? JOB_CANCELLED
							      : JOB_FAILED;

	job_keep_end(job->all, job->id, state, job->rows,
		err); /* after a successful load, the end is usually recorded already */
	pthread_mutex_lock(&job->all->mutex);
	job->err = *err;
	if (ok) {
		job->done_bytes = job->all_bytes = reply->input_bytes;
		job->rows = reply->rows;
		job->result = reply->json;
		job->result_bytes = reply->json_bytes;
	}
	set_state(job, state);
	pthread_mutex_unlock(&job->all->mutex);
}

static void
run_job(struct job *job)
{
	struct loader_reply reply;
	struct error err = ERROR_INIT;
	bool ok = loader_run(job->all->loader, &job->request, &reply, &err);

	finish(job, ok, &reply, &err);
}

static struct job *
oldest_queued(struct jobs *j)
{
	struct job *found = NULL;

	for (struct job *job = j->newest; job && j->counts[JOB_QUEUED]; job = job->next)
		if (job->state == JOB_QUEUED)
			found = job;
	return found;
}

static struct job *
take_job(struct jobs *j)
{
	struct job *job;

	pthread_mutex_lock(&j->mutex);
	while (!(job = oldest_queued(j)) && !j->stopping)
		pthread_cond_wait(&j->wanted, &j->mutex);
	if (job) {
		set_state(job, JOB_RUNNING);
		job->started = clock_seconds();
	}
	pthread_mutex_unlock(&j->mutex);
	return job;
}

static void *
run(void *argument)
{
	struct jobs *j = argument;
	struct job *job;

	while ((job = take_job(j)))
		run_job(job);
	return NULL;
}

/* --- the list --- */

/* Starts another thread if there are enough jobs for it. The caller holds the mutex. */
static bool
start_thread(struct jobs *j, struct error *err)
{
	if (j->thread_count == JOB_THREADS ||
		j->counts[JOB_QUEUED] + j->counts[JOB_RUNNING] < (int64_t)j->thread_count)
		return true;
	if (pthread_create(&j->threads[j->thread_count], NULL, run, j) == 0)
		j->thread_count++;
	return j->thread_count ? true : error_set(err, ERROR_INTERNAL, "cannot start a thread");
}

static void
forget_old(struct jobs *j)
{
	int64_t ended = 0;

	for (struct job **p = &j->newest; *p;) {
		struct job *job = *p;

		if (job->state > JOB_RUNNING && ++ended > MAX_ENDED) {
			*p = job->next;
			j->counts[job->state]--;
			job_free(job);
		} else {
			p = &job->next;
		}
	}
}

/* The caller holds the mutex. */
static void
add_to_list(struct jobs *j, struct job *job)
{
	struct job **place = jobs_place(j, job);

	job->next = *place;
	*place = job;
	j->counts[job->state]++;
	forget_old(j);
}

static bool
is_full(struct jobs *j)
{
	int64_t counts[JOB_STATES];

	jobs_count(j, counts);
	return counts[JOB_QUEUED] >= MAX_WAITING;
}

static bool
enqueue(struct jobs *j, struct job *job, struct error *err)
{
	bool ok;

	pthread_mutex_lock(&j->mutex);
	ok = start_thread(j, err);
	if (ok) {
		add_to_list(j, job);
		pthread_cond_signal(&j->wanted);
	}
	pthread_mutex_unlock(&j->mutex);
	return ok;
}

/* Makes a job and its row. Closes u->fd on error. */
static struct job *
make_job(struct jobs *j, const struct job_upload *u, enum job_state state, struct error *err)
{
	struct job *job = xcalloc(1, sizeof(*job));

	job->arena = ARENA_INIT;
	job->all = j;
	job->fd = u->fd;
	job->state = state;
	job->created = job->started = clock_seconds();
	job->owner = arena_strdup(&job->arena, u->owner);
	job_draw_id(job->id);
	if (u->make(u->self, &job->arena, &job->request, err)) {
		job->request.fd = &job->fd;
		job->request.watch = watch;
		job->request.watch_self = job;
		job->request.cancelled = &job->cancelled;
		job->request.job = job->id;
		job->all_bytes = lseek(job->fd, 0, SEEK_END);
		if (job_keep(job, err))
			return job;
	}
	job_free(job);
	return NULL;
}

bool
jobs_add(struct jobs *j, const struct job_upload *u, char id[JOB_ID_BYTES], bool *full,
	struct error *err)
{
	struct job *job;

	*full = is_full(j);
	if (*full) {
		close(u->fd);
		return error_set(
			err, ERROR_LIMIT, "%d uploads are already waiting", (int)MAX_WAITING);
	}
	job = make_job(j, u, JOB_QUEUED, err);
	if (!job)
		return false;
	memcpy(id, job->id, JOB_ID_BYTES);
	if (enqueue(j, job, err))
		return true;
	job_keep_end(j, job->id, JOB_FAILED, 0, err);
	job_free(job);
	return false;
}

bool
jobs_run(struct jobs *j, const struct job_upload *u, struct loader_reply *reply, struct error *err)
{
	struct job *job = make_job(j, u, JOB_RUNNING, err);
	char *json;
	bool ok;

	if (!job)
		return false;
	pthread_mutex_lock(&j->mutex);
	add_to_list(j, job);
	pthread_mutex_unlock(&j->mutex);
	ok = loader_run(j->loader, &job->request, reply, err);
	json = ok ? xmalloc(reply->json_bytes + 1)
		  : NULL; /* from now on, the job may be forgotten */
	if (ok)
		memcpy(json, reply->json, reply->json_bytes + 1);
	finish(job, ok, reply, err);
	reply->json = json;
	return ok;
}

static struct job **
find(struct jobs *j, const char *owner, const char *id, struct error *err)
{
	for (struct job **p = &j->newest; *p; p = &(*p)->next)
		if (strcmp((*p)->id, id) == 0 && (!owner || strcmp((*p)->owner, owner) == 0))
			return p;
	error_set(err, ERROR_NOT_FOUND, "there is no job \"%.40s\"", id);
	error_hint(
		err, "a server forgets old jobs, and shows a job only to the token that sent it");
	return NULL;
}

static void
write_job(const struct job *job, struct json_writer *w)
{
	double until = job->ended > 0 ? job->ended : clock_seconds();
	const time_t created = (time_t)(job->created_us / 1000000);
	char date[32];
	struct tm tm;

	gmtime_r(&created, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_begin_object(w);
	json_key_string(w, "id", job->id);
	json_key_string(w, "owner", job->owner);
	json_key_string(w, "name", job->request.path);
	json_key_string(w, "state", job_state_name(job->state));
	json_key_string(w, "created", date);
	json_key_fixed3(w, "seconds", until - job->created);
	json_key_int(w, "bytes_read", job->done_bytes);
	json_key_int(w, "bytes", job->all_bytes);
	json_key_int(w, "rows", job->rows);
	if (job->err.code)
		json_key_error(w, error_http_status(job->err.code), &job->err);
	if (job->result) {
		json_key_raw(w, "result", (struct text){ job->result, job->result_bytes });
	}
	json_end_object(w);
}

bool
jobs_write(
	struct jobs *j, const char *owner, const char *id, struct json_writer *w, struct error *err)
{
	struct job **job;

	pthread_mutex_lock(&j->mutex);
	job = find(j, owner, id, err);
	if (job)
		write_job(*job, w);
	pthread_mutex_unlock(&j->mutex);
	return job != NULL;
}

static bool
is_on_page(const struct job *job, const struct jobs_page *page)
{
	return (!page->owner || strcmp(job->owner, page->owner) == 0) &&
	       (!page->state || strcmp(job_state_name(job->state), page->state) == 0) &&
	       (!page->after || job_is_after(job, page->after->created_us, page->after->id));
}

bool
jobs_write_page(
	struct jobs *j, const struct jobs_page *page, struct job_place *last, struct json_writer *w)
{
	size_t count = 0;

	json_begin_array(w);
	pthread_mutex_lock(&j->mutex);
	for (const struct job *job = j->newest; job && count <= page->most; job = job->next) {
		if (!is_on_page(job, page) || count++ == page->most)
			continue;
		write_job(job, w);
		last->created_us = job->created_us;
		memcpy(last->id, job->id, JOB_ID_BYTES);
	}
	pthread_mutex_unlock(&j->mutex);
	json_end_array(w);
	return count > page->most;
}

bool
jobs_remove(
	struct jobs *j, const char *owner, const char *id, enum job_state *was, struct error *err)
{
	bool cancelled = false;
	struct job **p;

	pthread_mutex_lock(&j->mutex);
	p = find(j, owner, id, err);
	if (p) {
		struct job *job = *p;

		*was = job->state;
		if (job->state > JOB_RUNNING) {
			*p = job->next;
			j->counts[job->state]--;
			job_free(job);
		} else if (job->state == JOB_QUEUED) {
			set_state(job, JOB_CANCELLED);
			cancelled = true;
		} else {
			atomic_store(&job->cancelled, true);
		}
	}
	pthread_mutex_unlock(&j->mutex);
	if (!p || *was == JOB_RUNNING)
		return p != NULL;
	if (!cancelled)
		return job_forget(j, id, err);
	job_keep_end(j, id, JOB_CANCELLED, 0, &ERROR_INIT);
	return true;
}

void
jobs_count(struct jobs *j, int64_t out[JOB_STATES])
{
	pthread_mutex_lock(&j->mutex);
	memcpy(out, j->counts, sizeof(j->counts));
	pthread_mutex_unlock(&j->mutex);
}

/* --- life --- */

struct jobs *
jobs_new(struct loader *loader, struct db_pool *pool)
{
	struct jobs *j = xcalloc(1, sizeof(*j));

	j->loader = loader;
	j->pool = pool;
	job_draw_id(j->server);
	pthread_mutex_init(&j->db_mutex, NULL);
	pthread_mutex_init(&j->mutex, NULL);
	pthread_cond_init(&j->wanted, NULL);
	return j;
}

bool
jobs_idle(struct jobs *j)
{
	int64_t counts[JOB_STATES];

	jobs_count(j, counts);
	return counts[JOB_QUEUED] + counts[JOB_RUNNING] == 0;
}

static void
cancel_all(struct jobs *j)
{
	pthread_mutex_lock(&j->mutex);
	j->stopping = true;
	for (struct job *job = j->newest; job; job = job->next) {
		if (job->state == JOB_QUEUED)
			set_state(job, JOB_CANCELLED);
		atomic_store(&job->cancelled, true);
	}
	pthread_cond_broadcast(&j->wanted);
	pthread_mutex_unlock(&j->mutex);
}

void
jobs_free(struct jobs *j)
{
	if (!j)
		return;
	cancel_all(j);
	for (size_t i = 0; i < j->thread_count; i++)
		pthread_join(j->threads[i], NULL);
	while (j->newest) {
		struct job *job = j->newest;

		j->newest = job->next;
		job_free(job);
	}
	pool_close(j->pool, &j->db);
	pthread_cond_destroy(&j->wanted);
	pthread_mutex_destroy(&j->mutex);
	pthread_mutex_destroy(&j->db_mutex);
	free(j);
}
