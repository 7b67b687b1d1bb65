/* Request bodies that are JSON objects with known keys. */
#include "handle.h"

#include <string.h>

enum {
	MAX_DEPTH = 32,
	MAX_STRING_BYTES = 64 * 1024
};

static bool
read_text(struct http_call *c, struct text *out, struct error *err)
{
	return http_body_text(c, (size_t)service_of(c)->options->http.max_request_bytes, out, err);
}

bool
handle_document(struct http_call *c, const struct json_node **out, struct error *err)
{
	struct text body;

	if (!read_text(c, &body, err))
		return false;
	*out = json_tree_parse_body(c->arena, body, err);
	if (!*out)
		c->answer->status = 400;
	return *out != NULL;
}

bool
body_expect(const struct json_node *n, const char *name, enum json_type type, struct error *err)
{
	return n->type == type || error_set(err, ERROR_USAGE, "%s must be %s, not %s", name,
					  json_type_name(type), json_type_name(n->type));
}

bool
body_keys(const struct json_node *n, const char *name, const char *const keys[], struct error *err)
{
	if (!body_expect(n, name, JSON_OBJECT, err))
		return false;
	for (const struct json_node *m = n->first; m; m = m->next) {
		size_t i = 0;

		while (keys[i] && !text_equal(m->key, text_from(keys[i])))
			i++;
		if (keys[i])
			continue;
		error_set(err, ERROR_USAGE, "%s has an unknown key \"%.*s\"", name,
			text_precision(m->key, 100), m->key.data);
		return error_hint(err, "for example, %s is a known key", keys[0]);
	}
	return true;
}

const struct json_node *
body_read(struct http_call *c, const char *const keys[], struct error *err)
{
	const struct json_options options = { .source = "the body",
		.max_depth = MAX_DEPTH,
		.max_string_bytes = MAX_STRING_BYTES,
		.duplicate_keys = true };
	const struct json_node *n;
	struct json_reader *json;
	struct text text;
	bool end = true;

	if (!read_text(c, &text, err))
		return NULL;
	json = json_reader_new_memory(text.data, text.size, 0, &options);
	n = json_tree_read(json, c->arena, SIZE_MAX, err);
	if (n && json_at_end(json, &end, err) && !end)
		error_set(err, ERROR_USAGE, "extra text after the JSON document");
	json_reader_free(json);
	if (n && !err->code && body_keys(n, "the body", keys, err))
		return n;
	c->answer->status = err->code == ERROR_LIMIT ? 413 : 400;
	return NULL;
}

bool
body_string(const struct json_node *object, const char *key, const char **out, struct error *err)
{
	const struct json_node *n = json_tree_get(object, key);

	*out = NULL;
	if (!n || n->type == JSON_NULL)
		return true;
	if (!body_expect(n, key, JSON_STRING, err))
		return false;
	*out = n->text.data;
	return true;
}
