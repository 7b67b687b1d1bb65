/*
 * Stores what MiniProfiler's clients post: one profile, several profiles, or an envelope with
 * profiles. Also stores the client timings that a page posts later: {Id, Performance, Probes,
 * RedirectCount}. If several profiles have the same Id, only the first one is stored.
 */
#include "format/formats.h"
#include "handlers.h"
#include "input/bundle/bundle.h"
#include "input/json/json_reader.h"
#include "input/json/json_shape.h"
#include "input/json/json_tree.h"
#include "post.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_DEPTH = 10 * 1000,
	IDS_MAX = 10 * 1000,
	ID_MAX_BYTES = 200,
	TIMINGS_MAX = 10 * 1000,
	CLIENTS_MAX_BYTES = 64 * 1024 * 1024, /* maximum size of a document in memory */
	NODE_BYTES = 256,                     /* maximum memory for each byte of the document */
};

static const struct hash128 no_digest;

struct profile {
	char *name; /* name of the batch: "p/" and the Id */
	bool known;
};

struct profiles {
	struct sink sink; /* must be first; checks the profiles and collects their Ids */
	struct arena *arena;
	struct bundle *bundle;
	struct format_source source;
	struct text host;    /* host of the first profile */
	struct profile *ids; /* the profiles' Ids, each once */
	size_t id_count, count;
	struct live_set *set;
};

/* --- checking, before anything is stored --- */

static bool
look_set(struct sink *s, const struct set_row *row, uint32_t *set, bool *wanted, struct error *err)
{
	(void)s;
	(void)row;
	(void)err;
	*set = 0;
	*wanted = true;
	return true;
}

#define IGNORE(what) \
	static bool look_##what( \
		struct sink *s, uint32_t set, const struct what##_row *row, struct error *err) \
	{ \
		(void)s; \
		(void)set; \
		(void)row; \
		(void)err; \
		return true; \
	}

IGNORE(routine)
IGNORE(line)
#undef IGNORE

static bool
look_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	(void)s;
	(void)set;
	(void)row;
	return post_has_memory(0, err);
}

static bool
look_metric(struct sink *s, uint32_t set, const struct metric_row *row, metric_number *number,
	struct error *err)
{
	(void)s;
	(void)set;
	(void)row;
	(void)err;
	*number = 1;
	return true;
}

static bool
look_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	(void)s;
	(void)set;
	(void)row;
	(void)err;
	*number = 1;
	return true;
}

static bool
look_path(struct sink *s, uint32_t set, path_number parent, int64_t routine, path_number *number,
	struct error *err)
{
	(void)s;
	(void)set;
	(void)parent;
	(void)routine;
	(void)err;
	*number = 0;
	return true;
}

static bool
look_issue(struct sink *s, uint32_t set, const struct issue *issue, struct error *err)
{
	(void)s;
	(void)set;
	if (issue_severity(issue->code) != ISSUE_ERROR)
		return true;
	error_set(err, ERROR_INPUT, "offset %llu: %s", (unsigned long long)issue->offset,
		issue->message);
	return error_hint(err, "nothing in this request was stored");
}

static bool
look_end(struct sink *s, struct error *err)
{
	(void)s;
	(void)err;
	return true;
}

static bool
look_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct profiles *p = (struct profiles *)s;
	const char *name;

	(void)set;
	if (!p->count++)
		p->host = arena_text(p->arena, row->host);
	if (!row->source_id.size)
		return true;
	if (row->source_id.size > ID_MAX_BYTES || p->id_count == IDS_MAX)
		return error_set(err, ERROR_LIMIT,
			"more than %d profiles, or an Id that exceeds %d bytes", (int)IDS_MAX,
			(int)ID_MAX_BYTES);
	name = arena_printf(p->arena, "p/%.*s", (int)row->source_id.size, row->source_id.data);
	for (size_t i = 0; i < p->id_count; i++)
		if (strcmp(p->ids[i].name, name) == 0)
			return true;
	p->ids = xrealloc(p->ids, (p->id_count + 1) * sizeof(*p->ids));
	p->ids[p->id_count++] = (struct profile){ .name = (char *)(uintptr_t)name };
	return true;
}

static bool
read_profiles(struct profiles *p, struct sink *sink, struct error *err)
{
	p->source.consumed = 0;
	return format_read(&format_miniprofiler, &p->source, sink, err) == FORMAT_DONE;
}

