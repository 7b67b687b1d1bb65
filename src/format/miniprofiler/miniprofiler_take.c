#include "miniprofiler_take.h"

#include "base/json_string.h"

#include <math.h>

#define MOST_MS 1e13 /* some three centuries: sums of a result set must hold */

enum {
	RAW_DEPTH = 200, /* deeper values stand in strings: PostgreSQL's parser recurses */
	TYPES_LOOKED_AT = 64
};

/* @ is ours: a key of the producer's that begins with one gets another. */
static void
put_key(struct mini_teller *t, struct strbuf *b, struct text key)
{
	if (b->size)
		strbuf_append_char(b, ',');
	if (key.size && key.data[0] == '@') {
		char *doubled = arena_alloc(&t->m->scratch, key.size + 1);

		doubled[0] = '@';
		memcpy(doubled + 1, key.data, key.size);
		key = (struct text){ doubled, key.size + 1 };
	}
	json_append_depot_text(b, key);
	strbuf_append_char(b, ':');
}

static void
attribute(struct mini_teller *t, const struct json_node *n)
{
	if (json_tree_is_container(n) && json_tree_depth(n) > RAW_DEPTH) {
		struct strbuf deep;

		strbuf_init(&deep, t->m->attributes.max);
		json_tree_put(&deep, n);
		put_key(t, &t->m->raw, n->key);
		json_append_depot_text(&t->m->raw, strbuf_text(&deep));
		t->m->raw.failed |= deep.failed;
		strbuf_release(&deep);
		return;
	}
	put_key(t, &t->m->attributes, n->key);
	json_tree_put(&t->m->attributes, n);
}

/* What the value is instead of what it should be. */
static bool
odd_type(struct mini_teller *t, const struct json_node *n)
{
	char message[160];

	snprintf(message, sizeof(message), "\"%.*s\" is %s; kept as an attribute",
		text_precision(n->key, MINI_KEY_IN_MESSAGE_BYTES), n->key.data,
		json_type_name(n->type));
	return mini_issue(t->m, ISSUE_IRREGULAR_VALUE, n->offset, message, n->text, t->err);
}

static bool
irregular(struct mini_teller *t, const struct json_node *n)
{
	attribute(t, n);
	return odd_type(t, n);
}

static bool
repeated(struct mini_teller *t, const struct json_node *n)
{
	char message[160];

	snprintf(message, sizeof(message), "the key \"%.*s\" is repeated; the last stays",
		text_precision(n->key, MINI_KEY_IN_MESSAGE_BYTES), n->key.data);
	return mini_issue(t->m, ISSUE_DUPLICATE_KEY, n->offset, message, TEXT_NULL, t->err);
}

static bool
take_number(struct mini_teller *t, const struct json_node *n, struct decimal *out)
{
	if (n->type != JSON_NUMBER)
		return irregular(t, n);
	if (decimal_parse(n->text, out) != DECIMAL_OK || fabs(decimal_to_double(*out)) > MOST_MS) {
		*out = (struct decimal){ 0 };
		attribute(t, n);
		return mini_issue(t->m, ISSUE_IRREGULAR_VALUE, n->offset,
			"a number of milliseconds passes 10^13; kept as an attribute", n->text,
			t->err);
	}
	if (!decimal_is_verbatim(n->text))
		attribute(t, n);
	return true;
}

static bool
take_time(struct mini_teller *t, const struct json_node *n, enum mini_form form, int64_t *us)
{
	int64_t told;

	if (n->type != JSON_STRING && n->type != JSON_NUMBER)
		return irregular(t, n);
	if (mini_time_read(n, &told) != form || form == MINI_FORM_PLAIN ||
		(*us != MODEL_NULL && told != *us))
		attribute(t, n);
	if (*us == MODEL_NULL)
		*us = told;
	return true;
}

static bool
take_word(struct mini_teller *t, const struct json_node *n, enum mini_form form, struct text *out)
{
	bool number = form == MINI_FORM_NUMBER;

	if (n->type == JSON_NUMBER && mini_execute_type_name(n->text)) {
		*out = text_from(mini_execute_type_name(n->text));
		if (!number)
			attribute(t, n);
		return true;
	}
	if (n->type != JSON_STRING)
		return irregular(t, n);
	*out = n->text;
	if (number)
		attribute(t, n);
	return true;
}

