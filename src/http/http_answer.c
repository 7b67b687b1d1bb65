/* Answers: the body's spool, the error document, and the response for libmicrohttpd. */
#define _GNU_SOURCE /* fopencookie */
#include "base/json_writer.h"
#include "http_coding.h"
#include "http_private.h"
#include "input/spool.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

enum {
	SEND_BYTES = 16 * 1024 /* libmicrohttpd's buffer for each answer */
};

static ssize_t
stream_write(void *cookie, const char *data, size_t size)
{
	struct error err = ERROR_INIT;

	if (spool_write(cookie, data, size, &err))
		return (ssize_t)size;
	errno = ENOSPC;
	return 0;
}

struct spool *
http_spool_shared(const struct exchange *x, struct spool *s)
{
	spool_share(s, x->listener->server->options->memory);
	return s;
}

struct spool *
http_spool_new(const struct exchange *x)
{
	return http_spool_shared(x, spool_new(HTTP_BODY_MEMORY_BYTES));
}

FILE *
http_spool_stream(struct spool *s)
{
	return fopencookie(s, "w", (cookie_io_functions_t){ .write = stream_write });
}

void
http_replace_body(struct exchange *x, struct spool *body)
{
	x->answer.constant = TEXT_NULL;
	if (x->answer.out)
		fclose(x->answer.out);
	spool_free(x->sent);
	x->sent = body;
	x->answer.out = http_spool_stream(body);
}

void
http_answer_field(struct http_answer *a, const char *name, const char *value)
{
	if (a->field_count == HTTP_MAX_ANSWER_FIELDS)
		return;
	a->fields[a->field_count++] = (struct http_field){ name, text_from(value) };
}

struct text
http_answer_value(struct http_answer *a, const char *name)
{
	return http_field_find(&(struct http_fields){ a->fields, a->field_count }, name);
}

static bool
is_set(struct http_answer *a, const char *name)
{
	return http_answer_value(a, name).data;
}

static bool
is_of_query(const char *sqlstate)
{
	static const char *const passing[] = { "08", "40", "53", "55", "57", "58" };

	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
		if (strncmp(sqlstate, passing[i], 2) == 0)
			return false;
	return sqlstate[0] != '\0';
}

static int
error_status(const struct exchange *x)
{
	if (x->answer.status >= 400)
		return x->answer.status;
	/* The query was cancelled by the statement timeout. */
	if (strcmp(x->error.sqlstate, "57014") == 0)
		return 504;
	/* The query itself failed; the database is not down, busy or full. */
	if (x->error.code == ERROR_DATABASE && is_of_query(x->error.sqlstate))
		return 500;
	return error_http_status(x->error.code);
}

static void
drop_fields_of_body(struct http_answer *a)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->field_count; i++)
		if (strncasecmp(a->fields[i].name, "Content-", 8) != 0 &&
			strcasecmp(a->fields[i].name, "Cache-Control") != 0 &&
			strcasecmp(a->fields[i].name, "ETag") != 0)
			a->fields[kept++] = a->fields[i];
	a->field_count = kept;
}

/* Returns the kind of the error. If clients handle the status in a special way, the status alone decides.
 * Otherwise, the program's error code decides. */
static const char *
kind_of(int status, enum error_code code)
{
	switch (status) {
	case 401:
		return "unauthorized";
	case 403:
		return "forbidden";
	case 405:
		return "method-not-allowed";
	case 406:
		return "not-acceptable";
	case 409:
		return code == ERROR_STALE_CURSOR ? error_code_name(code) : "conflict";
	case 415:
		return "unsupported-media-type";
	case 429:
		return "too-many-requests";
	case 504:
		return "timeout";
	default:
		return error_code_name(code);
	}
}

/* Writes the members that RFC 9457 defines, and `code`, the kind of the error. The member `type` is a URI
 * that ends with this kind. */
static void
put_problem(struct json_writer *w, int status, const struct error *err)
{
	static const char prefix[] = "urn:profdepot:error:";
	char type[64];

	snprintf(type, sizeof(type), "%s%s", prefix, kind_of(status, err->code));
	for (char *c = type; *c; c++)
		if (*c == ' ') /* a URI contains no space */
			*c = '-';
	json_key_string(w, "type", type);
	json_key_string(w, "code", type + strlen(prefix));
	json_key_string(w, "title", MHD_get_reason_phrase_for((unsigned)status));
	json_key_int(w, "status", status);
	json_key_string(w, "detail", err->message);
}

void
http_answer_error(struct exchange *x)
{
	struct http_answer *a = &x->answer;
	struct json_writer w;

	a->status = error_status(x);
	a->content_type = "application/problem+json";
	drop_fields_of_body(a);
	if ((a->status == 503 || a->status == 429) && !is_set(a, "Retry-After"))
		http_answer_field(a, "Retry-After", "1");
	http_replace_body(x, http_spool_new(x));
	json_writer_init(&w, a->out, false);
	json_begin_object(&w);
	json_key_error(&w, a->status, &x->error);
	put_problem(&w, a->status, &x->error);
	json_end_object(&w);
	fputc('\n', a->out);
}

static ssize_t
send_block(void *self, uint64_t at, char *out, size_t room)
{
	struct exchange *x = self;
	struct error err = ERROR_INIT;
	uint64_t left = spool_size(x->sent) - at;
	size_t n = left < room ? (size_t)left : room;

	if (n == 0)
		return MHD_CONTENT_READER_END_OF_STREAM;
	return spool_read(x->sent, out, n, &err) ? (ssize_t)n : MHD_CONTENT_READER_END_WITH_ERROR;
}

/* With these headers, other sites cannot show our pages in frames, browsers do not guess types, pages
 * send no referrer, and a browser that has used https never uses http. */
static void
add_security(struct MHD_Response *r, bool tls)
{
	static const char *const fields[][2] = {
		{ "X-Content-Type-Options", "nosniff" },
		{ "X-Frame-Options", "SAMEORIGIN" },
		{ "Referrer-Policy", "no-referrer" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		MHD_add_response_header(r, fields[i][0], fields[i][1]);
	if (tls)
		MHD_add_response_header(r, "Strict-Transport-Security", "max-age=31536000");
}

struct MHD_Response *
http_make_response(struct exchange *x)
{
	struct http_answer *a = &x->answer;
	struct error err = ERROR_INIT;
	struct MHD_Response *r;

	if (a->out && (fflush(a->out) != 0 || ferror(a->out)))
		return NULL;
	if (a->out)
		fclose(a->out);
	a->out = NULL;
	if (!spool_rewind(x->sent, &err))
		return NULL;
	if (a->constant.data)
		r = MHD_create_response_from_buffer(a->constant.size,
			(void *)(uintptr_t)a->constant.data, MHD_RESPMEM_PERSISTENT);
	else
		r = MHD_create_response_from_callback(
			spool_size(x->sent), SEND_BYTES, send_block, x, NULL);
	if (!r)
		return NULL;
	add_security(r, x->listener->server->options->tls_certificate != NULL);
	if (x->ends || http_clients_stopping(x->listener->server))
		MHD_add_response_header(r, "Connection", "close");
	if (a->content_type && a->status != 204)
		MHD_add_response_header(r, "Content-Type", a->content_type);
	if (!is_set(a, "Content-Security-Policy"))
		MHD_add_response_header(
			r, "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
	if (!is_set(a, "Cache-Control"))
		MHD_add_response_header(r, "Cache-Control", "no-store");
	for (size_t i = 0; i < a->field_count; i++)
		MHD_add_response_header(r, a->fields[i].name, a->fields[i].value.data);
	return r;
}