/* Sets status 400 if the body is not JSON. */
static bool
check_json(struct http_call *c, struct text body, struct error *err)
{
	const struct json_options options = { .source = "body", .max_depth = MAX_DEPTH };
	struct json_reader *r = json_reader_new_memory(body.data, body.size, 0, &options);
	bool end = false;
	bool ok = true;

	while (ok && !end)
		ok = json_at_end(r, &end, err) && (end || json_skip(r, err));
	json_reader_free(r);
	if (!ok)
		c->answer->status = 400;
	return ok;
}

/* --- storing --- */

static bool
is_known(const struct profiles *p)
{
	for (size_t i = 0; i < p->id_count; i++)
		if (!p->ids[i].known)
			return false;
	return p->id_count == p->count;
}

static bool
open_profiles(struct live *l, struct ingest_job *j, struct error *err)
{
	struct profiles *p = j->self;
	const struct live_source source = { "miniprofiler", "MiniProfiler",
		p->host.data ? p->host : TEXT_LITERAL(""), TEXT_LITERAL("profiles") };
	enum live_named *found = arena_alloc_array(p->arena, p->id_count, sizeof(*found));
	int64_t inst_id;

	for (size_t i = 0; i < p->id_count; i++) {
		if (!live_named_find(l, p->ids[i].name, no_digest, &found[i], err))
			return false;
		p->ids[i].known = found[i] == LIVE_KNOWN;
	}
	j->known = is_known(p);
	if (j->known)
		return true;
	p->set = live_open(l, &source, err);
	if (!p->set)
		return false;
	inst_id = live_inst_id(p->set);
	ingest_job_set(j, inst_id);
	for (size_t i = 0; i < p->id_count; i++)
		if (!p->ids[i].known && !live_named_add(l, p->ids[i].name, no_digest,
						found[i] == LIVE_AGAIN, &inst_id, 1, err))
			return false;
	return true;
}

static bool
write_profiles(struct live *l, struct ingest_job *j, struct error *err)
{
	struct profiles *p = j->self;
	struct sink *sink = live_sink_new(l, p->set);
	bool ok;

	for (size_t i = 0; i < p->id_count; i++)
		if (p->ids[i].known)
			live_sink_skip(sink, text_from(p->ids[i].name + 2));
	ok = read_profiles(p, sink, err);
	live_sink_free(sink);
	return ok;
}

static void
profiles_free(void *profiles)
{
	struct profiles *p = profiles;

	bundle_close(p->bundle);
	free(p->ids);
	free(p);
}

static bool
take_profiles(struct http_call *c, struct text body, struct error *err)
{
	static const struct ingest_kind kind = { open_profiles, write_profiles };
	struct profiles *p = xcalloc(1, sizeof(*p));
	struct post *post;

	*p = (struct profiles){
		.sink = { .set = look_set,
			.metric = look_metric,
			.routine = look_routine,
			.line = look_line,
			.stack = look_stack,
			.track = look_track,
			.path = look_path,
			.span = look_span,
			.issue = look_issue,
			.end = look_end },
		.arena = c->arena,
		.bundle = bundle_from_memory("body.json", body.data, body.size),
	};
	p->source = (struct format_source){ .path = "body",
		.bundle = p->bundle,
		.shape = json_shape_of(p->bundle, 0),
		.options = { .max_depth = MAX_DEPTH },
		.arena = c->arena };
	if (!read_profiles(p, &p->sink, err)) {
		profiles_free(p);
		return false;
	}
	post = post_new(&kind, p);
	post->job.rows = body.size / 100 + 1;
	post->release = profiles_free;
	post->what = "profiles";
	post->count = p->count;
	post_submit(c, post);
	return true;
}

/* --- client timings --- */

struct client_timings {
	const char *name;                   /* name of the profile's batch */
	struct live_client_timing *timings; /* in the arena */
	size_t count;
	struct live_set *set;
	int32_t track;
};

static bool
is_key(struct text key, const char *pascal)
{
	return text_equal_nocase(key, text_from(pascal));
}

/* Ignores unknown keys, and values of an unexpected type. */
static bool
read_timing(const struct json_node *n, struct live_client_timing *t, struct error *err)
{
	*t = (struct live_client_timing){ .name = TEXT_LITERAL("") };
	for (const struct json_node *m = n->first; m; m = m->next) {
		bool is_start = is_key(m->key, "Start");

		if (m->type == JSON_STRING && is_key(m->key, "Name"))
			t->name = m->text;
		else if (m->type == JSON_NUMBER && (is_start || is_key(m->key, "Duration")) &&
			 decimal_parse(m->text, is_start ? &t->start : &t->duration) != DECIMAL_OK)
			return error_set(err, ERROR_INPUT, "offset %llu: the number is too large",
				(unsigned long long)m->offset);
	}
	return true;
}

