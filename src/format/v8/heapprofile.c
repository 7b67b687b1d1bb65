#include "format/common/each_file.h"
#include "v8_profile.h"

#include "format/formats.h"
#include "input/json/json_shape.h"

#include <inttypes.h>
#include <unistd.h>

/*
 * V8's sampling heap profile (.heapprofile): a tree of calls with the bytes that each
 * allocated itself and that are still alive; newer ones have the samples behind it, too.
 */
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
		return v8_refuse(&h->v8, json_offset(h->v8.json), "\"head\" stands there twice");
	h->has_head = true;
	return v8_read_head(&h->v8);
}

/* --- the tree ------------------------------------------------------------------------ */

static bool
tell_tree(struct heap *h)
{
	struct v8_profile *v = &h->v8;
	const struct track_row track = { .id = TRACK_TREE,
		.kind = "heap",
		.name = text_from(v->name),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.metric = h->space,
		.started_us = MODEL_NULL };
	struct decimal size;
	struct sample_row row = {
		.track = TRACK_TREE, .metric = h->space, .values = &size, .value_count = 1
	};

	if (!v->sink->track(v->sink, v->set, &track, v->err))
		return false;
	for (uint32_t i = 0; i < v->node_count; i++) {
		size = decimal_from_int64(v->nodes[i].self_size);
		if (size.mantissa == 0)
			continue;
		if (!v8_stack_of(v, i, &row.stack) ||
			!v->sink->sample(v->sink, v->set, &row, v->err))
			return false;
	}
	return true;
}

/* --- samples --------------------------------------------------------------------------- */

struct heap_sample {
	int64_t size, node, ordinal;
	uint64_t offset;
};

static bool
read_sample_member(struct heap *h, struct json_reader *json, struct heap_sample *s)
{
	static const char *const names[] = { "size", "nodeId", "ordinal" };
	int64_t *const values[] = { &s->size, &s->node, &s->ordinal };
	struct error *err = h->v8.err;
	enum json_type type;
	struct text key;
	size_t i = 0;
	bool more, ok = false;

	if (!json_next_key(json, &key, &more, err))
		return false;
	if (!more)
		return true;
	while (i < 3 && !text_equal(key, text_from(names[i])))
		i++;
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
tell_sample(struct heap *h, const struct heap_sample *s)
{
	struct v8_profile *v = &h->v8;
	const uint32_t node = s->node == MODEL_NULL ? V8_NONE : v8_find(v, s->node);
	const struct decimal size = decimal_from_int64(s->size);
	char attributes[48];
	struct sample_row row = {
		.track = TRACK_SAMPLES, .metric = h->sampled, .values = &size, .value_count = 1
	};

	if (s->size == MODEL_NULL)
		return v8_issue(v, ISSUE_LEFT_OUT, s->offset, "a sample has no size");
	if (node == V8_NONE) {
		if (!v8_issue(v, ISSUE_DANGLING_ROUTINE, s->offset,
			    "a sample names a node that is not there"))
			return false;
	} else if (!v8_stack_of(v, node, &row.stack)) {
		return false;
	}
	if (s->ordinal != MODEL_NULL) {
		snprintf(attributes, sizeof(attributes), "{\"ordinal\":%" PRId64 "}", s->ordinal);
		row.attributes = text_from(attributes);
	}
	return v->sink->sample(v->sink, v->set, &row, v->err);
}

static bool
read_samples(struct heap *h, struct json_reader *json)
{
	struct v8_profile *v = &h->v8;
	enum json_type type;
	bool more;

	if (!json_enter(json, v->err))
		return false;
	for (;;) {
		struct heap_sample s = { MODEL_NULL, MODEL_NULL, MODEL_NULL, 0 };
		size_t depth;

		if (!json_next_item(json, &more, v->err))
			return false;
		if (!more)
			return true;
		if (!json_peek(json, &type, v->err))
			return false;
		s.offset = h->samples.offset + json_offset(json);
		if (type != JSON_OBJECT)
			return v8_refuse(
				v, s.offset, "a sample is %s, not an object", json_type_name(type));
		depth = json_depth(json);
		if (!json_enter(json, v->err))
			return false;
		while (json_depth(json) > depth)
			if (!read_sample_member(h, json, &s))
				return false;
		v8_tick(v, json);
		if (!tell_sample(h, &s))
			return false;
	}
}

static bool
tell_samples(struct heap *h)
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

	if (!h->samples.there)
		return true;
	if (!v->sink->track(v->sink, v->set, &track, v->err))
		return false;
	json = v8_open(v, h->samples.offset, &fd);
	if (!json)
		return false;
	ok = read_samples(h, json);
	json_reader_free(json);
	close(fd);
	return ok;
}

