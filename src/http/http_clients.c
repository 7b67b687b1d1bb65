/*
 * Clients: the connections of all listeners, each in a phase with a time limit. libmicrohttpd
 * closes silent connections. This module also closes the connections of clients that send or read
 * very slowly, so that such clients cannot use up all connections.
 */
#define _GNU_SOURCE /* POLLRDHUP */
#include "base/clock.h"
#include "http_private.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

enum {
	TICK_MS = 250,
	PACE_SECONDS = 10,        /* a body's rate is measured over this time */
	PRESSED_IDLE_SECONDS = 1, /* idle time allowed if connections are nearly used up */
	PRESSED_HEAD_SECONDS = 5, /* time allowed for a head if connections are nearly used up */
	PRESSED_OF_8 = 7,         /* "nearly used up" means that more than 7/8 are open */
	GONE_SECONDS = 1, /* a connection is closed this long after its client's stream ended */
	STOPPING_BODY_SECONDS = 5, /* time to finish sending a request when the server stops */
};

struct client {
	struct client *next, *previous;
	struct http_server *server;
	int fd;
	/* Guarded by server->clients.mutex. */
	enum client_phase phase;
	atomic_bool *abandoned; /* only in CLIENT_WORKING */
	double since;           /* start of the phase; for a body: start of its request */
	uint64_t bytes;         /* body bytes received so far, or bytes of the answer */
	double gone_since;      /* time at which the client's stream ended; 0 while it is open */
	double paced;           /* start of the current measurement of the rate */
	uint64_t paced_at;      /* value of `bytes` at the time `paced` */
};

void
http_client_notify(void *self, struct MHD_Connection *connection, void **context,
	enum MHD_ConnectionNotificationCode code)
{
	struct http_server *s = ((struct listener *)self)->server;
	struct client *c = *context;

	pthread_mutex_lock(&s->clients.mutex);
	if (code == MHD_CONNECTION_NOTIFY_STARTED) {
		*context = c = xcalloc(1, sizeof(*c));
		c->server = s;
		c->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
				->connect_fd;
		c->since = clock_seconds();
		c->next = s->clients.first;
		if (c->next)
			c->next->previous = c;
		s->clients.first = c;
		s->clients.count++;
	} else if (c) {
		*(c->previous ? &c->previous->next : &s->clients.first) = c->next;
		if (c->next)
			c->next->previous = c->previous;
		s->clients.count--;
		free(c);
		*context = NULL;
	}
	pthread_mutex_unlock(&s->clients.mutex);
}

struct client *
http_client_of(struct MHD_Connection *connection)
{
	return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
		->socket_context;
}

void
http_client_enter(struct client *c, enum client_phase phase, uint64_t bytes)
{
	double now = clock_seconds();

	pthread_mutex_lock(&c->server->clients.mutex);
	if (phase != CLIENT_BODY)
		c->since = now;
	c->phase = phase;
	c->abandoned = NULL;
	c->gone_since = 0;
	c->bytes = bytes;
	c->paced = now;
	c->paced_at = bytes;
	pthread_mutex_unlock(&c->server->clients.mutex);
}

void
http_client_watch(struct client *c, atomic_bool *abandoned)
{
	pthread_mutex_lock(&c->server->clients.mutex);
	c->abandoned = abandoned;
	pthread_mutex_unlock(&c->server->clients.mutex);
}

void
http_client_received(struct client *c, uint64_t bytes)
{
	pthread_mutex_lock(&c->server->clients.mutex);
	c->bytes = bytes;
	pthread_mutex_unlock(&c->server->clients.mutex);
}

/* Returns whether the client sends or reads too slowly. Measures the rate over at least PACE_SECONDS, so that
 * a pause of one second does no harm. */
static bool
is_too_slow(struct client *c, double now)
{
	double span = now - c->paced;

	if (span < PACE_SECONDS)
		return false;
	if ((double)(c->bytes - c->paced_at) < span * (double)c->server->options->min_rate)
		return true;
	c->paced = now;
	c->paced_at = c->bytes;
	return false;
}

/* Returns whether the client's stream ended more than GONE_SECONDS ago. libmicrohttpd would keep waiting
 * for more bytes. The delay is needed because the last bytes may complete a request. */
static bool
is_gone(struct client *c, double now)
{
	char byte;

	if (recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0)
		c->gone_since = 0;
	else if (c->gone_since <= 0)
		c->gone_since = now;
	return c->gone_since > 0 && now - c->gone_since > GONE_SECONDS;
}

/* Abandons the request if the client has finished sending. The client then counts as gone, because we cannot
 * know whether it still reads. */
