#include "json_tree.h"

#include "base/depot_text.h"

enum {
	PARSE_MAX_BYTES = 1 << 30
};

struct json_node *
json_tree_new(struct arena *a, enum json_type type, uint64_t offset)
{
	struct json_node *n = arena_alloc(a, sizeof(*n));

	n->type = type;
	n->offset = offset;
	return n;
}

void
json_tree_attach(struct json_node *container, struct json_node *n)
{
	n->parent = container;
	if (container->last)
		container->last->next = n;
	else
		container->first = n;
	container->last = n;
	container->count++;
}

static bool
read_scalar(struct json_reader *r, struct arena *a, struct json_node *n, struct error *err)
{
	struct text value = TEXT_NULL;
	bool ok;

	if (n->type == JSON_STRING)
		ok = json_read_string(r, &value, err);
	else if (n->type == JSON_NUMBER)
		ok = json_read_number(r, &value, err);
	else
		ok = json_read_literal(r, err);
	n->text = arena_text(a, value);
	n->offset = json_value_offset(r);
	return ok;
}

/* To the next place for a value below `at`; NULL: *at, the whole, is done. */
static bool
advance(struct json_reader *r, struct arena *a, struct json_node **at, struct text *key,
	struct error *err)
{
	bool more = false;

	while (*at) {
		*key = TEXT_NULL;
		if ((*at)->type == JSON_OBJECT ? !json_next_key(r, key, &more, err)
					       : !json_next_item(r, &more, err))
			return false;
		if (more) {
			*key = arena_text(a, *key);
			return true;
		}
		*at = (*at)->parent;
	}
	return true;
}

struct json_node *
json_tree_read(struct json_reader *r, struct arena *a, size_t max_bytes, struct error *err)
{
	struct json_node *root = NULL;
	struct json_node *at = NULL;
	struct text key = TEXT_NULL;

	do {
		struct json_node *n = arena_alloc(a, sizeof(*n));

		if (!json_peek(r, &n->type, err))
			return NULL;
		if (n->type == JSON_END) {
			error_set(err, ERROR_INPUT, "offset %llu: a value is missing",
				(unsigned long long)json_offset(r));
			return NULL;
		}
		n->key = key;
		n->offset = json_offset(r);
		if (at)
			json_tree_attach(at, n);
		else
			root = n;
		if (!json_tree_is_container(n)) {
			if (!read_scalar(r, a, n, err))
				return NULL;
		} else {
			if (!json_enter(r, err))
				return NULL;
			at = n;
		}
		if (a->total > max_bytes) {
			error_set(err, ERROR_LIMIT,
				"offset %llu: the value takes more than %zu MiB",
				(unsigned long long)root->offset, max_bytes >> 20);
			return NULL;
		}
		if (!advance(r, a, &at, &key, err))
			return NULL;
	} while (at);
	return root;
}

struct json_node *
json_tree_parse(struct arena *a, struct text json, struct error *err)
{
	const struct json_options options = { .source = "attributes" };
	struct json_reader *r = json_reader_new_memory(json.data, json.size, 0, &options);
	struct json_node *n = json_tree_read(r, a, PARSE_MAX_BYTES, err);

	json_reader_free(r);
	return n;
}

struct json_node *
json_tree_member(const struct json_node *n, struct text key)
{
	struct json_node *found = NULL;

	if (!json_tree_is(n, JSON_OBJECT))
		return NULL;
	for (struct json_node *m = n->first; m; m = m->next)
		if (text_equal(m->key, key))
			found = m;
	return found;
}

/* The node behind n in the document within top; *depth follows. */
static const struct json_node *
following(const struct json_node *n, const struct json_node *top, size_t *depth)
{
	if (n->first) {
		(*depth)++;
		return n->first;
	}
	while (n != top && !n->next) {
		n = n->parent;
		(*depth)--;
	}
	return n == top ? NULL : n->next;
}

size_t
json_tree_depth(const struct json_node *n)
{
	size_t depth = 0;
	size_t most = 0;

	for (const struct json_node *m = n; m; m = following(m, n, &depth))
		if (json_tree_is_container(m) && depth + 1 > most)
			most = depth + 1;
	return most;
}

static void
put_unit(struct strbuf *b, unsigned unit)
{
	strbuf_printf(b, "\\u%04x", unit);
}

static void
put_string(struct strbuf *b, struct text t, bool undo)
{
	size_t from = 0;
	uint16_t unit;

	strbuf_append_char(b, '"');
	for (size_t i = 0; i < t.size; i++) {
		unsigned char c = (unsigned char)t.data[i];

		if (c >= ' ' && c != '"' && c != '\\')
			continue;
		strbuf_append(b, t.data + from, i - from);
		from = i + 1;
		if (c == '"' || c == '\\') {
			strbuf_append_char(b, '\\');
			strbuf_append_char(b, (char)c);
		} else if (undo && depot_text_unit_at(t, i, &unit)) {
			put_unit(b, unit);
			i += DEPOT_TEXT_ESCAPE_BYTES - 1;
			from = i + 1;
		} else {
			put_unit(b, c);
		}
	}
	strbuf_append(b, t.data + from, t.size - from);
	strbuf_append_char(b, '"');
}

static void
put_opening(struct strbuf *b, const struct json_node *n, bool undo)
{
	switch (n->type) {
	case JSON_OBJECT:
		strbuf_append_char(b, '{');
		break;
	case JSON_ARRAY:
		strbuf_append_char(b, '[');
		break;
	case JSON_STRING:
		put_string(b, n->text, undo);
		break;
	case JSON_NUMBER:
		strbuf_append_text(b, n->text);
		break;
	case JSON_TRUE:
		strbuf_append_str(b, "true");
		break;
	case JSON_FALSE:
		strbuf_append_str(b, "false");
		break;
	case JSON_NULL:
	case JSON_END:
		strbuf_append_str(b, "null");
		break;
	}
}

static void
put(struct strbuf *b, const struct json_node *top, bool undo)
{
	const struct json_node *n = top;

	for (;;) {
		if (n != top && !text_is_null(n->key)) {
			put_string(b, n->key, undo);
			strbuf_append_char(b, ':');
		}
		put_opening(b, n, undo);
		if (n->first) {
			n = n->first;
			continue;
		}
		if (json_tree_is_container(n))
			strbuf_append_char(b, n->type == JSON_OBJECT ? '}' : ']');
		while (n != top && !n->next) {
			n = n->parent;
			strbuf_append_char(b, n->type == JSON_OBJECT ? '}' : ']');
		}
		if (n == top)
			return;
		strbuf_append_char(b, ',');
		n = n->next;
	}
}

void
json_tree_put(struct strbuf *b, const struct json_node *n)
{
	put(b, n, true);
}

void
json_tree_put_string(struct strbuf *b, struct text t)
{
	put_string(b, t, true);
}

void
json_tree_keep(struct strbuf *b, const struct json_node *n)
{
	put(b, n, false);
}

void
json_tree_keep_string(struct strbuf *b, struct text t)
{
	put_string(b, t, false);
}
