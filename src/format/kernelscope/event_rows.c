/* Emits event rows as samples on tracks. */
#include "format/kernelscope/event_rows.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/json_string.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "format/common/frame_dictionary.h"
#include "format/common/json_members.h"
#include "format/kernelscope/event_time.h"

#include <stdlib.h>

enum {
	ATTRIBUTES_MAX_BYTES = 64 * 1024 * 1024, /* limit per row */
	KEY_MAX_BYTES = 64 * 1024 * 1024,
};

/* A declared category. */
struct declared {
	const struct category *category;
	metric_number metric;
	struct event_shape shape;
	size_t stack, value, process, pid; /* column indexes; column_count if absent */
	bool of_batch[CATEGORY_COLUMNS_MAX];
};

struct event_rows {
	struct sink *sink;
	uint32_t set;
	struct arena arena;
	struct declared **declared;
	size_t declared_count;
	struct frame_dictionary *frames; /* finds a frame by its text */
	struct pair_map stacks;          /* maps a stack's text to the stack */
	struct pair_map tracks;
	struct strbuf key;
	struct strbuf attributes;
};

struct event_rows *
event_rows_new(struct sink *sink, uint32_t set)
{
	struct event_rows *e = xcalloc(1, sizeof(*e));

	e->sink = sink;
	e->set = set;
	e->arena = ARENA_INIT;
	e->frames = frame_dictionary_new(sink, set);
	frame_dictionary_set_style(e->frames, FRAMES_VERBATIM);
	strbuf_init(&e->key, KEY_MAX_BYTES);
	strbuf_init(&e->attributes, ATTRIBUTES_MAX_BYTES);
	return e;
}

void
event_rows_free(struct event_rows *e)
{
	if (!e)
		return;
	frame_dictionary_free(e->frames);
	pair_map_release(&e->stacks);
	pair_map_release(&e->tracks);
	strbuf_release(&e->key);
	strbuf_release(&e->attributes);
	free(e->declared);
	arena_release(&e->arena);
	free(e);
}

/* --- categories ------------------------------------------------------------------------------- */

static size_t
find_typed(const struct category *c, const char *name, enum category_type type)
{
	size_t i = category_column_find(c, text_from(name));

	return i < c->column_count && c->columns[i].type == type ? i : c->column_count;
}

/* Returns whether another metric of the set has this name. Returns false if there is no sink,
 * because each set then has only one category, and therefore no other metric. */
static bool
is_metric(const struct event_rows *e, const char *name)
{
	for (size_t i = 0; e->sink && i < e->declared_count; i++)
		if (text_equal(e->declared[i]->shape.metric.name, text_from(name)))
			return true;
	return false;
}

/* The column's name, prefixed with the category's name if another metric has the same name. */
static const char *
name_metric(struct event_rows *e, const struct category *c, struct text column)
{
	const char *name = arena_strndup(&e->arena, column.data, column.size);

	while (is_metric(e, name))
		name = arena_printf(&e->arena, "%.*s_%s", (int)c->name.size, c->name.data, name);
	return name;
}

static struct text
track_attributes(struct event_rows *e, const struct declared *d)
{
	static const char *const usual[] = { "stack", "elapsed" };
	const struct category *c = d->category;
	const size_t columns[] = { d->stack, d->value };

	strbuf_reset(&e->attributes);
	for (size_t i = 0; i < 2; i++) {
		if (columns[i] == c->column_count ||
			text_equal(c->columns[columns[i]].name, text_from(usual[i])))
			continue;
		members_key(&e->attributes, usual[i]);
		json_append_text(&e->attributes, c->columns[columns[i]].name);
	}
	return arena_text(&e->arena, members_end(&e->attributes));
}

static bool
is_of_batch(struct text column)
{
	return text_equal(column, text_from("hostname")) || text_equal(column, text_from("time"));
}

bool
event_rows_declare(struct event_rows *e, const struct category *c, struct error *err)
{
	struct declared *d = arena_alloc(&e->arena, sizeof(*d));
	bool timed;
	const char *name;

	*d = (struct declared){
		.category = c,
		.stack = category_first_of(c, CATEGORY_STACK),
		.value = category_first_of(c, CATEGORY_ELAPSED),
		.process = find_typed(c, "process", CATEGORY_STRING),
		.pid = find_typed(c, "pid", CATEGORY_INT),
	};
	for (size_t i = 0; i < c->column_count; i++)
		d->of_batch[i] = is_of_batch(c->columns[i].name);
	timed = d->value < c->column_count;
	name = name_metric(e, c, timed ? c->columns[d->value].name : text_from("count"));
	d->shape = (struct event_shape){
		.category = c->name,
		.metric = { .family = METRIC_OF_SAMPLES,
			.name = text_from(name),
			.unit = text_from(timed ? "microseconds" : "count"),
			.title = timed ? c->columns[d->value].pretty_name : text_from("Events") },
		.track_attributes = track_attributes(e, d),
	};
	if (e->sink && !e->sink->metric(e->sink, e->set, &d->shape.metric, &d->metric, err))
		return false;
	e->declared = xrealloc(e->declared, (e->declared_count + 1) * sizeof(struct declared *));
	e->declared[e->declared_count++] = d;
	return true;
}

