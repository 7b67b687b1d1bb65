/* Loads uploads in the background, with up to two threads. */
#include "jobs.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	MAX_WAITING = 100, /* each job has an open file */
	MAX_ENDED = 1000,  /* above this, the oldest jobs are forgotten */
};

struct job {
	struct job *next; /* older */
	struct jobs *all;
	struct arena arena;
	int64_t id;
	struct import_request request;
	int fd;
	atomic_bool cancelled;
	/* Guarded by all->mutex. */
	enum job_state state;
	int64_t done_bytes, all_bytes, rows;
	double created, started, ended;
	time_t date;
	struct error err;
	char *result; /* a JSON object; NULL until the job ends */
	size_t result_bytes;
};

struct jobs {
	struct loader *loader;
	pthread_mutex_t mutex;
	pthread_cond_t wanted;
	struct job *newest;
	int64_t last_id;
	int64_t counts[JOB_STATES];
	pthread_t threads[JOB_THREADS];
	size_t thread_count;
	bool stopping;
};

const char *
job_state_name(enum job_state state)
{
	static const char *const names[] = { "queued", "running", "done", "failed", "cancelled" };

	return names[state];
}

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
	pthread_mutex_lock(&job->all->mutex);
	job->err = *err;
	if (ok) {
		job->done_bytes = job->all_bytes = reply->input_bytes;
		job->rows = reply->rows;
		job->result = reply->json;
		job->result_bytes = reply->json_bytes;
	}
	set_state(job, ok ? JOB_DONE : atomic_load(&job->cancelled) ? JOB_CANCELLED : JOB_FAILED);
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

/* Threads start with the first jobs. The caller holds the mutex. */
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

static bool
enqueue(struct jobs *j, struct job *job, bool *full, struct error *err)
{
	bool ok;

	pthread_mutex_lock(&j->mutex);
	*full = j->counts[JOB_QUEUED] >= MAX_WAITING;
	ok = !*full && start_thread(j, err);
	if (ok) {
		job->id = ++j->last_id;
		job->next = j->newest;
		j->newest = job;
		j->counts[JOB_QUEUED]++;
		forget_old(j);
		pthread_cond_signal(&j->wanted);
	}
	pthread_mutex_unlock(&j->mutex);
	return ok || !*full ? ok
			    : error_set(err, ERROR_LIMIT, "%d uploads are already waiting",
				      (int)MAX_WAITING);
}

bool
jobs_add(struct jobs *j, int fd, job_make *make, void *self, int64_t *id, bool *full,
	struct error *err)
{
	struct job *job = xcalloc(1, sizeof(*job));
	bool ok;

	*full = false;
	job->arena = ARENA_INIT;
	job->all = j;
	job->fd = fd;
	job->created = clock_seconds();
	job->date = time(NULL);
	ok = make(self, &job->arena, &job->request, err);
	job->request.fd = &job->fd;
	job->request.watch = watch;
	job->request.watch_self = job;
	job->request.cancelled = &job->cancelled;
	job->all_bytes = lseek(fd, 0, SEEK_END);
	ok = ok && enqueue(j, job, full, err);
	if (ok)
		*id = job->id;
	else
		job_free(job);
	return ok;
}

static struct job **
find(struct jobs *j, int64_t id, struct error *err)
{
	for (struct job **p = &j->newest; *p; p = &(*p)->next)
		if ((*p)->id == id)
			return p;
	error_set(err, ERROR_NOT_FOUND, "there is no job %lld", (long long)id);
	error_hint(err, "a server forgets old jobs; when it restarts, it forgets all jobs");
	return NULL;
}

static void
write_job(const struct job *job, struct json_writer *w)
{
	double until = job->ended > 0 ? job->ended : clock_seconds();
	char date[32];
	struct tm tm;

	gmtime_r(&job->date, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_begin_object(w);
	json_key_int(w, "id", job->id);
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
jobs_write(struct jobs *j, int64_t id, struct json_writer *w, struct error *err)
{
	struct job **job;

	pthread_mutex_lock(&j->mutex);
	job = find(j, id, err);
	if (job)
		write_job(*job, w);
	pthread_mutex_unlock(&j->mutex);
	return job != NULL;
}

void
jobs_write_all(struct jobs *j, size_t most, struct json_writer *w)
{
	json_begin_array(w);
	pthread_mutex_lock(&j->mutex);
	for (const struct job *job = j->newest; job && most; job = job->next, most--)
		write_job(job, w);
	pthread_mutex_unlock(&j->mutex);
	json_end_array(w);
}

bool
jobs_remove(struct jobs *j, int64_t id, enum job_state *was, struct error *err)
{
	struct job **p;

	pthread_mutex_lock(&j->mutex);
	p = find(j, id, err);
	if (p) {
		struct job *job = *p;

		*was = job->state;
		if (job->state > JOB_RUNNING) {
			*p = job->next;
			j->counts[job->state]--;
			job_free(job);
		} else if (job->state == JOB_QUEUED) {
			set_state(job, JOB_CANCELLED);
		} else {
			atomic_store(&job->cancelled, true);
		}
	}
	pthread_mutex_unlock(&j->mutex);
	return p != NULL;
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
jobs_new(struct loader *loader)
{
	struct jobs *j = xcalloc(1, sizeof(*j));

	j->loader = loader;
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
	pthread_cond_destroy(&j->wanted);
	pthread_mutex_destroy(&j->mutex);
	free(j);
}
