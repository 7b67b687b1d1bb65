/* Functions that the event and profile handlers share, for bodies and deferred answers. */
#include "post.h"

#include "base/clock.h"
#include "base/json_writer.h"
#include "service/service_private.h"

#include <stdlib.h>

enum {
	WAIT_STEPS = 100, /* an old sender's request waits at most this often for memory */
	WAIT_STEP_MS = 100,
};

static void
write_answer(const struct post *p, FILE *out)
{
	const struct ingest_job *j = &p->job;
	struct json_writer w;

	json_writer_init_answer(&w, out, false);
	json_begin_object(&w);
	json_key_int(&w, p->what, (int64_t)p->count);
	json_key_bool(&w, "known", j->known);
	json_key_array(&w, "result_sets");
	for (size_t i = 0; i < j->inst_id_count; i++)
		json_int(&w, j->inst_ids[i]);
	json_end_array(&w);
	json_end_object(&w);
	fputc('\n', out);
}

/* ingest_job.done */
static void
finish(struct ingest_job *j)
{
	struct post *p = (struct post *)j;
	struct exchange *x = p->exchange;
	struct error err = j->error;
	bool failed = j->failed;

	if (!failed && p->what)
		write_answer(p, http_deferred_out(x));
	if (!failed && !j->known)
		p->service->events_stored += (int64_t)p->events;
	if (p->release)
		p->release(j->self);
	post_free(p);
	http_finish(x, failed ? &err : NULL);
}

struct post *
post_new(const struct ingest_kind *kind, void *self)
{
	struct post *p = xcalloc(1, sizeof(*p));

	p->job.kind = kind;
	p->job.self = self;
	p->job.done = finish;
	return p;
}

void
post_free(struct post *p)
{
	ingest_job_release(&p->job);
	if (p->lease)
		memory_lease_end(p->lease);
	free(p->lease);
	free(p);
}

void
post_submit(struct http_call *c, struct post *p)
{
	struct worker *w = c->worker;

	memory_lease_leave(w->lease);
	p->lease = w->lease;
	w->lease = NULL;
	p->service = service_of(c);
	p->exchange = http_defer(c);
	ingest_submit(p->service->ingest, &p->job);
}

static bool
has_length(struct http_call *c, struct error *err)
{
	const struct http_fields *h = &c->request->headers;

	if (c->request->body_bytes || http_header_find(h, "Content-Length").data ||
		http_header_find(h, "Transfer-Encoding").data)
		return true;
	c->answer->status = 411;
	return error_set(err, ERROR_USAGE, "the request has no Content-Length");
}

/* Begins the request's lease. An old sender would give up after a 503. Its request therefore waits, and in the end takes
 * more memory than there should be. */
static void
begin_lease(struct http_call *c)
{
	const int64_t bytes = (int64_t)c->request->body_bytes;
	struct worker *w = c->worker;

	w->lease = xcalloc(1, sizeof(*w->lease));
	memory_lease_begin(w->lease, service_of(c)->memory);
	for (int i = 0; c->request->legacy && i < WAIT_STEPS && !memory_budget_fits(bytes); i++)
		clock_sleep_ms(WAIT_STEP_MS);
	w->lease->force = c->request->legacy;
}

bool
post_has_memory(int64_t bytes, struct error *err)
{
	return memory_budget_fits(bytes) ||
	       error_set(err, ERROR_MEMORY, "the server has no memory left for the body");
}

bool
post_body(struct http_call *c, struct text *body, struct error *err)
{
	size_t max = (size_t)service_of(c)->options->http.max_batch_bytes;

	if (!has_length(c, err))
		return false;
	begin_lease(c);
	if (!http_body_text(c, max, body, err))
		return false;
	if (text_trim(*body).size)
		return true;
	c->answer->status = 400;
	return error_set(err, ERROR_USAGE, "the body is empty");
}

static bool
is_json_type(struct text type)
{
	static const char *const types[] = { "application/json", "application/x-ndjson",
		"application/ndjson", "application/jsonl", "text/json", "application/octet-stream",
		/* curl's default. */
		"application/x-www-form-urlencoded" };
	size_t size = 0;

	while (size < type.size && type.data[size] != ';' && type.data[size] != ' ')
		size++;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (text_equal_nocase((struct text){ type.data, size }, text_from(types[i])))
			return true;
	return type.size == 0;
}

bool
post_check_type(struct http_call *c, struct error *err)
{
	struct text type = http_header_find(&c->request->headers, "Content-Type");

	if (is_json_type(type))
		return true;
	c->answer->status = 415;
	error_set(err, ERROR_USAGE, "the Content-Type \"%.*s\" is not supported here",
		text_precision(type, 80), type.data);
	return error_hint(err, "send JSON as application/json, or JSON lines as "
			       "application/x-ndjson");
}
