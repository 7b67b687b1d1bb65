/* One pass over a trace: an array of events, or an object with "traceEvents". */
#include "chrome_private.h"

#include <math.h>
#include <stdlib.h>

enum {
	OTHER_MAX_BYTES = 64 * 1024, /* limit for a stored top-level member */
	CATEGORY_BYTES = 120,
};

/* Caches the last category and its class, because categories often repeat. */
struct category_cache {
	char text[CATEGORY_BYTES];
	size_t size;
	unsigned bits;
};

struct walker {
	struct chrome *c;
	struct json_reader *r;
	struct error *err;
	struct category_cache category;
	struct chrome_head head;
	double ts, dur;
	bool has_ts, null_ts, bad_time;
};

enum member {
	MEMBER_OTHER,
	MEMBER_NAME,
	MEMBER_CATEGORY,
	MEMBER_PHASE,
	MEMBER_TIME,
	MEMBER_DURATION,
};

static enum member
member_of(struct text key)
{
	switch (key.size) {
	case 2:
		if (key.data[0] == 'p' && key.data[1] == 'h')
			return MEMBER_PHASE;
		return key.data[0] == 't' && key.data[1] == 's' ? MEMBER_TIME : MEMBER_OTHER;
	case 3:
		if (memcmp(key.data, "cat", 3) == 0)
			return MEMBER_CATEGORY;
		return memcmp(key.data, "dur", 3) == 0 ? MEMBER_DURATION : MEMBER_OTHER;
	case 4:
		return memcmp(key.data, "name", 4) == 0 ? MEMBER_NAME : MEMBER_OTHER;
	default:
		return MEMBER_OTHER;
	}
}

static unsigned
category_bits(struct category_cache *cache, struct text t)
{
	unsigned bits;

	if (t.size == cache->size && memcmp(t.data, cache->text, t.size) == 0)
		return cache->bits;
	bits = chrome_category_bits(t);
	if (t.size <= sizeof(cache->text)) {
		memcpy(cache->text, t.data, t.size);
		cache->size = t.size;
		cache->bits = bits;
	}
	return bits;
}

/* Stores a name, category or phase; t is NULL if the value is not a string. */
static void
set_text(struct walker *w, enum member m, const struct text *t)
{
	if (m == MEMBER_NAME)
		w->head.name = t ? chrome_name_bits(*t) | CHROME_NAME_GIVEN : 0;
	else if (m == MEMBER_CATEGORY)
		w->head.cat = t ? category_bits(&w->category, *t) : 0;
	else
		w->head.ph = t && t->size == 1 ? t->data[0] : 0;
}

/* Reads a ts or dur. Values that are not numbers are converted as in JavaScript. */
static bool
read_time(struct walker *w, enum json_type type, double *v, bool *is_null)
{
	struct decimal d;
	bool ok;

	if (type == JSON_NUMBER) {
		if (!json_read_decimal(w->r, &d, &ok, w->err))
			return false;
		*v = ok ? decimal_to_double(d) : INFINITY;
		w->bad_time = w->bad_time || !ok;
		return true;
	}
	*v = 0;
	if (type == JSON_NULL)
		*is_null = true;
	else
		w->bad_time = true;
	return json_skip(w->r, w->err);
}

static bool
read_member(struct walker *w, enum member m)
{
	enum json_type type;
	bool is_null = false;
	struct text t;

	if (!json_peek(w->r, &type, w->err))
		return false;
	if (m == MEMBER_TIME) {
		w->has_ts = true;
		w->null_ts = false;
		return read_time(w, type, &w->ts, &w->null_ts);
	}
	if (m == MEMBER_DURATION)
		return read_time(w, type, &w->dur, &is_null);
	if (type != JSON_STRING) {
		set_text(w, m, NULL);
		return json_skip(w->r, w->err);
	}
	if (!json_read_string(w->r, &t, w->err))
		return false;
	set_text(w, m, &t);
	return true;
}

/* Reads the members that classify the event, and skips the others. */
static bool
walk_event(struct walker *w)
{
	struct text key;

	w->head = (struct chrome_head){ 0 };
	w->ts = w->dur = 0;
	w->has_ts = w->null_ts = w->bad_time = false;
	if (!json_enter(w->r, w->err))
		return false;
	w->head.offset = json_value_offset(w->r);
	while (json_more_keys(w->r, &key, w->err)) {
		const enum member m = member_of(key);

		if (!(m == MEMBER_OTHER ? json_skip(w->r, w->err) : read_member(w, m)))
			return false;
	}
	w->head.size = json_offset(w->r) - w->head.offset;
	return w->err->code == ERROR_NONE;
}

/* Extends the bounds of the trace so that they include the event. Like DevTools, considers only events
 * with the phases B, E, X and I. */
static void
bound(struct walker *w)
{
	struct chrome_bounds *b = &w->c->bounds;
	const bool zero = w->has_ts && !w->null_ts && !w->bad_time && chrome_compare(w->ts, 0) == 0;

	if (!(w->head.name & CHROME_NAME_GIVEN)) {
		if (!zero)
			w->c->refusals |= CHROME_NAMELESS;
		return;
	}
	if (zero || (w->head.name & CHROME_NAME_UMA))
		return;
	if (w->head.ph != 'B' && w->head.ph != 'E' && w->head.ph != 'X' && w->head.ph != 'I')
		return;
	if (!w->has_ts || w->bad_time)
		b->broken = true;
	else
		chrome_bounds_add(b, w->ts, w->dur);
}

