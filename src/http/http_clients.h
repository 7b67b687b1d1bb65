/* The connections of all listeners and how long each may be at what it is at; rates of addresses.
 */
#ifndef PROFDEPOT_HTTP_HTTP_CLIENTS_H
#define PROFDEPOT_HTTP_HTTP_CLIENTS_H

#include "base/error.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdint.h>

struct server;

enum {
	HTTP_RATE_BUCKETS = 8192
};

/* What a client is at. */
enum client_phase {
	CLIENT_IDLE, /* no request line is there, or not all of one */
	CLIENT_HEAD,
	CLIENT_BODY,   /* in the time of its request */
	CLIENT_UPLOAD, /* a batch or a file: at a rate */
	CLIENT_WORKING,
	CLIENT_SENDING,
};

struct client;

struct clients {
	bool started, watched;
	pthread_t watcher;
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

bool http_clients_start(struct server *s, struct error *err);
/* Closes the connections that nothing is owed, now and as more become so; lets no request in
 * that has not begun. */
void http_clients_dismiss(struct server *s);
bool http_clients_stopping(struct server *s);
/* Connections that a request is on. */
size_t http_clients_busy(struct server *s);
void http_clients_stop(struct server *s);
/* For MHD_OPTION_NOTIFY_CONNECTION; self is the listener. */
void http_client_notify(void *self, struct MHD_Connection *connection, void **context,
	enum MHD_ConnectionNotificationCode code);
struct client *http_client_of(struct MHD_Connection *connection);
/* Bytes: of the answer, for CLIENT_SENDING. */
void http_client_enter(struct client *c, enum client_phase phase, uint64_t bytes);
void http_client_received(struct client *c, uint64_t bytes);

/* Seconds until this address may send a request; 0: now, and one is counted. */
double http_rate_wait(struct http_rate *r, const char *address, int64_t per_second);

#endif
