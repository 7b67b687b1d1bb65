/* profdepot load --jobs: several inputs in parallel. */
#include "cmd/load_parts.h"

#include "cmd/depot.h"
#include "db/client.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Inputs are independent transactions. Each worker is a process with a connection, and loads one input after
 * the other. The parent process sends it the number of the next input and receives the tally of the last one.
 * It prints the output in the order of the inputs and adds up the tallies.
 */
struct worker {
	pid_t pid;
	int socket; /* -1 once the process has ended */
	FILE *out, *errors;
	struct job *job; /* NULL while the worker waits */
};

/* An input. Its output is a part of its worker's files. */
struct job {
	struct worker *worker;
	bool ended;
	off_t out, out_end, errors, errors_end;
	struct load_tally tally;
};

struct pool {
	struct load_call *call;
	const struct option_list *paths;
	struct job *jobs;
	struct worker *workers; /* ended ones, too */
	size_t worker_count, alive, started;
	size_t limit;  /* maximum number of workers at a time */
	bool was_idle; /* no worker has ended an input for a while */
};

enum {
	FEW_INPUTS = 8, /* inputs for each worker that are too few to start another one at once */
	PATIENCE_MS = 50
};

/* Does not move the file's position, which the worker shares. */
static void
copy_part(FILE *from, off_t at, off_t end, FILE *to)
{
	char block[8192];

	while (at < end) {
		size_t wanted =
			end - at < (off_t)sizeof(block) ? (size_t)(end - at) : sizeof(block);
		ssize_t n = pread(fileno(from), block, wanted, at);

		if (n <= 0)
			return;
		fwrite(block, 1, (size_t)n, to);
		at += n;
	}
}

static off_t
size_of(FILE *file)
{
	struct stat st;

	return fstat(fileno(file), &st) == 0 ? st.st_size : 0;
}

static void
run_worker(const struct pool *p, const struct worker *w)
{
	struct load_call *call = p->call;
	size_t next;

	/* Otherwise this process would keep them open if the parent process were killed. */
	for (size_t i = 0; i + 1 < p->worker_count; i++)
		if (p->workers[i].socket >= 0)
			close(p->workers[i].socket);
	call->out = w->out;
	call->db = NULL;
	dup2(fileno(w->errors), STDERR_FILENO);
	while (recv(w->socket, &next, sizeof(next), MSG_WAITALL) == (ssize_t)sizeof(next)) {
		struct load_tally tally = { .status = 0 };

		load_one(call, p->paths->items[next], false, &tally);
		fflush(stderr);
		if (send(w->socket, &tally, sizeof(tally), MSG_NOSIGNAL) != (ssize_t)sizeof(tally))
			break;
	}
	db_close(call->db);
	_exit(0);
}

