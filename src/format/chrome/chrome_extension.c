/* Custom tracks and markers of DevTools' extension API (performance.mark with detail.devtools, and
 * console.timeStamp), in DevTools' order. */
#include "chrome_private.h"

#include "base/depot_text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
	DETAIL_MAX_BYTES = 64 * 1024 * 1024
};

/* Replaces the depot's escapes with the page's original text. A lone surrogate becomes \uXXXX, which
 * JSON allows in a string. A control character is copied as it is; the JSON parser then rejects the
 * text. */
static void
append_original(struct strbuf *b, struct text t)
{
	size_t from = 0;

	for (size_t i = 0; i < t.size; i++) {
		uint16_t unit;

		if (t.data[i] != DEPOT_TEXT_ESCAPE || !depot_text_unit_at(t, i, &unit))
			continue;
		strbuf_append(b, t.data + from, i - from);
		if (unit < 0x20)
			strbuf_append_char(b, (char)unit);
		else
			strbuf_printf(b, "\\u%04x", unit);
		from = i + 5;
		i += 4;
	}
	strbuf_append(b, t.data + from, t.size - from);
}

struct json_node *
chrome_detail_parse(struct arena *a, struct text detail)
{
	struct json_node *j = NULL;
	struct strbuf b;

	if (!memchr(detail.data, DEPOT_TEXT_ESCAPE, detail.size))
		return chrome_json_parse(a, detail, false);
	strbuf_init(&b, DETAIL_MAX_BYTES);
	append_original(&b, detail);
	if (!b.failed)
		j = chrome_json_parse(a, strbuf_text(&b), false);
	strbuf_release(&b);
	return j;
}

static enum chrome_payload
payload_kind(const struct json_node *payload)
{
	const struct json_node *type = json_tree_get(payload, "dataType");
	const struct text name = chrome_json_string(type);

	if (!payload || payload->type != JSON_OBJECT)
		return CHROME_NO_PAYLOAD;
	if (text_equal(name, TEXT_LITERAL("marker")))
		return CHROME_MARKER;
	if (chrome_json_truthy(json_tree_get(payload, "track")) &&
		(!type || text_equal(name, TEXT_LITERAL("track-entry"))))
		return CHROME_ENTRY;
	if (json_tree_get(payload, "url") && json_tree_get(payload, "description"))
		return CHROME_LINK;
	return CHROME_NO_PAYLOAD;
}

/* Returns whether the text may contain the key "devtools", with or without escapes. */
static bool
may_hold_payload(struct text t)
{
	for (size_t i = 0; i + 1 < t.size; i++) {
		if (t.data[i] == 'd' && i + 8 <= t.size && memcmp(t.data + i, "devtools", 8) == 0)
			return true;
		if (t.data[i] == '\\' && t.data[i + 1] == 'u')
			return true;
	}
	return false;
}

void
chrome_payload_read(struct chrome *c, struct chrome_timing *t, struct text detail)
{
	const struct json_node *payload, *track, *group;

	if (text_is_empty(detail) || !may_hold_payload(detail))
		return;
	payload = json_tree_get(chrome_detail_parse(&c->scratch, detail), "devtools");
	t->payload = payload_kind(payload);
	if (t->payload == CHROME_NO_PAYLOAD)
		return;
	track = json_tree_get(payload, "track");
	group = json_tree_get(payload, "trackGroup");
	if (track)
		t->tie_track = chrome_intern_value(c, track);
	if (t->payload != CHROME_ENTRY)
		return;
	t->entry_track = chrome_intern(c, chrome_json_js_text(&c->scratch, track));
	t->grouped = chrome_json_truthy(group);
	if (group && !json_tree_is(group, JSON_NULL))
		t->entry_group = chrome_intern(c, chrome_json_js_text(&c->scratch, group));
}

struct entry {
	double ts, dur;
	uint32_t span;        /* index */
	uint32_t group;       /* interned; see track_group */
	uint32_t track;       /* interned */
	uint32_t place;       /* the position of the group among all groups */
	uint64_t track_place; /* the position of the track in its group */
	uint32_t number;
};

struct extender {
	struct chrome *c;
	struct entry *entries;
	size_t count;
	int64_t markers;
};

