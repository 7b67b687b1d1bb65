/* Emits user timings as spans, whose attributes contain the original events. */
#include "chrome_private.h"
#include "format/common/nesting.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char *const kind_names[CHROME_KINDS] = { "mark", "measure", "console", "stamp",
	"measure_call" };
static const char *const payload_names[] = { [CHROME_MARKER] = "marker",
	[CHROME_ENTRY] = "entry",
	[CHROME_LINK] = "link",
	[CHROME_SYNTHETIC_STAMP] = "stamp" };
static const char *const kind_titles[CHROME_KINDS] = { "marks", "measures", "console timings",
	"console time stamps", "calls of performance.measure" };

static const struct {
	const char *name, *title;
} losses[] = { { NULL, NULL },
#define CHROME_LOST_ROW(code, name, title) { name, title },
	CHROME_LOST_TABLE(CHROME_LOST_ROW)
#undef CHROME_LOST_ROW
};

/* Appends the event of a timing as JSON. *event is valid until c->scratch is reset. */
static bool
append_event(struct chrome *c, uint32_t timing, struct json_node **event)
{
	const struct chrome_timing *t = &c->timings[timing];

	return chrome_keep_event(c, &c->attributes, t->offset, t->size, event);
}

static void
append_member(struct strbuf *b, const char *key, const struct json_node *j)
{
	strbuf_printf(b, ",\"%s\":", key);
	if (j && !chrome_json_is_deep(j))
		json_tree_keep(b, j);
	else
		strbuf_append_str(b, "null");
}

/* Appends the payload of DevTools' extension API and the detail that the page added. */
static void
append_detail(struct chrome *c, const struct chrome_span *s, const struct json_node *event)
{
	const struct json_node *data = json_tree_get(event, "args");
	const struct json_node *payload;
	struct json_node *detail;

	if (s->kind != CHROME_MEASURE)
		data = json_tree_get(data, "data");
	if (s->kind == CHROME_STAMP) {
		const struct text more = chrome_json_string(json_tree_get(data, "devtools"));

		chrome_put_string(&c->attributes, "color",
			chrome_json_js_text(&c->scratch, json_tree_get(data, "color")));
		if (text_is_empty(more))
			chrome_put_string(&c->attributes, "detail", TEXT_LITERAL(""));
		else
			append_member(
				&c->attributes, "detail", chrome_detail_parse(&c->scratch, more));
		return;
	}
	detail =
		chrome_detail_parse(&c->scratch, chrome_json_string(json_tree_get(data, "detail")));
	if (!detail || chrome_json_is_deep(detail))
		return;
	payload = json_tree_get(detail, "devtools");
	append_member(&c->attributes, "dataType", json_tree_get(payload, "dataType"));
	append_member(&c->attributes, "color", json_tree_get(payload, "color"));
	append_member(&c->attributes, "tooltipText", json_tree_get(payload, "tooltipText"));
	append_member(&c->attributes, "properties", json_tree_get(payload, "properties"));
	chrome_json_remove(detail, "devtools");
	append_member(&c->attributes, "detail", detail);
}

static void
append_track(struct chrome *c, const struct chrome_span *s, const struct json_node *event)
{
	const struct chrome_timing *t = &c->timings[s->begin];
	struct strbuf *b = &c->attributes;

	strbuf_printf(b, ",\"track\":{\"kind\":\"%s\",\"order\":%" PRId64,
		payload_names[s->payload], s->entry_order);
	chrome_put_number(b, "start", s->entry_ts);
	chrome_put_number(b, "duration", s->entry_dur);
	if (s->payload == CHROME_ENTRY) {
		chrome_put_string(b, "name", c->strings.items[t->entry_track]);
		chrome_put_string(b, "group",
			t->entry_group == CHROME_NONE ? TEXT_NULL
						      : c->strings.items[t->entry_group]);
		if (s->has_tree) {
			chrome_put_number(b, "self", s->self);
			strbuf_printf(b, ",\"depth\":%u", s->entry_depth);
		}
	}
	if (s->payload != CHROME_SYNTHETIC_STAMP)
		append_detail(c, s, event);
	strbuf_append_char(b, '}');
}

