/*
 * Reads events that kernelscope's tracer posts to its logger (https://github.com/josefbacik/kernelscope). A
 * file contains one JSON body, an array of bodies, or several documents (NDJSON). The input is a file or a
 * folder, and becomes one result set. event_bodies.h describes a body.
 *
 * The input is read twice, first for the categories and then for the rows, because the metrics of the categories must
 * come before the rows.
 */
#include "base/fd.h"
#include "format/common/members.h"
#include "format/formats.h"
#include "format/kernelscope/event_bodies.h"
#include "input/json/json_shape.h"
#include "kernelscope_write.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	STRING_MAX_BYTES = 16 * 1024 * 1024,
	CAPTION_PART_BYTES = 80
};

struct kernelscope {
	struct format_source *source;
	struct sink *sink;
	struct error *err;
	uint32_t set;
	bool *json; /* whether each member is JSON */
	struct event_survey survey;
	struct event_rows *rows;
	char *raw; /* buffer for rejected bytes; NULL until the first use */
};

/* A member that is being read. */
struct member {
	struct kernelscope *k;
	struct reader in;
};

static const char *const batch_keys[] = { "hostname", "time" };

static int
probe(const struct format_source *source)
{
	const struct json_shape *s = source->shape;
	int keys = 0;
	int bits = 0;

	if (!s || (s->top != JSON_TOP_OBJECT && s->top != JSON_TOP_ARRAY))
		return 0;
	for (size_t i = 0; i < 2; i++)
		if (json_shape_has(s, batch_keys[i])) {
			keys++;
			bits += 8 * (int)strlen(batch_keys[i]);
		}
	for (size_t i = 0; source->categories && i < s->key_count; i++)
		if (category_find(source->categories, s->keys[i]))
			return bits + 8 * (int)s->keys[i].size;
	return keys == 2 ? bits : 0;
}

static void
open_member(struct kernelscope *k, size_t i, struct member *m)
{
	*m = (struct member){ .k = k };
	reader_init(&m->in, k->source, k->sink, i, k->err);
	m->in.set = k->set;
	for (size_t n = 0; n < i; n++)
		m->in.before += bundle_member(k->source->bundle, n)->size;
}

static struct json_reader *
read_json(const struct member *m, int fd)
{
	const struct json_options options = { .source = m->in.name,
		.max_depth = m->in.source->options.max_depth,
		.max_string_bytes = STRING_MAX_BYTES };

	return json_reader_new_fd(fd, &options);
}

static struct text
fetch_raw(void *self, uint64_t from, uint64_t to)
{
	struct member *m = self;
	struct kernelscope *k = m->k;
	size_t size = to - from < ISSUE_RAW_MAX_BYTES ? (size_t)(to - from) : ISSUE_RAW_MAX_BYTES;
	ssize_t got;

	if (!k->raw)
		k->raw = xmalloc(ISSUE_RAW_MAX_BYTES);
	got = fd_pread(m->in.fd, k->raw, size, from);
	return got < 0 ? TEXT_NULL : (struct text){ k->raw, (size_t)got };
}

static void
tick(void *self, uint64_t offset)
{
	reader_progress(&((struct member *)self)->in, offset);
}

static bool
survey_member(struct kernelscope *k, size_t i)
{
	struct json_reader *r = NULL;
	struct member m;
	bool ok;

	open_member(k, i, &m);
	if (reader_open(&m.in))
		r = read_json(&m, m.in.fd);
	ok = r &&
	     event_bodies_survey(r, k->source->categories, k->source->arena, &k->survey, k->err);
	json_reader_free(r);
	reader_release(&m.in);
	return ok;
}

/* Returns whether the member is JSON. Files of a folder that are not JSON are skipped, with an issue. */
static bool
is_json(const struct kernelscope *k, size_t i)
{
	const struct json_shape *s;

	if (bundle_is_file(k->source->bundle))
		return true;
	s = json_shape_of(k->source->bundle, i);
	return s->top == JSON_TOP_OBJECT || s->top == JSON_TOP_ARRAY;
}

/* Fails if there is no body, or if all rows belong to unknown categories. */
static bool
check_survey(struct kernelscope *k)
{
	size_t count = k->source->categories ? k->source->categories->count : 0;
	struct text unknown = k->survey.unknown;

	if (k->survey.bodies == 0) {
		error_set(k->err, ERROR_INPUT, "%s: no event body", k->source->path);
		return error_hint(k->err, "a body is an object with hostname, time and arrays of "
					  "rows, each named by its category");
	}
	for (size_t i = 0; i < count; i++)
		if (k->survey.used[i])
			return true;
	if (!unknown.data)
		return true;
	error_set(k->err, ERROR_INPUT, "%s: no declared category; unknown category \"%.*s\"",
		k->source->path, text_precision(unknown, 80), unknown.data);
	return error_hint(k->err, "\"profdepot category add\" declares one");
}

