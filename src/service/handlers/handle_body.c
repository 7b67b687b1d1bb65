/* Request bodies that are JSON objects with known keys. */
#include "handle.h"

#include "input/json/json_reader.h"

#include <string.h>

enum {
	MAX_DEPTH = 32,
	MAX_STRING_BYTES = 64 * 1024
};

static bool
expect(struct body *b, enum json_type type, struct error *err)
{
	enum json_type found;

	if (!json_peek(b->json, &found, err))
		return false;
	if (found == type)
		return true;
	return error_set(err, ERROR_USAGE, "%.100s must be %s, not %s",
		b->key ? b->key : "the body", json_type_name(type), json_type_name(found));
}

bool
body_string(struct body *b, bool may_be_null, const char **out, struct error *err)
{
	enum json_type found;
	struct text t;

	*out = NULL;
	if (!json_peek(b->json, &found, err))
		return false;
	if (may_be_null && found == JSON_NULL)
		return json_read_literal(b->json, err);
	if (!expect(b, JSON_STRING, err) || !json_read_string(b->json, &t, err))
		return false;
	*out = arena_text(b->call->arena, t).data;
	return true;
}

bool
body_each(struct body *b, bool (*each)(struct body *b, void *target, struct error *err),
	void *target, struct error *err)
{
	bool more;

	if (!expect(b, JSON_ARRAY, err) || !json_enter(b->json, err))
		return false;
	while (json_next_item(b->json, &more, err)) {
		if (!more)
			return true;
		if (!each(b, target, err))
			return false;
	}
	return false;
}

bool
body_each_member(struct body *b, bool (*each)(struct body *b, void *target, struct error *err),
	void *target, struct error *err)
{
	const char *outer = b->key;
	struct text key;
	bool more;

	if (!expect(b, JSON_OBJECT, err) || !json_enter(b->json, err))
		return false;
	while (json_next_key(b->json, &key, &more, err)) {
		if (!more) {
			b->key = outer;
			return true;
		}
		b->key = arena_text(b->call->arena, key).data;
		if (!each(b, target, err))
			return false;
	}
	return false;
}

struct member {
	const struct body_key *keys;
	void *target;
};

static bool
read_member(struct body *b, void *self, struct error *err)
{
	const struct member *m = self;

	for (const struct body_key *k = m->keys; k->name; k++)
		if (strcmp(k->name, b->key) == 0)
			return k->read(b, m->target, err);
	error_set(err, ERROR_USAGE, "the body has an unknown key \"%.*s\"",
		text_precision(text_from(b->key), 100), b->key);
	return error_hint(err, "for example, %s is a known key", m->keys[0].name);
}

bool
body_read_object(struct body *b, const struct body_key *keys, void *target, struct error *err)
{
	struct member m = { keys, target };

	return body_each_member(b, read_member, &m, err);
}

bool
body_read(struct http_call *c, const struct body_key *keys, void *target, struct error *err)
{
	const struct json_options options = { .source = "the body",
		.max_depth = MAX_DEPTH,
		.max_string_bytes = MAX_STRING_BYTES,
		.duplicate_keys = true };
	struct body b = { .call = c };
	struct text text;
	bool end = true;
	bool ok;

	if (!http_body_text(c, (size_t)service_of(c)->options->http.max_request_bytes, &text, err))
		return false;
	b.json = json_reader_new_memory(text.data, text.size, 0, &options);
	ok = body_read_object(&b, keys, target, err) && json_at_end(b.json, &end, err);
	json_reader_free(b.json);
	if (ok && !end)
		ok = error_set(err, ERROR_USAGE, "extra text after the JSON document");
	if (!ok)
		c->answer->status = err->code == ERROR_LIMIT ? 413 : 400;
	return ok;
}
