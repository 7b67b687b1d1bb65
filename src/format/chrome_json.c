#include "chrome_json.h"

#include "base/double.h"

#include <math.h>
#include <stdlib.h>

static struct chrome_json *
add_node(struct arena *a, struct chrome_json *parent, struct text key, enum json_type type)
{
	struct chrome_json *j = arena_alloc(a, sizeof(*j));

	j->type = type;
	j->key = key;
	j->parent = parent;
	if (!parent)
		return j;
	j->depth = parent->depth + 1;
	if (parent->last)
		parent->last->next = j;
	else
		parent->first = j;
	parent->last = j;
	return j;
}

/* Reads a value but not what a container holds. */
static bool
read_value(struct arena *a, struct json_reader *r, struct chrome_json *j, struct error *err)
{
	switch (j->type) {
	case JSON_OBJECT:
	case JSON_ARRAY:
		return json_enter(r, err);
	case JSON_STRING:
		if (!json_read_string(r, &j->text, err))
			return false;
		j->text = arena_text(a, j->text);
		return true;
	case JSON_NUMBER:
		if (!json_read_number(r, &j->text, err))
			return false;
		j->text = arena_text(a, j->text);
		return true;
	case JSON_TRUE:
	case JSON_FALSE:
	case JSON_NULL:
		return json_read_literal(r, err);
	case JSON_END:
		break;
	}
	return error_set(err, ERROR_INPUT, "no value");
}

/* The next child of an open container; *more false when it is closed. */
static bool
next_child(struct arena *a, struct json_reader *r, struct chrome_json *in, struct text *key,
	bool *more, struct error *err)
{
	*key = TEXT_NULL;
	if (in->type == JSON_ARRAY)
		return json_next_item(r, more, err);
	if (!json_next_key(r, key, more, err))
		return false;
	if (*more)
		*key = arena_text(a, *key);
	return true;
}

struct chrome_json *
chrome_json_read(struct arena *a, struct json_reader *r, struct error *err)
{
	struct chrome_json *root = NULL, *in = NULL;
	struct text key = TEXT_NULL;
	size_t nodes = 0;

	for (;;) {
		enum json_type type;
		struct chrome_json *j;
		bool more = true;

		if (!json_peek(r, &type, err))
			return NULL;
		if (++nodes > CHROME_JSON_MAX_NODES) {
			error_set(err, ERROR_LIMIT, "more than %d values", CHROME_JSON_MAX_NODES);
			return NULL;
		}
		j = add_node(a, in, key, type);
		if (!root)
			root = j;
		if (j->depth > root->deep)
			root->deep = j->depth;
		if (!read_value(a, r, j, err))
			return NULL;
		if (type == JSON_OBJECT || type == JSON_ARRAY)
			in = j;
		while (in) {
			if (!next_child(a, r, in, &key, &more, err))
				return NULL;
			if (more)
				break;
			in = in->parent;
		}
		if (!in)
			return root;
	}
}

struct chrome_json *
chrome_json_parse(struct arena *a, struct text t, bool tolerant)
{
	const struct json_options options = {
		.source = "event",
		.tolerate = tolerant ? 1u << JSON_BAD_UTF8 | 1u << JSON_TRAILING_COMMA : 0,
	};
	struct json_reader *r = json_reader_new_memory(t.data, t.size, 0, &options);
	struct error err = ERROR_INIT;
	struct chrome_json *j = chrome_json_read(a, r, &err);
	bool end = false;

	if (j && (!json_at_end(r, &end, &err) || !end))
		j = NULL;
	json_reader_free(r);
	return j;
}

const struct chrome_json *
chrome_json_get(const struct chrome_json *j, const char *key)
{
	const struct text name = text_from(key);
	const struct chrome_json *found = NULL;

	if (!j || j->type != JSON_OBJECT)
		return NULL;
	for (const struct chrome_json *m = j->first; m; m = m->next)
		if (text_equal(m->key, name))
			found = m;
	return found;
}

void
chrome_json_remove(struct chrome_json *j, const char *key)
{
	const struct text name = text_from(key);
	struct chrome_json **link;

	if (!j || j->type != JSON_OBJECT)
		return;
	j->last = NULL;
	for (link = &j->first; *link;) {
		if (text_equal((*link)->key, name)) {
			*link = (*link)->next;
		} else {
			j->last = *link;
			link = &(*link)->next;
		}
	}
}

struct text
chrome_json_string(const struct chrome_json *j)
{
	return j && j->type == JSON_STRING ? j->text : TEXT_NULL;
}

