/*
 * V8's sampling heap profile (.heapprofile). Format: see v8_profile.h; "head" is a tree of calls
 * with the live bytes that each call allocated. Newer profiles also contain the samples.
 */
#include "v8_profile.h"

#include "format/formats.h"
#include "input/json/json_shape.h"

#include <inttypes.h>
#include <unistd.h>

struct heap {
	struct v8_profile v8;
	struct v8_array samples;
	bool has_head;
	metric_number space, sampled;
};

enum {
	TRACK_TREE = 1,
	TRACK_SAMPLES = 2
};

static bool
read_member(void *self, struct text key)
{
	struct heap *h = self;

	if (text_equal(key, TEXT_LITERAL("samples")))
		return v8_note_array(&h->v8, key, &h->samples);
	if (!text_equal(key, TEXT_LITERAL("head")))
		return v8_keep_member(&h->v8, key);
	if (h->has_head)
		return reader_refuse_at(h->v8.in, json_offset(h->v8.json), "\"head\" occurs twice");
	h->has_head = true;
	return v8_read_head(&h->v8);
}

static bool
add_tree(struct heap *h)
{
	struct v8_profile *v = &h->v8;
	const struct track_row track = { .id = TRACK_TREE,
		.kind = "heap",
		.name = text_from(v->in->name),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.metric = h->space,
		.started_us = MODEL_NULL };
	struct decimal size;
	struct sample_row row = {
		.track = TRACK_TREE, .metric = h->space, .values = &size, .value_count = 1
	};

	if (!emit_track(v->in, &track))
		return false;
	for (uint32_t i = 0; i < v->calls.count; i++) {
		size = decimal_from_int64(v->calls.nodes[i].self_size);
		if (size.mantissa == 0)
			continue;
		if (!cpu_stack_of(&v->calls, i, &row.stack) || !emit_sample(v->in, &row))
			return false;
	}
	return true;
}

struct heap_sample {
	int64_t size, node, ordinal;
	uint64_t offset;
};

static bool
read_sample_member(
	struct json_reader *json, struct text key, struct heap_sample *s, struct error *err)
{
	static const char *const names[] = { "size", "nodeId", "ordinal" };
	int64_t *const values[] = { &s->size, &s->node, &s->ordinal };
	enum json_type type;
	const size_t i = text_among(key, names, 3);
	bool ok = false;

	if (!json_peek(json, &type, err))
		return false;
	if (i == 3 || type != JSON_NUMBER)
		return json_skip(json, err);
	if (!json_read_int64(json, values[i], &ok, err))
		return false;
	if (!ok)
		*values[i] = MODEL_NULL;
	return true;
}

static bool
add_sample(struct heap *h, const struct heap_sample *s)
{
	struct v8_profile *v = &h->v8;
	const uint32_t node = s->node == MODEL_NULL ? CPU_NONE : cpu_find(&v->calls, s->node);
	const struct decimal size = decimal_from_int64(s->size);
	char attributes[48];
	struct sample_row row = {
		.track = TRACK_SAMPLES, .metric = h->sampled, .values = &size, .value_count = 1
	};

	if (s->size == MODEL_NULL)
		return reader_issue_at(
			v->in, ISSUE_LEFT_OUT, s->offset, "sample left out: it has no size");
	if (node == CPU_NONE) {
		if (!reader_issue_at(v->in, ISSUE_DANGLING_ROUTINE, s->offset,
			    "sample names a missing node"))
			return false;
	} else if (!cpu_stack_of(&v->calls, node, &row.stack)) {
		return false;
	}
	if (s->ordinal != MODEL_NULL) {
		snprintf(attributes, sizeof(attributes), "{\"ordinal\":%" PRId64 "}", s->ordinal);
		row.attributes = text_from(attributes);
	}
	return emit_sample(v->in, &row);
}

