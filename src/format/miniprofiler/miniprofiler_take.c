/* Splits the objects of a profile into columns and attributes. */
#include "miniprofiler_private.h"

#include "base/json_string.h"

#include <math.h>

#define MOST_MS 1e13 /* about three centuries, so that a result set's sums do not overflow */

enum {
	/* Values that are nested deeper are kept as strings, because PostgreSQL's parser is
	 * recursive. */
	RAW_DEPTH = 200,
	TYPES_LOOKED_AT = 64
};

/* Appends a producer's key. If the key begins with @, doubles the @, because a single @ marks
 * profdepot's own keys. */
static void
put_key(struct mini_reader *m, struct strbuf *b, struct text key)
{
	strbuf_append_char(b, b->size ? ',' : '{');
	if (key.size && key.data[0] == '@') {
		char *doubled = arena_alloc(&m->scratch, key.size + 1);

		doubled[0] = '@';
		memcpy(doubled + 1, key.data, key.size);
		key = (struct text){ doubled, key.size + 1 };
	}
	json_append_depot_text(b, key);
	strbuf_append_char(b, ':');
}

static void
attribute(struct mini_reader *m, const struct json_node *n)
{
	if (json_tree_is_container(n) && json_tree_depth(n) > RAW_DEPTH) {
		struct strbuf deep;

		strbuf_init(&deep, m->attributes.max);
		json_tree_put(&deep, n);
		put_key(m, &m->raw, n->key);
		json_append_depot_text(&m->raw, strbuf_text(&deep));
		m->raw.failed |= deep.failed;
		strbuf_release(&deep);
		return;
	}
	put_key(m, &m->attributes, n->key);
	json_tree_put(&m->attributes, n);
}

static struct issue
at_node(enum issue_code code, const struct json_node *n, struct text raw)
{
	return (struct issue){ .code = code, .offset = n->offset, .raw = raw };
}

static int
key_size(const struct json_node *n)
{
	return text_precision(n->key, MINI_KEY_IN_MESSAGE_BYTES);
}

/* Reports a value whose type does not match its key. */
static bool
report_type(struct mini_reader *m, const struct json_node *n)
{
	const struct issue at = at_node(ISSUE_IRREGULAR_VALUE, n, n->text);

	return reader_issue_like(m->in, &at, "\"%.*s\" is %s; kept as an attribute", key_size(n),
		n->key.data, json_type_name(n->type));
}

static bool
irregular(struct mini_reader *m, const struct json_node *n)
{
	attribute(m, n);
	return report_type(m, n);
}

static bool
report_repeated(struct mini_reader *m, const struct json_node *n)
{
	return reader_issue_at(m->in, ISSUE_DUPLICATE_KEY, n->offset,
		"key \"%.*s\" is repeated; the last value is kept", key_size(n), n->key.data);
}

static bool
take_number(struct mini_reader *m, const struct json_node *n, struct decimal *out)
{
	if (n->type != JSON_NUMBER)
		return irregular(m, n);
	if (decimal_parse(n->text, out) != DECIMAL_OK || fabs(decimal_to_double(*out)) > MOST_MS) {
		const struct issue at = at_node(ISSUE_IRREGULAR_VALUE, n, n->text);

		*out = (struct decimal){ 0 };
		attribute(m, n);
		return reader_issue_like(
			m->in, &at, "more than 10^13 milliseconds; kept as an attribute");
	}
	if (!decimal_is_verbatim(n->text))
		attribute(m, n);
	return true;
}

static bool
take_time(struct mini_reader *m, const struct json_node *n, enum mini_form form, int64_t *us)
{
	int64_t own;

	if (n->type != JSON_STRING && n->type != JSON_NUMBER)
		return irregular(m, n);
	if (mini_time_read(n, &own) != form || form == MINI_FORM_PLAIN ||
		(*us != MODEL_NULL && own != *us))
		attribute(m, n);
	if (*us == MODEL_NULL)
		*us = own;
	return true;
}

