/*
 * Events posted to /v1/events, or to the route that replaces kernelscope's logger. A batch is
 * stored completely or not at all.
 *
 * The second route is as tolerant as kernelscope's logger: it ignores unknown names and stores an invalid
 * time as text. /v1/events rejects both.
 */
#include "format/kernelscope/event_bodies.h"
#include "handlers.h"
#include "post.h"
#include "service/category_cache.h"
#include "service/service_private.h"

#include <stdio.h>

enum {
	STRING_MAX_BYTES = 16 * 1024 * 1024,
	MAX_DEPTH = 1000,
};

struct check {
	struct sink sink; /* must be first; receives only issues */
	bool lenient;
	struct live_batch *batch;
	int64_t rows;
};

static bool
refuse_issue(struct sink *s, uint32_t set, const struct issue *issue, struct error *err)
{
	const struct check *g = (const struct check *)s;

	(void)set;
	if (g->lenient &&
		(issue->code == ISSUE_UNKNOWN_COLUMN || issue->code == ISSUE_UNKNOWN_CATEGORY ||
			issue->code == ISSUE_ODD_VALUE))
		return true;
	error_set(err, ERROR_INPUT, "event %lld (offset %llu): %s", (long long)g->rows + 1,
		(unsigned long long)issue->offset, issue->message);
	return error_hint(err, "nothing in this request was stored");
}

static bool
take_fact(void *self, const struct event_fact *fact, struct error *err)
{
	struct check *g = self;

	g->rows++;
	return post_has_memory(0, err) && live_batch_event(g->batch, fact, err);
}

/* Reads all bodies into g->batch. For *repeated, see event_bodies.h. */
static bool
read_bodies(struct check *g, const struct category_list *categories, struct text body,
	bool *repeated, struct error *err)
{
	const struct json_options options = {
		.source = "body", .max_depth = MAX_DEPTH, .max_string_bytes = STRING_MAX_BYTES
	};
	struct json_reader *ahead = json_reader_new_memory(body.data, body.size, 0, &options);
	struct json_reader *r = json_reader_new_memory(body.data, body.size, 0, &options);
	struct event_rows *rows = event_rows_new(NULL, 0);
	struct event_bodies b = { .categories = categories,
		.rows = rows,
		.sink = &g->sink,
		.source = "body",
		.fact = take_fact,
		.self = g,
		.hasty = !*repeated };
	bool ok = true;

	for (size_t i = 0; ok && i < categories->count; i++)
		ok = event_rows_declare(rows, &categories->items[i], err);
	ok = ok && event_bodies_read(&b, ahead, r, err);
	*repeated = b.repeated;
	event_rows_free(rows);
	json_reader_free(ahead);
	json_reader_free(r);
	return ok;
}

/* Reads the body only once if its first host and time are valid and no other host or time follows, which is
 * nearly always so. Otherwise reads it twice. */
static bool
read_all(struct check *g, const struct category_list *categories, struct text body,
	struct error *err)
{
	bool repeated = false;
	bool ok = read_bodies(g, categories, body, &repeated, err);

	if (ok || !repeated)
		return ok;
	error_clear(err);
	live_batch_free(g->batch);
	g->batch = live_batch_new();
	g->rows = 0;
	return read_bodies(g, categories, body, &repeated, err);
}

/* Errors in the body are answered with status 400. */
static bool
check(struct http_call *c, struct check *g, struct text body, struct error *err)
{
	struct category_cache *cache = service_of(c)->categories;
	const struct category_list *categories = category_cache_use(cache, c->worker, err);
	bool ok;

	if (!categories)
		return false;
	ok = read_all(g, categories, body, err);
	category_cache_leave(cache, categories);
	if (!ok && (err->code == ERROR_INPUT || err->code == ERROR_USAGE))
		c->answer->status = 400;
	return ok;
}

static bool
open_events(struct live *l, struct ingest_job *j, struct error *err)
{
	struct live_batch *b = j->self;

	if (!live_batch_open(l, b, err))
		return false;
	for (size_t i = 0; i < live_batch_sets(b); i++)
		ingest_job_set(j, live_batch_inst_id(b, i));
	return true;
}

static bool
write_events(struct live *l, struct ingest_job *j, struct error *err)
{
	return live_batch_write(l, j->self, err);
}

static void
release_events(void *batch)
{
	live_batch_free(batch);
}

/* Reads the batch's name from Idempotency-Key or ?batch=. */
static bool
read_name(struct http_call *c, struct ingest_job *j, struct text body, struct error *err)
{
	struct text name = http_header_find(&c->request->headers, "Idempotency-Key");
	struct text batch = http_field_find(&c->request->query, "batch");

	if (name.data && batch.data && !text_equal(name, batch))
		return error_set(err, ERROR_USAGE, "Idempotency-Key and ?batch= differ");
	if (!name.data)
		name = batch;
	if (!name.data)
		return true;
	if (name.size == 0 || name.size > INGEST_NAME_MAX ||
		text_utf8_prefix(name.data, name.size) < name.size)
		return error_set(err, ERROR_USAGE, "the batch name must be 1 to %d bytes of UTF-8",
			(int)INGEST_NAME_MAX);
	j->name = xcalloc(1, name.size + 3);
	snprintf(j->name, name.size + 3, "e/%s", name.data);
	j->digest = hash128(body.data, body.size);
	return true;
}

/* `what` is NULL for old senders. Their jobs wait while the database is down, and their answer is empty. */
static bool
store(struct http_call *c, const char *what, struct error *err)
{
	static const struct ingest_kind kind = { open_events, write_events };
	struct check k = { .sink = { .issue = refuse_issue }, .lenient = !what };
	struct post *p;
	struct text body;

	if (!post_body(c, &body, err))
		return false;
	k.batch = live_batch_new();
	p = post_new(&kind, NULL);
	if (!check(c, &k, body, err) || !read_name(c, &p->job, body, err)) {
		live_batch_free(k.batch);
		post_free(p);
		return false;
	}
	p->job.self = k.batch;
	p->job.patient = !what;
	p->release = release_events;
	p->what = what;
	p->count = p->events = live_batch_rows(k.batch);
	p->job.rows = p->events + 1;
	post_submit(c, p);
	return true;
}

bool
handle_events(struct http_call *c, struct error *err)
{
	return post_check_type(c, err) && store(c, "events", err);
}

/* Answers without a body or a type, as kernelscope's logger does. */
bool
handle_logger(struct http_call *c, struct error *err)
{
	c->answer->content_type = NULL;
	return store(c, NULL, err);
}