static bool
take_event(struct walker *w)
{
	struct chrome *c = w->c;

	if (!walk_event(w))
		return false;
	if (c->unclosed)
		return reader_issue_at(c->in, ISSUE_EVENT_CUT, w->head.offset,
			"event left out: the input ends inside it");
	bound(w);
	c->took_timing = false;
	if (chrome_wants(&w->head) && !chrome_collect(c, &w->head))
		return false;
	c->events++;
	if (c->calls && !chrome_calls_add(c, &w->head))
		return false;
	return true;
}

static bool
take_other(struct walker *w, enum json_type type)
{
	struct chrome *c = w->c;
	const uint64_t at = json_value_offset(w->r);

	if (!json_skip(w->r, w->err))
		return false;
	if (c->unclosed)
		return true;
	c->refusals |= CHROME_NON_OBJECT;
	c->events++;
	return reader_issue_at(c->in, ISSUE_NOT_AN_EVENT, at,
		"element %llu of the events is %s, not an object",
		(unsigned long long)(c->events - 1), json_type_name(type));
}

static bool
walk_events(struct walker *w)
{
	struct chrome *c = w->c;
	enum json_type type;

	if (!json_enter(w->r, w->err))
		return false;
	while (json_more_items(w->r, w->err)) {
		if (!json_peek(w->r, &type, w->err))
			return false;
		if (!(type == JSON_OBJECT ? take_event(w) : take_other(w, type)))
			return false;
		if (c->events > CHROME_NONE - 1)
			return error_set(w->err, ERROR_LIMIT, "more than %u events", CHROME_NONE);
		reader_tick(c->in, json_offset(w->r));
	}
	return w->err->code == ERROR_NONE;
}

/* Keeps a small top-level member; skips a large one. */
static bool
keep_other(struct walker *w, struct text key)
{
	struct chrome *c = w->c;
	const struct text name = arena_text(&c->scratch, key);
	struct json_node *j;
	enum json_type type;
	struct text bytes = TEXT_NULL;
	uint64_t from, size;

	if (!json_peek(w->r, &type, w->err))
		return false;
	from = json_value_offset(w->r);
	if (!json_skip(w->r, w->err))
		return false;
	if (c->unclosed)
		return true;
	size = json_offset(w->r) - from;
	if (size > OTHER_MAX_BYTES)
		return reader_issue_at(c->in, ISSUE_TRACE_MEMBER, from,
			"\"%.*s\" left out: %llu bytes exceed the limit of %d",
			text_precision(name, 100), name.data, (unsigned long long)size,
			OTHER_MAX_BYTES);
	if (!chrome_bytes_at(c, from, (size_t)size, &bytes))
		return false;
	j = chrome_json_parse(&c->scratch, bytes, true);
	if (!j || chrome_json_is_deep(j))
		return true;
	strbuf_append_char(&c->others, c->others.size ? ',' : '{');
	json_append_text(&c->others, name);
	strbuf_append_char(&c->others, ':');
	json_tree_keep(&c->others, j);
	chrome_trace_metadata(c, name, j);
	return true;
}

static bool
take_events(struct walker *w, bool *found)
{
	enum json_type type;

	if (!json_peek(w->r, &type, w->err))
		return false;
	if (type != JSON_ARRAY)
		return error_set(w->err, ERROR_INPUT,
			"offset %llu: traceEvents is %s, not an array",
			(unsigned long long)json_offset(w->r), json_type_name(type));
	if (*found)
		return error_set(w->err, ERROR_INPUT, "offset %llu: traceEvents appears twice",
			(unsigned long long)json_offset(w->r));
	*found = true;
	return walk_events(w);
}

static bool
walk_object(struct walker *w)
{
	bool found = false;
	struct text key;

	if (!json_enter(w->r, w->err))
		return false;
	while (json_more_keys(w->r, &key, w->err)) {
		if (!(text_equal(key, TEXT_LITERAL("traceEvents")) ? take_events(w, &found)
								   : keep_other(w, key)))
			return false;
		arena_reset(&w->c->scratch);
	}
	if (!found && w->err->code == ERROR_NONE)
		return error_set(w->err, ERROR_INPUT, "no traceEvents in the object");
	return w->err->code == ERROR_NONE;
}

bool
chrome_stream(struct chrome *c)
{
	struct walker w = { .c = c, .r = c->json, .err = c->in->err };
	enum json_type type;
	bool end = false;

	if (!json_peek(w.r, &type, w.err))
		return false;
	c->array_form = type == JSON_ARRAY;
	if (type != JSON_ARRAY && type != JSON_OBJECT)
		return error_set(w.err, ERROR_INPUT,
			"offset %llu: %s, neither an array of trace events nor an object that "
			"contains one",
			(unsigned long long)json_offset(w.r), json_type_name(type));
	if (!(type == JSON_ARRAY ? walk_events(&w) : walk_object(&w)) ||
		!json_at_end(w.r, &end, w.err))
		return false;
	return end || error_set(w.err, ERROR_INPUT, "offset %llu: data after the end of the trace",
			      (unsigned long long)json_offset(w.r));
}
