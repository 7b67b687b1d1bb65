/* Finds the events that are user timings, and reads them. */
#include "base/array.h"
#include "chrome_private.h"

#include <math.h>
#include <stdlib.h>

struct known_name {
	struct text name;
	unsigned bits;
};

#define KNOWN(name, bits) \
	{ \
		{ name, sizeof(name) - 1 }, bits \
	}
#define IGNORED(name) KNOWN(name, CHROME_NAME_IGNORED)

/* Chrome also writes the times of navigations and resources as user timings; DevTools hides marks
 * with these names. */
static const struct known_name known_names[] = {
	IGNORED("workerStart"),
	IGNORED("redirectStart"),
	IGNORED("redirectEnd"),
	IGNORED("fetchStart"),
	IGNORED("domainLookupStart"),
	IGNORED("domainLookupEnd"),
	IGNORED("connectStart"),
	IGNORED("connectEnd"),
	IGNORED("secureConnectionStart"),
	IGNORED("requestStart"),
	IGNORED("responseStart"),
	IGNORED("responseEnd"),
	KNOWN("navigationStart", CHROME_NAME_IGNORED | CHROME_NAME_TRACE),
	IGNORED("unloadEventStart"),
	IGNORED("unloadEventEnd"),
	IGNORED("commitNavigationEnd"),
	IGNORED("domLoading"),
	IGNORED("domInteractive"),
	IGNORED("domContentLoadedEventStart"),
	IGNORED("domContentLoadedEventEnd"),
	IGNORED("domComplete"),
	IGNORED("loadEventStart"),
	IGNORED("loadEventEnd"),
	KNOWN("UserTiming::Measure", CHROME_NAME_CALL),
	KNOWN("TimeStamp", CHROME_NAME_STAMP),
	KNOWN("process_name", CHROME_NAME_TRACE),
	KNOWN("thread_name", CHROME_NAME_TRACE),
	KNOWN("TracingStartedInBrowser", CHROME_NAME_TRACE),
	KNOWN("TracingStartedInPage", CHROME_NAME_TRACE),
	KNOWN("FrameCommittedInBrowser", CHROME_NAME_TRACE),
	KNOWN("CommitLoad", CHROME_NAME_TRACE),
	KNOWN("Profile", CHROME_NAME_PROFILE),
	KNOWN("ProfileChunk", CHROME_NAME_PROFILE),
	KNOWN("CpuProfile", CHROME_NAME_PROFILE),
};

unsigned
chrome_name_bits(struct text name)
{
	if (name.size >= 5 && memcmp(name.data + name.size - 5, "::UMA", 5) == 0)
		return CHROME_NAME_UMA;
	for (size_t i = 0; i < sizeof(known_names) / sizeof(known_names[0]); i++)
		if (known_names[i].name.size == name.size &&
			memcmp(known_names[i].name.data, name.data, name.size) == 0)
			return known_names[i].bits;
	return 0;
}

static unsigned
single_category(struct text t)
{
	if (text_equal(t, TEXT_LITERAL("blink.user_timing")))
		return CHROME_CAT_TIMING;
	return text_equal(t, TEXT_LITERAL("blink.console")) ? CHROME_CAT_CONSOLE : 0;
}

unsigned
chrome_category_bits(struct text category)
{
	struct text rest = category;
	unsigned bits = 0;

	while (rest.data) {
		const char *comma = memchr(rest.data, ',', rest.size);
		struct text one = { rest.data, comma ? (size_t)(comma - rest.data) : rest.size };

		bits |= single_category(text_trim(one));
		if (!comma)
			break;
		rest.size -= one.size + 1;
		rest.data = comma + 1;
	}
	if (bits && !single_category(category))
		bits |= CHROME_CAT_LISTED;
	return bits;
}

bool
chrome_wants(const struct chrome_head *h)
{
	if (h->name & (CHROME_NAME_CALL | CHROME_NAME_TRACE))
		return true;
	if (h->ph == 'I' && (h->name & CHROME_NAME_STAMP))
		return true;
	if (h->cat & CHROME_CAT_TIMING)
		return chrome_is_async(h->ph) || chrome_is_instant(h->ph);
	return (h->cat & CHROME_CAT_CONSOLE) && chrome_is_async(h->ph);
}