static void
notice_end(struct client *c)
{
	struct pollfd p = { .fd = c->fd, .events = POLLRDHUP };

	if (c->abandoned && poll(&p, 1, 0) > 0)
		atomic_store(c->abandoned, true);
}

static bool
is_overdue(struct client *c, bool pressed, double now)
{
	const struct http_options *o = c->server->options;
	double age = now - c->since;

	switch (c->phase) {
	case CLIENT_IDLE:
		return age > (pressed ? PRESSED_IDLE_SECONDS : (double)o->idle_seconds) ||
		       is_gone(c, now);
	case CLIENT_HEAD:
		return age > (double)o->request_seconds ||
		       (pressed && age > PRESSED_HEAD_SECONDS) || is_gone(c, now);
	case CLIENT_BODY:
		return age > (double)o->request_seconds || is_gone(c, now);
	case CLIENT_UPLOAD:
		return is_too_slow(c, now) || is_gone(c, now);
	case CLIENT_WORKING:
		notice_end(c);
		break;
	case CLIENT_SENDING:
		return age > (double)o->request_seconds + (double)c->bytes / (double)o->min_rate;
	}
	return false;
}

/* Returns whether a server that is stopping may close this connection. */
static bool
is_dismissed(const struct client *c, double stopping_since, double now)
{
	switch (c->phase) {
	case CLIENT_IDLE:
		return true;
	case CLIENT_HEAD:
	case CLIENT_BODY:
	case CLIENT_UPLOAD:
		return now - stopping_since > STOPPING_BODY_SECONDS;
	case CLIENT_WORKING:
	case CLIENT_SENDING:
		break;
	}
	return false;
}

/* Shuts down overdue connections. The listener's thread notices this and cleans up. */
static void
close_overdue(struct http_server *s)
{
	struct clients *all = &s->clients;
	bool pressed = all->count * 8 > s->options->connections * PRESSED_OF_8;
	double now = clock_seconds();

	for (struct client *c = all->first; c; c = c->next)
		if (is_overdue(c, pressed, now) ||
			(all->stopping && is_dismissed(c, all->stopping_since, now)))
			shutdown(c->fd, SHUT_RDWR);
}

static void
wait_for_tick(struct clients *all)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)TICK_MS * 1000 * 1000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_cond_timedwait(&all->wake, &all->mutex, &until);
}

static void *
watch(void *argument)
{
	struct http_server *s = argument;
	struct clients *all = &s->clients;

	pthread_mutex_lock(&all->mutex);
	while (!all->ended) {
		close_overdue(s);
		pthread_mutex_unlock(&all->mutex);
		all->tick(s);
		pthread_mutex_lock(&all->mutex);
		wait_for_tick(all);
	}
	pthread_mutex_unlock(&all->mutex);
	return NULL;
}

bool
http_clients_start(struct http_server *s, void (*tick)(struct http_server *s), struct error *err)
{
	struct clients *all = &s->clients;
	pthread_condattr_t attributes;

	pthread_mutex_init(&all->mutex, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&all->wake, &attributes);
	pthread_condattr_destroy(&attributes);
	all->started = true;
	all->tick = tick;
	all->watched = pthread_create(&all->watcher, NULL, watch, s) == 0;
	return all->watched || error_set(err, ERROR_INTERNAL, "cannot start a thread");
}

void
http_clients_dismiss(struct http_server *s)
{
	struct clients *all = &s->clients;

	if (!all->started)
		return;
	pthread_mutex_lock(&all->mutex);
	all->stopping = true;
	all->stopping_since = clock_seconds();
	pthread_cond_signal(&all->wake);
	pthread_mutex_unlock(&all->mutex);
}

bool
http_clients_stopping(struct http_server *s)
{
	bool stopping;

	pthread_mutex_lock(&s->clients.mutex);
	stopping = s->clients.stopping;
	pthread_mutex_unlock(&s->clients.mutex);
	return stopping;
}

size_t
http_clients_busy(struct http_server *s)
{
	size_t busy = 0;

	if (!s->clients.started)
		return 0;
	pthread_mutex_lock(&s->clients.mutex);
	for (struct client *c = s->clients.first; c; c = c->next)
		busy += c->phase != CLIENT_IDLE;
	pthread_mutex_unlock(&s->clients.mutex);
	return busy;
}

void
http_clients_stop(struct http_server *s)
{
	struct clients *all = &s->clients;

	if (!all->started)
		return;
	pthread_mutex_lock(&all->mutex);
	all->ended = true;
	pthread_cond_signal(&all->wake);
	pthread_mutex_unlock(&all->mutex);
	if (all->watched)
		pthread_join(all->watcher, NULL);
	pthread_cond_destroy(&all->wake);
	pthread_mutex_destroy(&all->mutex);
}