static int
compare_entries(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int r = chrome_compare_times(a->ts, a->ts + a->dur, b->ts, b->ts + b->dur);

	return r ? r : (a->number > b->number) - (a->number < b->number);
}

static int
compare_places(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->track_place != b->track_place)
		return a->track_place < b->track_place ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Returns the group of a track that names no group. The group's name is made from the track's name.
 * As in DevTools, if the page also uses this name for a group, the two groups are one. */
static uint32_t
track_group(struct chrome *c, uint32_t track)
{
	struct strbuf b;
	uint32_t group;

	strbuf_init(&b, 2 * (size_t)CHROME_MAX_EVENT_BYTES);
	strbuf_append_str(&b, "track-name-");
	strbuf_append_text(&b, c->strings.items[track]);
	group = chrome_intern(c, strbuf_text(&b));
	strbuf_release(&b);
	return group;
}

static void
add_entry(struct extender *x, uint32_t span, double ts, double dur)
{
	struct chrome_span *s = &x->c->spans[span];
	const struct chrome_timing *t = &x->c->timings[s->begin];

	s->entry_ts = ts;
	s->entry_dur = dur;
	x->entries[x->count] = (struct entry){ .ts = ts,
		.dur = dur,
		.span = span,
		.group = t->grouped ? t->entry_group : track_group(x->c, t->entry_track),
		.track = t->entry_track,
		.number = (uint32_t)x->count };
	x->count++;
}

static void
take_timing(struct extender *x, uint32_t span)
{
	struct chrome_span *s = &x->c->spans[span];

	assert(x->c->spans);
	if (s->payload == CHROME_MARKER) {
		s->entry_ts = s->ts;
		s->entry_dur = s->end_ts - s->ts;
		s->entry_order = ++x->markers;
	} else if (s->payload == CHROME_ENTRY) {
		add_entry(x, span, s->ts, s->end_ts - s->ts);
	}
}

/* The spans of one kind in DevTools' order. */
static uint32_t *
list_of(struct chrome *c, enum chrome_kind kind, size_t *count)
{
	uint32_t *list = xcalloc(c->span_count + 1, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < c->span_count; i++) {
		const struct chrome_span *s = &c->spans[i];

		if (s->kind == kind && s->order > 0) {
			list[s->order - 1] = (uint32_t)i;
			(*count)++;
		}
	}
	return list;
}

/* Merges the lists of measures and marks by time. */
static void
take_timings(struct extender *x)
{
	struct chrome *c = x->c;
	size_t measure_count, mark_count, i = 0, j = 0;
	uint32_t *measures = list_of(c, CHROME_MEASURE, &measure_count);
	uint32_t *marks = list_of(c, CHROME_MARK, &mark_count);

	while (i < measure_count || j < mark_count) {
		const struct chrome_span *a = i < measure_count ? &c->spans[measures[i]] : NULL;
		const struct chrome_span *b = j < mark_count ? &c->spans[marks[j]] : NULL;

		if (a && (!b || chrome_compare_times(a->ts, a->end_ts, b->ts, b->end_ts) <= 0))
			take_timing(x, measures[i++]);
		else
			take_timing(x, marks[j++]);
	}
	free(measures);
	free(marks);
}

/* Returns the time at which a stamp starts or ends. If `number` is false, the time is that of an earlier stamp with
 * this label, or NaN if no earlier stamp has the label. */
static double
limit_of(const double *labels, bool number, double value, uint32_t label)
{
	return number ? value : labels[label];
}

static void
take_stamp(struct extender *x, uint32_t span, const double *labels)
{
	struct chrome *c = x->c;
	struct chrome_span *s = &c->spans[span];
	const struct chrome_timing *t = &c->timings[s->begin];
	const struct chrome_stamp *stamp = t->stamp;
	double start, end, from, to;

	if (s->payload != CHROME_ENTRY && !stamp->has_interval)
		return;
	start = limit_of(labels, stamp->start_number, stamp->start_value, stamp->start_label);
	end = limit_of(labels, stamp->end_number, stamp->end_value, stamp->end_label);
	if (!isnan(end) && isnan(start)) {
		s->payload = CHROME_NO_PAYLOAD;
		return;
	}
	from = isnan(start) ? t->ts : start;
	to = isnan(end) ? t->ts : end;
	if (s->payload == CHROME_ENTRY) {
		add_entry(x, span, from, to - from);
		return;
	}
	s->payload = CHROME_SYNTHETIC_STAMP;
	s->entry_ts = from;
	s->entry_dur = to - from;
	s->entry_order = s->order;
}