static const struct declared *
find_declared(const struct event_rows *e, const struct category *c)
{
	size_t i = 0;

	while (e->declared[i]->category != c)
		i++;
	return e->declared[i];
}

/* --- checks ----------------------------------------------------------------------------------- */

/* Sets *why. Always returns false. */
static bool
reject(struct event_rejection *why, enum issue_code code, const struct category *c,
	struct text column, const char *what)
{
	why->rejected = true;
	why->code = code;
	snprintf(why->message, sizeof(why->message), "%.*s: %.*s %s", (int)c->name.size,
		c->name.data, (int)column.size, column.data, what);
	return false;
}

static bool
check_value(const struct category *c, size_t i, const struct event_value *v,
	struct event_rejection *why)
{
	enum category_type type = c->columns[i].type;
	bool whole = category_type_is_whole(type);
	struct decimal at;
	bool exact;
	char what[120];

	if (v->kind == EVENT_MISSING)
		return reject(why, ISSUE_MISSING_VALUE, c, c->columns[i].name, "is missing");
	if (v->kind != (whole ? EVENT_INT : EVENT_TEXT)) {
		snprintf(what, sizeof(what), "is %.*s, not %s",
			v->kind == EVENT_WRONG ? (int)v->text.size : 64,
			v->kind == EVENT_WRONG ? v->text.data
			: v->kind == EVENT_INT ? "a number"
					       : "a string",
			whole ? "a 64-bit integer" : "a string");
		return reject(why, ISSUE_WRONG_TYPE, c, c->columns[i].name, what);
	}
	/* Check the text, because the view of the category casts it to a timestamp. */
	if (type == CATEGORY_TIMESTAMP && !event_time_parse(v->text, &at, &exact))
		return reject(why, ISSUE_WRONG_TYPE, c, c->columns[i].name,
			"is not a time such as 2026-01-31 17:00:00.5");
	return true;
}

static bool
check_row(const struct declared *d, const struct event_value *values, struct event_rejection *why)
{
	const struct category *c = d->category;

	for (size_t i = 0; i < c->column_count; i++)
		if (!d->of_batch[i] && !check_value(c, i, &values[i], why))
			return false;
	if (d->stack < c->column_count) {
		struct text t = values[d->stack].text;
		size_t frames = 1;

		/* A text shorter than STACK_MAX_FRAMES bytes cannot have too many frames. */
		for (size_t i = 0; t.size >= STACK_MAX_FRAMES && i < t.size; i++)
			frames += t.data[i] == ';';
		if (frames > STACK_MAX_FRAMES)
			return reject(why, ISSUE_STACK_TOO_DEEP, c, c->columns[d->stack].name,
				"has more than 65,536 frames");
	}
	return true;
}

/* --- stacks ----------------------------------------------------------------------------------- */

static bool
find_stack(struct event_rows *e, struct text t, stack_number *number, struct error *err)
{
	struct hash128 h = hash128(t.data, t.size);
	uint32_t known = pair_map_get(&e->stacks, (int64_t)h.low, (int64_t)h.high);
	const char *end = t.data + t.size;

	if (known != PAIR_MAP_NONE) {
		*number = (stack_number)known;
		return true;
	}
	stack_begin(e->frames);
	for (const char *p = t.data; p <= end; p++) {
		const char *semicolon = memchr(p, ';', (size_t)(end - p));
		const char *stop = semicolon ? semicolon : end;
		const struct frame f = { .function = { p, (size_t)(stop - p) } };

		if (!stack_push(e->frames, &f, err))
			return false;
		p = stop;
	}
	if (!stack_end(e->frames, false, number, NULL, err))
		return false;
	pair_map_add(&e->stacks, (int64_t)h.low, (int64_t)h.high, (uint32_t)*number, NULL);
	return true;
}

/* --- tracks ----------------------------------------------------------------------------------- */

/* Appends a text to the key. Adds a NUL as the end mark. Texts never contain a NUL. */
static void
append_key(struct strbuf *b, struct text t)
{
	strbuf_append_text(b, t);
	strbuf_append_char(b, '\0');
	strbuf_append_char(b, t.data ? '1' : '0');
}

