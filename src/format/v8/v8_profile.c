#include "v8_profile.h"

#include "base/json_string.h"
#include "input/bundle/bundle.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	MESSAGE_MAX = 512,
	OTHERS_MAX_BYTES = 64 * 1024,
	TICK_EVERY = 4096,
};

/* --- messages ------------------------------------------------------------------ */

bool
v8_refuse(struct v8_profile *v, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(v->err, ERROR_INPUT, "%s: offset %llu: %s", v->name,
		(unsigned long long)offset, message);
}

bool
v8_missing(struct v8_profile *v, const char *key)
{
	const int64_t size = bundle_member(v->source->bundle, v->member)->size;

	return v8_refuse(v, (uint64_t)size, "\"%s\" is missing", key);
}

bool
v8_issue(struct v8_profile *v, enum issue_code code, uint64_t offset, const char *format, ...)
{
	char message[MESSAGE_MAX];
	const struct issue told = {
		.code = code, .source = v->name, .offset = offset, .message = message
	};
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return v->sink->issue(v->sink, v->set, &told, v->err);
}

void
v8_tick(struct v8_profile *v, const struct json_reader *json)
{
	const int64_t size = bundle_member(v->source->bundle, v->member)->size;
	const int64_t at = (int64_t)json_offset(json);

	if (++v->ticks % TICK_EVERY != 0)
		return;
	v->source->consumed = v->before + (at < size ? at : size);
	if (v->source->tick)
		v->source->tick(v->source->tick_self);
}

static void
deviate(void *self, enum json_deviation what, uint64_t offset)
{
	struct v8_profile *v = self;

	if (what == JSON_BAD_UTF8 && !v->bad_texts++)
		v->bad_text_offset = offset;
}

/* --- a file ---------------------------------------------------------------------- */

void
v8_init(struct v8_profile *v, struct format_source *source, struct sink *sink, uint32_t set,
	size_t member, struct error *err)
{
	*v = (struct v8_profile){ .source = source,
		.sink = sink,
		.err = err,
		.set = set,
		.member = member,
		.name = bundle_member(source->bundle, member)->name,
		.before = source->consumed,
		.arena = ARENA_INIT };
	pair_map_init(&v->by_id);
	pair_map_init(&v->callers);
	pair_map_init(&v->string_map);
	pair_map_init(&v->routine_map);
	strbuf_init(&v->others, OTHERS_MAX_BYTES);
}

void
v8_release(struct v8_profile *v)
{
	pair_map_release(&v->by_id);
	pair_map_release(&v->callers);
	pair_map_release(&v->string_map);
	pair_map_release(&v->routine_map);
	strbuf_release(&v->others);
	free(v->nodes);
	free(v->levels);
	free(v->strings);
	free(v->frames);
	arena_release(&v->arena);
}

struct json_reader *
v8_open(struct v8_profile *v, uint64_t offset, int *fd)
{
	const size_t depth = v->source->options.max_depth;
	const struct json_options options = { .source = v->name,
		.max_depth = depth ? depth : V8_MAX_DEPTH,
		.max_string_bytes = V8_MAX_STRING_BYTES,
		.tolerate = 1u << JSON_BAD_UTF8,
		.deviation = deviate,
		.self = v };

	*fd = bundle_open_member(v->source->bundle, v->member, v->err);
	if (*fd < 0)
		return NULL;
	if (offset && lseek(*fd, (off_t)offset, SEEK_SET) < 0) {
		error_set_errno(v->err, ERROR_FILE, "%s: cannot be read again", v->name);
		close(*fd);
		*fd = -1;
		return NULL;
	}
	return json_reader_new_fd(*fd, &options);
}

