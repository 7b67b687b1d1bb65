/* Declarations that the parts of the HTTP server share. */
#ifndef PROFDEPOT_HTTP_HTTP_PRIVATE_H
#define PROFDEPOT_HTTP_HTTP_PRIVATE_H

#include "http/server.h"
#include "http_clients.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
	HTTP_HEADERS_IN_MEMORY = 4, /* memory per connection, as a multiple of the header limit */
	HTTP_MAX_LISTENERS = 2,
	HTTP_BODY_MEMORY_BYTES = 256 * 1024, /* a larger body goes to a temporary file */
	/* A rejected body is read up to this size, because many clients read the answer only after
	 * sending the body. */
	HTTP_DRAIN_BYTES = 64 * 1024 * 1024,
};

struct listener {
	struct http_server *server;
	const char *name; /* "127.0.0.1:8080", in the server's arena */
	int fd;
	bool legacy; /* uses hooks->legacy_routes */
	bool is_unix;
	struct MHD_Daemon *daemon;
	/* Before the start, `said` keeps libmicrohttpd's last message: if the start fails, this
	 * message tells why. After the start, a few messages per minute are printed. */
	_Atomic bool started;
	char said[256];
	double said_since;
	int said_lines;
	struct exchange *heads; /* exchanges in EXCHANGE_NEW, for the listener's thread only */
};

enum exchange_state {
	EXCHANGE_NEW,       /* only the request line has arrived */
	EXCHANGE_RECEIVING, /* receiving the body */
	EXCHANGE_DRAINING,  /* receiving a body that is discarded */
	EXCHANGE_WORKING,   /* suspended until a worker answers */
	EXCHANGE_ANSWERED,
};

/* A request and its answer, from the request line to the last byte sent. */
struct exchange {
	struct exchange *next;     /* next in the queue or in `heads` */
	struct exchange *previous; /* in `heads` */
	struct listener *listener;
	struct MHD_Connection *connection;
	struct client *client;
	enum exchange_state state;
	/* `ends`: close the connection after the answer; `cut`: the URI contains a NUL;
	 * `rejected`: http_length.c has sent the answer */
	bool ends, cut, rejected;
	struct arena arena;
	char *uri;
	struct http_request request;
	struct http_answer answer;
	const struct http_route *route; /* NULL if no route matched */
	uint64_t max_body;
	struct spool *sent; /* the answer's body */
	struct error error;
	double started, queued;
	atomic_bool abandoned; /* set by the clients' watcher */
};

struct http_worker {
	struct http_server *server;
	struct http_queue *queue;
	pthread_t thread;
	void *state; /* result of hooks->worker_begin */
};

/* A lane's threads, and the exchanges that wait for them. */
struct http_queue {
	pthread_cond_t wanted;
	struct exchange *first, *last; /* these and `waiting` are guarded by the server's mutex */
	int64_t waiting;
	struct http_worker *workers;
	size_t worker_count;
};

struct http_server {
	const struct http_options *options;
	const struct http_hooks *hooks;
	struct arena arena;
	struct listener listeners[HTTP_MAX_LISTENERS];
	size_t listener_count;

	pthread_mutex_t mutex;
	bool stopping; /* guarded by the mutex */
	struct http_queue queues[HTTP_LANES];
	struct clients clients;
	struct http_rate *rate; /* NULL: no limit */
};

/* --- http_fields.c: names and values ----------------------------------------------------- */

/* Decodes %XX in place, and '+' in a query. False for an invalid escape or %00. */
bool http_unescape(char *s, bool query);
/* Parses "a=1&b" into *out, which lives in the arena. Fails with ERROR_USAGE or ERROR_LIMIT. */
bool http_parse_query(
	struct arena *a, const char *text, struct http_fields *out, struct error *err);

/* --- http_route.c, http_params.c --------------------------------------------------------- */

/* Returns "GET, HEAD, POST" for the bits in http_match.methods. */
const char *http_methods_text(struct arena *a, unsigned methods);

/* Fails with ERROR_USAGE if a parameter is invalid or unknown. `hint` is the hint for an unknown parameter. */
bool http_check_parameters(const struct http_route *route, const struct http_request *q,
	const char *hint, struct error *err);

/* --- http_answer.c ----------------------------------------------------------------------- */

/* Returns a spool for a body, whose memory options->memory counts. */
struct spool *http_spool_new(const struct exchange *x);
/* Makes options->memory count the memory of a new spool. Returns the spool. */
struct spool *http_spool_shared(const struct exchange *x, struct spool *s);
/* Returns a stream that writes into the spool. */
FILE *http_spool_stream(struct spool *s);
/* Turns x->error into the answer: {"error": {...}}. */
void http_answer_error(struct exchange *x);
/* Makes libmicrohttpd's response. It has no body if the method is HEAD. NULL if memory or disk space runs out. */
struct MHD_Response *http_make_response(struct exchange *x);

/* --- http_worker.c ----------------------------------------------------------------------- */

bool http_workers_start(struct http_server *s, struct error *err);
/* Puts a suspended exchange into the queue of its lane. Returns false if the queue is full. */
bool http_enqueue(struct http_server *s, struct exchange *x);
/* Answers exchanges that have waited for longer than options->queue_seconds. */
void http_queues_expire(struct http_server *s);
/* Calls the handler on this thread. Returns false if the answer is deferred. */
bool http_answer_now(struct exchange *x);

/* --- http_listen.c, http_exchange.c ------------------------------------------------------ */

/* Binds a listener. For port 0, its name contains the port that the system chose. */
bool http_listen(struct http_server *s, const char *address, bool legacy, struct error *err);
void http_unlisten(struct listener *l);
/* Starts serving on a bound listener. */
bool http_daemon_start(
	struct listener *l, const char *certificate, const char *key, struct error *err);

#endif