static bool
take_word(struct mini_reader *m, const struct json_node *n, enum mini_form form, struct text *out)
{
	bool number = form == MINI_FORM_NUMBER;

	if (n->type == JSON_NUMBER && mini_execute_type_name(n->text)) {
		*out = text_from(mini_execute_type_name(n->text));
		if (!number)
			attribute(m, n);
		return true;
	}
	if (n->type != JSON_STRING)
		return irregular(m, n);
	*out = n->text;
	if (number)
		attribute(m, n);
	return true;
}

static void
attach_copy(struct mini_reader *m, struct json_node *container, const struct json_node *n)
{
	struct json_node *copy = arena_alloc(&m->scratch, sizeof(*copy));

	*copy = *n;
	copy->next = NULL;
	for (struct json_node *c = copy->first; c; c = c->next)
		c->parent = copy;
	json_tree_attach(container, copy);
}

bool
mini_is_overruled(const struct json_node *type)
{
	int looked = 0;

	for (const struct json_node *n = type->next; n && looked < TYPES_LOOKED_AT;
		n = n->next, looked++)
		if (text_equal(n->key, type->key))
			return true;
	return false;
}

/* Keeps, as an attribute, the members of CustomTimings that do not become spans. */
static bool
keep_other_types(struct mini_reader *m, const struct json_node *timings)
{
	struct json_node rest = *timings;

	rest.first = rest.last = NULL;
	for (const struct json_node *n = timings->first; n; n = n->next) {
		bool list = mini_is_list(n);

		if (mini_is_overruled(n)) {
			if (!report_repeated(m, n))
				return false;
			continue;
		}
		if (list && n->first)
			continue;
		if (!list && n->type != JSON_NULL && !report_type(m, n))
			return false;
		attach_copy(m, &rest, n);
	}
	if (rest.first)
		attribute(m, &rest);
	return true;
}

/* Keeps ClientTimings without the timings list, whose items become spans. */
static void
keep_clients(struct mini_reader *m, const struct json_node *clients)
{
	struct json_node rest = *clients;
	const struct json_node *list =
		mini_member(&m->shape, MINI_CLIENTS, MINI_F_TIMINGS, clients);

	rest.first = rest.last = NULL;
	for (const struct json_node *n = clients->first; n; n = n->next)
		if (n != list)
			attach_copy(m, &rest, n);
	attribute(m, &rest);
}

/* Whether the items of this list become spans. */
static bool
has_spans(const struct mini_reader *m, enum mini_field f, const struct json_node *n)
{
	const struct json_node *timings;

	if (f == MINI_F_ROOT)
		return true;
	if (f == MINI_F_CLIENT_TIMINGS) {
		timings = mini_member(&m->shape, MINI_CLIENTS, MINI_F_TIMINGS, n);
		return mini_is_list(timings) && timings->first;
	}
	if (f == MINI_F_CUSTOM_TIMINGS)
		return n->type == JSON_OBJECT && n->first;
	return mini_is_list(n) && n->first;
}

/* Whether n is another spelling of an empty list, such as {} or ClientTimings without timings. */
static bool
is_hollow(const struct mini_reader *m, enum mini_field f, const struct json_node *n)
{
	const struct json_node *timings;

	if (json_tree_is_container(n) && !n->first)
		return true;
	if (f != MINI_F_CLIENT_TIMINGS || n->type != JSON_OBJECT)
		return false;
	timings = mini_member(&m->shape, MINI_CLIENTS, MINI_F_TIMINGS, n);
	return !timings || timings->type == JSON_NULL || mini_is_list(timings);
}

/* Keeps an array as an attribute, because its items do not become spans. Reports the first item
 * that is not an object. */
static bool
odd_item(struct mini_reader *m, const struct json_node *n)
{
	const struct json_node *item = n->first;
	struct issue at;

	while (item && item->type == JSON_OBJECT)
		item = item->next;
	if (!item)
		return irregular(m, n);
	attribute(m, n);
	at = at_node(ISSUE_IRREGULAR_VALUE, item, item->text);
	return reader_issue_like(m->in, &at,
		"\"%.*s\" contains %s besides objects; kept as an attribute", key_size(n),
		n->key.data, json_type_name(item->type));
}

