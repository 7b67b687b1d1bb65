/* The service: the depot over HTTP. */
#ifndef PROFDEPOT_SERVICE_SERVER_H
#define PROFDEPOT_SERVICE_SERVER_H

#include "http/server.h"

struct server_options {
	struct http_options http;
	const char *db;                /* as db_target.uri */
	const char *token_file;        /* NULL: every client may do everything */
	const char *web;               /* folder with the pages; NULL: the installed one */
	const char *access_log;        /* a file, or "-" for standard error; may be NULL */
	bool legacy;                   /* http.listen also acts as kernelscope's logger */
	int64_t query_seconds;         /* statement timeout */
	int64_t max_load_memory_bytes; /* per upload */
	int64_t stop_seconds;          /* time for unfinished requests and jobs when stopping */
};

/* Serves until SIGTERM or SIGINT. Prints the addresses on `out` once they accept requests. Ignores
 * options->http.guarded: only token_file counts. */
bool server_run(const struct server_options *options, FILE *out, struct error *err);

#endif
