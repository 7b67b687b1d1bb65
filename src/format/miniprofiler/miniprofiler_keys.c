/* The keys of all producers, and the shape of a profile. */
#include "miniprofiler_private.h"

#include "format/common/text_scan.h"

static const char *const kind_names[] = {
#define MINI_KIND_NAME(code, name) name,
	MINI_KIND_TABLE(MINI_KIND_NAME)
#undef MINI_KIND_NAME
};

static const struct {
	const char *pascal, *snake;
	unsigned kinds;
	enum mini_what what;
} fields[] = {
#define MINI_FIELD_ROW(code, what, pascal, snake, kinds) { pascal, snake, kinds, MINI_IS_##what },
	MINI_FIELD_TABLE(MINI_FIELD_ROW)
#undef MINI_FIELD_ROW
};

static const char *const form_names[MINI_FORMS] = { "", ":ms", ":date", ":iso", ":number" };

enum mini_what
mini_field_what(enum mini_field f)
{
	return fields[f].what;
}

/* Whether the key is the field's key in PascalCase, camelCase or snake_case. */
static bool
is_spelling(struct text key, size_t field)
{
	struct text pascal = text_from(fields[field].pascal);

	if (text_equal(key, pascal) || text_equal(key, text_from(fields[field].snake)))
		return true;
	return key.size == pascal.size && key.data[0] == pascal.data[0] + ('a' - 'A') &&
	       memcmp(key.data + 1, pascal.data + 1, key.size - 1) == 0;
}

enum mini_field
mini_field_find(enum mini_kind kind, struct text key)
{
	for (size_t f = 0; f < MINI_FIELDS; f++)
		if ((fields[f].kinds & (1U << kind)) && is_spelling(key, f))
			return (enum mini_field)f;
	return MINI_FIELDS;
}

enum mini_field
mini_shape_find(const struct mini_shape *s, enum mini_kind kind, struct text key)
{
	const struct mini_place *places = s->places[kind];

	for (size_t f = 0; f < MINI_FIELDS; f++)
		if (places[f].key.size == key.size && text_equal(places[f].key, key))
			return (enum mini_field)f;
	return MINI_FIELDS;
}

/* How often a field is present, null or empty in objects of one kind. */
struct count {
	uint32_t present, null, empty;
};

struct counts {
	struct mini_shape *shape;
	uint32_t objects[MINI_KINDS];
	struct count fields[MINI_KINDS][MINI_FIELDS];
};

static enum mini_form
form_of(enum mini_field f, const struct json_node *n)
{
	int64_t us;

	if (fields[f].what == MINI_IS_TIME)
		return mini_time_read(n, &us);
	if (fields[f].what == MINI_IS_WORD && n->type == JSON_NUMBER &&
		mini_execute_type_name(n->text))
		return MINI_FORM_NUMBER;
	return MINI_FORM_PLAIN;
}

bool
mini_is_nothing(enum mini_field f, const struct json_node *n)
{
	if (fields[f].what == MINI_IS_LIST)
		return n->type == mini_empty_type(f) && !n->first;
	return fields[f].what == MINI_IS_SNIPPET && n->type == JSON_STRING && !n->text.size;
}

enum json_type
mini_empty_type(enum mini_field f)
{
	if (fields[f].what == MINI_IS_SNIPPET)
		return JSON_STRING;
	return f == MINI_F_CHILDREN || f == MINI_F_SQL_TIMINGS || f == MINI_F_TIMINGS ? JSON_ARRAY
										      : JSON_OBJECT;
}

static void
count_object(struct counts *c, enum mini_kind kind, const struct json_node *n)
{
	c->objects[kind]++;
	for (const struct json_node *m = n->first; m; m = m->next) {
		enum mini_field f = mini_shape_find(c->shape, kind, m->key);
		struct mini_place *place;

		if (f == MINI_FIELDS) {
			f = mini_field_find(kind, m->key);
			if (f == MINI_FIELDS || c->shape->places[kind][f].key.data)
				continue;
		}
		place = &c->shape->places[kind][f];
		place->key = m->key;
		if (place->form == MINI_FORM_PLAIN)
			place->form = form_of(f, m);
		c->fields[kind][f].present++;
		c->fields[kind][f].null += m->type == JSON_NULL;
		c->fields[kind][f].empty += mini_is_nothing(f, m);
	}
}

