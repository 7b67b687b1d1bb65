/* The process that answers requests for a server. */
#define _GNU_SOURCE /* fopencookie */
#include "base/memory_pool.h"
#include "base/socket.h"
#include "http_remote.h"
#include "input/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct remote {
	int fd;
	struct arena arena;
	struct remote_request head;
	struct http_request request;
	struct http_answer answer;
	struct spool *body;
};

void
http_remote_fail(int fd, const struct error *err, int status)
{
	struct remote_answer head;

	memset(&head, 0, sizeof(head));
	head.last = true;
	head.status = status;
	head.error = *err;
	socket_send(fd, &head, sizeof(head));
}

/* Ends the process if the body cannot be stored. Therefore no handler needs to check for this. */
static ssize_t
write_body(void *cookie, const char *data, size_t size)
{
	struct remote *r = cookie;
	struct error err = ERROR_INIT;

	if (spool_write(r->body, data, size, &err))
		return (ssize_t)size;
	if (err.code == ERROR_LIMIT) {
		error_set(&err, ERROR_LIMIT, "the answer exceeds %lld bytes",
			(long long)r->head.max_answer);
		error_hint(&err, "ask for fewer rows; the command line or a server with a larger "
				 "--max-answer can answer");
	}
	http_remote_fail(r->fd, &err, 0);
	_exit(0);
}

/* --- the request --- */

static const char *
take_fields(struct remote *r, const char *at, size_t count, struct http_fields *out)
{
	out->items = arena_alloc_array(&r->arena, count, sizeof(*out->items));
	out->count = count;
	for (size_t i = 0; i < count; i++) {
		out->items[i].name = at;
		at += strlen(at) + 1;
		out->items[i].value = text_from(at);
		at += out->items[i].value.size + 1;
	}
	return at;
}

static bool
receive_body(struct remote *r)
{
	struct error err = ERROR_INIT;
	uint64_t left = r->head.body_bytes;
	char piece[REMOTE_PIECE_BYTES];

	r->request.body = spool_new(REMOTE_INLINE_BYTES);
	while (left) {
		size_t n = left < sizeof(piece) ? (size_t)left : sizeof(piece);

		if (!socket_receive(r->fd, piece, n) ||
			!spool_write(r->request.body, piece, n, &err))
			return false;
		left -= n;
	}
	return spool_rewind(r->request.body, &err);
}

static bool
receive_request(struct remote *r)
{
	struct http_request *q = &r->request;
	char *texts;
	const char *at;

	if (!socket_receive(r->fd, &r->head, sizeof(r->head)))
		return false;
	texts = arena_alloc(&r->arena, r->head.text_bytes);
	if (!socket_receive(r->fd, texts, r->head.text_bytes))
		return false;
	*q = (struct http_request){ .method = r->head.method,
		.scopes = r->head.scopes,
		.body_bytes = r->head.body_bytes,
		.path = texts };
	at = texts + strlen(texts) + 1;
	q->peer = at;
	at += strlen(at) + 1;
	at = take_fields(r, at, r->head.query_count, &q->query);
	at = take_fields(r, at, r->head.part_count, &q->parts);
	take_fields(r, at, r->head.header_count, &q->headers);
	return receive_body(r);
}

/* --- the answer --- */

static bool
handle(struct remote *r, void *owner, void *worker, struct error *err)
{
	struct http_call call = { .arena = &r->arena,
		.request = &r->request,
		.answer = &r->answer,
		.owner = owner,
		.worker = worker,
		.deadline = r->head.deadline };
	bool ok;

	r->answer = (struct http_answer){ .status = 200, .content_type = "application/json" };
	r->body = spool_new(REMOTE_INLINE_BYTES);
	spool_limit(r->body, (uint64_t)r->head.max_answer);
	r->answer.out = fopencookie(r, "w", (cookie_io_functions_t){ .write = write_body });
	if (!r->answer.out)
		return error_set(err, ERROR_INTERNAL, "no memory for the answer");
	ok = r->head.route->handler(&call, err);
	fclose(r->answer.out);
	return ok;
}

static char *
texts_of(struct remote *r, size_t *size)
{
	const struct http_answer *a = &r->answer;
	char *texts = NULL;
	FILE *out = open_memstream(&texts, size);

	if (!out)
		return NULL;
	fputs(a->content_type ? a->content_type : "", out);
	fputc('\0', out);
	for (size_t i = 0; i < a->field_count; i++) {
		fwrite(a->fields[i].name, 1, strlen(a->fields[i].name) + 1, out);
		fwrite(a->fields[i].value.data, 1, a->fields[i].value.size + 1, out);
	}
	fclose(out);
	return texts;
}

static bool
send_body(struct remote *r, bool as_file)
{
	struct error err = ERROR_INIT;
	uint64_t left = spool_size(r->body);
	char piece[REMOTE_PIECE_BYTES];
	int file = as_file ? spool_file(r->body, &err) : -1;
	bool ok = as_file ? file >= 0 && socket_send_fds(r->fd, &file, 1)
			  : spool_rewind(r->body, &err);

	while (ok && left && !as_file) {
		size_t n = left < sizeof(piece) ? (size_t)left : sizeof(piece);

		ok = spool_read(r->body, piece, n, &err) && socket_send(r->fd, piece, n);
		left -= n;
	}
	return ok;
}

static bool
send_answer(struct remote *r, bool ok, bool last, const struct error *err)
{
	struct remote_answer head;
	char *texts;
	bool sent;

	memset(&head, 0, sizeof(head));
	texts = texts_of(r, &head.text_bytes);
	head.ok = ok;
	head.last = last;
	head.error = *err;
	head.status = r->answer.status;
	head.has_type = r->answer.content_type != NULL;
	head.field_count = r->answer.field_count;
	head.body_bytes = ok ? spool_size(r->body) : 0;
	head.has_file = head.body_bytes > REMOTE_INLINE_BYTES;
	sent = texts && socket_send(r->fd, &head, sizeof(head)) &&
	       socket_send(r->fd, texts, head.text_bytes) &&
	       (!head.body_bytes || send_body(r, head.has_file));
	free(texts);
	return sent;
}

static void
release(struct remote *r)
{
	spool_free(r->request.body);
	spool_free(r->body);
	arena_release(&r->arena);
}

bool
http_remote_serve(int fd, void *owner, void *worker, int64_t trim_bytes)
{
	struct remote r = { .fd = fd, .arena = ARENA_INIT };
	struct error err = ERROR_INIT;
	bool last;
	bool ok;

	if (!receive_request(&r)) {
		release(&r);
		return false;
	}
	ok = handle(&r, owner, worker, &err);
	last = memory_pool_peak() > trim_bytes;
	ok = send_answer(&r, ok, last, &err);
	release(&r);
	return ok && !last;
}
