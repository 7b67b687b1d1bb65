/* The Chrome trace reader. Format: "Trace Event Format" (Google, 2016), as DevTools reads it.
 * chrome_private.h lists the source files. */
#include "chrome_private.h"
#include "format/common/members.h"
#include "format/formats.h"
#include "input/json/json_shape.h"

#include <math.h>
#include <stdlib.h>

enum {
	PROBE_ELEMENTS = 64,
	OTHERS_MAX_BYTES = 16 * 1024 * 1024,
	RAW_MAX_DEPTH = 100000,
	TOLERATED = 1 << JSON_TRAILING_COMMA | 1 << JSON_UNCLOSED | 1 << JSON_BAD_UTF8,
};

/* Returns whether one of the first objects in the array has the member "ph". A trace can begin with
 * elements that are not events. */
static bool
holds_event(struct json_reader *r)
{
	struct error err = ERROR_INIT;
	bool found = false;
	enum json_type type;
	struct text key;

	if (!json_enter(r, &err))
		return false;
	for (int i = 0; i < PROBE_ELEMENTS && !found; i++) {
		if (!json_more_items(r, &err) || !json_peek(r, &type, &err))
			return false;
		if (!(type == JSON_OBJECT ? json_enter(r, &err) : json_skip(r, &err)))
			return false;
		while (type == JSON_OBJECT && json_more_keys(r, &key, &err)) {
			found = found || text_equal(key, TEXT_LITERAL("ph"));
			if (!json_skip(r, &err))
				break;
		}
	}
	return found;
}

static int
probe_array(const struct format_source *source, size_t member)
{
	const struct json_options options = { .source = source->path,
		.max_string_bytes = CHROME_MAX_NAME_BYTES,
		.tolerate = TOLERATED };
	const struct text head = bundle_head(source->bundle, member);
	struct json_reader *r = json_reader_new_memory(head.data, head.size, 0, &options);
	const bool found = holds_event(r);

	json_reader_free(r);
	return found ? 16 : 0;
}

static int
probe_shape(const struct json_shape *s)
{
	if (s->top == JSON_TOP_OBJECT && json_shape_has(s, "traceEvents"))
		return 8 * (int)strlen("traceEvents");
	if (s->top == JSON_TOP_ARRAY && json_shape_has(s, "ph") &&
		(json_shape_has(s, "ts") || json_shape_has(s, "pid")))
		return 8 * (int)strlen("phtspid");
	return 0;
}

static int
look(const struct format_source *source, size_t member)
{
	const struct json_shape *s = json_shape_of(source->bundle, member);
	const int bits = probe_shape(s);

	if (bits == 0 && s->top == JSON_TOP_ARRAY && s->key_count == 0)
		return probe_array(source, member);
	return bits;
}

/* Notes deviations from JSON. Each kind is reported once, at the offset where it first occurs. */
static void
deviation(void *self, enum json_deviation what, uint64_t offset)
{
	struct chrome *c = self;

	if (what == JSON_UNCLOSED) {
		c->unclosed = true;
		c->unclosed_at = offset;
	} else if (what == JSON_TRAILING_COMMA) {
		c->trailing_comma = true;
		c->trailing_comma_at = offset;
	} else if (c->bad_utf8++ == 0) {
		c->bad_utf8_at = offset;
	}
	if (what != JSON_BAD_UTF8)
		c->refusals |= CHROME_BAD_JSON;
}

static bool
report_deviations(struct chrome *c)
{
	if (c->unclosed && !reader_issue_at(c->in, ISSUE_TRACE_UNCLOSED, c->unclosed_at,
				   "the input ends before the trace does"))
		return false;
	if (c->trailing_comma && !reader_issue_at(c->in, ISSUE_TRACE_COMMA, c->trailing_comma_at,
					 "comma before the end of an array or object"))
		return false;
	if (!reader_issue_count(c->in, ISSUE_BAD_UTF8, c->bad_utf8_at, c->bad_utf8,
		    "byte or sequence is not UTF-8; each became U+FFFD",
		    "bytes or sequences are not UTF-8; each became U+FFFD"))
		return false;
	for (size_t i = 0; i < CHROME_REFUSALS; i++)
		if ((c->refusals & 1u << i) &&
			!reader_issue_at(c->in, ISSUE_DEVTOOLS_REFUSES, 0,
				"DevTools refuses the file: %s", chrome_refusals[i]))
			return false;
	return true;
}

