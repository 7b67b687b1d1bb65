/*
 * The HTTP server: listeners, and workers that call the handlers of a route table. It is
 * independent of the service: its owner passes the routes and some hooks.
 */
#ifndef PROFDEPOT_HTTP_SERVER_H
#define PROFDEPOT_HTTP_SERVER_H

#include "http/route.h"

struct memory_pool;

struct http_options {
	const char *listen;        /* "ADDRESS:PORT", "[ADDRESS]:PORT", "unix:PATH"; port 0: any */
	const char *legacy_listen; /* a second address with its own routes; may be NULL */
	const char *tls_certificate, *tls_key; /* PEM files; set both or neither */
	bool guarded;                          /* clients need a token */
	int64_t workers[HTTP_LANES];           /* maximum requests handled in parallel, per lane */
	int64_t connections;                   /* maximum number of connections */
	int64_t connections_each; /* connections per client address; 0 means no limit */
	int64_t queue; /* requests that may wait for a worker, per lane; further requests get 503 */
	int64_t answer_seconds;  /* how long a handler may take; see http_call.deadline */
	int64_t queue_seconds;   /* how long a request may wait for a worker before it gets 503 */
	int64_t idle_seconds;    /* a silent connection is closed after this time */
	int64_t request_seconds; /* time limit for headers, and for bodies except uploads */
	int64_t max_request_bytes, max_batch_bytes,
		max_upload_bytes;        /* size limits, by http_body_kind */
	int64_t max_header_bytes;        /* maximum size of the request's head */
	int64_t min_rate;                /* minimum bytes per second of an upload or an answer */
	int64_t rate;                    /* requests per second and address; 0 means no limit */
	struct option_list public_names; /* host names of this server besides loopback names */
	bool behind_proxy;               /* read the client's address from X-Forwarded-For */
	struct memory_pool *memory;      /* for the buffers of bodies; NULL: no limit */
};

/* A request that has ended, for logs and metrics. */
struct http_ended {
	const struct http_route *route; /* NULL if no route matched */
	const struct http_request *request;
	int status;
	uint64_t sent_bytes; /* size of the answer's body */
	double seconds;      /* time since the request line arrived */
	bool complete;       /* the client received the whole answer */
};

/* The server calls these functions, from several threads concurrently. */
struct http_hooks {
	void *self;
	const struct http_route *routes;        /* ends with .path == NULL */
	const struct http_route *legacy_routes; /* routes of legacy_listen */
	const char *hint;                       /* hint for an unknown path or parameter */
	/* Old senders (http_request.legacy) use paths that are not in `routes`. Returns the route for
	 * such a request, or NULL. */
	const struct http_route *(*legacy_route)(void *self, const struct http_request *q);
	/* If the client may use the route, sets q->scopes. Otherwise sets err and a->status, and
	 * returns false. */
	bool (*authorise)(void *self, const struct http_route *route, struct http_request *q,
		struct http_answer *a, struct error *err);
	/* Calls the route's handler, in this process or in another one. */
	bool (*handle)(
		void *self, struct http_call *c, const struct http_route *route, struct error *err);
	void (*ended)(void *self, const struct http_ended *e);
	/* A worker's state: created once per thread, cleaned after each request, freed at the end.
	 */
	void *(*worker_begin)(void *self);
	void (*worker_rest)(void *worker);
	void (*worker_end)(void *worker);
};

struct http_server;

/* Starts to answer requests. Options and hooks must outlive the server. NULL on failure. */
struct http_server *http_server_start(
	const struct http_options *options, const struct http_hooks *hooks, struct error *err);

/* Prints the addresses of the listeners, one per line. */
void http_server_print(const struct http_server *s, FILE *out);

struct http_counts {
	/* Per lane: the number of worker threads, and the number of requests that wait for a free worker. */
	int64_t workers[HTTP_LANES], waiting[HTTP_LANES];
	int64_t busy; /* connections with an unfinished request */
};

/* "light", "heavy" etc. */
const char *http_lane_name(enum http_lane lane);
void http_server_count(struct http_server *s, struct http_counts *out);

/* To stop the server, call the next three functions in this order. http_server_dismiss rejects new
 * clients and closes connections as soon as they are idle. */
void http_server_dismiss(struct http_server *s);
/* Handles the waiting requests, then ends the workers. */
void http_server_finish(struct http_server *s);
void http_server_free(struct http_server *s);

/* Removes the UNIX sockets' files, for a process that exits without stopping the server. */
void http_server_unlink(struct http_server *s);

#endif
