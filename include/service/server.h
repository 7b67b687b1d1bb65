/* The service: the depot over HTTP. */
#ifndef PROFDEPOT_SERVICE_SERVER_H
#define PROFDEPOT_SERVICE_SERVER_H

#include "http/server.h"

struct server_options {
	struct http_options http;
	const char *db;          /* same syntax as db_target.uri */
	const char *sql_db;      /* the same for /v1/sql; NULL: db */
	bool sql;                /* without a token file, clients may send SQL statements */
	const char *token_file;  /* NULL: clients may do everything except SQL */
	int64_t session_seconds; /* how long a browser stays signed in */
	/* the header in which a proxy names the user; NULL if no proxy names users */
	const char *user_header;
	const char *user_scope;        /* what these users may do, as in a token file */
	const char *web;               /* folder with the pages; NULL: the installed one */
	const char *access_log;        /* a file, or "-" for standard error; NULL: no log */
	bool legacy;                   /* http.listen also acts as kernelscope's logger */
	int64_t query_seconds;         /* time limit for all work of a request, including queries */
	int64_t max_load_memory_bytes; /* limits for the load of one upload */
	int64_t max_load_disk_bytes, max_load_seconds;
	int64_t memory_bytes;     /* limit for all requests together, except loads */
	int64_t max_answer_bytes; /* limit for the body of an answer that a process makes */
	int64_t stop_seconds;     /* time for unfinished requests and jobs when stopping */
};

/* Serves until SIGTERM or SIGINT. Prints the addresses on `out` once they accept requests. Ignores
 * options->http.guarded, because token_file determines whether clients need a token. */
bool server_run(const struct server_options *options, FILE *out, struct error *err);

#endif