static bool
emit_metrics(struct chrome *c)
{
	const struct metric_row row = { .family = METRIC_OF_SPANS,
		.name = TEXT_LITERAL("microseconds"),
		.unit = TEXT_LITERAL("microseconds"),
		.title = TEXT_LITERAL("User timings") };

	return emit_metric(c->in, &row, &c->metric) &&
	       (!c->calls || (chrome_calls_metrics(c) && chrome_profiles_metrics(c)));
}

static bool
emit_all(struct chrome *c)
{
	static const char too_long[] =
		"durations left out: too long to be summed; begin and end are kept";

	return emit_metrics(c) && report_deviations(c) && chrome_emit_trace(c) &&
	       chrome_emit_threads(c) && chrome_emit(c) &&
	       (!c->calls || (chrome_calls_emit(c) && chrome_profiles_emit(c))) &&
	       reader_issue_count(c->in, ISSUE_EVENT_TIME, 0, c->too_long, too_long, too_long);
}

static void
release(struct chrome *c)
{
	chrome_calls_free(c);
	chrome_profiles_free(c);
	free(c->window);
	free(c->timings);
	free(c->instants);
	free(c->spans);
	free(c->strings.items);
	free(c->tracks);
	free(c->processes);
	free(c->navigations);
	pair_map_release(&c->strings.map);
	pair_map_release(&c->track_map);
	pair_map_release(&c->process_map);
	pair_map_release(&c->frame_map);
	pair_map_release(&c->navigation_map);
	frame_dictionary_free(c->frames);
	strbuf_release(&c->others);
	strbuf_release(&c->attributes);
	arena_release(&c->arena);
	arena_release(&c->scratch);
}

static bool
read_events(struct chrome *c)
{
	const struct json_options options = {
		.source = c->in->name,
		.max_depth = c->in->source->options.max_depth ? c->in->source->options.max_depth
							      : RAW_MAX_DEPTH,
		.max_string_bytes = CHROME_MAX_NAME_BYTES,
		.tolerate = TOLERATED,
		.deviation = deviation,
		.self = c,
	};
	bool ok;

	if (!reader_open(c->in))
		return false;
	c->json = json_reader_new_fd(c->in->fd, &options);
	ok = chrome_stream(c);
	json_reader_free(c->json);
	c->json = NULL;
	if (!ok)
		return false;
	chrome_pair(c);
	chrome_extend(c);
	return emit_all(c);
}

static bool
read_member(struct reader *in)
{
	struct chrome c = { .in = in };
	bool ok;

	c.frames = frame_dictionary_new(in->sink, in->set);
	strbuf_init(&c.others, OTHERS_MAX_BYTES);
	strbuf_init(&c.attributes, CHROME_ATTRIBUTES_MAX_BYTES);
	if (in->source->options.all_events)
		chrome_calls_new(&c);
	ok = read_events(&c);
	release(&c);
	return ok || error_prefix(in->err, "%s", in->name);
}

static const struct member_kind kind = {
	.noun = "Chrome trace", .look = look, .read = read_member
};

const struct format format_chrome = {
	.name = "chrome",
	.title = "Chrome trace (user timings)",
	.profiler = "Chrome DevTools",
	.covers = { [COVERAGE_SAMPLES] = COVERAGE_UNKNOWN, [COVERAGE_SPANS] = COVERAGE_FULL },
	.reads = true,
	.known_by = "an object with \"traceEvents\", or an array of events with \"ph\"",
	.json = true,
	.several = true,
	.members = &kind,
	.writes = true,
	.carries = CONTENT_BIT(CONTENT_SPANS),
	.write = chrome_write,
	.extension = "chrome.json",
};