static bool
append_instants(struct chrome *c, const struct chrome_span *s)
{
	struct json_node *event;

	strbuf_append_str(&c->attributes, ",\"instants\":[");
	for (uint32_t i = 0; i < s->count; i++) {
		if (i)
			strbuf_append_char(&c->attributes, ',');
		if (!append_event(c, c->instants[s->instant + i], &event))
			return false;
	}
	strbuf_append_str(&c->attributes, "],\"inner\":[");
	for (uint32_t i = 0; i < s->count; i++)
		strbuf_printf(&c->attributes, "%s%u", i ? "," : "",
			c->timings[c->instants[s->instant + i]].index);
	strbuf_append_char(&c->attributes, ']');
	return true;
}

static bool
append_attributes(struct chrome *c, const struct chrome_span *s, struct json_node **begin,
	struct json_node **end)
{
	struct strbuf *b = &c->attributes;

	strbuf_reset(b);
	*begin = *end = NULL;
	strbuf_printf(b, "{\"order\":%" PRId64, s->order);
	if (s->lost)
		strbuf_printf(b, ",\"lost\":\"%s\"", losses[s->lost].name);
	if (s->begin != CHROME_NONE) {
		strbuf_printf(b, ",\"event\":%u,\"begin\":", c->timings[s->begin].index);
		if (!append_event(c, s->begin, begin))
			return false;
	}
	if (s->end != CHROME_NONE) {
		strbuf_printf(b, ",\"last\":%u,\"end\":", c->timings[s->end].index);
		if (!append_event(c, s->end, end))
			return false;
	}
	if (s->count && !append_instants(c, s))
		return false;
	if (*begin && s->payload != CHROME_NO_PAYLOAD && s->order > 0)
		append_track(c, s, *begin);
	strbuf_append_char(b, '}');
	if (b->failed)
		return error_set(c->in->err, ERROR_LIMIT, "a timing of more than %d bytes",
			CHROME_ATTRIBUTES_MAX_BYTES);
	return true;
}

static void
set_times(const struct chrome *c, const struct chrome_span *s, const struct json_node *begin,
	const struct json_node *end, struct span_row *row)
{
	const struct decimal from = chrome_json_decimal(json_tree_get(begin, "ts"));
	const struct decimal to = chrome_json_decimal(json_tree_get(end, "ts"));

	row->start = from;
	if (begin && end) {
		if (!decimal_subtract(to, from, &row->duration))
			row->duration = (struct decimal){ 0 };
	} else if (s->kind == CHROME_MEASURE_CALL) {
		row->duration = chrome_json_decimal(json_tree_get(begin, "dur"));
	} else if (begin && (s->kind == CHROME_MARK || s->kind == CHROME_STAMP ||
				    s->lost == CHROME_ZERO_LENGTH ||
				    strchr("nTp", c->timings[s->begin].ph))) {
		row->duration = decimal_from_int64(0);
	}
}

static void
set_name(struct chrome *c, const struct chrome_span *s, const struct json_node *event,
	struct span_row *row)
{
	const struct chrome_timing *t = &c->timings[s->begin != CHROME_NONE ? s->begin : s->end];
	const struct json_node *name = json_tree_get(event, "name");

	row->name = s->kind == CHROME_STAMP ? c->strings.items[t->label]
		    : name                  ? chrome_json_js_text(&c->scratch, name)
					    : TEXT_NULL;
	row->category = chrome_json_string(json_tree_get(event, "cat"));
	if (s->kind == CHROME_MEASURE_CALL)
		row->source_id = c->strings.items[t->label];
	else if (t->key != CHROME_NONE)
		row->source_id = c->strings.items[t->key];
}

/* Sets the span's path in the call tree. Only measures and console timings have paths, because other
 * spans do not nest. */
static bool
set_path(struct chrome *c, struct chrome_span *s, struct span_row *row)
{
	path_number above = 0;
	uint32_t routine;

	row->routine_id = MODEL_NULL;
	row->parent_id = MODEL_NULL;
	/* The parent is the same as in the call tree, so that reindex builds the same tree. */
	if (s->parent != CHROME_NONE && !s->crosses) {
		row->parent_id = c->spans[s->parent].id;
		above = c->spans[s->parent].path;
	}
	s->path = above; /* a span without a path passes its parent's path to its children */
	if (!s->path_wanted || row->duration.kind == DECIMAL_NULL)
		return true;
	routine = chrome_span_routine(c, row->name, row->category);
	if (routine == CHROME_NONE)
		return false;
	row->routine_id = routine;
	if (!emit_path(c->in, above, routine, &row->path))
		return false;
	s->path = row->path;
	return true;
}