bool
chrome_json_double(const struct chrome_json *j, double *v)
{
	struct decimal d;

	if (!j || j->type != JSON_NUMBER)
		return false;
	d = chrome_json_decimal(j);
	if (d.kind != DECIMAL_NULL)
		*v = decimal_to_double(d);
	else
		*v = double_parse(j->text);
	return true;
}

struct decimal
chrome_json_decimal(const struct chrome_json *j)
{
	struct decimal d = { 0 };

	if (!j || j->type != JSON_NUMBER || decimal_parse(j->text, &d) != DECIMAL_OK)
		d = (struct decimal){ 0 };
	return d;
}

bool
chrome_json_truthy(const struct chrome_json *j)
{
	double v;

	if (!j)
		return false;
	switch (j->type) {
	case JSON_STRING:
		return j->text.size > 0;
	case JSON_NUMBER:
		return chrome_json_double(j, &v) && chrome_compare(v, 0) != 0;
	case JSON_NULL:
	case JSON_FALSE:
	case JSON_END:
		return false;
	case JSON_OBJECT:
	case JSON_ARRAY:
	case JSON_TRUE:
		break;
	}
	return true;
}

struct text
chrome_json_js_text(struct arena *a, const struct chrome_json *j)
{
	struct strbuf b;
	struct text t;
	double v;

	if (!j)
		return TEXT_LITERAL("undefined");
	switch (j->type) {
	case JSON_STRING:
		return j->text;
	case JSON_TRUE:
		return TEXT_LITERAL("true");
	case JSON_FALSE:
		return TEXT_LITERAL("false");
	case JSON_NULL:
		return TEXT_LITERAL("null");
	case JSON_NUMBER:
		if (!chrome_json_double(j, &v))
			return j->text;
		strbuf_init(&b, 64);
		chrome_json_write_double(&b, v);
		t = arena_text(a, strbuf_text(&b));
		strbuf_release(&b);
		return t;
	case JSON_OBJECT:
	case JSON_ARRAY:
	case JSON_END:
		break;
	}
	return TEXT_LITERAL("[object Object]");
}

void
chrome_json_write_string(struct strbuf *b, struct text t)
{
	size_t from = 0;

	strbuf_append_char(b, '"');
	for (size_t i = 0; i < t.size; i++) {
		unsigned char c = (unsigned char)t.data[i];

		if (c >= 0x20 && c != '"' && c != '\\')
			continue;
		strbuf_append(b, t.data + from, i - from);
		from = i + 1;
		if (c == '"' || c == '\\')
			strbuf_printf(b, "\\%c", c);
		else
			strbuf_printf(b, "\\u%04x", c);
	}
	strbuf_append(b, t.data + from, t.size - from);
	strbuf_append_char(b, '"');
}

static const char *
literal(enum json_type type)
{
	return type == JSON_TRUE ? "true" : type == JSON_FALSE ? "false" : "null";
}

static void
write_head(struct strbuf *b, const struct chrome_json *j)
{
	if (!text_is_null(j->key)) {
		chrome_json_write_string(b, j->key);
		strbuf_append_char(b, ':');
	}
	if (j->type == JSON_OBJECT || j->type == JSON_ARRAY)
		strbuf_append_char(b, j->type == JSON_OBJECT ? '{' : '[');
	else if (j->type == JSON_STRING)
		chrome_json_write_string(b, j->text);
	else if (j->type == JSON_NUMBER)
		strbuf_append_text(b, j->text);
	else
		strbuf_append_str(b, literal(j->type));
}

void
chrome_json_write(struct strbuf *b, const struct chrome_json *j)
{
	const struct chrome_json *at = j;
	struct chrome_json top = *j;

	top.key = TEXT_NULL;
	write_head(b, &top);
	for (;;) {
		if (at->first) {
			at = at->first;
			write_head(b, at);
			continue;
		}
		if (at->type == JSON_OBJECT || at->type == JSON_ARRAY)
			strbuf_append_char(b, at->type == JSON_OBJECT ? '}' : ']');
		while (at != j && !at->next) {
			at = at->parent;
			strbuf_append_char(b, at->type == JSON_OBJECT ? '}' : ']');
		}
		if (at == j)
			return;
		at = at->next;
		strbuf_append_char(b, ',');
		write_head(b, at);
	}
}

void
chrome_json_write_double(struct strbuf *b, double v)
{
	char text[DOUBLE_TEXT_MAX];

	strbuf_append(b, text, double_format(v, text));
}