static bool
start_worker(struct pool *p, struct error *err)
{
	struct worker *w = &p->workers[p->worker_count];
	int ends[2];

	w->out = tmpfile();
	w->errors = tmpfile();
	w->socket = -1;
	p->worker_count++;
	if (!w->out || !w->errors)
		return error_set_errno(err, ERROR_FILE, "cannot make a temporary file for a job");
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		return error_set_errno(err, ERROR_FILE, "cannot make a socket for a job");
	fflush(NULL);
	w->pid = fork();
	w->socket = ends[w->pid == 0];
	close(ends[w->pid != 0]);
	if (w->pid == 0)
		run_worker(p, w);
	if (w->pid < 0) {
		close(w->socket);
		w->socket = -1;
		return error_set_errno(err, ERROR_FILE, "cannot start a process for a job");
	}
	p->alive++;
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

/* Ends the process once it has loaded its input. */
static void
end_worker(struct pool *p, struct worker *w)
{
	shutdown(w->socket, SHUT_WR);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(w->socket);
	w->socket = -1;
	p->alive--;
}

static void
give(struct pool *p, struct worker *w)
{
	size_t next = p->started++;

	w->job = &p->jobs[next];
	*w->job = (struct job){ .worker = w, .out = size_of(w->out), .errors = size_of(w->errors) };
	/* If this fails, the process has ended, and take() finds that out. */
	(void)send(w->socket, &next, sizeof(next), MSG_NOSIGNAL);
}

/* Returns whether a further worker should start now. A start takes longer than a small input, so if only a few
 * inputs are left, the other workers first have some time to end theirs. */
static bool
needs_worker(const struct pool *p)
{
	size_t left = p->paths->count - p->started;

	return left && p->alive < p->limit && (p->was_idle || left > FEW_INPUTS * p->alive);
}

/* Gives inputs to idle workers, and starts further workers. */
static bool
give_all(struct pool *p, struct error *err)
{
	for (size_t i = 0; i < p->worker_count && p->started < p->paths->count; i++)
		if (p->workers[i].socket >= 0 && !p->workers[i].job)
			give(p, &p->workers[i]);
	while (needs_worker(p)) {
		if (!start_worker(p, err))
			return false;
		give(p, &p->workers[p->worker_count - 1]);
		p->was_idle = false;
	}
	return true;
}

/* Receives the tally of a worker's input. A killed process sends none, so its input counts as failed. */
static void
take(struct pool *p, struct worker *w)
{
	struct job *job = w->job;
	struct load_tally *t = &job->tally;
	const char *path = p->paths->items[job - p->jobs];
	struct error err = ERROR_INIT;

	if (recv(w->socket, t, sizeof(*t), MSG_WAITALL) != (ssize_t)sizeof(*t)) {
		*t = (struct load_tally){
			.inputs = 1, .failed_inputs = 1, .status = error_exit_status(ERROR_INTERNAL)
		};
		t->states[IMPORT_FAILED] = 1;
		end_worker(p, w);
		error_set(&err, ERROR_INTERNAL, "%s: the process that loaded it was killed", path);
		error_print(&err, w->errors);
		fflush(w->errors);
	}
	job->out_end = size_of(w->out);
	job->errors_end = size_of(w->errors);
	job->ended = true;
	w->job = NULL;
}

/* Waits until at least one input has been loaded, or until it may be time to start a further worker. */
static bool
take_ended(struct pool *p, struct error *err)
{
	struct pollfd *polled = xcalloc(p->worker_count, sizeof(*polled));
	bool may_start = p->started < p->paths->count && p->alive < p->limit;
	int ready;
	bool ok;

	for (size_t i = 0; i < p->worker_count; i++)
		polled[i] = (struct pollfd){ .fd = p->workers[i].job ? p->workers[i].socket : -1,
			.events = POLLIN };
	ready = poll(polled, p->worker_count, may_start ? PATIENCE_MS : -1);
	ok = ready >= 0 || errno == EINTR;
	p->was_idle = ready == 0;
	for (size_t i = 0; ok && i < p->worker_count; i++)
		if (p->workers[i].job && polled[i].revents)
			take(p, &p->workers[i]);
	free(polled);
	return ok || error_set_errno(err, ERROR_INTERNAL, "cannot wait for a job");
}

static void
collect(struct load_call *call, const struct job *job, struct load_tally *tally)
{
	copy_part(job->worker->out, job->out, job->out_end, call->out);
	fflush(call->out);
	copy_part(job->worker->errors, job->errors, job->errors_end, stderr);
	add_tally(tally, &job->tally);
}

static void
free_pool(struct pool *p)
{
	for (size_t i = 0; i < p->worker_count; i++) {
		struct worker *w = &p->workers[i];

		if (w->socket >= 0)
			end_worker(p, w);
		if (w->out)
			fclose(w->out);
		if (w->errors)
			fclose(w->errors);
	}
	free(p->workers);
	free(p->jobs);
}

bool
load_parallel(struct load_call *call, const struct option_list *paths, int64_t limit,
	struct load_tally *tally, struct error *err)
{
	/* Each worker gets an input when it starts, so there are never more workers than inputs. */
	struct pool p = { .call = call,
		.paths = paths,
		.limit = (size_t)limit,
		.jobs = xcalloc(paths->count, sizeof(*p.jobs)),
		.workers = xcalloc(paths->count, sizeof(*p.workers)) };
	size_t done = 0; /* number of collected jobs */
	bool ok = true;

	while (done < p.started || (ok && p.started < paths->count)) {
		ok = ok && give_all(&p, err) && take_ended(&p, err);
		for (size_t i = 0; !ok && i < p.worker_count; i++)
			if (p.workers[i].job)
				take(&p, &p.workers[i]);
		for (; done < p.started && p.jobs[done].ended; done++)
			collect(call, &p.jobs[done], tally);
	}
	free_pool(&p);
	return ok;
}
