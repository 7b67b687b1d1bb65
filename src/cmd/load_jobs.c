/* profdepot load --jobs: several inputs in parallel. */
#include "load_private.h"

#include "cmd/depot.h"
#include "db/client.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Inputs are independent transactions, so each has its own process and connection. The parent
 * process prints the output in the order of the inputs and adds up the tallies.
 */
struct job {
	pid_t pid;
	bool ended;
	FILE *out, *errors, *tally;
};

enum {
	MAX_UNCOLLECTED = 100 /* jobs whose output is not printed yet; each has three open files */
};

static void
copy_stream(FILE *from, FILE *to)
{
	char block[8192];
	size_t n;

	rewind(from);
	while ((n = fread(block, 1, sizeof(block), from)) > 0)
		fwrite(block, 1, n, to);
}

static void
run_child(struct load_call *call, struct job *job, const char *path)
{
	struct load_tally tally = { .status = 0 };

	call->out = job->out;
	call->db = NULL;
	dup2(fileno(job->errors), STDERR_FILENO);
	load_one(call, path, false, &tally);
	db_close(call->db);
	fwrite(&tally, sizeof(tally), 1, job->tally);
	fflush(job->tally);
	fflush(job->out);
	fflush(stderr);
	_exit(tally.status);
}

static bool
start(struct load_call *call, struct job *job, const char *path, struct error *err)
{
	job->out = tmpfile();
	job->errors = tmpfile();
	job->tally = tmpfile();
	if (!job->out || !job->errors || !job->tally)
		return error_set_errno(err, ERROR_FILE, "cannot make a temporary file for a job");
	fflush(NULL);
	job->pid = fork();
	if (job->pid < 0)
		return error_set_errno(err, ERROR_FILE, "cannot start a process for a job");
	if (job->pid == 0)
		run_child(call, job, path);
	return true;
}

int64_t
load_jobs_that_fit(struct load_call *call, int64_t jobs, struct error *err)
{
	struct db *db = depot_open(call->command, DB_ROLE_LOADER, err);
	int64_t fit = 0;
	bool ok = db && client_free_connections(db, &fit, err);

	db_close(db);
	if (!ok)
		return 0;
	fit = fit < 1 ? 1 : fit;
	if (fit < jobs && !call->options->quiet)
		fprintf(stderr,
			"profdepot: the server has %" PRId64 " free %s, so not more than %" PRId64
			" %s loaded at a time\n",
			fit, load_noun(fit, "connection", "connections"), fit,
			load_noun(fit, "input is", "inputs are"));
	return fit < jobs ? fit : jobs;
}

/* Waits until one more job has ended. */
static bool
reap(struct job *jobs, size_t count, struct error *err)
{
	for (;;) {
		pid_t pid = waitpid(-1, NULL, 0);

		if (pid < 0 && errno != EINTR)
			return error_set_errno(err, ERROR_INTERNAL, "cannot wait for a job");
		for (size_t i = 0; i < count; i++) {
			if (jobs[i].pid == pid && !jobs[i].ended) {
				jobs[i].ended = true;
				return true;
			}
		}
	}
}

static void
add_tally(struct load_tally *to, const struct load_tally *from)
{
	to->inputs += from->inputs;
	to->failed_inputs += from->failed_inputs;
	to->rows += from->rows;
	to->bytes += from->bytes;
	for (int i = 0; i <= IMPORT_FAILED; i++)
		to->states[i] += from->states[i];
	for (int i = 0; i < ISSUE_SEVERITIES; i++)
		to->issues[i] += from->issues[i];
	if (from->status)
		to->status = from->status;
}

/* Prints a job's output and adds its tally. A killed job has no tally, so its input counts as failed. */
static void
collect(struct load_call *call, struct job *job, const char *path, struct load_tally *tally)
{
	struct load_tally own = {
		.inputs = 1, .failed_inputs = 1, .status = error_exit_status(ERROR_INTERNAL)
	};
	struct error err = ERROR_INIT;

	copy_stream(job->out, call->out);
	fflush(call->out);
	copy_stream(job->errors, stderr);
	rewind(job->tally);
	if (fread(&own, sizeof(own), 1, job->tally) != 1) {
		own.states[IMPORT_FAILED] = 1;
		error_set(&err, ERROR_INTERNAL, "%s: the process that loaded it was killed", path);
		error_print(&err, stderr);
	}
	add_tally(tally, &own);
}

/* Frees a job's files. */
static void
release(struct job *job)
{
	FILE *files[] = { job->out, job->errors, job->tally };

	for (size_t f = 0; f < 3; f++)
		if (files[f])
			fclose(files[f]);
	job->out = job->errors = job->tally = NULL;
}

bool
load_parallel(struct load_call *call, const struct option_list *paths, int64_t jobs,
	struct load_tally *tally, struct error *err)
{
	struct job *all = xcalloc(paths->count, sizeof(*all));
	size_t started = 0;
	size_t running = 0;
	size_t done = 0; /* number of collected jobs */
	bool ok = true;

	while (ok && (started < paths->count || running)) {
		if (started < paths->count && running < (size_t)jobs &&
			started - done < MAX_UNCOLLECTED) {
			ok = start(call, &all[started], paths->items[started], err);
			started += ok;
			running += ok;
		} else {
			ok = reap(all + done, started - done, err);
			running -= ok;
		}
		for (; done < started && all[done].ended; done++) {
			collect(call, &all[done], paths->items[done], tally);
			release(&all[done]);
		}
	}
	while (!ok && running &&
		reap(all + done, started - done, &(struct error){ .code = ERROR_NONE }))
		running--;
	for (size_t i = done; i < started; i++)
		collect(call, &all[i], paths->items[i], tally);
	for (size_t i = done; i < paths->count; i++)
		release(&all[i]);
	free(all);
	return ok;
}