/* The first of id, id2.global and id2.local that is present and not null. */
static const struct json_node *
event_id(const struct json_node *event)
{
	const struct json_node *id2 = json_tree_get(event, "id2");
	const struct json_node *candidates[] = { json_tree_get(event, "id"),
		json_tree_get(id2, "global"), json_tree_get(id2, "local") };

	for (size_t i = 0; i < 3; i++)
		if (candidates[i] && candidates[i]->type != JSON_NULL)
			return candidates[i];
	return NULL;
}

static uint32_t
event_key(struct chrome *c, const struct json_node *event)
{
	const struct json_node *id = event_id(event);
	struct strbuf b;
	uint32_t key;

	if (!chrome_json_truthy(id))
		return CHROME_NONE;
	strbuf_init(&b, 2 * (size_t)CHROME_MAX_EVENT_BYTES);
	strbuf_append_text(&b, chrome_json_string(json_tree_get(event, "cat")));
	strbuf_append_char(&b, ':');
	strbuf_append_text(&b, chrome_json_js_text(&c->scratch, id));
	strbuf_append_char(&b, ':');
	strbuf_append_text(&b, chrome_json_js_text(&c->scratch, json_tree_get(event, "name")));
	key = chrome_intern(c, strbuf_text(&b));
	strbuf_release(&b);
	return key;
}

static bool
lacks_args(const struct json_node *event)
{
	const struct json_node *args = json_tree_get(event, "args");

	return !args || args->type == JSON_NULL;
}

/* Reads the start or the end of a stamp: a time, or the label of an earlier stamp. */
static void
read_limit(
	struct chrome *c, const struct json_node *j, double *value, uint32_t *label, bool *number)
{
	*number = chrome_json_double(j, value);
	if (!*number)
		*label = chrome_intern(c, chrome_json_js_text(&c->scratch, j));
}

static void
read_interval(struct chrome *c, struct chrome_timing *t, const struct json_node *event,
	const struct json_node *data)
{
	const struct json_node *start = json_tree_get(data, "start");
	const struct json_node *end = json_tree_get(data, "end");
	struct chrome_stamp *s = arena_alloc(&c->arena, sizeof(*s));

	read_limit(c, start, &s->start_value, &s->start_label, &s->start_number);
	read_limit(c, end, &s->end_value, &s->end_label, &s->end_number);
	s->has_data = chrome_json_truthy(data);
	s->has_interval = chrome_json_truthy(start) || chrome_json_truthy(end);
	s->start = t->ts;
	s->end = t->ts + t->dur;
	if (s->start_number && s->end_number && !json_tree_get(event, "dur")) {
		s->start = s->start_value;
		s->end = s->end_value;
	}
	t->stamp = s;
}

static void
read_stamp(struct chrome *c, struct chrome_timing *t, const struct json_node *event)
{
	const struct json_node *data = json_tree_get(json_tree_get(event, "args"), "data");
	const struct json_node *name = json_tree_get(data, "name");
	const struct json_node *track = json_tree_get(data, "track");
	const struct json_node *group = json_tree_get(data, "trackGroup");

	if (!name || name->type == JSON_NULL)
		name = json_tree_get(data, "message");
	t->label = chrome_intern(c, chrome_json_js_text(&c->scratch, name));
	read_interval(c, t, event, data);
	if (track && track->type == JSON_STRING)
		t->tie_track = chrome_intern(c, track->text);
	if (lacks_args(event)) {
		t->lost = CHROME_NO_ARGS;
		c->refusals |= CHROME_TIMING_NO_ARGS;
	}
	if (!chrome_json_truthy(track))
		return;
	t->payload = CHROME_ENTRY;
	t->entry_track = chrome_intern(c, chrome_json_js_text(&c->scratch, track));
	if (!group)
		return;
	t->entry_group = chrome_intern(c, chrome_json_js_text(&c->scratch, group));
	t->grouped = c->strings.items[t->entry_group].size > 0;
}