/* --- a file ------------------------------------------------------------------------------ */

static bool
tell_metrics(struct heap *h)
{
	const struct metric_row space = { METRIC_OF_SAMPLES, TEXT_LITERAL("inuse_space"),
		TEXT_LITERAL("bytes"), TEXT_LITERAL("memory in use (selfSize)") };
	const struct metric_row sampled = { METRIC_OF_SAMPLES, TEXT_LITERAL("sampled_space"),
		TEXT_LITERAL("bytes"), TEXT_LITERAL("sampled allocations (samples)") };
	struct sink *s = h->v8.sink;

	return s->metric(s, h->v8.set, &space, &h->space, h->v8.err) &&
	       (!h->samples.there || s->metric(s, h->v8.set, &sampled, &h->sampled, h->v8.err));
}

static bool
read_file(struct format_source *source, struct sink *sink, uint32_t set, size_t member,
	struct error *err)
{
	struct heap h = { 0 };
	bool ok;

	v8_init(&h.v8, source, sink, set, member, err);
	ok = v8_read_top(&h.v8, read_member, &h);
	if (ok && !h.has_head)
		ok = v8_missing(&h.v8, "head");
	ok = ok && v8_link(&h.v8) && v8_tell_metadata(&h.v8) && tell_metrics(&h) && tell_tree(&h) &&
	     tell_samples(&h) && v8_finish(&h.v8);
	v8_release(&h.v8);
	return ok;
}

/* --- what is one ---------------------------------------------------------------------------- */

/* "head" is a node with a size. */
static bool
has_sizes(const struct format_source *source, size_t member)
{
	const struct json_options options = { .max_string_bytes = V8_MAX_STRING_BYTES,
		.max_depth = V8_MAX_DEPTH,
		.tolerate = 1u << JSON_UNCLOSED | 1u << JSON_BAD_UTF8 };
	struct error err = ERROR_INIT;
	struct json_reader *json;
	struct text key;
	bool more = true, found = false;
	int fd = bundle_open_member(source->bundle, member, &err);

	if (fd < 0)
		return false;
	json = json_reader_new_fd(fd, &options);
	if (json_enter(json, &err))
		while (json_next_key(json, &key, &more, &err) && more &&
			!text_equal(key, TEXT_LITERAL("head")))
			if (!json_skip(json, &err))
				break;
	if (more && err.code == ERROR_NONE) {
		enum json_type type;

		if (json_peek(json, &type, &err) && type == JSON_OBJECT && json_enter(json, &err))
			while (!found && json_next_key(json, &key, &more, &err) && more) {
				found = text_equal(key, TEXT_LITERAL("selfSize"));
				if (!found && !json_skip(json, &err))
					break;
			}
	}
	json_reader_free(json);
	close(fd);
	return found;
}

static int
verify(const struct format_source *source, const struct json_shape *shape, size_t member)
{
	const char *name = bundle_member(source->bundle, member)->name;

	if (!shape || shape->top != JSON_TOP_OBJECT || shape->several ||
		!json_shape_has(shape, "head"))
		return 0;
	if (has_sizes(source, member))
		return 8 * (int)sizeof("headselfSize");
	return name_ends_with(name, ".heapprofile") ? 8 * (int)sizeof(".heapprofile") : 0;
}

static int
probe(const struct format_source *source)
{
	return source->bundle ? verify(source, source->shape, source->shape_member) : 0;
}

static bool
is_ours(const struct format_source *source, size_t member)
{
	return verify(source, json_shape_of(source->bundle, member), member) > 0;
}

static enum format_result
read_heapprofile(struct format_source *source, struct sink *sink, struct error *err)
{
	static const struct each_file each = { "V8 heap profile", is_ours, read_file };

	return each_file_read(source, sink, &each, err);
}

const struct format format_heapprofile = {
	.name = "heapprofile",
	.title = "V8 sampling heap profile (.heapprofile of Chrome and Node.js)",
	.profiler = "V8 heap profiler",
	.known_by = "an object with \"head\", a node with \"selfSize\"",
	.json = true,
	.reads = true,
	.several = true,
	.probe = probe,
	.read = read_heapprofile,
};
