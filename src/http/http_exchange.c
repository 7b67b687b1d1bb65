/*
 * Exchanges: libmicrohttpd's callbacks receive a request, put it into the queue for the workers,
 * and send the answer. They run on the listeners' threads, which never wait for a database or a
 * client.
 */
#include "base/clock.h"
#include "base/number.h"
#include "http_head.h"
#include "input/spool.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum {
	MAX_LINES_PER_MINUTE = 10
};

/* --- life --- */

/* Cuts the query off before libmicrohttpd splits it into fields. If a connection's memory is too
 * small for the fields, libmicrohttpd 0.9.75 never answers. Writing here is safe, since
 * libmicrohttpd itself writes into this text. */
static void
hide_query(const char *uri)
{
	char *query = strchr((char *)(uintptr_t)uri, '?');

	if (query && query[1])
		query[1] = '\0';
}

/* Returns whether the target contains a NUL or the version is missing. Otherwise, the target ends with the NUL
 * that libmicrohttpd writes, and the version follows this NUL. */
static bool
is_cut(const char *uri)
{
	return strncmp(uri + strlen(uri) + 1, "HTTP/", 5) != 0;
}

static const char *
peer_name(struct exchange *x)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(x->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	char name[INET6_ADDRSTRLEN] = "-";

	if (x->listener->is_unix)
		return "unix";
	if (info && info->client_addr->sa_family == AF_INET)
		inet_ntop(AF_INET, &((struct sockaddr_in *)info->client_addr)->sin_addr, name,
			sizeof(name));
	else if (info && info->client_addr->sa_family == AF_INET6)
		inet_ntop(AF_INET6, &((struct sockaddr_in6 *)info->client_addr)->sin6_addr, name,
			sizeof(name));
	return arena_strdup(&x->arena, name);
}

static void *
exchange_new(void *self, const char *uri, struct MHD_Connection *connection)
{
	struct exchange *x = xcalloc(1, sizeof(*x));

	x->listener = self;
	x->connection = connection;
	x->client = http_client_of(connection);
	http_client_enter(x->client, CLIENT_HEAD, 0);
	x->uri = arena_strdup(&x->arena, uri ? uri : "");
	x->cut = uri && is_cut(uri);
	if (uri)
		hide_query(uri);
	x->started = clock_seconds();
	x->request.method = HTTP_METHODS; /* not known yet */
	x->request.peer = peer_name(x);
	x->answer.status = 200;
	x->answer.content_type = "application/json";
	x->error = ERROR_INIT;
	http_head_begins(x);
	return x;
}

static void
exchange_free(struct exchange *x)
{
	if (x->answer.out)
		fclose(x->answer.out);
	spool_free(x->request.body);
	spool_free(x->sent);
	arena_release(&x->arena);
	free(x);
}

static uint64_t
size_of_answer(const struct exchange *x)
{
	if (x->answer.constant.data)
		return x->answer.constant.size;
	return x->sent ? spool_size(x->sent) : 0;
}

static void
report_end(struct exchange *x, bool complete)
{
	const struct http_hooks *hooks = x->listener->server->hooks;
	const struct http_ended ended = {
		.route = x->route,
		.request = &x->request,
		.status = x->answer.status,
		.sent_bytes = size_of_answer(x),
		.seconds = clock_seconds() - x->started,
		.complete = complete,
	};

	hooks->ended(hooks->self, &ended);
}

static void
completed(void *self, struct MHD_Connection *connection, void **closure,
	enum MHD_RequestTerminationCode how)
{
	struct exchange *x = *closure;

	(void)self;
	(void)connection;
	if (!x)
		return;
	if (x->state == EXCHANGE_NEW)
		http_head_ends(x);
	report_end(x, how == MHD_REQUEST_TERMINATED_COMPLETED_OK || x->rejected);
	http_client_enter(x->client, CLIENT_IDLE, 0);
	exchange_free(x);
	*closure = NULL;
}

/* --- the request --- */

static enum MHD_Result
keep_field(void *self, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct exchange *x = self;
	struct http_fields *f = &x->request.headers;

	(void)kind;
	f->items[f->count++] = (struct http_field){
		.name = arena_strdup(&x->arena, name),
		.value = text_from(arena_strdup(&x->arena, value ? value : "")),
	};
	return MHD_YES;
}

static void
read_headers(struct exchange *x)
{
	struct http_fields *f = &x->request.headers;
	int count = MHD_get_connection_values(x->connection, MHD_HEADER_KIND, NULL, NULL);

	f->items = arena_alloc_array(&x->arena, count > 0 ? (size_t)count : 0, sizeof(*f->items));
	MHD_get_connection_values(x->connection, MHD_HEADER_KIND, keep_field, x);
}

