/* Converts JSON values (RFC 8259) to trees and back. The depot's escape: base/depot_text.h. */
#include "input/json/json_tree.h"

#include "base/json_string.h"
#include "base/number.h"

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

/* A document that is being read into nodes. */
struct growth {
	struct json_reader *reader;
	struct arena *arena;
	size_t max_bytes;
	bool is_body; /* request body limits apply; if a key is repeated, its last value is used */
	size_t values;
	struct error *err;
};

static bool
read_scalar(struct growth *g, struct json_node *n)
{
	struct text value = TEXT_NULL;
	bool ok;

	if (n->type == JSON_STRING)
		ok = json_read_string(g->reader, &value, g->err);
	else if (n->type == JSON_NUMBER)
		ok = json_read_number(g->reader, &value, g->err);
	else
		ok = json_read_literal(g->reader, g->err);
	n->text = arena_text(g->arena, value);
	n->offset = json_value_offset(g->reader);
	return ok;
}

/* Leaves the containers that have no more values. *at becomes the container of the next value, or
 * NULL if the whole value has been read. */
static bool
advance(struct growth *g, struct json_node **at, struct text *key)
{
	bool more = false;

	while (*at) {
		*key = TEXT_NULL;
		if ((*at)->type == JSON_OBJECT ? !json_next_key(g->reader, key, &more, g->err)
					       : !json_next_item(g->reader, &more, g->err))
			return false;
		if (more) {
			*key = arena_text(g->arena, *key);
			return true;
		}
		*at = (*at)->parent;
	}
	return true;
}

/* The node for the next value of `at`. In a body, this is the existing member with the same key, if
 * any. */
static struct json_node *
place(struct growth *g, struct json_node *at, struct text key)
{
	struct json_node *n = g->is_body ? json_tree_member(at, key) : NULL;

	if (n) {
		*n = (struct json_node){ .key = key, .parent = at, .next = n->next };
		return n;
	}
	if (g->is_body && json_tree_is(at, JSON_OBJECT) && at->count == JSON_BODY_MAX_MEMBERS) {
		error_set(g->err, ERROR_LIMIT, "an object has more than %d members",
			(int)JSON_BODY_MAX_MEMBERS);
		return NULL;
	}
	n = arena_alloc(g->arena, sizeof(*n));
	n->key = key;
	if (at)
		json_tree_attach(at, n);
	return n;
}

static bool
check_limits(const struct growth *g, const struct json_node *root)
{
	if (g->arena->total > g->max_bytes)
		return error_set(g->err, ERROR_LIMIT,
			"offset %llu: the value takes more than %zu MiB",
			(unsigned long long)root->offset, g->max_bytes >> 20);
	if (g->is_body && g->values > JSON_BODY_MAX_VALUES)
		return error_set(g->err, ERROR_LIMIT, "the body has more than %d values",
			(int)JSON_BODY_MAX_VALUES);
	return true;
}

static struct json_node *
read_value(struct growth *g)
{
	struct json_node *root = NULL;
	struct json_node *at = NULL;
	struct text key = TEXT_NULL;

	do {
		struct json_node *n = place(g, at, key);

		if (!n || !json_peek(g->reader, &n->type, g->err))
			return NULL;
		n->offset = json_offset(g->reader);
		if (n->type == JSON_END) {
			error_set(g->err, ERROR_INPUT, "offset %llu: a value is missing",
				(unsigned long long)n->offset);
			return NULL;
		}
		root = root ? root : n;
		g->values++;
		if (!json_tree_is_container(n)) {
			if (!read_scalar(g, n))
				return NULL;
		} else {
			if (!json_enter(g->reader, g->err))
				return NULL;
			at = n;
		}
		if (!check_limits(g, root) || !advance(g, &at, &key))
			return NULL;
	} while (at);
	return root;
}

struct json_node *
json_tree_read(struct json_reader *r, struct arena *a, size_t max_bytes, struct error *err)
{
	struct growth g = { .reader = r, .arena = a, .max_bytes = max_bytes, .err = err };

	return read_value(&g);
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
json_tree_parse_body(struct arena *a, struct text body, struct error *err)
{
	const struct json_options options = { .source = "body", .max_depth = JSON_BODY_MAX_DEPTH };
	struct growth g = { .reader = json_reader_new_memory(body.data, body.size, 0, &options),
		.arena = a,
		.max_bytes = SIZE_MAX,
		.is_body = true,
		.err = err };
	struct json_node *n = read_value(&g);
	bool end;

	if (n && !json_at_end(g.reader, &end, err)) {
		n = NULL;
	} else if (n && !end) {
		error_set(err, ERROR_INPUT, "the body continues after its document");
		n = NULL;
	}
	json_reader_free(g.reader);
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

struct json_node *
json_tree_get(const struct json_node *n, const char *key)
{
	return json_tree_member(n, text_from(key));
}

bool
json_tree_int64(const struct json_node *n, int64_t *out)
{
	struct number v;

	return (n->type == JSON_NUMBER || n->type == JSON_STRING) &&
	       number_parse(n->text, &v) == NUMBER_OK && number_to_int64(v, out);
}

/* The node after n within `top`, in document order. Adjusts *depth. */
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
put_opening(struct strbuf *b, const struct json_node *n, unsigned how)
{
	switch (n->type) {
	case JSON_OBJECT:
		strbuf_append_char(b, '{');
		break;
	case JSON_ARRAY:
		strbuf_append_char(b, '[');
		break;
	case JSON_STRING:
		json_append_string(b, n->text, how);
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
put(struct strbuf *b, const struct json_node *top, unsigned how)
{
	const struct json_node *n = top;

	for (;;) {
		if (n != top && !text_is_null(n->key)) {
			json_append_string(b, n->key, how);
			strbuf_append_char(b, ':');
		}
		put_opening(b, n, how);
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
	put(b, n, JSON_ESCAPE_DEPOT);
}

void
json_tree_keep(struct strbuf *b, const struct json_node *n)
{
	put(b, n, 0);
}
