/*
 * What the server counts of itself, as Prometheus reads it (text format 0.0.4).
 */
#include "base/clock.h"
#include "base/strbuf.h"
#include "input/spool.h"
#include "jobs.h"
#include "service_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_ROUTES = 256,
	MAX_STATUSES = 16, /* of one route; further ones count as the last */
	BUCKETS = 13
};

static const struct {
	double seconds;
	const char *label;
} buckets[BUCKETS] = { { 0.005, "0.005" }, { 0.01, "0.01" }, { 0.025, "0.025" }, { 0.05, "0.05" },
	{ 0.1, "0.1" }, { 0.25, "0.25" }, { 0.5, "0.5" }, { 1, "1" }, { 2.5, "2.5" }, { 5, "5" },
	{ 10, "10" }, { 30, "30" }, { 60, "60" } };

struct route_metrics {
	const struct http_route *route; /* NULL: what no route takes */
	struct {
		int status;
		uint64_t count;
	} statuses[MAX_STATUSES];
	size_t status_count;
	uint64_t requests, received_bytes, sent_bytes;
	uint64_t within[BUCKETS]; /* each by itself */
	double seconds;
};

struct metrics {
	pthread_mutex_t mutex;
	struct route_metrics routes[MAX_ROUTES];
	size_t count;
};

struct metrics *
metrics_new(void)
{
	struct metrics *m = xcalloc(1, sizeof(*m));

	pthread_mutex_init(&m->mutex, NULL);
	return m;
}

void
metrics_free(struct metrics *m)
{
	if (!m)
		return;
	pthread_mutex_destroy(&m->mutex);
	free(m);
}

/* --- counting -----------------------------------------------------------------------------------
 */

static struct route_metrics *
of_route(struct metrics *m, const struct http_route *route)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->routes[i].route == route)
			return &m->routes[i];
	if (m->count == MAX_ROUTES)
		return &m->routes[MAX_ROUTES - 1];
	m->routes[m->count].route = route;
	return &m->routes[m->count++];
}

static void
count_status(struct route_metrics *r, int status)
{
	size_t i = 0;

	while (i < r->status_count && r->statuses[i].status != status)
		i++;
	if (i == MAX_STATUSES)
		i--;
	else if (i == r->status_count)
		r->statuses[r->status_count++].status = status;
	r->statuses[i].count++;
}

void
metrics_count(struct metrics *m, const struct exchange *x)
{
	double seconds = clock_seconds() - x->started;
	struct route_metrics *r;

	pthread_mutex_lock(&m->mutex);
	r = of_route(m, x->route);
	r->requests++;
	r->received_bytes += x->request.body_bytes;
	r->sent_bytes += x->sent ? spool_size(x->sent) : 0;
	r->seconds += seconds;
	count_status(r, x->answer.status);
	for (size_t i = 0; i < BUCKETS; i++)
		if (seconds <= buckets[i].seconds) {
			r->within[i]++;
			break;
		}
	pthread_mutex_unlock(&m->mutex);
}

/* --- telling ------------------------------------------------------------------------------------
 */

static void
head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP profdepot_%s %s\n# TYPE profdepot_%s %s\n", name, help, name, type);
}

static const char *
method(const struct route_metrics *r)
{
	return r->route ? http_method_name(r->route->method) : "";
}

static const char *
path(const struct route_metrics *r)
{
	return r->route ? r->route->path : "";
}

static void
write_requests(const struct metrics *m, FILE *out)
{
	head(out, "http_requests_total", "counter", "Requests answered, by route and status.");
	for (size_t i = 0; i < m->count; i++)
		for (size_t k = 0; k < m->routes[i].status_count; k++)
			fprintf(out,
				"profdepot_http_requests_total{method=\"%s\",route=\"%s\","
				"status=\"%d\"} %" PRIu64 "\n",
				method(&m->routes[i]), path(&m->routes[i]),
				m->routes[i].statuses[k].status, m->routes[i].statuses[k].count);
}

