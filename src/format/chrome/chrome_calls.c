/* --events all: nests trace events that are not user timings. Format: "Trace Event Format". */
#include "base/array.h"
#include "chrome_private.h"
#include "format/common/nesting.h"

#include <math.h>
#include <stdlib.h>

/* A trace event that is not a user timing. Its times are decimals: mantissa and scale. */
struct call_event {
	uint64_t offset;
	int64_t at, dur;
	uint32_t size, index;
	uint32_t name, category; /* interned */
	uint32_t track;
	uint32_t key; /* interned; only for asynchronous events */
	uint32_t end; /* for a begin event: its end event, or CHROME_NONE */
	uint8_t at_scale, dur_scale;
	char ph;
};

/* A span that can contain later spans; outer[i] belongs to nest.open[i]. */
struct outer_call {
	int64_t id;
	path_number path;
};

struct chrome_calls {
	struct call_event *events;
	size_t count, room;
	uint64_t others, unended, unbegun, no_time, crossing, negative;
	metric_number metric, async_metric;
	/* used while the events of one thread, or of one asynchronous id, are nested */
	struct nest nest;
	struct nest_begins begins;
	struct nest_span *together; /* spans that start together */
	size_t together_count, together_room;
	struct outer_call *outer;
	size_t outer_count, outer_room;
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
	nest_release(&c->calls->nest);
	nest_begins_release(&c->calls->begins);
	free(c->calls->together);
	free(c->calls->outer);
	free(c->calls->events);
	free(c->calls);
}

static bool
is_sync(char ph)
{
	return ph == 'B' || ph == 'E' || ph == 'X';
}

/* Key of an asynchronous event. A local id is unique in its process; any other id is unique
 * in the trace. */
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

/* Returns the mantissa. A number that is too large for 64 bits loses its fraction. */
static int64_t
mantissa_of(struct decimal d, uint8_t *scale)
{
	wide_int whole;

	*scale = d.scale;
	if (d.kind == DECIMAL_COMPACT)
		return d.mantissa;
	whole = decimal_to_fixed(d) / decimal_power(DECIMAL_FIXED_SCALE);
	*scale = 0;
	return whole < INT64_MIN ? INT64_MIN : whole > INT64_MAX ? INT64_MAX : (int64_t)whole;
}

static wide_int
fixed_of(int64_t mantissa, uint8_t scale)
{
	return (wide_int)mantissa * decimal_power(DECIMAL_FIXED_SCALE - (unsigned)scale);
}

static wide_int
time_of(const struct call_event *e)
{
	return fixed_of(e->at, e->at_scale);
}

static int
compare_times(const struct call_event *a, const struct call_event *b)
{
	const wide_int x = time_of(a), y = time_of(b);

	return (x > y) - (x < y);
}

/* The duration that the event states in "dur". Some programs write only "tdur", the duration on the
 * thread's clock. */
static struct decimal
duration_of(const struct json_node *event)
{
	const struct json_node *dur = json_tree_get(event, "dur");

	return chrome_json_decimal(dur ? dur : json_tree_get(event, "tdur"));
}

static bool
add_event(struct chrome *c, const struct chrome_head *h, const struct json_node *event)
{
	struct chrome_calls *x = c->calls;
	struct call_event *e;
	double ts;

	if (x->count >= CHROME_MAX_CALLS)
		return chrome_limit(c, CHROME_MAX_CALLS, "trace events");
	ARRAY_RESERVE(x->events, x->room, x->count + 1);
	e = &x->events[x->count];
	*e = (struct call_event){ .offset = h->offset,
		.size = (uint32_t)h->size,
		.index = (uint32_t)c->events - 1,
		.key = CHROME_NONE,
		.end = CHROME_NONE,
		.ph = h->ph };
	if (!chrome_json_double(json_tree_get(event, "ts"), &ts) || !isfinite(ts)) {
		x->no_time++;
		return true;
	}
	e->at = mantissa_of(chrome_json_decimal(json_tree_get(event, "ts")), &e->at_scale);
	e->dur = mantissa_of(duration_of(event), &e->dur_scale);
	e->name = intern_member(c, event, "name");
	e->category = intern_member(c, event, "cat");
	if (chrome_is_async(h->ph))
		e->key = async_key(c, event);
	if (!chrome_track_of(c, event, &e->track))
		return false;
	x->count++;
	return true;
}

