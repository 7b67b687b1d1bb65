/* The service: the depot over HTTP. */
#ifndef PROFDEPOT_SERVICE_SERVER_H
#define PROFDEPOT_SERVICE_SERVER_H

#include "http/server.h"

struct server_options {
	struct http_options http;
	const char *db;         /* as db_target.uri */
	const char *token_file; /* NULL: every client may do everything */
	const char *web;        /* folder of the pages; NULL: as installed */
	const char *access_log; /* a file, or "-" for standard error; may be NULL */
	bool legacy;            /* http.listen also plays kernelscope's logger */
	int64_t query_seconds;  /* statement timeout */
	int64_t stop_seconds;   /* for unfinished requests and jobs at the end */
};

/* Serves until SIGTERM or SIGINT. Prints the addresses on `out` when they answer. Ignores
 * options->http.guarded: a token file guards. */
bool server_run(const struct server_options *options, FILE *out, struct error *err);

#endif
