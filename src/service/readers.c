/* Processes that answer requests. */
#define _DEFAULT_SOURCE /* nice */
#include "readers.h"

#include "base/memory_pool.h"
#include "base/signals.h"
#include "base/socket.h"
#include "service_private.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	/* Descriptors for a new process. The first socket carries requests and answers. When the
	 * second one is closed, the process ends immediately, whatever it is doing. */
	READER_REQUESTS,
	READER_LIFE,
	READER_FDS,
	HEAVY_NICE =
		5, /* short requests and the service's threads have priority: they need little time */
	TRIM_BYTES = 32 * 1024 * 1024, /* a process that has used more than this is replaced */
};

/* Sent to the process that starts the others, for each new process. */
struct start {
	size_t number;
	bool heavy;
};

struct reader {
	struct readers *all;
	struct start start;
	int fds[READER_FDS]; /* -1: there is no process */
};

struct readers {
	struct service *service;
	pthread_mutex_t mutex; /* for `control` */
	int control;
	pid_t pid;
	_Atomic size_t count;
	struct reader *items;
};

/* --- the processes --------------------------------------------------------------------------- */

static int requests_fd; /* of this process */

/* Must not allocate. */
static void
end_for_memory(void)
{
	static struct error err;

	memory_pool_joined = false;
	error_set(&err, ERROR_MEMORY, "the request needs more memory than is left for requests");
	error_hint(&err,
		"ask for less; the command line or a server with a larger --memory can answer");
	http_remote_fail(requests_fd, &err, 0);
	_exit(0);
}

static void *
end_with_server(void *life)
{
	struct pollfd p = { .fd = *(const int *)life };

	while (poll(&p, 1, -1) <= 0)
		;
	_exit(0);
}

static _Noreturn void
run(struct readers *all, int fds[READER_FDS], const struct start *start)
{
	struct connections own = { .pool = &all->service->pool };
	pthread_t watcher;

	signals_set(SIGCHLD, SIG_DFL);
	if (start->heavy)
		(void)!nice(HEAVY_NICE);
	requests_fd = fds[READER_REQUESTS];
	if (pthread_create(&watcher, NULL, end_with_server, &fds[READER_LIFE]) != 0)
		_exit(0);
	memory_pool_join(all->service->memory, start->number, end_for_memory);
	while (http_remote_serve(requests_fd, all->service, &own, TRIM_BYTES)) {
		if (own.reader)
			db_rollback(own.reader);
		/* Changes are rare, and the server counts one connection per process. */
		pool_close(own.pool, &own.loader);
	}
	_exit(0);
}

/* Starts a process for each message on the socket, until the other end of the socket is closed. */
static _Noreturn void
start_readers(struct readers *all, int control)
{
	int fds[READER_FDS];
	struct start start;

	signals_for_starter();
	while (socket_receive_fds(control, fds, READER_FDS) &&
		socket_receive(control, &start, sizeof(start))) {
		if (fork() == 0) {
			close(control);
			run(all, fds, &start);
		}
		for (int i = 0; i < READER_FDS; i++)
			close(fds[i]);
	}
	_exit(0);
}

/* --- the service ----------------------------------------------------------------------------- */

size_t
readers_most(const struct service *s)
{
	const int64_t *workers = s->options->http.workers;

	return (size_t)(workers[HTTP_LIGHT] + workers[HTTP_HEAVY] + workers[HTTP_LOADS]);
}

struct readers *
readers_start(struct service *s, struct error *err)
{
	struct readers *all = xcalloc(1, sizeof(*all));
	int pair[2];

	*all = (struct readers){ .service = s, .control = -1, .pid = -1 };
	pthread_mutex_init(&all->mutex, NULL);
	all->items = xcalloc(readers_most(s), sizeof(*all->items));
	fflush(NULL);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
		all->pid = fork();
		if (all->pid == 0) {
			close(pair[0]);
			start_readers(all, pair[1]);
		}
		close(pair[1]);
		all->control = pair[0];
	}
	if (all->pid > 0)
		return all;
	error_set_errno(err, ERROR_INTERNAL, "cannot start the process for requests");
	readers_free(all);
	return NULL;
}

void
readers_free(struct readers *all)
{
	if (!all)
		return;
	if (all->control >= 0)
		close(all->control);
	while (all->pid > 0 && waitpid(all->pid, NULL, 0) < 0 && errno == EINTR)
		;
	pthread_mutex_destroy(&all->mutex);
	free(all->items);
	free(all);
}

struct reader *
reader_new(struct readers *all, bool heavy)
{
	struct start start;
	struct reader *r;

	memset(&start, 0, sizeof(start)); /* also the bytes between the members */
	start.number = all->count++;
	start.heavy = heavy;
	r = &all->items[start.number];
	*r = (struct reader){ .all = all, .start = start, .fds = { -1, -1 } };
	return r;
}

static void
end_process(struct reader *r)
{
	if (r->fds[READER_LIFE] < 0)
		return;
	for (int i = 0; i < READER_FDS; i++) {
		close(r->fds[i]);
		r->fds[i] = -1;
	}
	atomic_store(&r->all->service->memory->shares[r->start.number].used, 0);
	r->all->service->pool.open--;
}

void
reader_free(struct reader *r)
{
	if (r)
		end_process(r);
}

static bool
start_process(struct reader *r, struct error *err)
{
	int requests[2] = { -1, -1 };
	int life[2] = { -1, -1 };
	bool ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, requests) == 0 &&
		  socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, life) == 0;
	const int fds[READER_FDS] = { requests[1], life[1] };

	pthread_mutex_lock(&r->all->mutex);
	ok = ok && socket_send_fds(r->all->control, fds, READER_FDS) &&
	     socket_send(r->all->control, &r->start, sizeof(r->start));
	pthread_mutex_unlock(&r->all->mutex);
	if (!ok)
		error_set_errno(err, ERROR_INTERNAL, "cannot start a process for the request");
	r->fds[READER_REQUESTS] = requests[0];
	r->fds[READER_LIFE] = life[0];
	r->all->service->pool.open++;
	if (requests[1] >= 0)
		close(requests[1]);
	if (life[1] >= 0)
		close(life[1]);
	return ok;
}

/* Returns whether the reader has a process that still runs. */
static bool
is_alive(const struct reader *r)
{
	struct pollfd p = { .fd = r->fds[READER_REQUESTS], .events = POLLIN };

	return r->fds[READER_LIFE] >= 0 && poll(&p, 1, 0) == 0;
}

static bool
lost(struct error *err)
{
	error_set(err, ERROR_INTERNAL, "the process that answered the request has ended");
	return error_hint(
		err, "if this happens each time, report the error; the command line may work");
}

bool
reader_answer(
	struct reader *r, struct http_call *c, const struct http_route *route, struct error *err)
{
	struct memory_share *share = &r->all->service->memory->shares[r->start.number];
	enum http_remote_end end = HTTP_REMOTE_LOST;

	if (!is_alive(r)) {
		end_process(r);
		if (!start_process(r, err)) {
			end_process(r);
			return false;
		}
	}
	atomic_store(&share->busy, true);
	error_clear(err);
	end = http_remote_call(
		r->fds[READER_REQUESTS], c, route, r->all->service->options->max_answer_bytes, err);
	if (end == HTTP_REMOTE_LOST)
		lost(err);
	if (end != HTTP_REMOTE_ANSWERED)
		end_process(r);
	atomic_store(&share->busy, false);
	return err->code == ERROR_NONE;
}
