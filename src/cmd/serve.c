#include "cmd/commands.h"
#include "service/server.h"

#include <stddef.h>

struct serve_options {
	struct server_options server;
	const char *max_request, *max_batch, *max_upload, *max_header, *min_rate;
};

enum {
	DEFAULT_WORKERS = 8,
	DEFAULT_CONNECTIONS = 2048,
	DEFAULT_QUEUE = 512,
	DEFAULT_IDLE_SECONDS = 30,
	DEFAULT_REQUEST_SECONDS = 60,
	DEFAULT_QUERY_SECONDS = 60,
	DEFAULT_STOP_SECONDS = 30,
	MIN_HEADER_BYTES = 4096,
	MAX_HEADER_BYTES = 1024 * 1024,
};

static void
serve_defaults(void *target)
{
	struct serve_options *o = target;

	o->server = (struct server_options){
		.http = { .listen = "127.0.0.1:8080",
			.workers = DEFAULT_WORKERS,
			.connections = DEFAULT_CONNECTIONS,
			.queue = DEFAULT_QUEUE,
			.idle_seconds = DEFAULT_IDLE_SECONDS,
			.request_seconds = DEFAULT_REQUEST_SECONDS },
		.query_seconds = DEFAULT_QUERY_SECONDS,
		.stop_seconds = DEFAULT_STOP_SECONDS,
	};
	o->max_request = "1M";
	o->max_batch = "64M";
	o->max_upload = "16G";
	o->max_header = "16K";
	o->min_rate = "1K";
}

#define MEMBER(m) offsetof(struct serve_options, m)
#define SERVER(m) offsetof(struct serve_options, server.m)
#define HTTP(m) SERVER(http.m)
static const struct option_spec specs[] = {
	{ "listen", 0, OPTION_TEXT, "ADDRESS:PORT",
		"where to serve; 127.0.0.1:8080 when left out, port 0 picks one, unix:PATH is a socket",
		HTTP(listen), NULL, 0, 0 },
	{ "legacy-listen", 0, OPTION_TEXT, "ADDRESS:PORT",
		"a second listener, whose every path is kernelscope's logger", HTTP(legacy_listen),
		NULL, 0, 0 },
	{ "legacy", 0, OPTION_FLAG, NULL, "play kernelscope's logger on the first listener too",
		SERVER(legacy), NULL, 0, 0 },
	{ "token-file", 0, OPTION_TEXT, "FILE",
		"who may do what; needed where other machines can reach it", SERVER(token_file),
		NULL, 0, 0 },
	{ "tls-certificate", 0, OPTION_TEXT, "FILE", "serve https with this PEM certificate",
		HTTP(tls_certificate), NULL, 0, 0 },
	{ "tls-key", 0, OPTION_TEXT, "FILE", "its key", HTTP(tls_key), NULL, 0, 0 },
	{ "web", 0, OPTION_TEXT, "DIR", "the folder of the pages; as installed when left out",
		SERVER(web), NULL, 0, 0 },
	{ "access-log", 0, OPTION_TEXT, "FILE",
		"append a line a request, without queries and bodies; - is standard error",
		SERVER(access_log), NULL, 0, 0 },
	{ "workers", 0, OPTION_INT, "N", "requests that are answered at once; 8 when left out",
		HTTP(workers), NULL, 1, 256 },
	{ "connections", 0, OPTION_INT, "N", "clients at once; 2048 when left out",
		HTTP(connections), NULL, 1, 100000 },
	{ "connections-each", 0, OPTION_INT, "N", "clients of one address at once; 0: no limit",
		HTTP(connections_each), NULL, 0, 100000 },
	{ "queue", 0, OPTION_INT, "N",
		"requests that may wait for a worker, more are told to come again; 512 when left out",
		HTTP(queue), NULL, 1, 1000000 },
	{ "idle-timeout", 0, OPTION_INT, "SECONDS",
		"close what neither sends nor reads; 30 when left out", HTTP(idle_seconds), NULL, 1,
		86400 },
	{ "request-timeout", 0, OPTION_INT, "SECONDS",
		"for a request to arrive that is no upload; 60 when left out",
		HTTP(request_seconds), NULL, 1, 86400 },
	{ "query-timeout", 0, OPTION_INT, "SECONDS",
		"give up on a query after this time; 60 when left out", SERVER(query_seconds), NULL,
		1, 86400 },
	{ "max-request", 0, OPTION_TEXT, "SIZE", "of a request's document; 1M when left out",
		MEMBER(max_request), NULL, 0, 0 },
	{ "max-batch", 0, OPTION_TEXT, "SIZE", "of a batch of events; 64M when left out",
		MEMBER(max_batch), NULL, 0, 0 },
	{ "max-upload", 0, OPTION_TEXT, "SIZE", "of an uploaded file; 16G when left out",
		MEMBER(max_upload), NULL, 0, 0 },
	{ "max-header", 0, OPTION_TEXT, "SIZE",
		"of a request's first line and headers, half of it for the line; 16K when left out",
		MEMBER(max_header), NULL, 0, 0 },
	{ "min-rate", 0, OPTION_TEXT, "SIZE",
		"a second: give up on a batch, an upload or an answer that goes slower; 1K when left "
		"out",
		MEMBER(min_rate), NULL, 0, 0 },
	{ "rate", 0, OPTION_INT, "N",
		"requests a second of one address; 0, no limit, when left out", HTTP(rate), NULL, 0,
		1000000 },
	{ "stop-timeout", 0, OPTION_INT, "SECONDS",
		"for what is under way when the server is told to end; 30 when left out",
		SERVER(stop_seconds), NULL, 0, 86400 },
	{ "public-name", 0, OPTION_LIST, "HOST",
		"a name that it goes by, as a proxy before it does; may be repeated",
		HTTP(public_names), NULL, 0, 0 },
	{ "behind-proxy", 0, OPTION_FLAG, NULL,
		"only a proxy reaches it, whose X-Forwarded-For tells who asks", HTTP(behind_proxy),
		NULL, 0, 0 },
	{ .name = NULL },
};
#undef HTTP
#undef SERVER
#undef MEMBER