static bool
find_track(struct event_rows *e, const struct declared *d, const struct event_fact *f,
	int32_t *track, struct error *err)
{
	const struct track_row row = {
		.id = (int32_t)e->tracks.count + 1,
		.kind = "process",
		.category = d->shape.category,
		.host = f->host,
		.name = f->process,
		.process_name = f->process,
		.process_id = MODEL_NULL,
		.thread_id = f->thread_id,
		.metric = d->metric,
		.started_us = MODEL_NULL,
		.attributes = d->shape.track_attributes,
	};
	bool added;

	strbuf_reset(&e->key);
	append_key(&e->key, row.category);
	append_key(&e->key, row.host);
	append_key(&e->key, row.process_name);
	strbuf_append(&e->key, &row.thread_id, sizeof(row.thread_id));
	if (e->key.failed || row.id == INT32_MAX)
		return error_set(err, ERROR_LIMIT, "the name of a host or process is too long");
	*track = (int32_t)pair_map_add_bytes(
		&e->tracks, e->key.data, e->key.size, (uint32_t)row.id, &added);
	return !added || e->sink->track(e->sink, e->set, &row, err);
}

/* --- rows ------------------------------------------------------------------------------------- */

void
event_batch_settle(struct event_batch *b)
{
	b->exact = false;
	b->at = (struct decimal){ .kind = DECIMAL_NULL };
	if (b->time_is_number ? !event_time_from_number(b->time, &b->at)
			      : !event_time_parse(b->time, &b->at, &b->exact))
		b->at = (struct decimal){ .kind = DECIMAL_NULL };
	b->exact = b->exact && b->at.kind != DECIMAL_NULL;
}

static void
append_time(struct event_rows *e, const struct event_batch *batch)
{
	if (batch->exact)
		return;
	members_key(&e->attributes, "time");
	if (batch->time_is_number)
		strbuf_append_text(&e->attributes, batch->time);
	else
		json_append_text(&e->attributes, batch->time);
}

/* Appends, as attributes, the columns that do not become the sample's track, stack, value or time. */
static void
append_others(struct event_rows *e, const struct declared *d, const struct event_value *values)
{
	const struct category *c = d->category;

	for (size_t i = 0; i < c->column_count; i++) {
		/* A pid equal to MODEL_NULL becomes an attribute, because its column would be NULL. */
		bool held = i == d->stack || i == d->value || i == d->process ||
			    (i == d->pid && values[i].integer != MODEL_NULL);

		if (held || d->of_batch[i])
			continue;
		members_text_key(&e->attributes, c->columns[i].name);
		if (values[i].kind == EVENT_INT)
			strbuf_append_int(&e->attributes, values[i].integer);
		else
			json_append_text(&e->attributes, values[i].text);
	}
}

bool
event_rows_judge(struct event_rows *e, const struct category *c, const struct event_batch *batch,
	const struct event_value *values, struct event_rejection *why, struct event_fact *fact,
	struct error *err)
{
	const struct declared *d = find_declared(e, c);
	size_t count = c->column_count;

	why->rejected = false;
	if (!check_row(d, values, why))
		return true;
	strbuf_reset(&e->attributes);
	*fact = (struct event_fact){
		.shape = &d->shape,
		.host = batch->hostname,
		.process = d->process < count ? values[d->process].text : TEXT_NULL,
		.thread_id = d->pid < count ? values[d->pid].integer : MODEL_NULL,
		.stack = d->stack < count ? values[d->stack].text : TEXT_NULL,
		.at = batch->at,
		.value = d->value < count ? values[d->value].integer : 1,
	};
	append_time(e, batch);
	append_others(e, d, values);
	fact->attributes = members_end(&e->attributes);
	if (e->attributes.failed)
		return error_set(
			err, ERROR_LIMIT, "row of more than %d bytes", (int)ATTRIBUTES_MAX_BYTES);
	return true;
}

bool
event_rows_add(struct event_rows *e, const struct category *c, const struct event_batch *batch,
	const struct event_value *values, struct event_rejection *why, struct error *err)
{
	const struct declared *d = find_declared(e, c);
	struct event_fact f = { .value = 0 };
	struct decimal value;
	struct sample_row row = { .metric = d->metric, .values = &value, .value_count = 1 };

	if (!event_rows_judge(e, c, batch, values, why, &f, err))
		return false;
	if (why->rejected)
		return true;
	value = decimal_from_int64(f.value);
	row.at = f.at;
	row.attributes = f.attributes;
	return (!f.stack.data || find_stack(e, f.stack, &row.stack, err)) &&
	       find_track(e, d, &f, &row.track, err) && e->sink->sample(e->sink, e->set, &row, err);
}
