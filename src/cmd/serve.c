/* profdepot serve: starts the HTTP service. */
#include "cmd/commands.h"
#include "service/server.h"

#include <stddef.h>

struct serve_options {
	struct server_options server;
	const char *max_request, *max_batch, *max_upload, *max_load_memory, *max_load_disk, *memory,
		*max_answer, *max_header, *min_rate;
};

enum {
	MIN_HEADER_BYTES = 4096,
	MAX_HEADER_BYTES = 1024 * 1024,
};

#define MEMBER(m) offsetof(struct serve_options, m)
#define SERVER(m) offsetof(struct serve_options, server.m)
#define HTTP(m) SERVER(http.m)
static const struct option_spec specs[] = {
	{ "listen", 0, OPTION_TEXT, "ADDRESS:PORT",
		"address to listen on; default 127.0.0.1:8080. Port 0 picks a free port; unix:PATH is a "
		"socket",
		HTTP(listen) },
	{ "legacy-listen", 0, OPTION_TEXT, "ADDRESS:PORT",
		"a second listener, which accepts kernelscope's logger at every path",
		HTTP(legacy_listen) },
	{ "legacy", 0, OPTION_FLAG, NULL, "accept kernelscope's logger on the first listener, too",
		SERVER(legacy) },
	{ "token-file", 0, OPTION_TEXT, "FILE",
		"file with the valid tokens; required if other machines can reach the server",
		SERVER(token_file) },
	{ "sql", 0, OPTION_FLAG, NULL,
		"accept SQL queries if there is no token file; with a token file, tokens with the scope "
		"sql permit them",
		SERVER(sql) },
	{ "sql-db", 0, OPTION_TEXT, "URI",
		"database and login for SQL queries; the login must have no rights except those of "
		"profdepot_reader; default: as in --db",
		SERVER(sql_db) },
	{ "session-time", 0, OPTION_INT, "SECONDS",
		"how long a browser stays signed in; default 43200, which is 12 hours",
		SERVER(session_seconds), NULL, 1, 31536000 },
	{ "user-header", 0, OPTION_TEXT, "NAME",
		"header in which a proxy names the user, after it has checked who that is; the proxy must "
		"connect to a socket",
		SERVER(user_header) },
	{ "user-scope", 0, OPTION_TEXT, "SCOPE[,SCOPE...]",
		"what these users may do: read, ingest, review, sql and admin; default read",
		SERVER(user_scope) },
	{ "tls-certificate", 0, OPTION_TEXT, "FILE", "serve https with this PEM certificate",
		HTTP(tls_certificate) },
	{ "tls-key", 0, OPTION_TEXT, "FILE", "key of the certificate", HTTP(tls_key) },
	{ "web", 0, OPTION_TEXT, "DIR", "folder with the web pages; default: the installed one",
		SERVER(web) },
	{ "access-log", 0, OPTION_TEXT, "FILE",
		"append one line per request, without queries and bodies; - is standard error",
		SERVER(access_log) },
	{ "workers", 0, OPTION_INT, "N", "short requests to answer in parallel; default 8",
		HTTP(workers[HTTP_LIGHT]), NULL, 1, 256 },
	{ "heavy-workers", 0, OPTION_INT, "N",
		"reports, comparisons, graphs, exports and event queries to answer in parallel; "
		"default 4",
		HTTP(workers[HTTP_HEAVY]), NULL, 1, 256 },
	{ "load-workers", 0, OPTION_INT, "N",
		"uploads whose clients wait, and deletions, to handle in parallel; default 2",
		HTTP(workers[HTTP_LOADS]), NULL, 1, 256 },
	{ "ingest-workers", 0, OPTION_INT, "N",
		"batches of posted events to read in parallel; default 4",
		HTTP(workers[HTTP_INGEST]), NULL, 1, 256 },
	{ "connections", 0, OPTION_INT, "N", "clients to accept at the same time; default 2048",
		HTTP(connections), NULL, 1, 100000 },
	{ "connections-each", 0, OPTION_INT, "N",
		"clients from one address to accept at the same time; 0 means no limit",
		HTTP(connections_each), NULL, 0, 100000 },
	{ "queue", 0, OPTION_INT, "N",
		"requests of each kind that may wait for a worker; further requests receive 503; "
		"default 512",
		HTTP(queue), NULL, 1, 1000000 },
	{ "queue-timeout", 0, OPTION_INT, "SECONDS",
		"how long a request may wait for a worker; then it receives 503; default 30",
		HTTP(queue_seconds), NULL, 1, 86400 },
	{ "idle-timeout", 0, OPTION_INT, "SECONDS",
		"close a connection that neither sends nor receives; default 30",
		HTTP(idle_seconds), NULL, 1, 86400 },
	{ "request-timeout", 0, OPTION_INT, "SECONDS",
		"time for a request to arrive, except for uploads; default 60",
		HTTP(request_seconds), NULL, 1, 86400 },
	{ "query-timeout", 0, OPTION_INT, "SECONDS",
		"cancel a request that its worker has not answered after this time; default 60",
		SERVER(query_seconds), NULL, 1, 86400 },
	{ "max-request", 0, OPTION_TEXT, "SIZE", "largest document in a request; default 1M",
		MEMBER(max_request) },
	{ "max-batch", 0, OPTION_TEXT, "SIZE", "largest batch of events; default 64M",
		MEMBER(max_batch) },
	{ "max-upload", 0, OPTION_TEXT, "SIZE", "largest uploaded file; default 16G",
		MEMBER(max_upload) },
	{ "max-load-memory", 0, OPTION_TEXT, "SIZE",
		"maximum memory for loading one upload; default 1G", MEMBER(max_load_memory) },
	{ "max-load-disk", 0, OPTION_TEXT, "SIZE",
		"maximum size of what loading one upload writes to temporary files and sends to the "
		"database; default 64G",
		MEMBER(max_load_disk) },
	{ "max-load-time", 0, OPTION_INT, "SECONDS",
		"maximum time for loading one upload; default 3600", SERVER(max_load_seconds), NULL,
		1, 31536000 },
	{ "memory", 0, OPTION_TEXT, "SIZE",
		"maximum memory for all requests together, except uploads; default 512M",
		MEMBER(memory) },
	{ "max-answer", 0, OPTION_TEXT, "SIZE", "maximum size of an answer; default 1G",
		MEMBER(max_answer) },
	{ "max-header", 0, OPTION_TEXT, "SIZE",
		"maximum size of the request line and the headers together; the request line may use half "
		"of it; default 16K",
		MEMBER(max_header) },
	{ "min-rate", 0, OPTION_TEXT, "SIZE",
		"minimum rate per second of a batch, an upload or an answer; slower transfers are "
		"cancelled; default 1K",
		MEMBER(min_rate) },
	{ "rate", 0, OPTION_INT, "N",
		"requests per second from one address; default 0, which means no limit", HTTP(rate),
		NULL, 0, 1000000 },
	{ "stop-timeout", 0, OPTION_INT, "SECONDS",
		"time that running requests have to end when the server stops; default 30",
		SERVER(stop_seconds), NULL, 0, 86400 },
	{ "public-name", 0, OPTION_LIST, "HOST",
		"a host name of the server, for example the name of a proxy server; may be repeated",
		HTTP(public_names) },
	{ "behind-proxy", 0, OPTION_FLAG, NULL,
		"only a proxy can reach the server; X-Forwarded-For names the client",
		HTTP(behind_proxy) },
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
	error_set(err, ERROR_USAGE, "--%s: \"%s\" is not a size", option, text);
	return error_hint(err, "write a number, or a number followed by K, M or G");
}