static void
count_list(struct counts *c, enum mini_kind kind, const struct json_node *list)
{
	if (!mini_is_list(list))
		return;
	for (const struct json_node *n = list->first; n; n = n->next)
		count_object(c, kind, n);
}

static void
count_step(struct counts *c, const struct json_node *step)
{
	count_object(c, MINI_STEP, step);
	for (const struct json_node *m = step->first; m; m = m->next) {
		enum mini_field f = mini_shape_find(c->shape, MINI_STEP, m->key);

		if (f == MINI_F_SQL_TIMINGS)
			count_list(c, MINI_SQL, m);
		if (f == MINI_F_CUSTOM_TIMINGS && m->type == JSON_OBJECT)
			for (const struct json_node *t = m->first; t; t = t->next)
				count_list(c, MINI_CALL, t);
	}
}

bool
mini_is_list(const struct json_node *n)
{
	if (!json_tree_is(n, JSON_ARRAY))
		return false;
	for (const struct json_node *m = n->first; m; m = m->next)
		if (m->type != JSON_OBJECT)
			return false;
	return true;
}

const struct json_node *
mini_member(const struct mini_shape *s, enum mini_kind kind, enum mini_field f,
	const struct json_node *n)
{
	struct text key = s->places[kind][f].key;

	return key.data ? json_tree_member(n, key) : NULL;
}

const struct json_node *
mini_next_step(const struct mini_shape *s, const struct json_node *root,
	const struct json_node *step, size_t *depth)
{
	const struct json_node *children = mini_member(s, MINI_STEP, MINI_F_CHILDREN, step);

	if (mini_is_list(children) && children->first) {
		(*depth)++;
		return children->first;
	}
	while (step != root && !step->next) {
		step = step->parent->parent;
		(*depth)--;
	}
	return step == root ? NULL : step->next;
}

/* Chooses, for each field, the spelling of "no value" that most objects have, so that few objects
 * differ from the shape. */
static void
decide(struct counts *c)
{
	for (size_t k = 0; k < MINI_KINDS; k++) {
		for (size_t f = 0; f < MINI_FIELDS; f++) {
			const struct count *n = &c->fields[k][f];
			uint32_t absent =
				c->objects[k] > n->present ? c->objects[k] - n->present : 0;
			struct mini_place *p = &c->shape->places[k][f];

			p->none = MINI_NONE_NULL;
			if (n->empty > n->null && n->empty > absent)
				p->none = MINI_NONE_EMPTY;
			else if (absent > n->null)
				p->none = MINI_NONE_ABSENT;
		}
	}
}

void
mini_shape_take(struct mini_shape *s, const struct json_node *profile)
{
	struct counts c = { .shape = s };
	const struct json_node *root, *clients;
	size_t depth = 0;

	memset(s, 0, sizeof(*s));
	count_object(&c, MINI_PROFILE, profile);
	root = mini_member(s, MINI_PROFILE, MINI_F_ROOT, profile);
	if (json_tree_is(root, JSON_OBJECT))
		for (const struct json_node *n = root; n; n = mini_next_step(s, root, n, &depth))
			count_step(&c, n);
	clients = mini_member(s, MINI_PROFILE, MINI_F_CLIENT_TIMINGS, profile);
	if (json_tree_is(clients, JSON_OBJECT)) {
		count_object(&c, MINI_CLIENTS, clients);
		count_list(&c, MINI_CLIENT, mini_member(s, MINI_CLIENTS, MINI_F_TIMINGS, clients));
	}
	decide(&c);
}