static void
take_stamps(struct extender *x)
{
	struct chrome *c = x->c;
	double *labels = xcalloc(c->strings.count + 1, sizeof(*labels));
	size_t count;
	uint32_t *stamps = list_of(c, CHROME_STAMP, &count);

	for (size_t i = 0; i < c->strings.count; i++)
		labels[i] = NAN;
	for (size_t i = 0; i < count; i++) {
		const struct chrome_timing *t = &c->timings[c->spans[stamps[i]].begin];

		if (!t->stamp->has_data)
			continue;
		labels[t->label] = t->ts;
		take_stamp(x, stamps[i], labels);
	}
	free(labels);
	free(stamps);
}

/* Returns whether the key is an array index. JavaScript lists members with such keys first, in
 * ascending order. */
static bool
index_key(struct text t, uint32_t *v)
{
	uint64_t n = 0;

	if (t.size == 0 || t.size > 10 || (t.size > 1 && t.data[0] == '0'))
		return false;
	for (size_t i = 0; i < t.size; i++) {
		if (t.data[i] < '0' || t.data[i] > '9')
			return false;
		n = n * 10 + (uint64_t)(t.data[i] - '0');
	}
	*v = (uint32_t)n;
	return n < UINT32_MAX;
}

/* Orders the groups by their first entries, and the tracks of each group by their first entries. */
static void
place_entries(struct extender *x)
{
	struct pair_map groups = { 0 }, tracks = { 0 };
	uint32_t index;

	qsort(x->entries, x->count, sizeof(*x->entries), compare_entries);
	for (size_t i = 0; i < x->count; i++) {
		struct entry *e = &x->entries[i];

		e->number = (uint32_t)i;
		e->place = pair_map_add(&groups, e->group, 0, (uint32_t)groups.count, NULL);
		e->track_place =
			pair_map_add(&tracks, e->place, e->track, (uint32_t)tracks.count, NULL);
		if (index_key(x->c->strings.items[e->track], &index))
			e->track_place = index;
		else
			e->track_place += UINT64_C(1) << 32;
	}
	qsort(x->entries, x->count, sizeof(*x->entries), compare_places);
	pair_map_release(&groups);
	pair_map_release(&tracks);
}

static double
end_of(const struct entry *e)
{
	return e->ts + e->dur;
}

/* Makes a tree from the entries of a track, unless two of them overlap partially. */
static void
build_tree(struct extender *x, const struct entry *entries, size_t count, size_t *stack)
{
	struct chrome_span *spans = x->c->spans;
	bool tree = true;
	size_t depth = 0;

	for (size_t i = 0; tree && i < count; i++) {
		struct chrome_span *s = &spans[entries[i].span];

		while (depth > 0 && entries[i].ts >= end_of(&entries[stack[depth - 1]]))
			depth--;
		tree = depth == 0 || end_of(&entries[i]) <= end_of(&entries[stack[depth - 1]]);
		s->entry_depth = (uint32_t)depth;
		s->self = entries[i].dur;
		if (depth > 0)
			spans[entries[stack[depth - 1]].span].self -= entries[i].dur;
		stack[depth++] = i;
	}
	for (size_t i = 0; i < count; i++)
		spans[entries[i].span].has_tree = tree;
}

static bool
same_track(const struct entry *a, const struct entry *b)
{
	return a->place == b->place && a->track == b->track;
}

void
chrome_extend(struct chrome *c)
{
	struct extender x = { .c = c, .entries = xcalloc(c->span_count + 1, sizeof(*x.entries)) };
	size_t *stack = xcalloc(c->span_count + 1, sizeof(*stack));

	take_timings(&x);
	take_stamps(&x);
	place_entries(&x);
	for (size_t from = 0, to; from < x.count; from = to) {
		for (to = from; to < x.count && same_track(&x.entries[from], &x.entries[to]); to++)
			c->spans[x.entries[to].span].entry_order = (int64_t)to + 1;
		build_tree(&x, x.entries + from, to - from, stack);
	}
	free(x.entries);
	free(stack);
}