/* Adds the event, or the part of a CPU profile that it contains. Skips user timings, which are
 * emitted elsewhere. */
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
	if (compare_times(a, b) != 0)
		return compare_times(a, b);
	return (a->index > b->index) - (a->index < b->index);
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

/* Sets the duration of a span. b is the parsed begin event; e is the parsed end event, or NULL. */
static void
set_duration(struct chrome *c, const struct call_event *begin, const struct json_node *b,
	const struct json_node *e, struct span_row *row)
{
	struct chrome_calls *x = c->calls;
	struct decimal d = decimal_from_int64(0);

	if (e) {
		if (!decimal_subtract(chrome_json_decimal(json_tree_get(e, "ts")), row->start, &d))
			d = (struct decimal){ 0 };
	} else if (begin->ph == 'X') {
		d = duration_of(b);
		if (decimal_compare(d, decimal_from_int64(0)) < 0 && d.kind != DECIMAL_NULL) {
			d = (struct decimal){ 0 };
			x->negative++;
		}
	} else if (strchr("BbS", begin->ph)) {
		d = (struct decimal){ 0 };
		x->unended++;
	}
	row->duration = chrome_duration(c, d);
}

static bool
emit_call(struct chrome *c, const struct call_event *begin, const struct outer_call *call,
	int64_t parent_id, uint32_t routine)
{
	struct json_node *b, *e = NULL;
	struct span_row row = { .id = call->id,
		.parent_id = parent_id,
		.kind = "event",
		.name = c->strings.items[begin->name],
		.category = c->strings.items[begin->category],
		.path = call->path,
		.routine_id = routine,
		.errored = -1 };

	arena_reset(&c->scratch);
	strbuf_reset(&c->attributes);
	if (!set_track(c, begin, &row) || !append_event(c, "event", "begin", begin, &b))
		return false;
	if (begin->end != CHROME_NONE &&
		!append_event(c, "last", "end", &c->calls->events[begin->end], &e))
		return false;
	row.start = chrome_json_decimal(json_tree_get(b, "ts"));
	set_duration(c, begin, b, e, &row);
	strbuf_append_char(&c->attributes, '}');
	row.attributes = strbuf_text(&c->attributes);
	return emit_span(c->in, &row);
}

/* Emits a span; its parent is the innermost span that contains it. As in the tree that reindex
 * builds, a span that crosses another one has no parent. */
static bool
add_call(struct chrome *c, const struct nest_span *span)
{
	struct chrome_calls *x = c->calls;
	const struct call_event *e = &x->events[span->item];
	struct outer_call outer = { .id = MODEL_NULL };
	struct outer_call call = { .id = ++c->last_id };
	uint32_t routine;
	bool crosses;

	if (nest_add(&x->nest, span, &crosses) != NEST_NONE && !crosses)
		outer = x->outer[x->nest.depth - 2];
	x->crossing += crosses;
	routine = chrome_span_routine(c, c->strings.items[e->name], c->strings.items[e->category]);
	if (routine == CHROME_NONE || !emit_path(c->in, outer.path, routine, &call.path) ||
		!emit_call(c, e, &call, outer.id, routine))
		return false;
	x->outer_count = x->nest.depth - 1;
	*ARRAY_ADD(x->outer, x->outer_count, x->outer_room) = call;
	return true;
}

static bool
add_together(struct chrome *c)
{
	struct chrome_calls *x = c->calls;

	nest_sort(x->together, x->together_count);
	for (size_t i = 0; i < x->together_count; i++)
		if (!add_call(c, &x->together[i]))
			return false;
	x->together_count = 0;
	return true;
}

