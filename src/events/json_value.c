#include "events/json_value.h"

#include "base/number.h"

struct parse {
	struct arena *arena;
	struct json_reader *reader;
	size_t count;
	struct error *err;
};

static struct json_value *parse_value(struct parse *p);

/* Of equal keys the later wins, in the place of the first. */
static void
add_member(struct json_value *to, struct json_value *last, struct json_value *v)
{
	if (to->type == JSON_OBJECT)
		for (struct json_value *m = to->first; m; m = m->next)
			if (text_equal(m->key, v->key)) {
				v->next = m->next;
				*m = *v;
				return;
			}
	if (last)
		last->next = v;
	else
		to->first = v;
	to->count++;
}

static struct json_value *
last_of(struct json_value *v, struct json_value *after)
{
	struct json_value *last = after ? after : v->first;

	while (last && last->next)
		last = last->next;
	return last;
}

/* As deep as the reader lets a document be.
 * NOLINTBEGIN(misc-no-recursion) */

static bool
parse_members(struct parse *p, struct json_value *to)
{
	struct json_value *last = NULL;
	bool more;

	if (!json_enter(p->reader, p->err))
		return false;
	for (;;) {
		struct text key = TEXT_NULL;
		struct json_value *v;

		if (to->type == JSON_OBJECT ? !json_next_key(p->reader, &key, &more, p->err)
					    : !json_next_item(p->reader, &more, p->err))
			return false;
		if (!more)
			return true;
		if (to->type == JSON_OBJECT && to->count == JSON_VALUE_MAX_MEMBERS)
			return error_set(p->err, ERROR_LIMIT, "an object has more than %d members",
				(int)JSON_VALUE_MAX_MEMBERS);
		key = arena_text(p->arena, key);
		v = parse_value(p);
		if (!v)
			return false;
		v->key = key;
		add_member(to, last, v);
		last = last_of(to, last);
	}
}

static bool
parse_content(struct parse *p, struct json_value *v)
{
	switch (v->type) {
	case JSON_OBJECT:
	case JSON_ARRAY:
		return parse_members(p, v);
	case JSON_STRING:
		if (!json_read_string(p->reader, &v->text, p->err))
			return false;
		break;
	case JSON_NUMBER:
		if (!json_read_number(p->reader, &v->text, p->err))
			return false;
		break;
	case JSON_END:
		return error_set(p->err, ERROR_INPUT, "the body is empty");
	case JSON_TRUE:
	case JSON_FALSE:
	case JSON_NULL:
		return json_read_literal(p->reader, p->err);
	}
	v->text = arena_text(p->arena, v->text);
	return true;
}

static struct json_value *
parse_value(struct parse *p)
{
	struct json_value *v = arena_alloc(p->arena, sizeof(*v));

	if (++p->count > JSON_VALUE_MAX_COUNT) {
		error_set(p->err, ERROR_LIMIT, "the body has more than %d values",
			(int)JSON_VALUE_MAX_COUNT);
		return NULL;
	}
	if (!json_peek(p->reader, &v->type, p->err) || !parse_content(p, v))
		return NULL;
	return v;
}

/* NOLINTEND(misc-no-recursion) */

struct json_value *
json_value_parse(struct arena *a, struct text text, struct error *err)
{
	const struct json_options o = { .source = "body", .max_depth = JSON_VALUE_MAX_DEPTH };
	struct parse p = { a, json_reader_new_memory(text.data, text.size, 0, &o), 0, err };
	struct json_value *v = parse_value(&p);
	bool end;

	if (v && !json_at_end(p.reader, &end, err))
		v = NULL;
	else if (v && !end) {
		error_set(err, ERROR_INPUT, "the body goes on behind its document");
		v = NULL;
	}
	json_reader_free(p.reader);
	return v;
}

const struct json_value *
json_value_member(const struct json_value *v, const char *key)
{
	if (v->type != JSON_OBJECT)
		return NULL;
	for (const struct json_value *m = v->first; m; m = m->next)
		if (text_equal(m->key, text_from(key)))
			return m;
	return NULL;
}

bool
json_value_int64(const struct json_value *v, int64_t *out)
{
	struct number n;

	if (v->type != JSON_NUMBER && v->type != JSON_STRING)
		return false;
	return number_parse(v->text, &n) == NUMBER_OK && number_to_int64(n, out);
}
