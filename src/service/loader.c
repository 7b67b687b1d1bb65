/* Loads an upload in another process; this file contains the service's side. */
#include "loader_private.h"
#include "service_private.h"

#include "base/clock.h"
#include "base/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	STEP_MS = 100,     /* how often the service looks whether a load must end */
	GRACE_SECONDS = 1, /* the process that loads may stop by itself, with a better message */
	MAX_JSON_BYTES = 256 * 1024 * 1024,
	OUT_OF_MEMORY_STATUS = 4, /* base/memory.h */
	STORED_STATUS = 5,
};

struct loader {
	struct db_pool *pool;
	int control;
	pid_t pid;
};

struct loader *
loader_start(struct db_pool *pool, struct error *err)
{
	struct loader *l = xcalloc(1, sizeof(*l));
	int pair[2];

	*l = (struct loader){ .pool = pool, .control = -1, .pid = -1 };
	fflush(NULL);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
		l->pid = fork();
		if (l->pid == 0) {
			close(pair[0]);
			loader_process(pair[1], pool->uri);
		}
		close(pair[1]);
		l->control = pair[0];
	}
	if (l->pid > 0)
		return l;
	error_set_errno(err, ERROR_INTERNAL, "cannot start the process for uploads");
	loader_free(l);
	return NULL;
}

void
loader_free(struct loader *l)
{
	if (!l)
		return;
	if (l->control >= 0)
		close(l->control);
	while (l->pid > 0 && waitpid(l->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(l);
}

static bool
send_task(struct loader *l, const int fds[LOADER_FDS], struct error *err)
{
	if (socket_send_fds(l->control, fds, LOADER_FDS))
		return true;
	error_set_errno(err, ERROR_INTERNAL, "cannot start a process for the upload");
	return error_hint(err, "the service needs a restart");
}

/* A load in progress, as the service sees it. */
struct watch {
	int fd;
	const struct import_request *request;
	double until; /* then the load is stopped */
	bool told;    /* the supervisor has been told to stop the load */
	bool late;
};

static bool
is_cancelled(const struct import_request *r)
{
	return r->cancelled && atomic_load(r->cancelled);
}

/* Sets the error for a load whose process ended without an answer. */
static bool
ended(const struct watch *w, int status, struct error *err)
{
	if (w->late) {
		error_set(err, ERROR_TIME, "the load takes more than %lld seconds",
			(long long)w->request->limits->seconds);
		return error_hint(err,
			"the command \"profdepot load\" or a server with a larger --max-load-time can "
			"load the file; if you send the upload again, the state \"known\" in the answer "
			"means that it was already stored");
	}
	if (is_cancelled(w->request))
		return error_set(err, ERROR_USAGE, "the load was cancelled");
	if (WIFEXITED(status) && WEXITSTATUS(status) == OUT_OF_MEMORY_STATUS) {
		error_set(err, ERROR_MEMORY, "the load needs more memory than it may use");
		return error_hint(err,
			"record less; the command \"profdepot load\" or a server with a larger "
			"--max-load-memory can load the file; if you send the upload again, the state "
			"\"known\" in the answer means that it was already stored");
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == STORED_STATUS) {
		error_set(err, ERROR_PARTLY, "memory ran out after the result set was stored");
		return error_hint(err, "GET /v1/result-sets lists it");
	}
	if (WIFSIGNALED(status))
		error_set(err, ERROR_INTERNAL,
			"signal %d (%s) ended the process that loaded the upload", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else
		error_set(err, ERROR_INTERNAL, "the process that loaded the upload ended early");
	return error_hint(err,
		"send the upload again; the state \"known\" in the answer means that it was already stored; if the "
		"process ends each time, load the file with the command \"profdepot load\"");
}

static bool
take_reply(int fd, const struct loader_frame *f, struct loader_reply *reply)
{
	if (f->json_bytes > MAX_JSON_BYTES)
		return false;
	*reply = (struct loader_reply){ .json = xmalloc(f->json_bytes + 1),
		.json_bytes = f->json_bytes,
		.input_bytes = f->done_bytes,
		.rows = f->rows,
		.inst_id = f->inst_id,
		.loaded = f->loaded };
	reply->json[f->json_bytes] = '\0';
	return socket_receive(fd, reply->json, f->json_bytes);
}

/* Waits for the next frame. If the load is cancelled or takes too long, closes the sending side of the socket. The
 * supervisor then ends the load. */
static bool
next_frame(struct watch *w, struct loader_frame *f)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };

	while (poll(&p, 1, STEP_MS) <= 0) {
		if (w->told)
			continue;
		w->late = clock_seconds() > w->until;
		w->told = w->late || is_cancelled(w->request);
		if (w->told)
			shutdown(w->fd, SHUT_WR);
	}
	return socket_receive(w->fd, f, sizeof(*f));
}

static bool
converse(int fd, const struct import_request *r, struct loader_reply *reply, struct error *err)
{
	struct watch w = { .fd = fd,
		.request = r,
		.until = clock_seconds() + (double)r->limits->seconds + GRACE_SECONDS };
	struct loader_frame f;
	int status = 256;

	while (next_frame(&w, &f)) {
		switch (f.kind) {
		case LOADER_PROGRESS:
			if (r->watch)
				r->watch(r->watch_self, f.done_bytes, f.all_bytes, f.rows);
			continue;
		case LOADER_DONE:
			if (take_reply(fd, &f, reply))
				return true;
			free(reply->json);
			reply->json = NULL;
			continue;
		case LOADER_FAILED:
			if (socket_receive(fd, err, sizeof(*err)))
				return false;
			continue;
		case LOADER_ENDED:
			status = f.status;
			break;
		}
		break;
	}
	return ended(&w, status, err);
}

bool
loader_run(struct loader *l, const struct import_request *request, struct loader_reply *reply,
	struct error *err)
{
	int pair[2] = { -1, -1 };
	int fds[LOADER_FDS] = { [LOADER_UPLOAD] = *request->fd };
	bool ok;

	*reply = (struct loader_reply){ .json = NULL };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return error_set_errno(
			err, ERROR_INTERNAL, "cannot start a process for the upload");
	fds[LOADER_REQUEST] = loader_request_write(request, err);
	fds[LOADER_CONVERSATION] = pair[1];
	ok = fds[LOADER_REQUEST] >= 0 && send_task(l, fds, err);
	close(pair[1]);
	if (fds[LOADER_REQUEST] >= 0)
		close(fds[LOADER_REQUEST]);
	l->pool->open++;
	ok = ok && converse(pair[0], request, reply, err);
	l->pool->open--;
	close(pair[0]);
	if (!ok)
		service_request_words(err);
	return ok;
}