static bool
is_end(char ph)
{
	return ph == 'E' || ph == 'e' || ph == 'F';
}

static struct nest_span
span_of(const struct chrome_calls *x, size_t event)
{
	const struct call_event *e = &x->events[event];
	struct nest_span s = {
		.start = time_of(e), .place = e->index + 1, .item = (uint32_t)event
	};

	s.end = s.start;
	if (e->ph == 'X') {
		if (e->dur > 0)
			s.end += fixed_of(e->dur, e->dur_scale);
	} else if (e->end != CHROME_NONE) {
		s.end = time_of(&x->events[e->end]);
		s.ended = x->events[e->end].index + 1;
	} else if (strchr("BbS", e->ph)) {
		s.end = WIDE_MAX;
	} else {
		s.ended = s.place;
	}
	return s;
}

/* Pairs the events: an end event with a name ends the newest open begin event of that name. An
 * end event without a name ends the newest open begin event of any name. */
static void
pair_events(struct chrome *c, size_t from, size_t to)
{
	struct chrome_calls *x = c->calls;

	for (size_t i = from; i < to; i++) {
		struct call_event *e = &x->events[i];
		const bool named = c->strings.items[e->name].size > 0;
		uint32_t begin;

		if (strchr("BbS", e->ph))
			nest_begins_add(&x->begins, e->name, (uint32_t)i);
		if (!is_end(e->ph))
			continue;
		begin = nest_begins_end(&x->begins, named ? e->name : NEST_NONE);
		if (begin == NEST_NONE)
			x->unbegun++;
		else
			x->events[begin].end = (uint32_t)i;
	}
	nest_begins_clear(&x->begins);
}

/* Emits the events of one thread or of one asynchronous id. */
static bool
nest_events(struct chrome *c, size_t from, size_t to)
{
	struct chrome_calls *x = c->calls;

	pair_events(c, from, to);
	x->nest.depth = 0;
	for (size_t i = from; i < to; i++) {
		if (is_end(x->events[i].ph))
			continue;
		if (x->together_count && x->together[0].start != time_of(&x->events[i]) &&
			!add_together(c))
			return false;
		*ARRAY_ADD(x->together, x->together_count, x->together_room) = span_of(x, i);
	}
	return add_together(c);
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
		"events left out: neither intervals nor instants (counters, flows, objects)";
	const struct chrome_calls *x = c->calls;

	return reader_issue_count(c->in, ISSUE_EVENT_UNPAIRED, 0, x->unended,
		       "trace event never ends: duration unknown",
		       "trace events never end: duration unknown") &&
	       reader_issue_count(c->in, ISSUE_EVENT_UNPAIRED, 0, x->unbegun,
		       "end of a trace event left out: no begin",
		       "ends of trace events left out: no begin") &&
	       reader_issue_count(c->in, ISSUE_EVENT_TIME, 0, x->no_time,
		       "trace event left out: no time", "trace events left out: no time") &&
	       reader_issue_count(c->in, ISSUE_EVENT_TIME, 0, x->negative,
		       "trace event has a negative duration: duration unknown",
		       "trace events have negative durations: durations unknown") &&
	       reader_issue_count(c->in, ISSUE_CROSSING, 0, x->crossing,
		       "trace event partly overlaps another one of its thread or id: it begins "
		       "its own branch of the call tree",
		       "trace events partly overlap others of their thread or id: they begin "
		       "their own branches of the call tree") &&
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

	nest_begins_init(&x->begins, c->strings.count);
	if (x->count)
		qsort(x->events, x->count, sizeof(*x->events), compare_events);
	for (size_t from = 0, to; from < x->count; from = to) {
		for (to = from + 1; to < x->count && same_stack(&x->events[from], &x->events[to]);)
			to++;
		if (!nest_events(c, from, to))
			return false;
	}
	return report_left_out(c);
}