/* Returns the route for an old sender, which uses other paths, or NULL. */
static const struct http_route *
legacy_route(const struct exchange *x)
{
	const struct http_hooks *hooks = x->listener->server->hooks;

	return hooks->legacy_route(hooks->self, &x->request);
}

/* Returns the path of a target such as "http://host/path", which clients send to a proxy. The host
 * replaces the Host header (RFC 9112, 3.2.2). */
static char *
origin_form(struct exchange *x, char *target)
{
	struct http_fields *f = &x->request.headers;
	size_t scheme = strncasecmp(target, "http://", 7) == 0    ? 7
			: strncasecmp(target, "https://", 8) == 0 ? 8
								  : 0;
	size_t host = strcspn(target + scheme, "/?");

	if (!scheme || !host)
		return target;
	for (size_t i = 0; i < f->count; i++)
		if (strcasecmp(f->items[i].name, "Host") == 0)
			f->items[i].value =
				text_from(arena_strndup(&x->arena, target + scheme, host));
	target += scheme + host;
	return *target == '/' ? target : arena_printf(&x->arena, "/%s", target);
}

/* Decodes the path, but replaces each encoded '/' by HTTP_SLASH. Does not check the escapes: read_target does. */
static const char *
segments_of(struct arena *a, const char *encoded)
{
	char *path = arena_strdup(a, encoded);
	char *to = path;

	for (const char *from = path; *from; to++) {
		bool slash = from[0] == '%' && from[1] == '2' && (from[2] | 0x20) == 'f';

		*to = slash ? HTTP_SLASH : *from;
		from += slash ? 3 : 1;
	}
	*to = '\0';
	http_unescape(path, false);
	return path;
}

static bool
read_target(struct exchange *x, struct error *err)
{
	struct http_request *q = &x->request;
	char *path = origin_form(x, arena_strdup(&x->arena, x->uri));
	char *query = strchr(path, '?');

	if (query)
		*query++ = '\0';
	q->path = path;
	q->segments = segments_of(&x->arena, path);
	if (path[0] != '/')
		return error_set(err, ERROR_USAGE, "the request's path does not begin with /");
	if (!http_unescape(path, false))
		return error_set(err, ERROR_USAGE,
			"the path contains %%00, or %% without two hexadecimal digits");
	if (text_utf8_prefix(path, strlen(path)) != strlen(path))
		return error_set(err, ERROR_USAGE, "the path is not UTF-8");
	if (http_parse_query(&x->arena, query ? query : "", &q->query, err))
		return true;
	/* Old senders may add any query to their path. */
	if (!q->legacy && !legacy_route(x))
		return false;
	error_clear(err);
	return true;
}

/* The Content-Length; -1 if absent, INT64_MAX if larger. */
static int64_t
announced(const struct exchange *x)
{
	struct text t = http_header_find(&x->request.headers, "Content-Length");
	struct number n;
	int64_t v;

	if (!t.data)
		return -1;
	/* libmicrohttpd has checked that it is a number. */
	return number_parse(t, &n) == NUMBER_OK && number_to_int64(n, &v) ? v : INT64_MAX;
}

static bool
has_body(const struct exchange *x)
{
	return announced(x) > 0 ||
	       http_header_find(&x->request.headers, "Transfer-Encoding").data != NULL;
}

static uint64_t
body_limit(const struct exchange *x)
{
	const struct http_options *o = x->listener->server->options;

	switch (x->route->body) {
	case HTTP_BODY_SMALL:
		return (uint64_t)o->max_request_bytes;
	case HTTP_BODY_EVENTS:
		return (uint64_t)o->max_batch_bytes;
	case HTTP_BODY_UPLOAD:
		return (uint64_t)o->max_upload_bytes;
	case HTTP_BODY_NONE:
		break;
	}
	return 0;
}

static bool
too_large(struct exchange *x, struct error *err)
{
	x->answer.status = 413;
	if (x->max_body == 0)
		return error_set(err, ERROR_LIMIT, "this request must not have a body");
	error_set(err, ERROR_LIMIT, "the body exceeds %llu bytes", (unsigned long long)x->max_body);
	return error_hint(err, "split it, or raise the server's limit (profdepot serve --help)");
}

static bool
find_route(struct exchange *x, struct error *err)
{
	const struct http_hooks *hooks = x->listener->server->hooks;
	struct http_request *q = &x->request;
	struct http_match m;

	if (q->method == HTTP_METHODS) {
		x->answer.status = 501;
		return error_set(err, ERROR_USAGE, "unknown method");
	}
	http_match(&x->arena, x->listener->legacy ? hooks->legacy_routes : hooks->routes, q->method,
		q->segments, &m);
	if (m.route) {
		x->route = m.route;
		q->parts = m.parts;
		return true;
	}
	x->route = legacy_route(x);
	q->legacy = q->legacy || x->route;
	if (x->route)
		return true;
	if (!m.methods) {
		error_set(err, ERROR_NOT_FOUND, "there is nothing at %s", q->path);
		return error_hint(err, "%s", hooks->hint);
	}
	/* An old sender gets 501, because kernelscope's logger also answers with 501. */
	x->answer.status = x->listener->legacy ? 501 : 405;
	http_answer_field(&x->answer, "Allow", http_methods_text(&x->arena, m.methods));
	return error_set(
		err, ERROR_USAGE, "%s does not support %s", q->path, http_method_name(q->method));
}

