/* The shape of a JSON file: the keys by which formats recognise their files. */
#include "input/json/json_shape.h"

#include "input/bundle/bundle_private.h"
#include "input/json/json_reader.h"

#include <unistd.h>

enum {
	MAX_STRING_BYTES = 64 * 1024 /* limit for a key or "$schema" */
};

static bool
key_is(struct text key, const char *name)
{
	return text_equal(key, text_from(name));
}

static void
add_key(struct arena *a, struct text *keys, size_t *count, struct text key)
{
	if (*count < JSON_SHAPE_MAX_KEYS)
		keys[(*count)++] = arena_text(a, key);
}

/* Reads the keys of the next object; skips its values. */
static bool
object_keys(
	struct json_reader *r, struct arena *a, struct text *keys, size_t *count, struct error *err)
{
	struct text key;

	if (!json_enter(r, err))
		return false;
	while (json_more_keys(r, &key, err)) {
		add_key(a, keys, count, key);
		if (!json_skip(r, err))
			return false;
	}
	return err->code == ERROR_NONE;
}

/* Enters the next array and reads the keys of its first element. */
static bool
first_element(
	struct json_reader *r, struct arena *a, struct text *keys, size_t *count, struct error *err)
{
	enum json_type type;
	bool more;

	if (!json_enter(r, err) || !json_next_item(r, &more, err))
		return false;
	if (!more)
		return true;
	if (!json_peek(r, &type, err))
		return false;
	return type == JSON_OBJECT ? object_keys(r, a, keys, count, err) : json_skip(r, err);
}

/* Skips the rest of an array whose first element has been read. */
static bool
rest_of_array(struct json_reader *r, size_t depth, struct error *err)
{
	bool more = true;

	while (json_depth(r) > depth)
		if (!json_next_item(r, &more, err) || (more && !json_skip(r, err)))
			return false;
	return true;
}

static bool
is_list(struct text key)
{
	return key_is(key, "traceEvents") || key_is(key, "snapshots") || key_is(key, "profiles");
}

/*
 * Whether the format is certain after the first element of an array. Skipping the rest of the array
 * can mean reading most of a large file. Only a speedscope file may need the keys after the array.
 */
static bool
is_known(const struct json_shape *s)
{
	if (!json_shape_has(s, "profiles") || s->schema.data || json_shape_has(s, "shared"))
		return s->inner_count > 0;
	return false;
}

/* Reads a value of the top-level object. Sets *known if the rest of the file need not be read. */
static bool
member_value(struct json_reader *r, struct arena *a, struct json_shape *s, struct text key,
	bool *known, struct error *err)
{
	bool schema = key_is(key, "$schema");
	bool list = is_list(key) && !s->inner_count;
	size_t depth = json_depth(r);
	enum json_type type;
	struct text value;

	if (!json_peek(r, &type, err))
		return false;
	if (schema && type == JSON_STRING) {
		if (!json_read_string(r, &value, err))
			return false;
		s->schema = arena_text(a, value);
		return true;
	}
	/* $schema identifies the file, so the large "profiles" need not be read. */
	*known = s->schema.data && key_is(key, "profiles");
	if (*known)
		return true;
	if (!list || type != JSON_ARRAY)
		return json_skip(r, err);
	if (!first_element(r, a, s->inner, &s->inner_count, err))
		return false;
	*known = is_known(s);
	return *known || rest_of_array(r, depth, err);
}

static bool
top_object(struct json_reader *r, struct arena *a, struct json_shape *s, struct error *err)
{
	struct text key;
	bool more = true;
	bool known = false;

	if (!json_enter(r, err))
		return false;
	while (!known && s->key_count < JSON_SHAPE_MAX_KEYS) {
		if (!json_next_key(r, &key, &more, err))
			return false;
		if (!more)
			break;
		add_key(a, s->keys, &s->key_count, key);
		if (!member_value(r, a, s, s->keys[s->key_count - 1], &known, err))
			return false;
	}
	if (!more) {
		bool end = true;

		if (json_at_end(r, &end, err))
			s->several = !end;
	}
	return true;
}

static void
look(struct json_reader *r, struct arena *a, struct json_shape *s)
{
	struct error err = ERROR_INIT;
	enum json_type type;
	bool end = false;

	if (!json_peek(r, &type, &err) || type == JSON_END)
		return;
	if (type == JSON_OBJECT) {
		s->top = JSON_TOP_OBJECT;
		top_object(r, a, s, &err);
	} else if (type == JSON_ARRAY) {
		s->top = JSON_TOP_ARRAY;
		first_element(r, a, s->keys, &s->key_count, &err);
	} else if (json_skip(r, &err) && json_at_end(r, &end, &err)) {
		s->top = JSON_TOP_OTHER;
		s->several = !end;
	}
}

/* Whether JSON can begin with these bytes. This excludes most other files. */
static bool
may_be_json(struct text head)
{
	if (text_begins(head, "\xEF\xBB\xBF"))
		head = text_from_at(head, 3);
	head = text_trim(head);
	return !head.size || strchr("{[\"-0123456789tfn", *head.data);
}

static void
look_into(struct bundle *b, size_t member, struct json_shape *s)
{
	const struct json_options o = {
		.max_string_bytes = MAX_STRING_BYTES,
		.tolerate = 1 << JSON_TRAILING_COMMA | 1 << JSON_UNCLOSED | 1 << JSON_BAD_UTF8,
	};
	const struct text head = bundle_head(b, member);
	struct error err = ERROR_INIT;
	struct json_reader *r;
	int fd = -1;

	if (!may_be_json(head))
		return;
	if ((int64_t)head.size == bundle_member(b, member)->size)
		r = json_reader_new_memory(head.data, head.size, 0, &o);
	else if ((fd = bundle_open_member(b, member, &err)) >= 0)
		r = json_reader_new_fd(fd, &o);
	else
		return;
	look(r, &b->arena, s);
	json_reader_free(r);
	if (fd >= 0)
		close(fd);
}

const struct json_shape *
json_shape_of(struct bundle *b, size_t member)
{
	struct bundle_entry *e = &b->entries[member];

	if (!e->shape) {
		e->shape = arena_alloc(&b->arena, sizeof(*e->shape));
		look_into(b, member, e->shape);
	}
	return e->shape;
}

static bool
has(const struct text *keys, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (key_is(keys[i], key))
			return true;
	return false;
}

bool
json_shape_has(const struct json_shape *s, const char *key)
{
	return has(s->keys, s->key_count, key);
}

bool
json_shape_inner_has(const struct json_shape *s, const char *key)
{
	return has(s->inner, s->inner_count, key);
}
