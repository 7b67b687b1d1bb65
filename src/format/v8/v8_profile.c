/* V8's profiles: the file, its top-level members and its attributes. See v8_profile.h. */
#include "v8_profile.h"

#include "base/json_string.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	OTHERS_MAX_BYTES = 64 * 1024
};

bool
v8_expect(struct v8_profile *v, struct json_reader *json, uint64_t base, enum json_type type,
	const char *what)
{
	enum json_type found;

	if (!json_peek(json, &found, v->in->err))
		return false;
	return found == type ||
	       reader_refuse_at(v->in, base + json_offset(json), "%s: expected %s, found %s", what,
		       json_type_name(type), json_type_name(found));
}

bool
v8_missing(struct v8_profile *v, const char *key)
{
	return reader_refuse_at(v->in, (uint64_t)v->in->size, "\"%s\" is missing", key);
}

static void
deviate(void *self, enum json_deviation what, uint64_t offset)
{
	struct v8_profile *v = self;

	if (what == JSON_BAD_UTF8 && !v->bad_texts++)
		v->bad_text_offset = offset;
}

void
v8_init(struct v8_profile *v, struct reader *in)
{
	*v = (struct v8_profile){ .in = in,
		.calls = { .in = in, .frames = frame_dictionary_new(in->sink, in->set) } };
	strbuf_init(&v->strings, SIZE_MAX / 2);
	strbuf_init(&v->others, OTHERS_MAX_BYTES);
}

void
v8_release(struct v8_profile *v)
{
	frame_dictionary_free(v->calls.frames);
	cpu_calls_release(&v->calls);
	strbuf_release(&v->strings);
	strbuf_release(&v->others);
	free(v->levels);
}

struct json_reader *
v8_open(struct v8_profile *v, uint64_t offset, int *fd)
{
	const size_t depth = v->in->source->options.max_depth;
	const struct json_options options = { .source = v->in->name,
		.max_depth = depth ? depth : V8_MAX_DEPTH,
		.max_string_bytes = V8_MAX_STRING_BYTES,
		.tolerate = 1u << JSON_BAD_UTF8,
		.deviation = deviate,
		.self = v };

	*fd = bundle_open_member(v->in->source->bundle, v->in->member, v->in->err);
	if (*fd < 0)
		return NULL;
	if (offset && lseek(*fd, (off_t)offset, SEEK_SET) < 0) {
		error_set_errno(v->in->err, ERROR_FILE, "%s: cannot be read again", v->in->name);
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
	struct text key;
	bool ok;

	if (!v8_expect(v, v->json, 0, JSON_OBJECT, "not a V8 profile"))
		return false;
	ok = json_enter(v->json, v->in->err);
	while (ok && json_more_keys(v->json, &key, v->in->err)) {
		ok = member(self, arena_text(&keys, key));
		arena_reset(&keys);
	}
	arena_release(&keys);
	return ok && v->in->err->code == ERROR_NONE;
}

bool
v8_read_top(struct v8_profile *v, bool (*member)(void *self, struct text key), void *self)
{
	bool ok, end = false;
	int fd;

	v->json = v8_open(v, 0, &fd);
	if (!v->json)
		return false;
	ok = read_members(v, member, self) && json_at_end(v->json, &end, v->in->err);
	if (ok && !end)
		ok = reader_refuse_at(
			v->in, json_offset(v->json), "text after the end of the JSON document");
	json_reader_free(v->json);
	v->json = NULL;
	close(fd);
	return ok;
}

bool
v8_note_array(struct v8_profile *v, struct text key, struct v8_array *array)
{
	enum json_type type;

	if (!json_peek(v->json, &type, v->in->err))
		return false;
	if (type == JSON_NULL)
		return json_skip(v->json, v->in->err);
	if (type != JSON_ARRAY)
		return reader_refuse_at(v->in, json_offset(v->json),
			"\"%.*s\": expected an array, found %s", (int)key.size, key.data,
			json_type_name(type));
	if (array->found && !reader_issue_at(v->in, ISSUE_DUPLICATE_KEY, json_offset(v->json),
				    "\"%.*s\" occurs twice", (int)key.size, key.data))
		return false;
	array->found = true;
	array->offset = json_offset(v->json);
	return json_skip(v->json, v->in->err);
}

bool
v8_keep_member(struct v8_profile *v, struct text key)
{
	const size_t most = v->others.max / 2;
	struct text raw = TEXT_NULL;
	enum json_type type;
	uint64_t offset;
	bool kept;

	if (!json_peek(v->json, &type, v->in->err))
		return false;
	offset = json_offset(v->json);
	kept = type != JSON_OBJECT && type != JSON_ARRAY && 6 * key.size < most &&
	       v->others.size < most;
	if (!(kept ? json_read_raw(v->json, 0, &raw, v->in->err) : json_skip(v->json, v->in->err)))
		return false;
	if (!kept || raw.size >= most)
		return reader_issue_at(v->in, ISSUE_ODD_LEFT_OUT, offset, "\"%.*s\" is not kept",
			text_precision(key, 80), key.data);
	strbuf_append_char(&v->others, v->others.size ? ',' : '{');
	json_append_text(&v->others, key);
	strbuf_append_char(&v->others, ':');
	strbuf_append_text(&v->others, raw);
	return true;
}

bool
v8_add_metadata(struct v8_profile *v)
{
	if (v->others.size) {
		strbuf_append_char(&v->others, '}');
		if (!emit_metadata(v->in, "attributes", strbuf_text(&v->others)))
			return false;
	}
	return emit_metadata(v->in, "caption", text_from(v->in->name));
}

bool
v8_finish(struct v8_profile *v)
{
	if (v->bad_texts && !reader_issue_at(v->in, ISSUE_BAD_UTF8, v->bad_text_offset,
				    "bytes that are not UTF-8 became U+FFFD in %llu %s",
				    (unsigned long long)v->bad_texts,
				    by_count(v->bad_texts, "place", "places")))
		return false;
	return cpu_calls_finish(&v->calls);
}
