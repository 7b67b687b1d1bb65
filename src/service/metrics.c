/* The server's own metrics, in Prometheus text format 0.0.4. */
#include "base/clock.h"
#include "jobs.h"
#include "service_private.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_ROUTES = 256,
	MAX_STATUSES = 16, /* statuses counted per route; the last item counts all others */
	BUCKETS = 13
};

static const struct {
	double seconds;
	const char *label;
} buckets[BUCKETS] = { { 0.005, "0.005" }, { 0.01, "0.01" }, { 0.025, "0.025" }, { 0.05, "0.05" },
	{ 0.1, "0.1" }, { 0.25, "0.25" }, { 0.5, "0.5" }, { 1, "1" }, { 2.5, "2.5" }, { 5, "5" },
	{ 10, "10" }, { 30, "30" }, { 60, "60" } };

struct route_metrics {
	const struct http_route *route; /* NULL for requests without a route */
	struct {
		int status;
		uint64_t count;
	} statuses[MAX_STATUSES];
	size_t status_count;
	uint64_t requests, received_bytes, sent_bytes;
	uint64_t within[BUCKETS]; /* requests in each bucket, not cumulative */
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
metrics_count(struct metrics *m, const struct http_ended *e)
{
	struct route_metrics *r;

	pthread_mutex_lock(&m->mutex);
	r = of_route(m, e->route);
	r->requests++;
	r->received_bytes += e->request->body_bytes;
	r->sent_bytes += e->sent_bytes;
	r->seconds += e->seconds;
	count_status(r, e->status);
	for (size_t i = 0; i < BUCKETS; i++)
		if (e->seconds <= buckets[i].seconds) {
			r->within[i]++;
			break;
		}
	pthread_mutex_unlock(&m->mutex);
}

static void
head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP profdepot_%s %s\n# TYPE profdepot_%s %s\n", name, help, name, type);
}

/* Writes profdepot_NAME{method="GET",route="/" without the closing brace. */
static void
begin_sample(FILE *out, const char *name, const struct route_metrics *r)
{
	fprintf(out, "profdepot_%s{method=\"%s\",route=\"%s\"", name,
		r->route ? http_method_name(r->route->method) : "", r->route ? r->route->path : "");
}

static void
write_requests(const struct metrics *m, FILE *out)
{
	static const char name[] = "http_requests_total";

	head(out, name, "counter", "Requests answered, by route and status.");
	for (size_t i = 0; i < m->count; i++)
		for (size_t k = 0; k < m->routes[i].status_count; k++) {
			begin_sample(out, name, &m->routes[i]);
			fprintf(out, ",status=\"%d\"} %" PRIu64 "\n",
				m->routes[i].statuses[k].status, m->routes[i].statuses[k].count);
		}
}

/* Writes three decimals after a point, whatever the locale is. */
static void
write_seconds(FILE *out, double v)
{
	int64_t ms = (int64_t)(v * 1000 + 0.5);

	fprintf(out, "%" PRId64 ".%03d\n", ms / 1000, (int)(ms % 1000));
}

static void
write_histogram(const struct route_metrics *r, FILE *out)
{
	uint64_t below = 0;

	for (size_t i = 0; i < BUCKETS; i++) {
		below += r->within[i];
		begin_sample(out, "http_request_seconds_bucket", r);
		fprintf(out, ",le=\"%s\"} %" PRIu64 "\n", buckets[i].label, below);
	}
	begin_sample(out, "http_request_seconds_bucket", r);
	fprintf(out, ",le=\"+Inf\"} %" PRIu64 "\n", r->requests);
	begin_sample(out, "http_request_seconds_sum", r);
	fputs("} ", out);
	write_seconds(out, r->seconds);
	begin_sample(out, "http_request_seconds_count", r);
	fprintf(out, "} %" PRIu64 "\n", r->requests);
}

static void
write_bytes(const struct metrics *m, FILE *out)
{
	head(out, "http_received_bytes_total", "counter", "Bytes of request bodies.");
	for (size_t i = 0; i < m->count; i++) {
		begin_sample(out, "http_received_bytes_total", &m->routes[i]);
		fprintf(out, "} %" PRIu64 "\n", m->routes[i].received_bytes);
	}
	head(out, "http_sent_bytes_total", "counter", "Bytes of response bodies.");
	for (size_t i = 0; i < m->count; i++) {
		begin_sample(out, "http_sent_bytes_total", &m->routes[i]);
		fprintf(out, "} %" PRIu64 "\n", m->routes[i].sent_bytes);
	}
}

static void
gauge(FILE *out, const char *name, const char *help, int64_t v)
{
	head(out, name, "gauge", help);
	fprintf(out, "profdepot_%s %" PRId64 "\n", name, v);
}

static void
lanes(FILE *out, const char *name, const char *help, const int64_t v[HTTP_LANES])
{
	head(out, name, "gauge", help);
	for (int i = HTTP_AT_ONCE + 1; i < HTTP_LANES; i++)
		fprintf(out, "profdepot_%s{lane=\"%s\"} %" PRId64 "\n", name,
			http_lane_name((enum http_lane)i), v[i]);
}

static void
write_jobs(const struct service *service, FILE *out)
{
	int64_t counts[JOB_STATES];

	jobs_count(service->jobs, counts);
	head(out, "jobs", "gauge", "Upload jobs that the server remembers, by state.");
	for (int i = 0; i < JOB_STATES; i++)
		fprintf(out, "profdepot_jobs{state=\"%s\"} %" PRId64 "\n",
			job_state_name((enum job_state)i), counts[i]);
}

static void
write_server(struct service *s, struct http_server *http, FILE *out)
{
	struct http_counts counts;

	http_server_count(http, &counts);
	lanes(out, "http_queue", "Requests that wait for a worker, by lane.", counts.waiting);
	gauge(out, "http_requests_in_flight", "Requests that have not been answered yet.",
		counts.busy);
	lanes(out, "http_workers", "Requests that can be handled at the same time, by lane.",
		counts.workers);
	gauge(out, "database_connections", "Open database connections.", s->pool.open);
	gauge(out, "request_memory_bytes",
		"Memory that requests use, except uploads; see --memory.",
		memory_pool_used(s->memory));
	head(out, "events_stored_total", "counter", "Events acknowledged to their senders.");
	fprintf(out, "profdepot_events_stored_total %" PRId64 "\n", s->events_stored);
	write_jobs(s, out);
	head(out, "uptime_seconds", "gauge", "Seconds since the server started.");
	fputs("profdepot_uptime_seconds ", out);
	write_seconds(out, clock_seconds() - s->started);
}

void
metrics_write(struct service *s, struct http_server *http, FILE *out)
{
	struct metrics *m = s->metrics;

	write_server(s, http, out);
	pthread_mutex_lock(&m->mutex);
	write_requests(m, out);
	head(out, "http_request_seconds", "histogram",
		"From the request line to the last byte of the response.");
	for (size_t i = 0; i < m->count; i++)
		write_histogram(&m->routes[i], out);
	write_bytes(m, out);
	pthread_mutex_unlock(&m->mutex);
}
