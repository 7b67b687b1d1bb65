/* --events all: nests trace events that are not user timings. Format: "Trace Event Format". */
#include "base/array.h"
#include "chrome_private.h"

#include <math.h>
#include <stdlib.h>

/* A trace event that is not a user timing. */
struct call_event {
	uint64_t offset;
	double ts, dur;
	uint32_t size, index;
	uint32_t name, category; /* interned */
	uint32_t track;
	uint32_t key; /* interned; only for asynchronous events */
	char ph;
};

/* An event that has begun but not ended. */
struct open_call {
	size_t begin; /* index of the begin event */
	double end;   /* end of a complete event (X); NaN for an open event */
	uint32_t routine;
	int64_t id, parent_id;
	path_number path;
};

struct open_stack {
	struct open_call *calls;
	size_t count, room;
};

struct chrome_calls {
	struct call_event *events;
	size_t count, room;
	uint64_t others, unended, unbegun, no_time;
	metric_number metric, async_metric;
};

void
chrome_calls_new(struct chrome *c)
{
	c->calls = xcalloc(1, sizeof(*c->calls));
}

void
chrome_calls_free(struct chrome *c)
{
	if (!c->calls)
		return;
	free(c->calls->events);
	free(c->calls);
}

static bool
is_sync(char ph)
{
	return ph == 'B' || ph == 'E' || ph == 'X';
}

/* Key of an asynchronous event. A local id is unique in its process, other ids in the trace. */
static uint32_t
async_key(struct chrome *c, const struct json_node *event)
{
	const struct json_node *id = json_tree_get(event, "id");
	const struct json_node *id2 = json_tree_get(event, "id2");
	const struct json_node *local = NULL;
	struct strbuf b;
	uint32_t key;

	if (!id)
		id = json_tree_get(id2, "global");
	if (!id)
		id = local = json_tree_get(id2, "local");
	strbuf_init(&b, 2 * (size_t)CHROME_MAX_EVENT_BYTES);
	strbuf_append_text(&b, chrome_json_string(json_tree_get(event, "cat")));
	strbuf_append_char(&b, '\n');
	strbuf_append_text(&b, chrome_json_js_text(&c->scratch, id));
	strbuf_append_char(&b, '\n');
	strbuf_append_text(&b, chrome_json_js_text(&c->scratch, json_tree_get(event, "scope")));
	if (local) {
		strbuf_append_char(&b, '\n');
		strbuf_append_text(
			&b, chrome_json_js_text(&c->scratch, json_tree_get(event, "pid")));
	}
	key = chrome_intern(c, strbuf_text(&b));
	strbuf_release(&b);
	return key;
}

static uint32_t
intern_member(struct chrome *c, const struct json_node *event, const char *key)
{
	const struct json_node *j = json_tree_get(event, key);

	return chrome_intern(c, j ? chrome_json_js_text(&c->scratch, j) : TEXT_LITERAL(""));
}

static bool
add_event(struct chrome *c, const struct chrome_head *h, const struct json_node *event)
{
	struct chrome_calls *x = c->calls;
	struct call_event *e;

	if (x->count >= CHROME_MAX_CALLS)
		return chrome_limit(c, CHROME_MAX_CALLS, "trace events");
	ARRAY_RESERVE(x->events, x->room, x->count + 1);
	e = &x->events[x->count];
	*e = (struct call_event){ .offset = h->offset,
		.size = (uint32_t)h->size,
		.index = (uint32_t)c->events - 1,
		.key = CHROME_NONE,
		.ph = h->ph };
	if (!chrome_json_double(json_tree_get(event, "ts"), &e->ts) || !isfinite(e->ts)) {
		x->no_time++;
		return true;
	}
	if (chrome_json_double(json_tree_get(event, "dur"), &e->dur) && !isfinite(e->dur))
		e->dur = 0;
	e->name = intern_member(c, event, "name");
	e->category = intern_member(c, event, "cat");
	if (chrome_is_async(h->ph))
		e->key = async_key(c, event);
	if (!chrome_track_of(c, event, &e->track))
		return false;
	x->count++;
	return true;
}

/* Called after each event; skips user timings, which are emitted elsewhere. */
bool
chrome_calls_add(struct chrome *c, const struct chrome_head *h)
{
	if (h->name & CHROME_NAME_PROFILE)
		return chrome_profile_add(c, h);
	if (c->took_timing)
		return true;
	if (!is_sync(h->ph) && !chrome_is_async(h->ph) && !chrome_is_instant(h->ph)) {
		c->calls->others += h->ph != 'M';
		return true;
	}
	return chrome_take_event(c, h, add_event);
}