static bool
write_span(struct chrome *c, struct chrome_span *s)
{
	const struct chrome_timing *t = &c->timings[s->begin != CHROME_NONE ? s->begin : s->end];
	struct span_row row = { .id = s->id,
		.parent_id = MODEL_NULL,
		.track = c->tracks[t->track].id,
		.metric = c->metric,
		.kind = kind_names[s->kind],
		.errored = -1 };
	struct json_node *begin, *end;

	arena_reset(&c->scratch);
	if (!append_attributes(c, s, &begin, &end))
		return false;
	set_name(c, s, begin ? begin : end, &row);
	set_times(c, s, begin, end, &row);
	row.duration = chrome_duration(c, row.duration);
	if (row.start.kind == DECIMAL_NULL && s->lost != CHROME_NEVER_BEGUN &&
		!reader_issue_at(c->in, ISSUE_EVENT_TIME, t->offset, "a %s has no numeric time",
			kind_names[s->kind]))
		return false;
	if (!set_path(c, s, &row))
		return false;
	row.attributes = strbuf_text(&c->attributes);
	return emit_span(c->in, &row);
}

struct place {
	double ts, end;
	uint32_t event, span;
};

static int
compare_places(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	const int r = chrome_compare_times(a->ts, a->end, b->ts, b->end);

	return r ? r : (a->event > b->event) - (a->event < b->event);
}

/* Sorts the spans by time, and then numbers them, so that the order of their IDs is the order of time. */
static void
sort_spans(struct chrome *c)
{
	struct place *places = xcalloc(c->span_count + 1, sizeof(*places));
	struct chrome_span *sorted = xcalloc(c->span_count + 1, sizeof(*sorted));

	for (size_t i = 0; i < c->span_count; i++) {
		const struct chrome_span *s = &c->spans[i];
		const uint32_t first = s->begin != CHROME_NONE ? s->begin : s->end;

		places[i] =
			(struct place){ s->ts, s->end_ts, c->timings[first].index, (uint32_t)i };
	}
	qsort(places, c->span_count, sizeof(*places), compare_places);
	for (size_t i = 0; i < c->span_count; i++) {
		sorted[i] = c->spans[places[i].span];
		sorted[i].id = ++c->last_id;
		sorted[i].parent = CHROME_NONE;
	}
	free(places);
	free(c->spans);
	c->spans = sorted;
}

/* Converts a time to a fixed-point number with 40 fractional bits, for comparisons. */
static wide_int
comparable(double t)
{
	const double most = ldexp(1, 120), scaled = ldexp(t, 40);

	return (wide_int)(scaled > most ? most : scaled < -most ? -most : scaled);
}

/* Nests the measures and console timings of each thread. */
static void
find_parents(struct chrome *c)
{
	struct nest *nests = xcalloc(c->track_count + 1, sizeof(*nests));

	for (size_t i = 0; i < c->span_count; i++) {
		struct chrome_span *s = &c->spans[i];
		struct nest_span span = { .item = (uint32_t)i };

		if ((s->kind != CHROME_MEASURE && s->kind != CHROME_CONSOLE) ||
			s->begin == CHROME_NONE || s->end == CHROME_NONE || s->end_ts < s->ts)
			continue;
		s->path_wanted = true;
		if (isnan(s->ts) || isnan(s->end_ts))
			continue;
		span.start = comparable(s->ts);
		span.end = comparable(s->end_ts);
		s->parent = nest_add(&nests[c->timings[s->begin].track], &span, &s->crosses);
	}
	for (size_t i = 0; i < c->track_count; i++)
		nest_release(&nests[i]);
	free(nests);
}

static bool
report_losses(struct chrome *c)
{
	size_t counts[CHROME_KINDS][CHROME_LOST_REASONS] = { { 0 } };

	for (size_t i = 0; i < c->span_count; i++)
		counts[c->spans[i].kind][c->spans[i].lost]++;
	for (size_t k = 0; k < CHROME_KINDS; k++)
		for (size_t l = CHROME_SHOWN + 1; l < CHROME_LOST_REASONS; l++)
			if (counts[k][l] && !reader_issue_at(c->in, ISSUE_DEVTOOLS_LOSES, 0,
						    "%zu %s %s: DevTools does not show them",
						    counts[k][l], kind_titles[k], losses[l].title))
				return false;
	return true;
}

bool
chrome_emit(struct chrome *c)
{
	sort_spans(c);
	find_parents(c);
	if (!report_losses(c))
		return false;
	for (size_t i = 0; i < c->span_count; i++)
		if (!write_span(c, &c->spans[i]))
			return false;
	return true;
}