static bool
read_size(const char *option, const char *text, int64_t *out, struct error *err)
{
	if (option_parse_bytes(text, out) && *out > 0)
		return true;
	error_set(err, ERROR_USAGE, "--%s: \"%s\" is no size", option, text);
	return error_hint(err, "a size is a number, or one with K, M or G behind it");
}

static int
serve_run(struct command_call *call, struct error *err)
{
	struct serve_options *o = call->target;
	struct http_options *s = &o->server.http;

	o->server.db = call->global->db;
	if (call->operands.count) {
		error_set(err, ERROR_USAGE, "serve takes no operand, and \"%s\" is one",
			call->operands.items[0]);
		return -1;
	}
	if (!read_size("max-request", o->max_request, &s->max_request_bytes, err) ||
		!read_size("max-batch", o->max_batch, &s->max_batch_bytes, err) ||
		!read_size("max-upload", o->max_upload, &s->max_upload_bytes, err) ||
		!read_size("max-header", o->max_header, &s->max_header_bytes, err) ||
		!read_size("min-rate", o->min_rate, &s->min_rate, err))
		return -1;
	if (s->max_header_bytes < MIN_HEADER_BYTES || s->max_header_bytes > MAX_HEADER_BYTES) {
		error_set(err, ERROR_USAGE, "--max-header: a size is from 4K to 1M here");
		return -1;
	}
	return server_run(&o->server, call->out, err) ? 0 : -1;
}

const struct command command_serve = {
	.name = "serve",
	.operands = "",
	.summary = "answer over HTTP",
	.description =
		"Serves the depot over HTTP until it is told to end (SIGTERM or SIGINT); requests "
		"that are under way are answered first. The addresses are printed once they answer.\n\n"
		"Only this machine can reach it, unless told otherwise; where other machines can, a "
		"token file is needed. --tls-certificate and --tls-key make it speak https.",
	.options = specs,
	.target_size = sizeof(struct serve_options),
	.defaults = serve_defaults,
	.run = serve_run,
};
