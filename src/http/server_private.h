/* Parts of the server among themselves. */
#ifndef PROFDEPOT_HTTP_SERVER_PRIVATE_H
#define PROFDEPOT_HTTP_SERVER_PRIVATE_H

#include "http/http.h"
#include "http/route.h"
#include "http_clients.h"
#include "http_parse.h"
#include "service/server.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
	HTTP_HEADERS_IN_MEMORY = 4, /* times what headers may have, a connection needs */
	HTTP_MAX_LISTENERS = 2,
	HTTP_BODY_MEMORY_BYTES = 256 * 1024, /* of a body; more lies in a temporary file */
	HTTP_DRAIN_BYTES = 64 * 1024 * 1024, /* of a body that nobody wants, so that its sender
						reads the answer */
};

struct server;

struct listener {
	struct server *server;
	const char *name; /* "127.0.0.1:8080", in the server's arena */
	int fd;
	bool legacy; /* old senders only: any path is their logger */
	bool is_unix;
	struct MHD_Daemon *daemon;
	/* What libmicrohttpd says: first why it does not start, then a few lines a minute. */
	_Atomic bool started;
	char said[256];
	double said_since;
	int said_lines;
};

enum exchange_state {
	EXCHANGE_NEW,       /* nothing but the request line is there */
	EXCHANGE_RECEIVING, /* its body */
	EXCHANGE_DRAINING,  /* of which nobody wants to know */
	EXCHANGE_WORKING,   /* suspended: with a worker, or before one */
	EXCHANGE_ANSWERED,
};

/* A request and its answer, from the request line to the last byte sent. */
struct exchange {
	struct exchange *next; /* in the queue */
	struct listener *listener;
	struct MHD_Connection *connection;
	struct client *client;
	enum exchange_state state;
	bool ends; /* the connection, with this answer */
	struct arena arena;
	char *uri;
	struct http_request request;
	struct http_answer answer;
	const struct http_route *route; /* NULL: none */
	uint64_t max_body;
	struct spool *sent; /* the answer's body */
	struct error error;
	double started;
};

/* A worker thread; its connections are made when first asked for. */
struct http_worker {
	struct server *server;
	pthread_t thread;
	struct db *reader, *loader;
};

struct server {
	const struct server_options *options;
	struct arena arena;
	struct service *service;
	FILE *log; /* NULL: none */
	struct listener listeners[HTTP_MAX_LISTENERS];
	size_t listener_count;

	pthread_mutex_t mutex;
	pthread_cond_t wanted;
	/* Guarded by the mutex. */
	struct exchange *first, *last; /* wait for a worker */
	int64_t waiting;
	bool stopping;

	struct http_worker *workers;
	size_t worker_count;
	struct clients clients;
	struct http_rate *rate; /* NULL: no limit */
};

/* --- http_answer.c ----------------------------------------------------------------------- */

/* A stream whose bytes land in the spool. */
FILE *http_spool_stream(struct spool *s);
/* The answer is x->error from now on: {"error": {...}}. */
void http_answer_error(struct exchange *x);
/* For the client; drops the answer's body for HEAD. NULL when memory is out. */
struct MHD_Response *http_make_response(struct exchange *x);

/* --- http_worker.c ----------------------------------------------------------------------- */

bool http_workers_start(struct server *s, struct error *err);
/* Finishes what waits, then ends them; from here on nothing can be queued. */
void http_workers_stop(struct server *s);
/* The answer is written, or x->error tells why not: the client gets it. Any thread; x belongs to
 * the listener's from here on. */
void http_exchange_end(struct exchange *x, bool ok);
/* False: the queue is full. The connection must be suspended. */
bool http_enqueue(struct server *s, struct exchange *x);

/* --- http_head.c ------------------------------------------------------------------------- */

/* Is the head of one meaning, and of a size? Sets x->ends when not. */
bool http_check_head(struct exchange *x, const char *version, struct error *err);

/* --- http_exchange.c --------------------------------------------------------------------- */

/* Begins to serve a listener whose socket is there. */
bool http_daemon_start(
	struct listener *l, const char *certificate, const char *key, struct error *err);

/* --- http_listen.c ----------------------------------------------------------------------- */

/* Binds; with port 0 the name tells which one it became. */
bool http_listen(struct server *s, const char *address, bool legacy, struct error *err);
void http_unlisten(struct listener *l);

#endif
