/*
 * Events as they are posted: kernelscope's bodies, to /v1/events and to what
 * plays its logger. A batch is stored whole or not at all.
 *
 * The logger takes what the original takes: names that it does not know are
 * passed over, a time that is none is kept as text. /v1 refuses these too.
 */
#include "format/kernelscope/event_bodies.h"
#include "handlers.h"
#include "service/ingest/ingest.h"
#include "service/service_private.h"

#include "base/json_writer.h"
#include "base/number.h"

#include <stdlib.h>

enum {
	STRING_MAX_BYTES = 16 * 1024 * 1024,
	MAX_DEPTH = 1000,
};

/* --- judging ------------------------------------------------------------------------------------
 */

struct judging {
	struct sink sink; /* first: is told issues, and nothing else */
	bool lenient;
	struct live_batch *batch;
	int64_t rows;
};

static bool
refuse_issue(struct sink *s, uint32_t set, const struct issue *issue, struct error *err)
{
	const struct judging *g = (const struct judging *)s;

	(void)set;
	if (g->lenient &&
		(issue->code == ISSUE_UNKNOWN_COLUMN || issue->code == ISSUE_UNKNOWN_CATEGORY ||
			issue->code == ISSUE_ODD_VALUE))
		return true;
	error_set(err, ERROR_INPUT, "event %lld (offset %llu): %s", (long long)g->rows + 1,
		(unsigned long long)issue->offset, issue->message);
	return error_hint(err, "nothing of this request was stored");
}

static bool
take_fact(void *self, const struct event_fact *fact, struct error *err)
{
	struct judging *g = self;

	g->rows++;
	return live_batch_event(g->batch, fact, err);
}

/* *repeated: see event_bodies.h. */
static bool
read_bodies(struct judging *g, const struct category_list *categories, struct text body,
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

/* Nobody but a hostile sender names a host twice: nearly all bodies are read once. */
static bool
read_all(struct judging *g, const struct category_list *categories, struct text body,
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

/* What is wrong with the body is the sender's fault, and told as a plain 400. */
static bool
judge(struct http_call *c, struct judging *g, struct text body, struct error *err)
{
	const struct category_list *categories = ingest_categories(c, err);
	bool ok;

	if (!categories)
		return false;
	ok = read_all(g, categories, body, err);
	ingest_categories_release(c, categories);
	if (!ok && (err->code == ERROR_INPUT || err->code == ERROR_USAGE))
		c->answer->status = 400;
	return ok;
}

/* --- storing ------------------------------------------------------------------------------------
 */

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
answer_events(const struct ingest_job *j, FILE *out)
{
	struct json_writer w;

	json_writer_init(&w, out, false);
	json_begin_object(&w);
	json_key(&w, "events");
	json_int(&w, (int64_t)live_batch_rows(j->self));
	json_key(&w, "known");
	json_bool(&w, j->known);
	json_key(&w, "result_sets");
	json_begin_array(&w);
	for (size_t i = 0; i < j->inst_id_count; i++)
		json_int(&w, j->inst_ids[i]);
	json_end_array(&w);
	json_end_object(&w);
	fputc('\n', out);
}

static void
release_events(struct ingest_job *j)
{
	live_batch_free(j->self);
}

static const struct ingest_kind events_kind = { open_events, write_events, answer_events,
	release_events };
static const struct ingest_kind logger_kind = { open_events, write_events, NULL, release_events };

/* --- handlers -----------------------------------------------------------------------------------
 */

/* The batch's name, of the header or ?batch=. */
static bool
take_name(struct http_call *c, struct ingest_job *j, struct text body, struct error *err)
{
	struct text name = http_header_find(&c->request->headers, "Idempotency-Key");
	struct text batch = http_field_find(&c->request->query, "batch");

	if (name.data && batch.data && !text_equal(name, batch))
		return error_set(err, ERROR_USAGE,
			"the batch has two names: Idempotency-Key and ?batch= differ");
	if (!name.data)
		name = batch;
	if (!name.data)
		return true;
	if (name.size == 0 || name.size > INGEST_NAME_MAX ||
		text_utf8_prefix(name.data, name.size) < name.size)
		return error_set(err, ERROR_USAGE, "a batch's name is a text of 1 to %d bytes",
			(int)INGEST_NAME_MAX);
	j->name = xcalloc(1, name.size + 3);
	snprintf(j->name, name.size + 3, "e/%s", name.data);
	j->digest = hash128(body.data, body.size);
	return true;
}

static bool
says_length(struct http_call *c, struct error *err)
{
	const struct http_fields *h = &c->request->headers;

	if (c->request->body_bytes || http_header_find(h, "Content-Length").data ||
		http_header_find(h, "Transfer-Encoding").data)
		return true;
	c->answer->status = 411;
	return error_set(err, ERROR_USAGE, "the request has no Content-Length");
}

bool
ingest_body(struct http_call *c, struct text *body, struct error *err)
{
	if (!says_length(c, err) ||
		!http_body_text(c, (size_t)c->service->options->max_batch_bytes, body, err))
		return false;
	if (text_trim(*body).size)
		return true;
	c->answer->status = 400;
	return error_set(err, ERROR_USAGE, "the body is empty");
}

static bool
take_events(struct http_call *c, const struct ingest_kind *kind, struct error *err)
{
	bool legacy = kind == &logger_kind;
	struct judging g = { .sink = { .issue = refuse_issue }, .lenient = legacy };
	struct ingest_job *j;
	struct text body;

	if (!ingest_body(c, &body, err))
		return false;
	g.batch = live_batch_new();
	j = xcalloc(1, sizeof(*j));
	*j = (struct ingest_job){ .kind = kind, .patient = legacy };
	if (!judge(c, &g, body, err) || !take_name(c, j, body, err)) {
		live_batch_free(g.batch);
		free(j->name);
		free(j);
		return false;
	}
	j->self = g.batch;
	j->events = live_batch_rows(g.batch);
	j->rows = j->events + 1;
	ingest_submit(c, j);
	return true;
}

static bool
is_json_type(struct text type)
{
	static const char *const types[] = { "application/json", "application/x-ndjson",
		"application/ndjson", "application/jsonl", "text/json", "application/octet-stream",
		/* What curl says when it is not told. */
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
ingest_check_type(struct http_call *c, struct error *err)
{
	struct text type = http_header_find(&c->request->headers, "Content-Type");

	if (is_json_type(type))
		return true;
	c->answer->status = 415;
	error_set(err, ERROR_USAGE, "\"%.*s\" is no type that this takes", text_precision(type, 80),
		type.data);
	return error_hint(err, "send JSON as application/json, lines of it as "
			       "application/x-ndjson");
}

bool
handle_events(struct http_call *c, struct error *err)
{
	return ingest_check_type(c, err) && take_events(c, &events_kind, err);
}

/* Answers with an empty body of no type, as the original does. */
bool
handle_logger(struct http_call *c, struct error *err)
{
	c->answer->content_type = NULL;
	return take_events(c, &logger_kind, err);
}