static bool
take_list(struct mini_reader *m, enum mini_field f, const struct json_node *n, enum mini_none none)
{
	if (mini_is_nothing(f, n)) {
		if (none != MINI_NONE_EMPTY)
			attribute(m, n);
		return true;
	}
	if (!has_spans(m, f, n)) {
		if (!is_hollow(m, f, n))
			return f != MINI_F_CUSTOM_TIMINGS && n->type == JSON_ARRAY
				       ? odd_item(m, n)
				       : irregular(m, n);
		attribute(m, n);
		return true;
	}
	if (f == MINI_F_CUSTOM_TIMINGS)
		return keep_other_types(m, n);
	if (f == MINI_F_CLIENT_TIMINGS)
		keep_clients(m, n);
	return true;
}

static bool
take_field(struct mini_reader *m, enum mini_field f, const struct mini_place *place,
	const struct json_node *n, struct mini_columns *c)
{
	if (n->type == JSON_NULL) {
		if (place->none != MINI_NONE_NULL)
			attribute(m, n);
		return true;
	}
	switch (mini_field_what(f)) {
	case MINI_IS_NUMBER:
		return take_number(m, n, &c->numbers[f]);
	case MINI_IS_TIME:
		return take_time(m, n, place->form, &c->started_us);
	case MINI_IS_WORD:
		return take_word(m, n, place->form, &c->texts[f]);
	case MINI_IS_LIST:
		return take_list(m, f, n, place->none);
	case MINI_IS_FLAG:
		if (n->type != JSON_TRUE && n->type != JSON_FALSE)
			return irregular(m, n);
		c->errored = n->type == JSON_TRUE;
		return true;
	case MINI_IS_SNIPPET:
		if (!mini_is_nothing(f, n) || place->none != MINI_NONE_EMPTY)
			attribute(m, n);
		break;
	case MINI_IS_TEXT:
		break;
	}
	if (n->type != JSON_STRING)
		return mini_field_what(f) == MINI_IS_SNIPPET || irregular(m, n);
	c->texts[f] = n->text;
	return true;
}

bool
mini_take_object(struct mini_reader *m, enum mini_kind kind, const struct json_node *object,
	struct mini_columns *c)
{
	const struct json_node *last[MINI_FIELDS] = { NULL };
	const struct mini_place *places = m->shape.places[kind];

	*c = (struct mini_columns){ .started_us = MODEL_NULL, .errored = -1 };
	strbuf_reset(&m->attributes);
	strbuf_reset(&m->raw);
	strbuf_reset(&m->absent);
	if (kind == MINI_SQL)
		members_json(&m->attributes, MINI_LIST_MARK, TEXT_LITERAL("true"));
	for (const struct json_node *n = object->first; n; n = n->next) {
		enum mini_field f = mini_shape_find(&m->shape, kind, n->key);

		if (f == MINI_FIELDS) {
			attribute(m, n);
			continue;
		}
		if (last[f] && !report_repeated(m, last[f]))
			return false;
		last[f] = n;
	}
	for (size_t f = 0; f < MINI_FIELDS; f++) {
		if (last[f]) {
			if (!take_field(m, (enum mini_field)f, &places[f], last[f], c))
				return false;
		} else if (places[f].key.data && places[f].none != MINI_NONE_ABSENT) {
			if (m->absent.size)
				strbuf_append_char(&m->absent, ',');
			json_append_depot_text(&m->absent, places[f].key);
		}
	}
	return true;
}

bool
mini_attributes(struct mini_reader *m, struct text *out)
{
	struct strbuf *b = &m->attributes;
	bool ok = members_array(b, "@absent", strbuf_text(&m->absent)) &&
		  (!m->raw.size || members_json(b, "@raw", members_end(&m->raw)));

	*out = members_end(b);
	if (!ok || b->failed || m->raw.failed || m->absent.failed)
		return error_set(m->in->err, ERROR_LIMIT,
			"%s: offset %llu: the profile has attributes of more than %zu MiB",
			m->in->name, (unsigned long long)m->profile->offset, b->max >> 20);
	return true;
}