static int
compare_events(const void *x, const void *y)
{
	const struct call_event *a = x, *b = y;
	const bool a_async = chrome_is_async(a->ph), b_async = chrome_is_async(b->ph);

	if (a_async != b_async)
		return a_async ? 1 : -1;
	if (a_async && a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (!a_async && a->track != b->track)
		return a->track < b->track ? -1 : 1;
	if (chrome_compare(a->ts, b->ts) != 0)
		return chrome_compare(a->ts, b->ts);
	return (a->index > b->index) - (a->index < b->index);
}

static int
longest_first(const void *x, const void *y)
{
	const struct call_event *a = x, *b = y;

	if (chrome_compare(a->dur, b->dur) != 0)
		return chrome_compare(b->dur, a->dur);
	return (a->index > b->index) - (a->index < b->index);
}

/* If complete events begin at the same time, the longer one contains the shorter one, even if the
 * file has them in reverse order. */
static void
sort_events(struct chrome_calls *x)
{
	if (x->count)
		qsort(x->events, x->count, sizeof(*x->events), compare_events);
	for (size_t from = 0, to; from < x->count; from = to) {
		for (to = from + 1; to < x->count && x->events[from].ph == 'X' &&
				    x->events[to].ph == 'X' &&
				    chrome_compare(x->events[to].ts, x->events[from].ts) == 0 &&
				    x->events[to].track == x->events[from].track;)
			to++;
		qsort(x->events + from, to - from, sizeof(*x->events), longest_first);
	}
}

static bool
append_event(struct chrome *c, const char *index_key, const char *key, const struct call_event *e,
	struct json_node **event)
{
	struct strbuf *b = &c->attributes;

	strbuf_printf(b, "%c\"%s\":%u,\"%s\":", b->size ? ',' : '{', index_key, e->index, key);
	return chrome_keep_event(c, b, e->offset, e->size, event);
}

/* Sets the track and the metric of the span. A thread has one track for synchronous and one for
 * asynchronous events. */
static bool
set_track(struct chrome *c, const struct call_event *e, struct span_row *row)
{
	struct chrome_track *t = &c->tracks[e->track];
	const bool async = chrome_is_async(e->ph);
	int32_t *id = async ? &t->async_id : &t->event_id;

	row->metric = async ? c->calls->async_metric : c->calls->metric;
	if (!chrome_emit_track(
		    c, t, async ? "asynchronous events" : "trace events", row->metric, id))
		return false;
	row->track = *id;
	return true;
}

/* Emits the call; end is NULL for complete events, instants, and events that never end. */
static bool
emit_call(struct chrome *c, const struct open_call *o, const struct call_event *end)
{
	struct chrome_calls *x = c->calls;
	const struct call_event *begin = &x->events[o->begin];
	struct json_node *b, *e;
	struct span_row row = { .id = o->id,
		.parent_id = o->parent_id,
		.kind = "event",
		.name = c->strings.items[begin->name],
		.category = c->strings.items[begin->category],
		.path = o->path,
		.routine_id = o->routine,
		.errored = -1 };

	arena_reset(&c->scratch);
	strbuf_reset(&c->attributes);
	if (!set_track(c, begin, &row) || !append_event(c, "event", "begin", begin, &b))
		return false;
	row.start = chrome_json_decimal(json_tree_get(b, "ts"));
	if (end) {
		if (!append_event(c, "last", "end", end, &e))
			return false;
		if (!decimal_subtract(
			    chrome_json_decimal(json_tree_get(e, "ts")), row.start, &row.duration))
			row.duration = (struct decimal){ 0 };
	} else if (begin->ph == 'X') {
		row.duration = chrome_json_decimal(json_tree_get(b, "dur"));
	} else if (begin->ph == 'B' || begin->ph == 'b' || begin->ph == 'S') {
		x->unended++;
	} else {
		row.duration = decimal_from_int64(0);
	}
	row.duration = chrome_duration(c, row.duration);
	strbuf_append_char(&c->attributes, '}');
	row.attributes = strbuf_text(&c->attributes);
	return emit_span(c->in, &row);
}

static bool
open_call(struct chrome *c, struct open_stack *s, size_t event, size_t holder)
{
	const struct call_event *e = &c->calls->events[event];
	const struct open_call *above;
	struct open_call *o;
	uint32_t routine;

	routine = chrome_span_routine(c, c->strings.items[e->name], c->strings.items[e->category]);
	if (routine == CHROME_NONE)
		return false;
	ARRAY_RESERVE(s->calls, s->room, s->count + 1);
	o = &s->calls[s->count];
	above = holder == SIZE_MAX ? NULL : &s->calls[holder];
	*o = (struct open_call){ .begin = event,
		.routine = routine,
		.end = e->ph == 'X' ? e->ts + e->dur : NAN,
		.id = ++c->last_id,
		.parent_id = above ? above->id : MODEL_NULL };
	if (!emit_path(c->in, above ? above->path : 0, routine, &o->path))
		return false;
	s->count++;
	return true;
}

/* Emits and removes all calls except the first `keep`. The removed calls are complete events, or
 * begin events without an end. */
static bool
close_down_to(struct chrome *c, struct open_stack *s, size_t keep)
{
	while (s->count > keep)
		if (!emit_call(c, &s->calls[--s->count], NULL))
			return false;
	return true;
}

/* Emits the innermost complete events that have ended by now. */
static bool
close_over(struct chrome *c, struct open_stack *s, double now)
{
	while (s->count > 0 && s->calls[s->count - 1].end <= now)
		if (!close_down_to(c, s, s->count - 1))
			return false;
	return true;
}

/* The newest open begin event with the same name as the end event. An end event without a name
 * matches every begin event. */
static size_t
find_begin(struct chrome *c, const struct open_stack *s, const struct call_event *e)
{
	for (size_t i = s->count; i-- > 0;) {
		const struct call_event *b = &c->calls->events[s->calls[i].begin];

		if (isnan(s->calls[i].end) &&
			(b->name == e->name || c->strings.items[e->name].size == 0))
			return i;
	}
	return SIZE_MAX;
}

static bool
end_call(struct chrome *c, struct open_stack *s, const struct call_event *e)
{
	const size_t at = find_begin(c, s, e);

	if (at == SIZE_MAX) {
		c->calls->unbegun++;
		return true;
	}
	if (!close_down_to(c, s, at + 1))
		return false;
	s->count = at;
	return emit_call(c, &s->calls[at], e);
}

/* The innermost call that does not end before `end`; SIZE_MAX if there is none. */
static size_t
find_holder(const struct open_stack *s, double end)
{
	for (size_t i = s->count; i-- > 0;)
		if (isnan(s->calls[i].end) || s->calls[i].end >= end)
			return i;
	return SIZE_MAX;
}

static bool
add_call(struct chrome *c, struct open_stack *s, size_t event)
{
	const struct call_event *e = &c->calls->events[event];
	const double end = e->ph == 'X' ? e->ts + e->dur : e->ts;

	if (!close_over(c, s, e->ts))
		return false;
	if (e->ph == 'E' || e->ph == 'e' || e->ph == 'F')
		return end_call(c, s, e);
	if (!open_call(c, s, event, find_holder(s, end)))
		return false;
	if (strchr("BXbS", e->ph))
		return true;
	return close_down_to(c, s, s->count - 1);
}

static bool
same_stack(const struct call_event *a, const struct call_event *b)
{
	if (chrome_is_async(a->ph) != chrome_is_async(b->ph))
		return false;
	return chrome_is_async(a->ph) ? a->key == b->key : a->track == b->track;
}

static bool
report_left_out(struct chrome *c)
{
	static const char others[] =
		"events left out: not intervals or instants (counters, flows, objects)";
	const struct chrome_calls *x = c->calls;

	return reader_issue_count(c->in, ISSUE_EVENT_UNPAIRED, 0, x->unended,
		       "trace event never ends: duration unknown",
		       "trace events never end: duration unknown") &&
	       reader_issue_count(c->in, ISSUE_EVENT_UNPAIRED, 0, x->unbegun,
		       "end of a trace event left out: no begin",
		       "ends of trace events left out: no begin") &&
	       reader_issue_count(c->in, ISSUE_EVENT_TIME, 0, x->no_time,
		       "trace event left out: no time", "trace events left out: no time") &&
	       reader_issue_count(c->in, ISSUE_EVENT_KIND, 0, x->others, others, others);
}

bool
chrome_calls_metrics(struct chrome *c)
{
	const struct metric_row sync = { METRIC_OF_SPANS, TEXT_LITERAL("event_microseconds"),
		TEXT_LITERAL("microseconds"), TEXT_LITERAL("Trace events") };
	const struct metric_row async = { METRIC_OF_SPANS, TEXT_LITERAL("async_microseconds"),
		TEXT_LITERAL("microseconds"), TEXT_LITERAL("Asynchronous trace events") };

	return emit_metric(c->in, &sync, &c->calls->metric) &&
	       emit_metric(c->in, &async, &c->calls->async_metric);
}

bool
chrome_calls_emit(struct chrome *c)
{
	struct chrome_calls *x = c->calls;
	struct open_stack stack = { 0 };
	bool ok = true;

	sort_events(x);
	for (size_t i = 0; ok && i < x->count; i++) {
		if (i > 0 && !same_stack(&x->events[i - 1], &x->events[i]))
			ok = close_down_to(c, &stack, 0);
		ok = ok && add_call(c, &stack, i);
	}
	ok = ok && close_down_to(c, &stack, 0) && report_left_out(c);
	free(stack.calls);
	return ok;
}
