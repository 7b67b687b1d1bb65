/* The connections of all listeners, their time limits, and the request rates of addresses. */
#ifndef PROFDEPOT_HTTP_HTTP_CLIENTS_H
#define PROFDEPOT_HTTP_HTTP_CLIENTS_H

#include "base/error.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct http_server;

enum {
	HTTP_RATE_BUCKETS = 8192
};

enum client_phase {
	CLIENT_IDLE, /* the request line is missing or incomplete */
	CLIENT_HEAD,
	CLIENT_BODY,   /* body with a time limit */
	CLIENT_UPLOAD, /* a batch or file, with a minimum rate */
	CLIENT_WORKING,
	CLIENT_SENDING,
};

struct client;

struct clients {
	bool started, watched;
	pthread_t watcher;
	void (*tick)(struct http_server *s);
	pthread_cond_t wake;
	pthread_mutex_t mutex;
	/* Guarded by the mutex. */
	struct client *first;
	int64_t count;
	bool stopping, ended;
	double stopping_since;
};

struct http_bucket {
	uint64_t key;
	double used, left;
};

struct http_rate {
	pthread_mutex_t mutex;
	uint64_t seed;
	struct http_bucket buckets[HTTP_RATE_BUCKETS];
};

/* Starts a thread that enforces the time limits, and calls `tick` a few times per second. */
bool http_clients_start(
	struct http_server *s, void (*tick)(struct http_server *s), struct error *err);
/* Closes each connection as soon as it is idle, and accepts no new requests. */
void http_clients_dismiss(struct http_server *s);
bool http_clients_stopping(struct http_server *s);
/* Returns the number of connections with an unfinished request. */
size_t http_clients_busy(struct http_server *s);
void http_clients_stop(struct http_server *s);
/* Callback for MHD_OPTION_NOTIFY_CONNECTION; self is the listener. */
void http_client_notify(void *self, struct MHD_Connection *connection, void **context,
	enum MHD_ConnectionNotificationCode code);
struct client *http_client_of(struct MHD_Connection *connection);
/* Begins a phase of the client. For CLIENT_SENDING, `bytes` is the size of the answer. */
void http_client_enter(struct client *c, enum client_phase phase, uint64_t bytes);
/* In the phase CLIENT_WORKING, *abandoned becomes true if the client disconnects. */
void http_client_watch(struct client *c, atomic_bool *abandoned);
void http_client_received(struct client *c, uint64_t bytes);

/* Returns the seconds until this address may send a request. 0 means now; the request is then counted. */
double http_rate_wait(struct http_rate *r, const char *address, int64_t per_second);

#endif