static bool
read_samples(struct heap *h, struct json_reader *json)
{
	struct v8_profile *v = &h->v8;
	struct text key;

	if (!json_enter(json, v->in->err))
		return false;
	while (json_more_items(json, v->in->err)) {
		struct heap_sample s = { MODEL_NULL, MODEL_NULL, MODEL_NULL, 0 };

		if (!v8_expect(v, json, h->samples.offset, JSON_OBJECT, "sample"))
			return false;
		s.offset = h->samples.offset + json_offset(json);
		if (!json_enter(json, v->in->err))
			return false;
		while (json_more_keys(json, &key, v->in->err))
			if (!read_sample_member(json, key, &s, v->in->err))
				return false;
		reader_tick(v->in, json_offset(json));
		if (v->in->err->code != ERROR_NONE || !add_sample(h, &s))
			return false;
	}
	return v->in->err->code == ERROR_NONE;
}

static bool
add_samples(struct heap *h)
{
	struct v8_profile *v = &h->v8;
	const struct track_row track = { .id = TRACK_SAMPLES,
		.kind = "allocation samples",
		.name = TEXT_LITERAL("allocation samples"),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.metric = h->sampled,
		.started_us = MODEL_NULL };
	struct json_reader *json;
	bool ok;
	int fd;

	if (!h->samples.found)
		return true;
	if (!emit_track(v->in, &track))
		return false;
	json = v8_open(v, h->samples.offset, &fd);
	if (!json)
		return false;
	ok = read_samples(h, json);
	json_reader_free(json);
	close(fd);
	return ok;
}

static bool
add_metrics(struct heap *h)
{
	const struct metric_row space = { METRIC_OF_SAMPLES, TEXT_LITERAL("inuse_space"),
		TEXT_LITERAL("bytes"), TEXT_LITERAL("memory in use (selfSize)") };
	const struct metric_row sampled = { METRIC_OF_SAMPLES, TEXT_LITERAL("sampled_space"),
		TEXT_LITERAL("bytes"), TEXT_LITERAL("sampled allocations (samples)") };

	return emit_metric(h->v8.in, &space, &h->space) &&
	       (!h->samples.found || emit_metric(h->v8.in, &sampled, &h->sampled));
}

static bool
read_profile(struct reader *in)
{
	struct heap h = { 0 };
	bool ok;

	v8_init(&h.v8, in);
	h.v8.calls.whole_paths = true;
	ok = v8_read_top(&h.v8, read_member, &h);
	if (ok && !h.has_head)
		ok = v8_missing(&h.v8, "head");
	ok = ok && cpu_link(&h.v8.calls) && v8_add_metadata(&h.v8) && add_metrics(&h) &&
	     add_tree(&h) && add_samples(&h) && v8_finish(&h.v8);
	v8_release(&h.v8);
	return ok;
}

static int
look(const struct format_source *source, size_t member)
{
	const struct json_shape *shape = json_shape_of(source->bundle, member);
	const struct text name = text_from(bundle_member(source->bundle, member)->name);

	if (shape->top != JSON_TOP_OBJECT || shape->several || !json_shape_has(shape, "head"))
		return 0;
	/* A CPU profile may also have a "head", but its nodes have no size. */
	if (text_find(bundle_head(source->bundle, member), "\"selfSize\"") != TEXT_NOT_FOUND)
		return 8 * (int)sizeof("headselfSize");
	return text_ends_nocase(name, ".heapprofile") ? 8 * (int)sizeof(".heapprofile") : 0;
}

static const struct member_kind kind = {
	.noun = "V8 heap profile", .look = look, .read = read_profile
};

const struct format format_heapprofile = {
	.name = "heapprofile",
	.title = "V8 sampling heap profile (.heapprofile of Chrome and Node.js)",
	.profiler = "V8 heap profiler",
	.known_by = "an object with \"head\", a node with \"selfSize\"",
	.json = true,
	.covers = { [COVERAGE_HEAP] = COVERAGE_SAMPLED },
	.reads = true,
	.several = true,
	.members = &kind,
};