static bool
read_timings(const struct json_node *list, struct client_timings *k, struct error *err)
{
	for (const struct json_node *n = list->first; n; n = n->next) {
		if (n->type != JSON_OBJECT || k->count == TIMINGS_MAX)
			return error_set(err, ERROR_INPUT,
				"offset %llu: a timing is not an object, or there are more than %d",
				(unsigned long long)n->offset, (int)TIMINGS_MAX);
		if (!read_timing(n, &k->timings[k->count++], err))
			return false;
	}
	return true;
}

static bool
read_clients(
	struct arena *a, const struct json_node *body, struct client_timings *k, struct error *err)
{
	k->timings = arena_alloc_array(a, TIMINGS_MAX, sizeof(*k->timings));
	for (const struct json_node *m = body->first; m; m = m->next)
		if (m->type == JSON_STRING && is_key(m->key, "Id"))
			k->name = arena_printf(
				a, "p/%.*s", text_precision(m->text, ID_MAX_BYTES), m->text.data);
		else if (m->type == JSON_ARRAY &&
			 (is_key(m->key, "Performance") || is_key(m->key, "Probes")) &&
			 !read_timings(m, k, err))
			return false;
	return k->name || error_set(err, ERROR_INPUT, "the client timings have no Id");
}

static bool
open_clients(struct live *l, struct ingest_job *j, struct error *err)
{
	struct client_timings *k = j->self;

	if (!live_open_named(l, k->name, &k->set, err))
		return false;
	k->track = k->set ? live_profile_track(k->set, text_from(k->name + 2)) : 0;
	if (!k->track) {
		error_set(err, ERROR_NOT_FOUND, "there is no open profile %s to add the timings to",
			k->name + 2);
		error_hint(err, "post the profile first");
		return ingest_job_refuse(j, err);
	}
	ingest_job_set(j, live_inst_id(k->set));
	return true;
}

static bool
write_clients(struct live *l, struct ingest_job *j, struct error *err)
{
	struct client_timings *k = j->self;

	for (size_t i = 0; i < k->count; i++)
		if (!live_add_client_timing(l, k->set, k->track, &k->timings[i], err))
			return false;
	return true;
}

/* When a page is reloaded, it posts its timings again. The name of the batch prevents a second copy. */
static bool
take_clients(struct http_call *c, struct text body, struct error *err)
{
	const struct json_options options = { .source = "body", .max_depth = MAX_DEPTH };
	const size_t most = body.size < CLIENTS_MAX_BYTES / NODE_BYTES
				    ? (body.size + 1) * NODE_BYTES
				    : CLIENTS_MAX_BYTES;
	struct json_reader *r = json_reader_new_memory(body.data, body.size, 0, &options);
	struct client_timings *k = arena_alloc(c->arena, sizeof(*k));
	static const struct ingest_kind kind = { open_clients, write_clients };
	struct post *post;
	const struct json_node *document =
		post_has_memory((int64_t)most, err)
			? json_tree_read(r, c->arena, c->arena->total + most, err)
			: NULL;

	json_reader_free(r);
	if (!document || !read_clients(c->arena, document, k, err)) {
		if (err->code != ERROR_MEMORY)
			c->answer->status = 400;
		return false;
	}
	post = post_new(&kind, k);
	post->job.rows = k->count + 1;
	post->job.name = xcalloc(1, strlen(k->name) + 1);
	memcpy(post->job.name, k->name, strlen(k->name));
	post->job.name[0] = 'c';
	post->what = "client_timings";
	post->count = k->count;
	post_submit(c, post);
	return true;
}

/* Client timings have Performance or Probes, but no Root. */
static bool
are_clients(struct text body)
{
	struct bundle *b = bundle_from_memory("body.json", body.data, body.size);
	const struct json_shape *s = json_shape_of(b, 0);
	bool root = json_shape_has(s, "Root") || json_shape_has(s, "root");
	bool clients = json_shape_has(s, "Performance") || json_shape_has(s, "performance") ||
		       json_shape_has(s, "Probes") || json_shape_has(s, "probes");

	clients = clients && !root && s->top == JSON_TOP_OBJECT;
	bundle_close(b);
	return clients;
}

bool
handle_miniprofiler(struct http_call *c, struct error *err)
{
	struct text body;

	if (!post_check_type(c, err) || !post_body(c, &body, err) || !check_json(c, body, err))
		return false;
	return are_clients(body) ? take_clients(c, body, err) : take_profiles(c, body, err);
}