static void
attach_copy(struct mini_teller *t, struct json_node *container, const struct json_node *n)
{
	struct json_node *copy = arena_alloc(&t->m->scratch, sizeof(*copy));

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

/* Types whose calls are spans are left out of what is kept. */
static bool
keep_other_types(struct mini_teller *t, const struct json_node *timings)
{
	struct json_node rest = *timings;

	rest.first = rest.last = NULL;
	for (const struct json_node *n = timings->first; n; n = n->next) {
		bool list = mini_is_list(n);

		if (mini_is_overruled(n)) {
			if (!repeated(t, n))
				return false;
			continue;
		}
		if (list && n->first)
			continue;
		if (!list && n->type != JSON_NULL && !odd_type(t, n))
			return false;
		attach_copy(t, &rest, n);
	}
	if (rest.first)
		attribute(t, &rest);
	return true;
}

/* ClientTimings without its list, which are spans. */
static void
keep_clients(struct mini_teller *t, const struct json_node *clients)
{
	struct json_node rest = *clients;
	const struct json_node *list =
		mini_member(&t->shape, MINI_CLIENTS, MINI_F_TIMINGS, clients);

	rest.first = rest.last = NULL;
	for (const struct json_node *n = clients->first; n; n = n->next)
		if (n != list)
			attach_copy(t, &rest, n);
	attribute(t, &rest);
}

/* Do spans stand for items of this list? */
static bool
is_told(const struct mini_teller *t, enum mini_field f, const struct json_node *n)
{
	const struct json_node *timings;

	if (f == MINI_F_ROOT)
		return true;
	if (f == MINI_F_CLIENT_TIMINGS) {
		timings = mini_member(&t->shape, MINI_CLIENTS, MINI_F_TIMINGS, n);
		return mini_is_list(timings) && timings->first;
	}
	if (f == MINI_F_CUSTOM_TIMINGS)
		return n->type == JSON_OBJECT && n->first;
	return mini_is_list(n) && n->first;
}

/* Another way to say that there is nothing: {} for [], ClientTimings without a timing. */
static bool
is_hollow(const struct mini_teller *t, enum mini_field f, const struct json_node *n)
{
	const struct json_node *timings;

	if (json_tree_is_container(n) && !n->first)
		return true;
	if (f != MINI_F_CLIENT_TIMINGS || n->type != JSON_OBJECT)
		return false;
	timings = mini_member(&t->shape, MINI_CLIENTS, MINI_F_TIMINGS, n);
	return !timings || timings->type == JSON_NULL || mini_is_list(timings);
}

/* An array with an item that is no object: none of it is told, so that its order is kept. */
static bool
odd_item(struct mini_teller *t, const struct json_node *n)
{
	const struct json_node *item = n->first;
	char message[200];

	while (item && item->type == JSON_OBJECT)
		item = item->next;
	if (!item)
		return irregular(t, n);
	attribute(t, n);
	snprintf(message, sizeof(message),
		"\"%.*s\" holds %s among its objects; all of it is kept as an attribute",
		text_precision(n->key, MINI_KEY_IN_MESSAGE_BYTES), n->key.data,
		json_type_name(item->type));
	return mini_issue(t->m, ISSUE_IRREGULAR_VALUE, item->offset, message, item->text, t->err);
}

static bool
take_list(struct mini_teller *t, enum mini_field f, const struct json_node *n, enum mini_none none)
{
	if (mini_is_nothing(f, n)) {
		if (none != MINI_NONE_EMPTY)
			attribute(t, n);
		return true;
	}
	if (!is_told(t, f, n)) {
		if (!is_hollow(t, f, n))
			return f != MINI_F_CUSTOM_TIMINGS && n->type == JSON_ARRAY
				       ? odd_item(t, n)
				       : irregular(t, n);
		attribute(t, n);
		return true;
	}
	if (f == MINI_F_CUSTOM_TIMINGS)
		return keep_other_types(t, n);
	if (f == MINI_F_CLIENT_TIMINGS)
		keep_clients(t, n);
	return true;
}

static bool
take_field(struct mini_teller *t, enum mini_field f, const struct mini_place *place,
	const struct json_node *n, struct mini_columns *c)
{
	if (n->type == JSON_NULL) {
		if (place->none != MINI_NONE_NULL)
			attribute(t, n);
		return true;
	}
	switch (mini_field_what(f)) {
	case MINI_IS_NUMBER:
		return take_number(t, n, &c->numbers[f]);
	case MINI_IS_TIME:
		return take_time(t, n, place->form, &c->started_us);
	case MINI_IS_WORD:
		return take_word(t, n, place->form, &c->texts[f]);
	case MINI_IS_LIST:
		return take_list(t, f, n, place->none);
	case MINI_IS_FLAG:
		if (n->type != JSON_TRUE && n->type != JSON_FALSE)
			return irregular(t, n);
		c->errored = n->type == JSON_TRUE;
		return true;
	case MINI_IS_SNIPPET:
		if (!mini_is_nothing(f, n) || place->none != MINI_NONE_EMPTY)
			attribute(t, n);
		break;
	case MINI_IS_TEXT:
		break;
	}
	if (n->type != JSON_STRING)
		return mini_field_what(f) == MINI_IS_SNIPPET || irregular(t, n);
	c->texts[f] = n->text;
	return true;
}

bool
mini_take_object(struct mini_teller *t, enum mini_kind kind, const struct json_node *object,
	struct mini_columns *c)
{
	const struct json_node *last[MINI_FIELDS] = { NULL };
	const struct mini_place *places = t->shape.places[kind];

	*c = (struct mini_columns){ .started_us = MODEL_NULL, .errored = -1 };
	strbuf_reset(&t->m->attributes);
	strbuf_reset(&t->m->raw);
	strbuf_reset(&t->m->absent);
	if (kind == MINI_SQL)
		strbuf_append_str(&t->m->attributes, MINI_LIST_MARK "true");
	for (const struct json_node *n = object->first; n; n = n->next) {
		enum mini_field f = mini_shape_find(&t->shape, kind, n->key);

		if (f == MINI_FIELDS) {
			attribute(t, n);
			continue;
		}
		if (last[f] && !repeated(t, last[f]))
			return false;
		last[f] = n;
	}
	for (size_t f = 0; f < MINI_FIELDS; f++) {
		if (last[f]) {
			if (!take_field(t, (enum mini_field)f, &places[f], last[f], c))
				return false;
		} else if (places[f].key.data && places[f].none != MINI_NONE_ABSENT) {
			if (t->m->absent.size)
				strbuf_append_char(&t->m->absent, ',');
			json_append_depot_text(&t->m->absent, places[f].key);
		}
	}
	return true;
}

bool
mini_attributes(struct mini_teller *t, struct text *out)
{
	struct strbuf *b = &t->m->attributes;

	if (t->m->absent.size) {
		strbuf_printf(b, "%s\"@absent\":[", b->size ? "," : "");
		strbuf_append_text(b, strbuf_text(&t->m->absent));
		strbuf_append_char(b, ']');
	}
	if (t->m->raw.size) {
		strbuf_printf(b, "%s\"@raw\":{", b->size ? "," : "");
		strbuf_append_text(b, strbuf_text(&t->m->raw));
		strbuf_append_char(b, '}');
	}
	if (b->failed || t->m->raw.failed || t->m->absent.failed)
		return error_set(t->err, ERROR_LIMIT,
			"%s: offset %llu: the profile has attributes of more than %zu MiB",
			t->m->member, (unsigned long long)t->profile->offset, b->max >> 20);
	*out = TEXT_NULL;
	if (b->size) {
		char *json = arena_alloc(&t->m->scratch, b->size + 2);

		json[0] = '{';
		memcpy(json + 1, strbuf_text(b).data, b->size);
		json[b->size + 1] = '}';
		*out = (struct text){ json, b->size + 2 };
	}
	return true;
}
