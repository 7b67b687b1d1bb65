/*
 * Answers requests with an invalid Content-Length. libmicrohttpd rejects them without calling the
 * access handler. Up to version 0.9.75 it then sends two heads, which a client would read as two
 * answers. It logs a message before it sends, so the answer is sent then. Afterwards, the
 * connection's stream is shut down, and whatever libmicrohttpd sends is discarded.
 */
#include "http_head.h"

#include "base/strbuf.h"
#include "input/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
	MAX_ANSWER_BYTES = 16 * 1024,
	MAX_DISCARDED_BYTES = 1024 * 1024,
};

static _Thread_local bool is_listener;

void
http_head_begins(struct exchange *x)
{
	struct listener *l = x->listener;

	is_listener = true;
	x->next = l->heads;
	if (x->next)
		x->next->previous = x;
	l->heads = x;
}

void
http_head_ends(struct exchange *x)
{
	if (x->next)
		x->next->previous = x->previous;
	*(x->previous ? &x->previous->next : &x->listener->heads) = x->next;
	x->next = x->previous = NULL;
}

/* Returns the first Content-Length, which is the one that libmicrohttpd uses; NULL if absent. */
static const char *
length_of(struct exchange *x)
{
	return MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, "Content-Length");
}

static bool
is_number(const char *s)
{
	return *s && s[strspn(s, "0123456789")] == '\0';
}

/* libmicrohttpd accepts numbers below 2^64. */
static bool
is_too_large(const char *number)
{
	errno = 0;
	(void)strtoull(number, NULL, 10);
	return errno == ERANGE;
}

static void
set_error(struct exchange *x, const char *length)
{
	x->answer.status = is_number(length) ? 413 : 400;
	if (x->answer.status == 413)
		error_set(&x->error, ERROR_LIMIT, "the Content-Length %.40s is too large", length);
	else
		error_set(&x->error, ERROR_USAGE, "the Content-Length \"%.40s\" is not a number",
			length);
}

static enum MHD_Result
put_header(void *self, enum MHD_ValueKind kind, const char *name, const char *value)
{
	(void)kind;
	strbuf_printf(self, "%s: %s\r\n", name, value);
	return MHD_YES;
}

static void
put_date(struct strbuf *b)
{
	time_t now = time(NULL);
	char text[64];
	struct tm tm;

	if (gmtime_r(&now, &tm) && strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &tm))
		strbuf_printf(b, "Date: %s\r\n", text);
}

static bool
put_body(struct exchange *x, struct strbuf *b)
{
	size_t size = (size_t)spool_size(x->sent);
	struct error err = ERROR_INIT;
	char *room;

	strbuf_printf(b, "Content-Length: %zu\r\n\r\n", size);
	room = strbuf_reserve(b, size);
	if (!room || !spool_read(x->sent, room, size, &err))
		return false;
	b->size += size;
	return true;
}

/* Writes the answer as libmicrohttpd would send it. */
static bool
put_answer(struct exchange *x, struct strbuf *b)
{
	unsigned status = (unsigned)x->answer.status;
	struct MHD_Response *r = http_make_response(x);

	if (!r)
		return false;
	strbuf_printf(b, "HTTP/1.1 %u %s\r\n", status, MHD_get_reason_phrase_for(status));
	put_date(b);
	MHD_get_response_headers(r, put_header, b);
	MHD_destroy_response(r);
	return put_body(x, b) && !b->failed;
}

static int
socket_of(struct exchange *x)
{
	return MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_CONNECTION_FD)
		->connect_fd;
}

/* Reads what has already arrived. If a socket is closed with unread bytes, the system resets the connection,
 * and the client may lose the answer. */
static void
discard_input(int fd)
{
	char block[16 * 1024];
	size_t total = 0;
	ssize_t n;

	while (total < MAX_DISCARDED_BYTES &&
		(n = recv(fd, block, sizeof(block), MSG_DONTWAIT)) > 0)
		total += (size_t)n;
}

/* Over TLS, only libmicrohttpd can encrypt, so the connection ends without an answer. */
static void
reject(struct exchange *x, const char *length)
{
	int fd = socket_of(x);
	struct strbuf b;

	x->ends = true;
	set_error(x, length);
	http_answer_error(x);
	strbuf_init(&b, MAX_ANSWER_BYTES);
	if (put_answer(x, &b) && !x->listener->server->options->tls_certificate)
		x->rejected =
			send(fd, b.data, b.size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)b.size;
	strbuf_release(&b);
	discard_input(fd);
	shutdown(fd, SHUT_WR);
}

void
http_reject_lengths(struct listener *l)
{
	for (struct exchange *x = is_listener ? l->heads : NULL; x; x = x->next) {
		const char *length = x->ends ? NULL : length_of(x);

		if (length && (!is_number(length) || is_too_large(length)))
			reject(x, length);
	}
}