static bool
survey(struct kernelscope *k)
{
	size_t members = bundle_count(k->source->bundle);
	size_t count = k->source->categories ? k->source->categories->count : 0;

	k->survey.used = arena_alloc_array(k->source->arena, count, sizeof(bool));
	k->json = arena_alloc_array(k->source->arena, members, sizeof(bool));
	for (size_t i = 0; i < members; i++) {
		k->json[i] = is_json(k, i);
		if (k->json[i] && !survey_member(k, i))
			return false;
	}
	return check_survey(k);
}

static bool
read_rows(struct member *m)
{
	struct kernelscope *k = m->k;
	int ahead_fd = bundle_open_member(k->source->bundle, m->in.member, k->err);
	struct event_bodies bodies = { .categories = k->source->categories,
		.rows = k->rows,
		.sink = k->sink,
		.set = k->set,
		.source = m->in.name,
		.raw = fetch_raw,
		.tick = tick,
		.self = m };
	bool ok = ahead_fd >= 0 && reader_open(&m->in);

	if (ok) {
		struct json_reader *ahead = read_json(m, ahead_fd);
		struct json_reader *r = read_json(m, m->in.fd);

		ok = event_bodies_read(&bodies, ahead, r, k->err);
		json_reader_free(ahead);
		json_reader_free(r);
	}
	if (ahead_fd >= 0)
		close(ahead_fd);
	return ok;
}

static bool
read_member(struct kernelscope *k, size_t i)
{
	struct member m;
	bool ok;

	open_member(k, i, &m);
	ok = k->json[i] ? read_rows(&m) : member_left_out(&m.in, "kernelscope events");
	reader_progress(&m.in, (uint64_t)m.in.size);
	reader_release(&m.in);
	return ok;
}

static bool
declare(struct kernelscope *k)
{
	const struct category_list *list = k->source->categories;
	bool ok = true;

	if (k->survey.hostname.data && !k->survey.several_hosts)
		ok = k->sink->metadata(k->sink, k->set, "host", k->survey.hostname, k->err);
	for (size_t i = 0; ok && list && i < list->count; i++)
		if (k->survey.used[i])
			ok = event_rows_declare(k->rows, &list->items[i], k->err);
	return ok;
}

/* The host and time of the first body, such as "alpha, 2016-10-24 17:12:43.288693". */
static struct text
caption(const struct kernelscope *k)
{
	const struct event_survey *s = &k->survey;

	if (!s->hostname.data)
		return TEXT_NULL;
	return text_from(arena_printf(k->source->arena, "%.*s%s%s%.*s",
		text_precision(s->hostname, CAPTION_PART_BYTES), s->hostname.data,
		s->several_hosts ? " and others" : "",
		text_is_empty(s->hostname) && !s->several_hosts ? "" : ", ",
		text_precision(s->time, CAPTION_PART_BYTES), s->time.data));
}

static bool
read_set(struct kernelscope *k)
{
	struct set_row row = { .source_inst_id = MODEL_NULL };
	bool wanted;

	if (!survey(k))
		return false;
	row.caption = caption(k);
	if (!k->sink->set(k->sink, &row, &k->set, &wanted, k->err))
		return false;
	k->rows = event_rows_new(k->sink, k->set);
	if (wanted && !declare(k))
		return false;
	for (size_t i = 0; wanted && i < bundle_count(k->source->bundle); i++)
		if (!read_member(k, i))
			return false;
	return k->sink->end(k->sink, k->err);
}

static enum format_result
read_input(struct format_source *source, struct sink *sink, struct error *err)
{
	struct kernelscope k = { .source = source, .sink = sink, .err = err };
	bool ok = read_set(&k);

	event_rows_free(k.rows);
	free(k.raw);
	return ok ? FORMAT_DONE : FORMAT_FAILED;
}

const struct format format_kernelscope = {
	.name = "kernelscope",
	.title = "kernelscope events as sent to its logger, JSON or NDJSON",
	.profiler = "kernelscope",
	.known_by = "an object with \"hostname\" and \"time\"",
	.json = true,
	.covers = { [COVERAGE_SPANS] = COVERAGE_FULL },
	.reads = true,
	.writes = true,
	.probe = probe,
	.read = read_input,
	.write = kernelscope_write,
	.extension = "json",
};
