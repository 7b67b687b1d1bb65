/*
 * MiniProfiler's profiles as its clients post them: one, several, or in an envelope; and the client
 * timings that a page posts later: {Id, Performance, Probes, RedirectCount}. The first profile
 * with an Id is stored, later ones are ignored.
 */
#include "format/formats.h"
#include "handlers.h"
#include "input/bundle/bundle.h"
#include "input/json/json_reader.h"
#include "input/json/json_shape.h"
#include "post.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_DEPTH = 10 * 1000,
	IDS_MAX = 10 * 1000,
	ID_MAX_BYTES = 200,
	TIMINGS_MAX = 10 * 1000,
};

static const struct hash128 no_digest;

struct profile {
	char *name; /* of the batch: "p/" and the Id */
	bool known;
};

struct profiles {
	struct sink sink; /* first; checks the profiles and collects their Ids */
	struct arena *arena;
	struct bundle *bundle;
	struct format_source source;
	struct text host;    /* of the first profile */
	struct profile *ids; /* without repetitions */
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
look_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	(void)s;
	(void)set;
	(void)row;
	(void)err;
	return true;
}

static bool
look_line(struct sink *s, uint32_t set, const struct line_row *row, struct error *err)
{
	(void)s;
	(void)set;
	(void)row;
	(void)err;
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
look_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	(void)s;
	(void)set;
	(void)row;
	(void)err;
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
	return format_miniprofiler.read(&p->source, sink, err) == FORMAT_DONE;
}

/* Status 400 if it is not JSON. */
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
	const char *name;                   /* of the profile's batch */
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

static bool
read_time(struct http_call *c, struct json_reader *r, struct decimal *d, struct error *err)
{
	bool ok = true;

	if (!json_read_decimal(r, d, &ok, err))
		return false;
	if (!ok)
		return error_set(err, ERROR_INPUT, "offset %llu: the number is too large",
			(unsigned long long)json_value_offset(r));
	if (d->kind == DECIMAL_TEXT)
		d->text = arena_text(c->arena, d->text);
	return true;
}

/* Skips unknown keys and values of another type. */
static bool
read_timing_value(struct http_call *c, struct json_reader *r, struct text key,
	struct live_client_timing *t, struct error *err)
{
	bool is_start = is_key(key, "Start");
	bool is_name = is_key(key, "Name");
	enum json_type type;
	struct text value;

	if (!json_peek(r, &type, err))
		return false;
	if (type == JSON_NUMBER && (is_start || is_key(key, "Duration")))
		return read_time(c, r, is_start ? &t->start : &t->duration, err);
	if (!is_name || type != JSON_STRING)
		return json_skip(r, err);
	if (!json_read_string(r, &value, err))
		return false;
	t->name = arena_text(c->arena, value);
	return true;
}

static bool
read_timing(
	struct http_call *c, struct json_reader *r, struct live_client_timing *t, struct error *err)
{
	struct text key;
	bool more;

	*t = (struct live_client_timing){ .name = TEXT_LITERAL("") };
	if (!json_enter(r, err))
		return false;
	while (json_next_key(r, &key, &more, err) && more)
		if (!read_timing_value(c, r, key, t, err))
			return false;
	return !err->code;
}

static bool
read_timings(
	struct http_call *c, struct json_reader *r, struct client_timings *k, struct error *err)
{
	enum json_type type;
	bool more;

	if (!json_enter(r, err))
		return false;
	while (json_next_item(r, &more, err) && more) {
		if (!json_peek(r, &type, err))
			return false;
		if (type != JSON_OBJECT || k->count == TIMINGS_MAX)
			return error_set(err, ERROR_INPUT,
				"offset %llu: a timing is not an object, or there are more than %d",
				(unsigned long long)json_offset(r), (int)TIMINGS_MAX);
		if (!read_timing(c, r, &k->timings[k->count], err))
			return false;
		k->count++;
	}
	return !err->code;
}

static bool
read_clients(
	struct http_call *c, struct json_reader *r, struct client_timings *k, struct error *err)
{
	struct text key;
	struct text value;
	enum json_type type;
	bool more;
	bool ok;

	if (!json_enter(r, err))
		return false;
	while (json_next_key(r, &key, &more, err) && more) {
		bool is_list = is_key(key, "Performance") || is_key(key, "Probes");
		bool is_id = is_key(key, "Id");

		if (!json_peek(r, &type, err))
			return false;
		if (is_id && type == JSON_STRING) {
			ok = json_read_string(r, &value, err);
			if (ok)
				k->name = arena_printf(c->arena, "p/%.*s",
					text_precision(value, ID_MAX_BYTES), value.data);
		} else {
			ok = is_list && type == JSON_ARRAY ? read_timings(c, r, k, err)
							   : json_skip(r, err);
		}
		if (!ok)
			return false;
	}
	return !err->code;
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

/* A page posts its timings again when it is reloaded. The batch's name prevents a second copy. */
static bool
take_clients(struct http_call *c, struct text body, struct error *err)
{
	const struct json_options options = { .source = "body", .max_depth = MAX_DEPTH };
	struct json_reader *r = json_reader_new_memory(body.data, body.size, 0, &options);
	struct client_timings *k = arena_alloc(c->arena, sizeof(*k));
	static const struct ingest_kind kind = { open_clients, write_clients };
	struct post *post;
	bool ok;

	k->timings = arena_alloc_array(c->arena, TIMINGS_MAX, sizeof(*k->timings));
	ok = read_clients(c, r, k, err);
	json_reader_free(r);
	if (!ok || !k->name) {
		c->answer->status = 400;
		return ok ? error_set(err, ERROR_INPUT, "the client timings have no Id") : false;
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

	bundle_close(b);
	return s->top == JSON_TOP_OBJECT && clients && !root;
}

bool
handle_miniprofiler(struct http_call *c, struct error *err)
{
	struct text body;

	if (!post_check_type(c, err) || !post_body(c, &body, err) || !check_json(c, body, err))
		return false;
	return are_clients(body) ? take_clients(c, body, err) : take_profiles(c, body, err);
}
