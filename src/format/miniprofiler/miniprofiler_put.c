/* Writes the members of an object from its columns and attributes. */
#include "miniprofiler_writer.h"

bool
mini_values_parse(struct values *v, struct arena *a, struct text attributes, struct error *err)
{
	if (text_is_null(attributes))
		return true;
	v->attributes = json_tree_parse(a, attributes, err);
	v->absent = json_tree_get(v->attributes, "@absent");
	return v->attributes != NULL;
}

void
mini_put_node(struct mini_writer *w, const struct json_node *n)
{
	strbuf_reset(&w->buffer);
	json_tree_put(&w->buffer, n);
	json_raw(&w->json, strbuf_text(&w->buffer));
}

/* The attribute with the key that the producer wrote; NULL if there is no such attribute. It may be
 * a member of @raw. */
static const struct json_node *
own_value(const struct values *v, struct text key)
{
	const struct json_node *n = json_tree_member(v->attributes, key);

	return n ? n : json_tree_member(json_tree_get(v->attributes, "@raw"), key);
}

static bool
is_absent(const struct values *v, struct text key)
{
	if (!v->absent)
		return false;
	for (const struct json_node *n = v->absent->first; n; n = n->next)
		if (text_equal(n->text, key))
			return true;
	return false;
}

/* Writes "no value" as the shape spells it. */
static void
put_none(struct mini_writer *w, const struct values *v, enum mini_field f,
	const struct mini_place *p)
{
	if (p->none == MINI_NONE_ABSENT || is_absent(v, p->key))
		return;
	json_depot_key(&w->json, p->key);
	if (p->none == MINI_NONE_NULL)
		json_null(&w->json);
	else if (mini_empty_type(f) == JSON_STRING)
		json_string(&w->json, "");
	else
		json_raw(&w->json,
			mini_empty_type(f) == JSON_ARRAY ? TEXT_LITERAL("[]") : TEXT_LITERAL("{}"));
}

static bool
has_column(const struct values *v, enum mini_field f)
{
	switch (mini_field_what(f)) {
	case MINI_IS_NUMBER:
		return v->numbers[f].kind != DECIMAL_NULL;
	case MINI_IS_TIME:
		return v->started_us != MODEL_NULL;
	case MINI_IS_FLAG:
		return v->errored >= 0;
	case MINI_IS_WORD:
	case MINI_IS_TEXT:
		return !text_is_null(v->texts[f]);
	case MINI_IS_SNIPPET:
	case MINI_IS_LIST:
		break;
	}
	return false;
}

static void
put_column(struct mini_writer *w, const struct values *v, enum mini_field f,
	const struct mini_place *p)
{
	enum mini_what what = mini_field_what(f);
	int number = what == MINI_IS_WORD && p->form == MINI_FORM_NUMBER
			     ? mini_execute_type_number(v->texts[f])
			     : -1;
	char digits[DECIMAL_TEXT_BYTES];
	char time[MINI_TIME_BYTES];

	json_depot_key(&w->json, p->key);
	if (what == MINI_IS_NUMBER)
		json_raw(&w->json, decimal_text(v->numbers[f], 0, digits));
	else if (what == MINI_IS_TIME)
		json_raw(&w->json,
			(struct text){ time, mini_time_put(time, v->started_us, p->form) });
	else if (what == MINI_IS_FLAG)
		json_bool(&w->json, v->errored);
	else if (number >= 0)
		json_int(&w->json, number);
	else
		json_depot_text(&w->json, v->texts[f]);
}

static bool
is_ours(struct text key)
{
	return key.size && key.data[0] == '@' && (key.size == 1 || key.data[1] != '@');
}

static struct text
undouble(struct text key)
{
	return key.size && key.data[0] == '@' ? (struct text){ key.data + 1, key.size - 1 } : key;
}

/* Writes the members stored in the attributes, except lists whose items are spans. */
static void
put_attributes(struct mini_writer *w, const struct values *v, const bool *left)
{
	const struct json_node *raw;

	if (!v->attributes)
		return;
	for (const struct json_node *n = v->attributes->first; n; n = n->next) {
		enum mini_field f = mini_shape_find(&w->shape, v->kind, n->key);

		if (is_ours(n->key) || (f != MINI_FIELDS && left[f]))
			continue;
		json_depot_key(&w->json, undouble(n->key));
		mini_put_node(w, n);
	}
	raw = json_tree_get(v->attributes, "@raw");
	for (const struct json_node *n = raw ? raw->first : NULL; n; n = n->next) {
		struct text key = undouble(n->key);
		enum mini_field f = mini_shape_find(&w->shape, v->kind, n->key);

		if (f != MINI_FIELDS && left[f])
			continue;
		json_depot_key(&w->json, key);
		json_raw(&w->json, n->text);
	}
}

void
mini_put_members(struct mini_writer *w, const struct values *v, const bool *left)
{
	for (size_t i = 0; i < MINI_FIELDS; i++) {
		enum mini_field f = (enum mini_field)i;
		const struct mini_place *p = &w->shape.places[v->kind][f];

		if (!p->key.data || left[f] || own_value(v, p->key))
			continue;
		if (has_column(v, f))
			put_column(w, v, f, p);
		else
			put_none(w, v, f, p);
	}
	put_attributes(w, v, left);
}

bool
mini_keep_list(struct mini_writer *w, const struct values *v, struct text key,
	const struct json_node **kept, struct error *err)
{
	const struct json_node *n = json_tree_member(v->attributes, key);
	const struct json_node *raw = json_tree_member(json_tree_get(v->attributes, "@raw"), key);
	struct text json;

	*kept = NULL;
	if (!n && !raw)
		return true;
	strbuf_reset(&w->buffer);
	if (n)
		json_tree_put(&w->buffer, n);
	json = arena_text(&w->profile, n ? strbuf_text(&w->buffer) : raw->text);
	*kept = json_tree_parse(&w->profile, json, err);
	return *kept != NULL;
}
