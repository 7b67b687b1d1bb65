/* Stores jobs as rows in the database, so that their outcome outlives the server. */
#include "jobs_private.h"

#include "base/hash.h"
#include "base/pair_map.h"
#include "store/jobs.h"

#include <string.h>

enum {
	MAX_READ = 1000 /* jobs of earlier servers */
};

const char *
job_state_name(enum job_state state)
{
	static const char *const names[] = { "queued", "running", "done", "failed", "cancelled" };

	return names[state];
}

void
job_draw_id(char id[JOB_ID_BYTES])
{
	const uint64_t drawn[2] = { random_number(), random_number() };

	_Static_assert(JOB_ID_BYTES == 2 * sizeof(drawn) + 1, "two hexadecimal digits per byte");
	hex_format(drawn, sizeof(drawn), id);
}

bool
job_is_after(const struct job *job, int64_t created_us, const char *id)
{
	return job->created_us != created_us ? job->created_us < created_us
					     : strcmp(job->id, id) > 0;
}

struct job **
jobs_place(struct jobs *j, const struct job *job)
{
	struct job **p = &j->newest;

	while (*p && !job_is_after(*p, job->created_us, job->id))
		p = &(*p)->next;
	return p;
}

/* Returns a connection that holds this server's lock. The lock tells other servers that this server is running.
 * The caller holds db_mutex. */
static struct db *
connected(struct jobs *j, struct error *err)
{
	if (j->db && db_is_alive(j->db))
		return j->db;
	if (!pool_connect(j->pool, &j->db, DB_ROLE_LOADER, err))
		return NULL;
	if (jobs_lock(j->db, j->server, err))
		return j->db;
	pool_close(j->pool, &j->db);
	return NULL;
}

bool
job_keep(struct job *job, struct error *err)
{
	struct jobs *j = job->all;
	const struct job_added added = {
		.job = job->id,
		.owner = job->owner,
		.name = job->request.path,
		.state = job_state_name(job->state),
		.server = j->server,
		.input_bytes = job->all_bytes,
	};
	struct db *db;
	bool ok;

	pthread_mutex_lock(&j->db_mutex);
	db = connected(j, err);
	ok = db && jobs_store(db, &added, &job->created_us, err);
	pthread_mutex_unlock(&j->db_mutex);
	return ok;
}

void
job_keep_end(
	struct jobs *j, const char *id, enum job_state state, int64_t rows, const struct error *err)
{
	const struct job_ended ended = {
		.state = job_state_name(state), .rows = rows, .error = err->code ? err : NULL
	};
	struct error failed = ERROR_INIT;
	struct db *db;

	pthread_mutex_lock(&j->db_mutex);
	db = connected(j, &failed);
	if (!db || !jobs_end(db, id, &ended, &failed)) {
		error_prefix(&failed, "cannot record the end of job %s", id);
		error_print(&failed, stderr);
	}
	pthread_mutex_unlock(&j->db_mutex);
}

bool
job_forget(struct jobs *j, const char *id, struct error *err)
{
	struct db *db;
	bool ok;

	pthread_mutex_lock(&j->db_mutex);
	db = connected(j, err);
	ok = db && jobs_forget(db, id, err);
	pthread_mutex_unlock(&j->db_mutex);
	return ok;
}

/* --- jobs of earlier servers --- */

static enum job_state
find_state(struct text name)
{
	for (int i = 0; i < JOB_STATES; i++)
		if (text_equal(name, text_from(job_state_name((enum job_state)i))))
			return (enum job_state)i;
	return JOB_FAILED;
}

static void
take_error(struct job *job, const struct db_result *r, size_t row)
{
	struct text code = db_result_value(r, row, JOB_ERROR_CODE);
	struct text message = db_result_value(r, row, JOB_ERROR_MESSAGE);
	struct text hint = db_result_value(r, row, JOB_ERROR_HINT);
	int found = ERROR_INTERNAL;

	if (!code.data)
		return;
	for (int i = ERROR_NONE; i <= ERROR_INTERNAL; i++)
		if (text_equal(code, text_from(error_code_name((enum error_code)i))))
			found = i;
	error_set(&job->err, (enum error_code)found, "%s", message.data ? message.data : "");
	if (!text_is_empty(hint))
		error_hint(&job->err, "%s", hint.data);
}

static struct job *
take_job(struct jobs *j, const struct db_result *r, size_t row)
{
	struct job *job = xcalloc(1, sizeof(*job));
	struct text result = db_result_value(r, row, JOB_RESULT);

	job->all = j;
	job->arena = ARENA_INIT;
	job->fd = -1;
	job->err = ERROR_INIT;
	snprintf(job->id, sizeof(job->id), "%s", db_result_value(r, row, JOB_NUMBER).data);
	job->owner = arena_text(&job->arena, db_result_value(r, row, JOB_OWNER)).data;
	job->request.path = arena_text(&job->arena, db_result_value(r, row, JOB_NAME)).data;
	job->state = find_state(db_result_value(r, row, JOB_STATE));
	job->created_us = db_result_int64(r, row, JOB_CREATED, 0);
	job->created = 1; /* arbitrary, because only the difference from `ended` is shown */
	job->ended = 1 + (double)db_result_int64(r, row, JOB_MS, 0) / 1000;
	job->all_bytes = db_result_int64(r, row, JOB_INPUT_BYTES, 0);
	job->done_bytes = job->state == JOB_DONE ? job->all_bytes : 0;
	job->rows = db_result_int64(r, row, JOB_ROWS, 0);
	take_error(job, r, row);
	if (result.data) {
		job->result = xmalloc(result.size + 1);
		memcpy(job->result, result.data, result.size + 1);
		job->result_bytes = result.size;
	}
	return job;
}

bool
jobs_open(struct jobs *j, struct error *err)
{
	struct db *db = connected(j, err);
	struct db_result *r = db && jobs_settle(db, err) ? jobs_read(db, MAX_READ, err) : NULL;

	for (size_t i = 0; r && i < db_result_rows(r); i++) {
		struct job *job = take_job(j, r, i);
		struct job **place = jobs_place(j, job);

		job->next = *place;
		*place = job;
		j->counts[job->state]++;
	}
	return db_done(r);
}
