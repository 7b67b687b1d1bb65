/*
 * The processes that load uploads. The process that starts the others has one thread and never
 * allocates, so it can always fork. For each load it forks a supervisor. The supervisor forks the
 * process that loads, waits for it, and reports how it ended.
 */
#define _DEFAULT_SOURCE /* nice */
#include "loader_private.h"

#include "app/set_json.h"
#include "base/json_writer.h"
#include "base/signals.h"
#include "base/socket.h"
#include "store/jobs.h"
#include "store/result_sets.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	/* Address space beyond the memory of the load: program, libraries, stacks, and blocks that
	 * malloc keeps. The memory budget stops a load long before it reaches this limit, with a better message. */
	SPACE_FACTOR = 3,
	SPACE_EXTRA_MIB = 1024,
	MAX_RECORDED_BYTES = 1024 * 1024, /* of a job's result */
	LOADER_NICE = 5,                  /* loads must not slow down requests */
};

/* --- the process that loads ------------------------------------------------------------------ */

static void
report_progress(void *self, int64_t done_bytes, int64_t all_bytes, int64_t rows)
{
	const struct loader_frame f = { .kind = LOADER_PROGRESS,
		.done_bytes = done_bytes,
		.all_bytes = all_bytes,
		.rows = rows };

	socket_send(*(const int *)self, &f, sizeof(f));
}

static int64_t
rows_of(const struct import_result *result)
{
	int64_t rows = 0;

	for (size_t i = 0; i < result->set_count; i++)
		for (size_t r = 0; result->sets[i].rows && r < relation_count(); r++)
			if (result->sets[i].state != IMPORT_KNOWN)
				rows += result->sets[i].rows[r];
	return rows;
}

/* Writes members into an open object. */
static void
put_result(struct json_writer *w, const char *source, const struct import_result *result)
{
	json_key_string(w, "format", result->format);
	json_key_int(w, "bytes", result->input_bytes);
	json_key_fixed3(w, "seconds", result->seconds);
	if (result->warning.code)
		json_key_string(w, "warning", result->warning.message);
	json_key_array(w, "result_sets");
	for (size_t i = 0; i < result->set_count; i++)
		import_set_json(w, source, result, &result->sets[i]);
	json_end_array(w);
}

/* Records the end of a job that succeeded. If a job fails, the service records its end. */
static void
record(struct db *db, const char *job, int64_t rows, const char *json, size_t json_bytes)
{
	const struct job_ended ended = { .state = "done",
		.rows = rows,
		.result = json_bytes <= MAX_RECORDED_BYTES ? json : NULL };
	struct error ignored = ERROR_INIT;

	jobs_end(db, job, &ended, &ignored);
}

static bool
reply(int to, struct db *db, const struct import_request *r, const struct import_result *result,
	struct error *err)
{
	struct loader_frame f = { .kind = LOADER_DONE,
		.done_bytes = result->input_bytes,
		.rows = rows_of(result),
		.inst_id = result->set_count == 1 ? result->sets[0].inst_id : 0 };
	char *json = NULL;
	FILE *out = open_memstream(&json, &f.json_bytes);
	struct json_writer w;

	if (!out)
		return error_set_errno(err, ERROR_INTERNAL, "cannot describe the result");
	json_writer_init_answer(&w, out, false);
	json_begin_object(&w);
	put_result(&w, r->path, result);
	json_end_object(&w);
	fclose(out);
	for (size_t i = 0; i < result->set_count; i++)
		f.loaded = f.loaded || result->sets[i].state == IMPORT_LOADED;
	record(db, r->job, f.rows, json, f.json_bytes);
	socket_send(to, &f, sizeof(f));
	socket_send(to, json, f.json_bytes);
	free(json);
	return true;
}

static void
limit_space(const struct import_request *r)
{
#ifndef __SANITIZE_ADDRESS__ /* ASan reserves terabytes */
	const rlim_t bytes =
		(rlim_t)r->max_memory_bytes * SPACE_FACTOR + (rlim_t)SPACE_EXTRA_MIB * 1024 * 1024;
	const struct rlimit limit = { bytes, bytes };

	if (r->max_memory_bytes)
		setrlimit(RLIMIT_AS, &limit);
#else
	(void)r;
#endif
}

static bool
load(int *fds, const char *uri, struct error *err)
{
	const struct db_target target = { .uri = uri, .role = DB_ROLE_LOADER };
	struct import_result result = { NULL };
	struct arena a = ARENA_INIT;
	struct import_request r;
	struct db *db;

	if (!loader_request_read(fds[LOADER_REQUEST], &a, &r, err))
		return false;
	r.fd = &fds[LOADER_UPLOAD];
	r.watch = report_progress;
	r.watch_self = &fds[LOADER_CONVERSATION];
	limit_space(&r);
	db = db_open(&target, err);
	return db && jobs_lock(db, r.job, err) && import_run(&a, db, &r, &result, err) &&
	       reply(fds[LOADER_CONVERSATION], db, &r, &result, err);
}

/* Frees nothing, because the process ends. */
static _Noreturn void
load_and_exit(int *fds, const char *uri)
{
	const struct loader_frame failed = { .kind = LOADER_FAILED };
	struct error err = ERROR_INIT;

	if (!load(fds, uri, &err)) {
		socket_send(fds[LOADER_CONVERSATION], &failed, sizeof(failed));
		socket_send(fds[LOADER_CONVERSATION], &err, sizeof(err));
	}
	_exit(0);
}

/* --- the supervisor -------------------------------------------------------------------------- */

/* Waits until the load's process ends, which closes the other end of the pipe `alive`. Kills the load's
 * process if the service cancels the load, or if the service itself ends. */
static int
await(pid_t pid, int conversation, int alive)
{
	struct pollfd p[] = { { .fd = conversation, .events = POLLIN },
		{ .fd = alive, .events = POLLIN } };
	int status = 0;

	while (poll(p, 2, -1) < 0 || !p[1].revents)
		if (p[0].revents) {
			kill(pid, SIGKILL);
			p[0].fd = -1;
		}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static _Noreturn void
supervise(int *fds, const char *uri)
{
	struct loader_frame ended = { .kind = LOADER_ENDED, .status = 256 };
	int alive[2];
	pid_t pid = -1;

	signals_set(SIGCHLD, SIG_DFL);
	if (pipe(alive) == 0)
		pid = fork();
	if (pid == 0) {
		close(alive[0]);
		load_and_exit(fds, uri);
	}
	if (pid > 0) {
		close(alive[1]);
		ended.status = await(pid, fds[LOADER_CONVERSATION], alive[0]);
	}
	socket_send(fds[LOADER_CONVERSATION], &ended, sizeof(ended));
	_exit(0);
}

/* --- the process that starts the others ------------------------------------------------------ */

_Noreturn void
loader_process(int control, const char *uri)
{
	int fds[LOADER_FDS];

	(void)!nice(LOADER_NICE);
	signals_for_starter();
	while (socket_receive_fds(control, fds, LOADER_FDS)) {
		if (fds[LOADER_CONVERSATION] >= 0 && fork() == 0) {
			close(control);
			supervise(fds, uri);
		}
		for (int i = 0; i < LOADER_FDS; i++)
			if (fds[i] >= 0)
				close(fds[i]);
	}
	_exit(0);
}