static void
put_place(struct strbuf *b, const struct mini_place *p, bool first)
{
	if (!first)
		strbuf_append_char(b, ' ');
	strbuf_append_text(b, p->key);
	if (p->none != MINI_NONE_NULL)
		strbuf_append_char(b, p->none == MINI_NONE_ABSENT ? '?' : '~');
	strbuf_append_str(b, form_names[p->form]);
}

void
mini_shape_put(const struct mini_shape *s, struct strbuf *json)
{
	bool first_kind = true;

	strbuf_append_char(json, '{');
	for (size_t k = 0; k < MINI_KINDS; k++) {
		bool first = true;

		for (size_t f = 0; f < MINI_FIELDS; f++) {
			if (!s->places[k][f].key.data)
				continue;
			if (first)
				strbuf_printf(
					json, "%s\"%s\":\"", first_kind ? "" : ",", kind_names[k]);
			put_place(json, &s->places[k][f], first);
			first = first_kind = false;
		}
		if (!first)
			strbuf_append_char(json, '"');
	}
	strbuf_append_char(json, '}');
}

static enum mini_form
form_named(struct text name)
{
	for (size_t i = 1; i < MINI_FORMS; i++)
		if (text_equal(name, text_from(form_names[i])))
			return (enum mini_form)i;
	return MINI_FORM_PLAIN;
}

static void
get_place(struct mini_shape *s, enum mini_kind kind, struct text word)
{
	size_t colon = text_find(word, ":");
	struct mini_place p = { text_up_to(word, colon), MINI_NONE_NULL,
		form_named(text_from_at(word, colon)) };
	enum mini_field f;

	if (text_ends(p.key, "?"))
		p.none = MINI_NONE_ABSENT;
	else if (text_ends(p.key, "~"))
		p.none = MINI_NONE_EMPTY;
	p.key.size -= p.none != MINI_NONE_NULL;
	f = mini_field_find(kind, p.key);
	if (f != MINI_FIELDS)
		s->places[kind][f] = p;
}

static void
get_kind(struct mini_shape *s, enum mini_kind kind, struct text words)
{
	for (struct text word = scan_token(&words); word.size; word = scan_token(&words))
		get_place(s, kind, word);
}

/* The shape that current .NET versions write. */
static const char *const default_places[MINI_KINDS] = {
	[MINI_PROFILE] = "Id Name? Started:iso DurationMilliseconds MachineName? Root "
			 "ClientTimings? User?",
	[MINI_STEP] = "Id Name? DurationMilliseconds? StartMilliseconds Children? CustomTimings?",
	[MINI_CALL] = "Id CommandString? ExecuteType? StackTraceSnippet? StartMilliseconds "
		      "DurationMilliseconds? FirstFetchDurationMilliseconds? Errored",
	[MINI_SQL] = "",
	[MINI_CLIENTS] = "Timings",
	[MINI_CLIENT] = "Name Start Duration",
};

void
mini_shape_get(struct mini_shape *s, struct arena *a, const struct json_node *keys)
{
	memset(s, 0, sizeof(*s));
	for (size_t k = 0; k < MINI_KINDS; k++) {
		struct text words = text_from(default_places[k]);

		if (keys) {
			const struct json_node *n =
				json_tree_member(keys, text_from(kind_names[k]));

			words = json_tree_is(n, JSON_STRING) ? n->text : TEXT_LITERAL("");
		}
		get_kind(s, (enum mini_kind)k, arena_text(a, words));
	}
}

static const char *const execute_types[] = { "None", "NonQuery", "Scalar", "Reader" };

const char *
mini_execute_type_name(struct text number)
{
	if (number.size != 1 || number.data[0] < '0' || number.data[0] > '3')
		return NULL;
	return execute_types[number.data[0] - '0'];
}

int
mini_execute_type_number(struct text name)
{
	for (int i = 0; i < 4; i++)
		if (text_equal(name, text_from(execute_types[i])))
			return i;
	return -1;
}