static void
classify(struct chrome *c, const struct chrome_head *h, struct chrome_timing *t,
	const struct json_node *event)
{
	const struct json_node *args = json_tree_get(event, "args");
	const bool begins = t->kind == CHROME_MEASURE && t->ph == 'b';

	if (t->kind == CHROME_STAMP) {
		read_stamp(c, t, event);
		return;
	}
	/* Chrome's own timings have the member "frame"; a page's timings never have it. */
	if (h->name & CHROME_NAME_IGNORED)
		t->lost = t->kind == CHROME_MARK && json_tree_get(args, "frame")
				  ? CHROME_OWN
				  : CHROME_IGNORED_NAME;
	else if (h->cat & CHROME_CAT_LISTED && t->kind != CHROME_MEASURE_CALL)
		t->lost = CHROME_CATEGORY_LIST;
	else if (t->kind == CHROME_MARK && t->ph == 'i')
		t->lost = CHROME_OTHER_PHASE;
	if (t->lost == CHROME_SHOWN && lacks_args(event) &&
		(t->kind == CHROME_MARK || t->kind == CHROME_MEASURE_CALL || begins))
		c->refusals |= CHROME_TIMING_NO_ARGS;
	if (t->kind == CHROME_MEASURE_CALL) {
		const struct json_node *id = json_tree_get(args, "traceId");

		t->label = chrome_intern(c, chrome_json_js_text(&c->scratch, id));
		t->key = chrome_intern_value(c, id);
		if (lacks_args(event))
			t->lost = CHROME_NO_ARGS;
	} else if (t->kind == CHROME_MARK) {
		chrome_payload_read(c, t,
			chrome_json_string(json_tree_get(json_tree_get(args, "data"), "detail")));
	} else {
		t->key = event_key(c, event);
		if (begins)
			chrome_payload_read(
				c, t, chrome_json_string(json_tree_get(args, "detail")));
	}
}

static bool
add_timing(struct chrome *c, const struct chrome_head *h, enum chrome_kind kind,
	const struct json_node *event)
{
	const struct json_node *ts = json_tree_get(event, "ts");
	struct chrome_timing *t;
	double dur = 0;

	if (c->timing_count >= CHROME_MAX_TIMINGS) {
		error_set(c->in->err, ERROR_LIMIT, "more than %d user timing events",
			CHROME_MAX_TIMINGS);
		return error_hint(c->in->err, "they are held in memory to be paired and sorted");
	}
	ARRAY_RESERVE(c->timings, c->timing_room, c->timing_count + 1);
	t = &c->timings[c->timing_count];
	*t = (struct chrome_timing){ .offset = h->offset,
		.size = (uint32_t)h->size,
		.index = (uint32_t)c->events,
		.key = CHROME_NONE,
		.label = CHROME_NONE,
		.tie_track = CHROME_NONE,
		.entry_group = CHROME_NONE,
		.entry_track = CHROME_NONE,
		.kind = kind,
		.ph = h->ph };
	chrome_json_double(ts, &t->ts);
	chrome_json_double(json_tree_get(event, "dur"), &dur);
	t->dur = dur;
	if (!chrome_track_of(c, event, &t->track))
		return false;
	classify(c, h, t, event);
	c->timing_count++;
	c->took_timing = true;
	return true;
}

/* Adds the timings of an event. Some events are two timings: a performance.measure call in the
 * category of marks is also a mark, and a mark with the name TimeStamp is also a stamp. */
static bool
add_timings(struct chrome *c, const struct chrome_head *h, const struct json_node *event)
{
	const bool ignored = h->name & CHROME_NAME_IGNORED;

	if ((h->name & CHROME_NAME_TRACE) && !chrome_trace_event(c, event))
		return false;
	if ((h->name & CHROME_NAME_CALL) && !add_timing(c, h, CHROME_MEASURE_CALL, event))
		return false;
	if ((h->cat & CHROME_CAT_TIMING) && chrome_is_async(h->ph))
		return add_timing(c, h, CHROME_MEASURE, event);
	if ((h->cat & CHROME_CAT_TIMING) && chrome_is_instant(h->ph) &&
		!add_timing(c, h, CHROME_MARK, event))
		return false;
	if ((h->cat & CHROME_CAT_CONSOLE) && !(h->cat & CHROME_CAT_TIMING) &&
		chrome_is_async(h->ph) && !add_timing(c, h, CHROME_CONSOLE, event))
		return false;
	if ((h->name & CHROME_NAME_STAMP) && h->ph == 'I' && !ignored)
		return add_timing(c, h, CHROME_STAMP, event);
	return true;
}

bool
chrome_collect(struct chrome *c, const struct chrome_head *h)
{
	return chrome_take_event(c, h, add_timings);
}
