/* The server's side of an answer that another process makes. */
#include "http_remote.h"
#include "base/clock.h"
#include "base/socket.h"
#include "http_coding.h"
#include "http_private.h"
#include "input/spool.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
	WAIT_STEP_MS = 50,
	MAX_TEXT_BYTES = 16 * 1024 * 1024 /* limit for an answer's fields */
};

/* After the deadline, the server waits this long for the error message of the process, because that
 * message says more than the server's own message. */
static const double grace_seconds = 0.5;

static const char ask_hint[] = "ask for less; the command line or a server with a larger "
			       "--query-timeout can answer";
static const char delete_hint[] =
	"nothing was deleted, unless the deletion ended at the same moment; the command line or a server with a "
	"larger --query-timeout has more time";

bool
http_is_abandoned(const struct http_call *c)
{
	return atomic_load(&c->exchange->abandoned);
}

static size_t
size_of(const struct http_fields *f)
{
	size_t size = 0;

	for (size_t i = 0; i < f->count; i++)
		size += strlen(f->items[i].name) + f->items[i].value.size + 2;
	return size;
}

static char *
put(char *at, const char *s, size_t size)
{
	memcpy(at, s, size);
	at[size] = '\0';
	return at + size + 1;
}

static char *
put_fields(char *at, const struct http_fields *f)
{
	for (size_t i = 0; i < f->count; i++) {
		at = put(at, f->items[i].name, strlen(f->items[i].name));
		at = put(at, f->items[i].value.data ? f->items[i].value.data : "",
			f->items[i].value.size);
	}
	return at;
}

static bool
send_body(int fd, struct spool *body, uint64_t size)
{
	struct error err = ERROR_INIT;
	char piece[REMOTE_PIECE_BYTES];
	bool ok = size == 0 || spool_rewind(body, &err);

	while (ok && size) {
		size_t n = size < sizeof(piece) ? (size_t)size : sizeof(piece);

		ok = spool_read(body, piece, n, &err) && socket_send(fd, piece, n);
		size -= n;
	}
	return ok;
}

static bool
send_request(int fd, struct http_call *c, const struct http_route *route, int64_t max_answer)
{
	const struct http_request *q = c->request;
	const struct remote_request head = {
		.route = route,
		.method = q->method,
		.scopes = q->scopes,
		.deadline = c->deadline,
		.max_answer = max_answer,
		.body_bytes = q->body_bytes,
		.query_count = q->query.count,
		.part_count = q->parts.count,
		.header_count = q->headers.count,
		.text_bytes = strlen(q->path) + strlen(q->peer) + 2 + size_of(&q->query) +
			      size_of(&q->parts) + size_of(&q->headers),
	};
	char *texts = arena_alloc(c->arena, head.text_bytes);
	char *at = put(texts, q->path, strlen(q->path));

	at = put(at, q->peer, strlen(q->peer));
	put_fields(put_fields(put_fields(at, &q->query), &q->parts), &q->headers);
	return socket_send(fd, &head, sizeof(head)) && socket_send(fd, texts, head.text_bytes) &&
	       send_body(fd, q->body, q->body_bytes);
}

static bool
receive_file(int fd, struct exchange *x, uint64_t size)
{
	int file;

	if (!socket_receive_fds(fd, &file, 1) || file < 0)
		return false;
	http_replace_body(x, http_spool_shared(x, spool_adopt(file, size)));
	return true;
}

static bool
receive_inline(int fd, FILE *out, uint64_t size)
{
	char piece[REMOTE_PIECE_BYTES];

	while (size) {
		size_t n = size < sizeof(piece) ? (size_t)size : sizeof(piece);

		if (!socket_receive(fd, piece, n))
			return false;
		fwrite(piece, 1, n, out);
		size -= n;
	}
	return true;
}

static bool
receive_texts(int fd, struct http_call *c, const struct remote_answer *head)
{
	char *texts = head->text_bytes < MAX_TEXT_BYTES
			      ? arena_alloc(c->arena, head->text_bytes + 1)
			      : NULL;
	const char *at = texts;

	if (!texts || !socket_receive(fd, texts, head->text_bytes))
		return false;
	c->answer->content_type = head->has_type ? at : NULL;
	at += strlen(at) + 1;
	for (size_t i = 0; i < head->field_count; i++) {
		const char *value = at + strlen(at) + 1;

		http_answer_field(c->answer, at, value);
		at = value + strlen(value) + 1;
	}
	return true;
}

static bool
receive_answer(int fd, struct http_call *c, struct remote_answer *head)
{
	if (!socket_receive(fd, head, sizeof(*head)))
		return false;
	c->answer->status = head->status;
	if (head->text_bytes && !receive_texts(fd, c, head))
		return false;
	return head->has_file ? receive_file(fd, c->exchange, head->body_bytes)
			      : receive_inline(fd, c->answer->out, head->body_bytes);
}

/* Waits until the answer begins to arrive. Returns false if the client has gone or the time is over. */
static bool
wait_for_answer(int fd, struct http_call *c, struct error *err)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (poll(&p, 1, WAIT_STEP_MS) <= 0) {
		if (http_is_abandoned(c)) {
			c->answer->status = HTTP_CLIENT_GONE;
			return error_set(err, ERROR_USAGE, "the client has disconnected");
		}
		if (clock_seconds() > c->deadline + grace_seconds) {
			c->answer->status = 504;
			error_set(err, ERROR_LIMIT, "the request took too long");
			return error_hint(err, "%s",
				c->request->method == HTTP_DELETE ? delete_hint : ask_hint);
		}
	}
	return true;
}

enum http_remote_end
http_remote_call(int fd, struct http_call *c, const struct http_route *route, int64_t max_answer,
	struct error *err)
{
	struct remote_answer head;

	if (!send_request(fd, c, route, max_answer))
		return HTTP_REMOTE_LOST;
	if (!wait_for_answer(fd, c, err))
		return HTTP_REMOTE_STOPPED;
	if (!receive_answer(fd, c, &head))
		return HTTP_REMOTE_LOST;
	if (!head.ok)
		*err = head.error;
	return head.last ? HTTP_REMOTE_LAST : HTTP_REMOTE_ANSWERED;
}