/* Printed with three digits, whatever the locale. */
static void
write_seconds(FILE *out, double v)
{
	int64_t ms = (int64_t)(v * 1000 + 0.5);

	fprintf(out, "%" PRId64 ".%03d\n", ms / 1000, (int)(ms % 1000));
}

static void
write_histogram(const struct route_metrics *r, FILE *out)
{
	static const char name[] = "profdepot_http_request_seconds";
	uint64_t below = 0;

	for (size_t i = 0; i < BUCKETS; i++) {
		below += r->within[i];
		fprintf(out, "%s_bucket{method=\"%s\",route=\"%s\",le=\"%s\"} %" PRIu64 "\n", name,
			method(r), path(r), buckets[i].label, below);
	}
	fprintf(out, "%s_bucket{method=\"%s\",route=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", name,
		method(r), path(r), r->requests);
	fprintf(out, "%s_sum{method=\"%s\",route=\"%s\"} ", name, method(r), path(r));
	write_seconds(out, r->seconds);
	fprintf(out, "%s_count{method=\"%s\",route=\"%s\"} %" PRIu64 "\n", name, method(r), path(r),
		r->requests);
}

static void
write_bytes(const struct metrics *m, FILE *out)
{
	head(out, "http_received_bytes_total", "counter", "Bytes of bodies that came.");
	for (size_t i = 0; i < m->count; i++)
		fprintf(out,
			"profdepot_http_received_bytes_total{method=\"%s\",route=\"%s\"} %" PRIu64
			"\n",
			method(&m->routes[i]), path(&m->routes[i]), m->routes[i].received_bytes);
	head(out, "http_sent_bytes_total", "counter", "Bytes of bodies that were answered.");
	for (size_t i = 0; i < m->count; i++)
		fprintf(out,
			"profdepot_http_sent_bytes_total{method=\"%s\",route=\"%s\"} %" PRIu64 "\n",
			method(&m->routes[i]), path(&m->routes[i]), m->routes[i].sent_bytes);
}

static void
gauge(FILE *out, const char *name, const char *help, int64_t v)
{
	head(out, name, "gauge", help);
	fprintf(out, "profdepot_%s %" PRId64 "\n", name, v);
}

static void
write_jobs(const struct service *service, FILE *out)
{
	int64_t counts[JOB_STATES];

	jobs_count(service->jobs, counts);
	head(out, "jobs", "gauge", "Uploads loaded as jobs that are not forgotten, by state.");
	for (int i = 0; i < JOB_STATES; i++)
		fprintf(out, "profdepot_jobs{state=\"%s\"} %" PRId64 "\n",
			job_state_name((enum job_state)i), counts[i]);
}

static void
write_server(struct server *s, FILE *out)
{
	const struct service *service = s->service;

	gauge(out, "http_requests_in_flight", "Requests begun and not answered.",
		(int64_t)http_clients_busy(s));
	gauge(out, "http_workers", "Threads that answer.", (int64_t)s->worker_count);
	gauge(out, "database_connections", "Open connections to the database.",
		atomic_load(&service->connections));
	head(out, "events_stored_total", "counter", "Events that senders were told are stored.");
	fprintf(out, "profdepot_events_stored_total %" PRId64 "\n",
		atomic_load(&service->events_stored));
	write_jobs(service, out);
	head(out, "uptime_seconds", "gauge", "Since the server began.");
	fputs("profdepot_uptime_seconds ", out);
	write_seconds(out, clock_seconds() - service->started);
}

void
metrics_write(struct metrics *m, struct server *s, FILE *out)
{
	write_server(s, out);
	pthread_mutex_lock(&m->mutex);
	write_requests(m, out);
	head(out, "http_request_seconds", "histogram",
		"From the request line to the last byte sent.");
	for (size_t i = 0; i < m->count; i++)
		write_histogram(&m->routes[i], out);
	write_bytes(m, out);
	pthread_mutex_unlock(&m->mutex);
}
