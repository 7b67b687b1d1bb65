/* A server's life cycle: listeners, clients and workers are started and stopped here. */
#include "http_private.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/pair_map.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

enum {
	MAX_PEM_BYTES = 1024 * 1024,
	SPARE_DESCRIPTORS = 256,
};

struct pem {
	struct strbuf certificate, key;
};

static bool
read_pem(const char *path, struct strbuf *b, struct error *err)
{
	return strbuf_read_file(b, path, err) &&
	       (strstr(strbuf_str(b), "-----BEGIN") ||
		       error_set(err, ERROR_USAGE, "%s: not a PEM file", path));
}

static bool
read_tls(const struct http_options *o, struct pem *pem, struct error *err)
{
	strbuf_init(&pem->certificate, MAX_PEM_BYTES);
	strbuf_init(&pem->key, MAX_PEM_BYTES);
	if (!o->tls_certificate && !o->tls_key)
		return true;
	if (!o->tls_certificate || !o->tls_key)
		return error_set(err, ERROR_USAGE,
			"https needs both a certificate and a key, and the %s is missing",
			o->tls_key ? "certificate" : "key");
	return read_pem(o->tls_certificate, &pem->certificate, err) &&
	       read_pem(o->tls_key, &pem->key, err);
}

/* Raises the limit on open files: each connection has a socket and may have two temporary files. */
static void
raise_descriptors(const struct http_options *o)
{
	struct rlimit r;
	rlim_t wanted = (rlim_t)o->connections * 3 + SPARE_DESCRIPTORS;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur >= wanted)
		return;
	r.rlim_cur = r.rlim_max == RLIM_INFINITY || r.rlim_max > wanted ? wanted : r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
}

static bool
start(struct http_server *s, const struct pem *pem, struct error *err)
{
	const struct http_options *o = s->options;
	const char *certificate = pem->certificate.size ? pem->certificate.data : NULL;

	if (!http_listen(s, o->listen, false, err) ||
		(o->legacy_listen && !http_listen(s, o->legacy_listen, true, err)) ||
		!http_clients_start(s, http_queues_expire, err) || !http_workers_start(s, err))
		return false;
	for (size_t i = 0; i < s->listener_count; i++)
		if (!http_daemon_start(&s->listeners[i], certificate, pem->key.data, err))
			return false;
	return true;
}

struct http_server *
http_server_start(
	const struct http_options *options, const struct http_hooks *hooks, struct error *err)
{
	struct http_server *s = xcalloc(1, sizeof(*s));
	struct pem pem;
	bool ok;

	s->options = options;
	s->hooks = hooks;
	pthread_mutex_init(&s->mutex, NULL);
	for (int i = 0; i < HTTP_LANES; i++)
		pthread_cond_init(&s->queues[i].wanted, NULL);
	if (options->rate) {
		s->rate = xcalloc(1, sizeof(*s->rate));
		pthread_mutex_init(&s->rate->mutex, NULL);
		s->rate->seed = process_seed();
	}
	raise_descriptors(options);
	ok = read_tls(options, &pem, err) && start(s, &pem, err);
	strbuf_release(&pem.certificate);
	strbuf_release(&pem.key);
	if (ok)
		return s;
	http_server_dismiss(s);
	while (http_clients_busy(s) >
		0) /* the first listener may already have clients if the second one failed */
		clock_sleep_ms(10);
	http_server_finish(s);
	http_server_free(s);
	return NULL;
}

void
http_server_print(const struct http_server *s, FILE *out)
{
	const char *scheme = s->options->tls_certificate ? "https://" : "http://";

	for (size_t i = 0; i < s->listener_count; i++) {
		const struct listener *l = &s->listeners[i];

		fprintf(out, "%s%s%s%s\n",
			l->legacy ? "legacy senders: " : "serving: ", l->is_unix ? "" : scheme,
			l->name, l->is_unix ? "" : "/");
	}
}

void
http_server_count(struct http_server *s, struct http_counts *out)
{
	pthread_mutex_lock(&s->mutex);
	for (int i = 0; i < HTTP_LANES; i++) {
		out->waiting[i] = s->queues[i].waiting;
		out->workers[i] = (int64_t)s->queues[i].worker_count;
	}
	pthread_mutex_unlock(&s->mutex);
	out->busy = (int64_t)http_clients_busy(s);
}

/* Stops accepting clients. New clients could still wait in the backlog of a quiesced socket, so the socket is
 * also shut down. */
void
http_server_dismiss(struct http_server *s)
{
	for (size_t i = 0; i < s->listener_count; i++)
		if (s->listeners[i].daemon) {
			MHD_quiesce_daemon(s->listeners[i].daemon);
			shutdown(s->listeners[i].fd, SHUT_RDWR);
		}
	http_clients_dismiss(s);
}

void
http_server_unlink(struct http_server *s)
{
	for (size_t i = 0; i < s->listener_count; i++)
		http_unlisten(&s->listeners[i]);
}

void
http_server_free(struct http_server *s)
{
	for (size_t i = 0; i < s->listener_count; i++)
		if (s->listeners[i].daemon)
			MHD_stop_daemon(s->listeners[i].daemon);
	http_server_unlink(s);
	http_clients_stop(s);
	free(s->rate);
	for (int i = 0; i < HTTP_LANES; i++)
		pthread_cond_destroy(&s->queues[i].wanted);
	pthread_mutex_destroy(&s->mutex);
	arena_release(&s->arena);
	free(s);
}
