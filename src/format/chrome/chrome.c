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

/* Does an object in the array have a "ph"? The first element of a trace need not be an object. */
static bool
holds_event(struct json_reader *r)
{
	struct error err = ERROR_INIT;
	bool more, found = false;
	enum json_type type;
	struct text key;

	if (!json_enter(r, &err))
		return false;
	for (int i = 0; i < PROBE_ELEMENTS && !found; i++) {
		if (!json_next_item(r, &more, &err) || !more || !json_peek(r, &type, &err))
			return false;
		if (type != JSON_OBJECT) {
			if (!json_skip(r, &err))
				return false;
			continue;
		}
		if (!json_enter(r, &err))
			return false;
		while (json_next_key(r, &key, &more, &err) && more) {
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

/* Notes deviations from JSON. Each kind is reported once, at its first offset. */
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
	if (c->bad_utf8 &&
		!reader_issue_at(c->in, ISSUE_BAD_UTF8, c->bad_utf8_at,
			"%llu %s not UTF-8; each became U+FFFD", (unsigned long long)c->bad_utf8,
			by_count(c->bad_utf8, "byte or sequence is", "bytes or sequences are")))
		return false;
	for (unsigned bit = 1; bit <= CHROME_TIMING_NO_ARGS; bit <<= 1)
		if ((c->refusals & bit) &&
			!reader_issue_at(c->in, ISSUE_DEVTOOLS_REFUSES, 0,
				"DevTools refuses the file: %s", chrome_refusal_text(bit)))
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
	if (!emit_metrics(c) || !report_deviations(c) || !chrome_emit_trace(c) ||
		!chrome_emit_threads(c) || !chrome_emit(c) ||
		(c->calls && (!chrome_calls_emit(c) || !chrome_profiles_emit(c))))
		return false;
	return !c->too_long || reader_issue_at(c->in, ISSUE_EVENT_TIME, 0,
				       "%llu durations left out: too long to be summed; "
				       "begin and end are kept",
				       (unsigned long long)c->too_long);
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
	free(c->strings.texts);
	free(c->tracks);
	free(c->processes);
	free(c->navigations);
	pair_map_release(&c->strings.map);
	pair_map_release(&c->track_map);
	pair_map_release(&c->process_map);
	pair_map_release(&c->frame_map);
	pair_map_release(&c->navigation_map);
	pair_map_release(&c->routine_map);
	strbuf_release(&c->others);
	arena_release(&c->arena);
	arena_release(&c->scratch);
}

static void
init(struct chrome *c)
{
	pair_map_init(&c->strings.map);
	pair_map_init(&c->track_map);
	pair_map_init(&c->process_map);
	pair_map_init(&c->frame_map);
	pair_map_init(&c->navigation_map);
	pair_map_init(&c->routine_map);
	strbuf_init(&c->others, OTHERS_MAX_BYTES);
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
	return ok && chrome_pair(c) && (chrome_extend(c), emit_all(c));
}

static bool
read_member(struct reader *in)
{
	struct chrome c = { .in = in };
	bool ok;

	init(&c);
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
	.reads = true,
	.known_by = "an object with \"traceEvents\", or an array of events with \"ph\"",
	.json = true,
	.several = true,
	.members = &kind,
	.writes = true,
	.write = chrome_write,
	.extension = "chrome.json",
};