static bool
read_members(struct v8_profile *v, bool (*member)(void *self, struct text key), void *self)
{
	struct arena keys = ARENA_INIT;
	enum json_type type;
	struct text key;
	bool ok, more = true;

	if (!json_peek(v->json, &type, v->err))
		return false;
	if (type != JSON_OBJECT)
		return v8_refuse(v, json_offset(v->json),
			"no profile of V8: it holds %s, not an object", json_type_name(type));
	for (ok = json_enter(v->json, v->err); ok && more;) {
		ok = json_next_key(v->json, &key, &more, v->err);
		if (ok && more)
			ok = member(self, arena_text(&keys, key));
		arena_reset(&keys);
	}
	arena_release(&keys);
	return ok;
}

bool
v8_read_top(struct v8_profile *v, bool (*member)(void *self, struct text key), void *self)
{
	bool ok, end = false;
	int fd;

	v->json = v8_open(v, 0, &fd);
	if (!v->json)
		return false;
	ok = read_members(v, member, self) && json_at_end(v->json, &end, v->err);
	if (ok && !end)
		ok = v8_refuse(
			v, json_offset(v->json), "something follows the end of the JSON document");
	json_reader_free(v->json);
	v->json = NULL;
	close(fd);
	return ok;
}

bool
v8_note_array(struct v8_profile *v, struct text key, struct v8_array *array)
{
	enum json_type type;

	if (!json_peek(v->json, &type, v->err))
		return false;
	if (type == JSON_NULL)
		return json_skip(v->json, v->err);
	if (type != JSON_ARRAY)
		return v8_refuse(v, json_offset(v->json), "\"%.*s\" is %s, not an array",
			(int)key.size, key.data, json_type_name(type));
	if (array->there && !v8_issue(v, ISSUE_DUPLICATE_KEY, json_offset(v->json),
				    "\"%.*s\" stands there twice", (int)key.size, key.data))
		return false;
	array->there = true;
	array->offset = json_offset(v->json);
	return json_skip(v->json, v->err);
}

static bool
is_small(const struct strbuf *b, size_t size)
{
	return size < b->max / 2 && b->size < b->max / 2;
}

bool
v8_keep_member(struct v8_profile *v, struct text key)
{
	struct text raw;
	enum json_type type;

	if (!json_peek(v->json, &type, v->err))
		return false;
	if (type == JSON_OBJECT || type == JSON_ARRAY || !is_small(&v->others, 6 * key.size)) {
		const uint64_t offset = json_offset(v->json);

		return json_skip(v->json, v->err) &&
		       v8_issue(v, ISSUE_ODD_LEFT_OUT, offset, "\"%.*s\" is not kept",
			       text_precision(key, 80), key.data);
	}
	if (!json_read_raw(v->json, 0, &raw, v->err))
		return false;
	if (!is_small(&v->others, raw.size))
		return v8_issue(v, ISSUE_ODD_LEFT_OUT, json_offset(v->json), "\"%.*s\" is not kept",
			text_precision(key, 80), key.data);
	strbuf_append_char(&v->others, v->others.size ? ',' : '{');
	json_append_text(&v->others, key);
	strbuf_append_char(&v->others, ':');
	strbuf_append_text(&v->others, raw);
	return true;
}

bool
v8_tell_metadata(struct v8_profile *v)
{
	if (v->others.size) {
		strbuf_append_char(&v->others, '}');
		if (!v->sink->metadata(
			    v->sink, v->set, "attributes", strbuf_text(&v->others), v->err))
			return false;
	}
	return v->sink->metadata(v->sink, v->set, "caption", text_from(v->name), v->err);
}

bool
v8_finish(struct v8_profile *v)
{
	if (v->bad_texts && !v8_issue(v, ISSUE_BAD_UTF8, v->bad_text_offset,
				    "bytes that are no UTF-8 became U+FFFD in %llu %s",
				    (unsigned long long)v->bad_texts,
				    by_count(v->bad_texts, "place", "places")))
		return false;
	return !v->cut_stacks ||
	       v8_issue(v, ISSUE_STACK_TOO_DEEP, 0,
		       "%llu %s more than %d frames; the outermost were left out",
		       (unsigned long long)v->cut_stacks,
		       by_count(v->cut_stacks, "stack has", "stacks have"), STACK_MAX_FRAMES);
}