static bool
read_head(struct exchange *x, const char *method, const char *version, struct error *err)
{
	struct http_request *q = &x->request;

	q->method = http_method_find(method);
	q->legacy = x->listener->legacy;
	read_headers(x);
	q->peer = http_forwarded_peer(x, q->peer);
	if (x->cut && *version)
		return error_set(err, ERROR_USAGE, "the path contains a NUL byte");
	return http_check_head(x, version, err) && read_target(x, err);
}

/* Finds the route and checks the rate limit. Requests without a route also count. The route must be found
 * first, because only the route identifies an old sender. */
static bool
find_route_in_rate(struct exchange *x, struct error *err)
{
	bool found = find_route(x, err);

	return http_check_rate(x, err) && found;
}

static bool
authorise(struct exchange *x, struct error *err)
{
	const struct http_hooks *hooks = x->listener->server->hooks;

	return hooks->authorise(hooks->self, x->route, &x->request, &x->answer, err);
}

static bool
begin_request(struct exchange *x, const char *method, const char *version, struct error *err)
{
	if (!read_head(x, method, version, err) || !http_check_site(x, err) ||
		!find_route_in_rate(x, err) || !authorise(x, err))
		return false;
	if (!x->request.legacy && !http_check_parameters(x->route, &x->request,
					  x->listener->server->hooks->hint, err))
		return false;
	x->max_body = body_limit(x);
	if (announced(x) > 0 && (uint64_t)announced(x) > x->max_body)
		return too_large(x, err);
	x->request.body = http_spool_new(x);
	return true;
}

/* --- steps --- */

static enum MHD_Result
send_answer(struct exchange *x)
{
	struct MHD_Response *r = http_make_response(x);
	enum MHD_Result queued;

	x->state = EXCHANGE_ANSWERED;
	if (!r)
		return MHD_NO;
	http_client_enter(x->client, CLIENT_SENDING, size_of_answer(x));
	queued = MHD_queue_response(x->connection, (unsigned)x->answer.status, r);
	MHD_destroy_response(r);
	return queued;
}

static enum MHD_Result
refuse(struct exchange *x)
{
	http_answer_error(x);
	return send_answer(x);
}

static enum client_phase
phase_of_body(const struct exchange *x)
{
	return x->route->body == HTTP_BODY_EVENTS || x->route->body == HTTP_BODY_UPLOAD
		       ? CLIENT_UPLOAD
		       : CLIENT_BODY;
}

static enum MHD_Result
begin(struct exchange *x, const char *method, const char *version)
{
	if (begin_request(x, method, version, &x->error)) {
		x->state = EXCHANGE_RECEIVING;
		http_client_enter(x->client, phase_of_body(x), 0);
		return MHD_YES;
	}
	/* A client that is still sending its body does not read the answer, unless it waits for
	 * permission to send (Expect). An answer to an incomplete request ends the connection. */
	if (x->ends ||
		(has_body(x) && (announced(x) > HTTP_DRAIN_BYTES ||
					http_header_find(&x->request.headers, "Expect").data)))
		return refuse(x);
	x->state = EXCHANGE_DRAINING;
	http_client_enter(x->client, CLIENT_BODY, 0);
	return MHD_YES;
}

static void
drain(struct exchange *x)
{
	x->state = EXCHANGE_DRAINING;
	x->request.body_bytes = 0;
	http_client_enter(x->client, CLIENT_BODY, 0);
}

static enum MHD_Result
receive(struct exchange *x, const char *data, size_t *size)
{
	struct http_request *q = &x->request;

	q->body_bytes += *size;
	if (x->state == EXCHANGE_DRAINING) {
		if (q->body_bytes > HTTP_DRAIN_BYTES)
			return MHD_NO;
	} else if (q->body_bytes > x->max_body) {
		too_large(x, &x->error);
		drain(x);
	} else if (!spool_write(q->body, data, *size, &x->error)) {
		drain(x);
	}
	http_client_received(x->client, q->body_bytes);
	*size = 0;
	return MHD_YES;
}

