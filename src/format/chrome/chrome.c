#include "chrome_private.h"
#include "chrome_write.h"

#include "format/formats.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	PROBE_ELEMENTS = 64,
	OTHERS_MAX_BYTES = 16 * 1024 * 1024,
	RAW_MAX_DEPTH = 100000
};

/* An array whose first element is no object may still hold events. */
static int
probe_array(const struct format_source *source)
{
	const struct json_options options = { .source = source->path,
		.max_string_bytes = CHROME_MAX_NAME_BYTES,
		.tolerate = 1u << JSON_TRAILING_COMMA | 1u << JSON_UNCLOSED | 1u << JSON_BAD_UTF8 };
	struct error err = ERROR_INIT;
	const int fd = bundle_open_member(source->bundle, source->shape_member, &err);
	struct json_reader *r;
	enum json_type type;
	struct text key;
	bool more, found = false;

	if (fd < 0)
		return 0;
	r = json_reader_new_fd(fd, &options);
	if (!json_enter(r, &err))
		found = false;
	else
		for (int i = 0; i < PROBE_ELEMENTS && !found; i++) {
			if (!json_next_item(r, &more, &err) || !more || !json_peek(r, &type, &err))
				break;
			if (type != JSON_OBJECT) {
				if (!json_skip(r, &err))
					break;
				continue;
			}
			if (!json_enter(r, &err))
				break;
			while (json_next_key(r, &key, &more, &err) && more) {
				found = found || text_equal(key, TEXT_LITERAL("ph"));
				if (!json_skip(r, &err))
					break;
			}
		}
	json_reader_free(r);
	close(fd);
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
probe(const struct format_source *source)
{
	const struct json_shape *s = source->shape;
	int bits;

	if (!s)
		return 0;
	bits = probe_shape(s);
	if (bits == 0 && s->top == JSON_TOP_ARRAY && s->key_count == 0 && source->bundle)
		bits = probe_array(source);
	return bits;
}

/* Bytes that are no UTF-8 are told where an event is kept, not wherever they are. */
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
tell_deviations(struct chrome *c)
{
	if (c->unclosed && !chrome_issue(c, ISSUE_TRACE_UNCLOSED, c->unclosed_at,
				   "the input ends before the trace does"))
		return false;
	if (c->trailing_comma && !chrome_issue(c, ISSUE_TRACE_COMMA, c->trailing_comma_at,
					 "a comma stands before the end of an array or object"))
		return false;
	if (c->bad_utf8 &&
		!chrome_issue(c, ISSUE_BAD_UTF8, c->bad_utf8_at,
			"%llu %s no UTF-8; each became U+FFFD", (unsigned long long)c->bad_utf8,
			by_count(c->bad_utf8, "byte or sequence is", "bytes or sequences are")))
		return false;
	for (unsigned bit = 1; bit <= CHROME_TIMING_NO_ARGS; bit <<= 1)
		if ((c->refusals & bit) &&
			!chrome_issue(c, ISSUE_DEVTOOLS_REFUSES, 0, "DevTools refuses the file: %s",
				chrome_refusal_text(bit)))
			return false;
	return true;
}

static bool
tell_metrics(struct chrome *c)
{
	const struct metric_row row = { .family = METRIC_OF_SPANS,
		.name = TEXT_LITERAL("microseconds"),
		.unit = TEXT_LITERAL("microseconds"),
		.title = TEXT_LITERAL("User timings") };

	return c->sink->metric(c->sink, c->set, &row, &c->metric, c->err) &&
	       (!c->calls || (chrome_calls_metrics(c) && chrome_profiles_metrics(c)));
}

static bool
tell_all(struct chrome *c)
{
	if (!tell_metrics(c) || !tell_deviations(c) || !chrome_tell_trace(c) ||
		!chrome_tell_threads(c) || !chrome_emit(c) ||
		(c->calls && (!chrome_calls_tell(c) || !chrome_profiles_tell(c))))
		return false;
	return !c->too_long || chrome_issue(c, ISSUE_EVENT_TIME, 0,
				       "%llu durations are too long to be summed up and were left "
				       "out; begin and end are kept",
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
	if (c->fd >= 0)
		close(c->fd);
}

static void
init(struct chrome *c)
{
	c->fd = -1;
	pair_map_init(&c->strings.map);
	pair_map_init(&c->track_map);
	pair_map_init(&c->process_map);
	pair_map_init(&c->frame_map);
	pair_map_init(&c->navigation_map);
	pair_map_init(&c->routine_map);
	strbuf_init(&c->others, OTHERS_MAX_BYTES);
}

static bool
read_events(struct chrome *c, size_t member, int fd)
{
	const struct json_options options = {
		.source = c->file,
		.max_depth =
			c->source->options.max_depth ? c->source->options.max_depth : RAW_MAX_DEPTH,
		.max_string_bytes = CHROME_MAX_NAME_BYTES,
		.tolerate = 1u << JSON_TRAILING_COMMA | 1u << JSON_UNCLOSED | 1u << JSON_BAD_UTF8,
		.deviation = deviation,
		.self = c,
	};
	bool ok;

	c->fd = bundle_open_member(c->source->bundle, member, c->err);
	if (c->fd < 0)
		return false;
	c->json = json_reader_new_fd(fd, &options);
	ok = chrome_stream(c);
	json_reader_free(c->json);
	c->json = NULL;
	return ok && chrome_pair(c) && (chrome_extend(c), tell_all(c));
}

/* One file, one result set. */
static bool
read_member(struct format_source *source, struct sink *sink, size_t member, struct error *err)
{
	struct chrome c = { .source = source, .sink = sink, .err = err };
	struct set_row row = { .source_inst_id = MODEL_NULL };
	bool wanted, ok;
	int fd;

	row.file = text_from(bundle_member(source->bundle, member)->name);
	c.file = bundle_member(source->bundle, member)->name;
	if (!sink->set(sink, &row, &c.set, &wanted, err))
		return false;
	if (!wanted)
		return true;
	fd = bundle_open_member(source->bundle, member, err);
	if (fd < 0)
		return false;
	init(&c);
	if (source->options.all_events && !chrome_calls_new(&c))
		ok = false;
	else
		ok = read_events(&c, member, fd);
	release(&c);
	close(fd);
	return ok || error_prefix(err, "%s", bundle_member(source->bundle, member)->name);
}

static bool
is_trace(struct format_source *source, size_t member)
{
	if (bundle_count(source->bundle) == 1 || member == source->shape_member)
		return true;
	return probe_shape(json_shape_of(source->bundle, member)) > 0;
}

static enum format_result
read_traces(struct format_source *source, struct sink *sink, struct error *err)
{
	for (size_t i = 0; i < bundle_count(source->bundle); i++) {
		const struct issue issue = { .code = ISSUE_NO_TRACE,
			.source = bundle_member(source->bundle, i)->name,
			.message = "no Chrome trace" };

		if (is_trace(source, i)) {
			if (!read_member(source, sink, i, err))
				return FORMAT_FAILED;
		} else if (!sink->issue(sink, ISSUE_EVERY_SET, &issue, err)) {
			return FORMAT_FAILED;
		}
	}
	return sink->end(sink, err) ? FORMAT_DONE : FORMAT_FAILED;
}

const struct format format_chrome = {
	.name = "chrome",
	.title = "Chrome trace (user timings)",
	.profiler = "Chrome DevTools",
	.reads = true,
	.known_by = "an object with \"traceEvents\", or an array of events with \"ph\"",
	.json = true,
	.several = true,
	.probe = probe,
	.read = read_traces,
	.writes = true,
	.write = chrome_write,
	.extension = "chrome.json",
};