static int
serve_run(struct command_call *call, struct error *err)
{
	struct serve_options *o = call->target;
	struct http_options *s = &o->server.http;

	o->server.db = call->global->db;
	if (call->operands.count) {
		error_set(err, ERROR_USAGE, "serve takes no operands, but got \"%s\"",
			call->operands.items[0]);
		return -1;
	}
	if (!read_size("max-request", o->max_request, &s->max_request_bytes, err) ||
		!read_size("max-batch", o->max_batch, &s->max_batch_bytes, err) ||
		!read_size("max-upload", o->max_upload, &s->max_upload_bytes, err) ||
		!read_size("max-load-memory", o->max_load_memory, &o->server.max_load_memory_bytes,
			err) ||
		!read_size(
			"max-load-disk", o->max_load_disk, &o->server.max_load_disk_bytes, err) ||
		!read_size("memory", o->memory, &o->server.memory_bytes, err) ||
		!read_size("max-answer", o->max_answer, &o->server.max_answer_bytes, err) ||
		!read_size("max-header", o->max_header, &s->max_header_bytes, err) ||
		!read_size("min-rate", o->min_rate, &s->min_rate, err))
		return -1;
	if (s->max_header_bytes < MIN_HEADER_BYTES || s->max_header_bytes > MAX_HEADER_BYTES) {
		error_set(err, ERROR_USAGE, "--max-header must be from 4K to 1M");
		return -1;
	}
	return server_run(&o->server, call->out, err) ? 0 : -1;
}

static const struct serve_options serve_defaults = {
	.server = {
		.http = { .listen = "127.0.0.1:8080",
			.workers = { [HTTP_LIGHT] = 8, [HTTP_HEAVY] = 4, [HTTP_LOADS] = 2, [HTTP_INGEST] = 4 },
			.connections = 2048,
			.queue = 512,
			.queue_seconds = 30,
			.idle_seconds = 30,
			.request_seconds = 60 },
		.query_seconds = 60,
		.max_load_seconds = 3600,
		.session_seconds = 43200,
		.stop_seconds = 30,
	},
	.max_request = "1M",
	.max_batch = "64M",
	.max_upload = "16G",
	.max_load_memory = "1G",
	.max_load_disk = "64G",
	.memory = "512M",
	.max_answer = "1G",
	.max_header = "16K",
	.min_rate = "1K",
};

const struct command command_serve = {
	.name = "serve",
	.operands = "",
	.summary = "serve the depot over HTTP",
	.description =
		"Serves the depot over HTTP until it receives SIGTERM or SIGINT; running requests are "
		"answered first. Prints its addresses as soon as it answers on them.\n\n"
		"By default only this machine can reach the server. If other machines can "
		"reach it, it needs a token file. With --tls-certificate and --tls-key it serves https.",
	.options = specs,
	.target_size = sizeof(struct serve_options),
	.defaults = &serve_defaults,
	.run = serve_run,
};