static enum MHD_Result
dispatch(struct exchange *x)
{
	if (x->state == EXCHANGE_DRAINING)
		return refuse(x);
	http_client_enter(x->client, CLIENT_WORKING, 0);
	http_client_watch(x->client, &x->abandoned);
	if (x->route->lane == HTTP_AT_ONCE)
		return http_answer_now(x) ? send_answer(x) : MHD_YES;
	x->state = EXCHANGE_WORKING;
	MHD_suspend_connection(x->connection);
	if (http_enqueue(x->listener->server, x))
		return MHD_YES;
	x->answer.status = 503;
	error_set(&x->error, ERROR_LIMIT,
		http_clients_stopping(x->listener->server) ? "the server is stopping"
							   : "too many requests are waiting");
	http_answer_error(x);
	x->state = EXCHANGE_ANSWERED;
	MHD_resume_connection(x->connection);
	return MHD_YES;
}

/* libmicrohttpd's signature.
 * NOLINTBEGIN(readability-function-size) */

static enum MHD_Result
access_handler(void *self, struct MHD_Connection *connection, const char *url, const char *method,
	const char *version, const char *data, size_t *size, void **closure)
{
	struct exchange *x = *closure;

	(void)self;
	(void)connection;
	(void)url;
	switch (x->state) {
	case EXCHANGE_NEW:
		http_head_ends(x);
		return begin(x, method, version);
	case EXCHANGE_RECEIVING:
	case EXCHANGE_DRAINING:
		return *size ? receive(x, data, size) : dispatch(x);
	case EXCHANGE_ANSWERED:
		return send_answer(x);
	case EXCHANGE_WORKING:
		break;
	}
	return MHD_NO;
}

/* NOLINTEND(readability-function-size) */

/* --- the daemon --- */

/* The format string comes from libmicrohttpd. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Clients can cause any number of messages, so only a few per minute are printed. */
static void
log_message(void *self, const char *format, va_list arguments)
{
	struct listener *l = self;
	double now = clock_seconds();

	http_reject_lengths(l);
	if (!l->started) {
		vsnprintf(l->said, sizeof(l->said), format, arguments);
		l->said[strcspn(l->said, "\n")] = '\0';
		return;
	}
	if (now - l->said_since > 60) {
		l->said_since = now;
		l->said_lines = 0;
	}
	if (l->said_lines++ >= MAX_LINES_PER_MINUTE)
		return;
	fputs("profdepot: ", stderr);
	vfprintf(stderr, format, arguments);
}

#pragma GCC diagnostic pop

static bool
not_started(const struct listener *l, bool tls, struct error *err)
{
	const struct http_options *o = l->server->options;

	if (tls)
		error_set(err, ERROR_USAGE, "cannot serve https with %s and %s%s%s",
			o->tls_certificate, o->tls_key, l->said[0] ? ": " : "", l->said);
	else
		return error_set(err, ERROR_INTERNAL, "cannot serve on %s%s%s", l->name,
			l->said[0] ? ": " : "", l->said);
	return error_hint(err,
		"the first file contains the certificate followed by its chain, and the second file "
		"contains the key; both are PEM without a password");
}

bool
http_daemon_start(struct listener *l, const char *certificate, const char *key, struct error *err)
{
	const struct http_options *o = l->server->options;
	unsigned flags =
		MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
	struct MHD_OptionItem items[] = {
		{ MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)log_message, l },
		{ MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)exchange_new, l },
		{ MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, l },
		{ MHD_OPTION_LISTEN_SOCKET, l->fd, NULL },
		{ MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)http_client_notify, l },
		{ MHD_OPTION_CONNECTION_MEMORY_LIMIT,
			(intptr_t)(o->max_header_bytes * HTTP_HEADERS_IN_MEMORY), NULL },
		{ MHD_OPTION_CONNECTION_LIMIT, (intptr_t)o->connections, NULL },
		{ MHD_OPTION_PER_IP_CONNECTION_LIMIT, (intptr_t)o->connections_each, NULL },
		{ MHD_OPTION_CONNECTION_TIMEOUT, (intptr_t)o->idle_seconds, NULL },
		{ MHD_OPTION_END, 0, NULL }, /* replaced below by the certificate */
		{ MHD_OPTION_END, 0, NULL }, /* replaced below by the certificate's key */
		{ MHD_OPTION_END, 0, NULL },
	};
	size_t count = sizeof(items) / sizeof(items[0]) - 3;

	if (certificate) {
		flags |= MHD_USE_TLS;
		items[count++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_MEM_CERT, 0,
			(void *)(intptr_t)certificate };
		items[count++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_MEM_KEY, 0,
			(void *)(intptr_t)key };
	}
	l->daemon = MHD_start_daemon(
		flags, 0, NULL, NULL, access_handler, l, MHD_OPTION_ARRAY, items, MHD_OPTION_END);
	l->started = true;
	return l->daemon || not_started(l, certificate != NULL, err);
}
