#include "heap_text.h"

#include "base/decimal.h"
#include "input/bundle/bundle.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	LINE_MAX_BYTES = 8 * 1024 * 1024,
	LOOK_BYTES = 8 * 1024 * 1024, /* in which a symbolised file comes to its profile */
	HEAD_BYTES = 64 * 1024,
	ATTRIBUTES_MAX = 1024 * 1024
};

/* --- lines ------------------------------------------------------------------------- */

bool
heap_text_issue(struct heap_text *h, enum issue_code code, const char *message)
{
	const struct issue issue = { .code = code,
		.source = h->name,
		.line = h->line.number,
		.offset = h->line.offset,
		.message = message,
		.raw = h->line.text };

	h->left_out_count += code == ISSUE_LEFT_OUT;
	return h->sink->issue(h->sink, h->set, &issue, h->err);
}

bool
heap_text_next(struct heap_text *h, struct line_reader *r, bool *more)
{
	if (!line_next(r, &h->line, more, h->err))
		return false;
	if (!*more)
		return true;
	h->line.text = text_trim(h->line.text);
	*more = !text_equal(h->line.text, TEXT_LITERAL("MAPPED_LIBRARIES:"));
	return true;
}

bool
heap_text_counts(struct text *t, struct heap_counts *c)
{
	struct text rest = *t;
	bool ok;

	scan_blanks(&rest);
	ok = scan_decimal(&rest, &c->v[HEAP_LIVE_OBJECTS]) && scan_word(&rest, ":");
	scan_blanks(&rest);
	ok = ok && scan_decimal(&rest, &c->v[HEAP_LIVE_BYTES]);
	scan_blanks(&rest);
	ok = ok && scan_word(&rest, "[");
	scan_blanks(&rest);
	ok = ok && scan_decimal(&rest, &c->v[HEAP_ALL_OBJECTS]) && scan_word(&rest, ":");
	scan_blanks(&rest);
	ok = ok && scan_decimal(&rest, &c->v[HEAP_ALL_BYTES]);
	scan_blanks(&rest);
	if (!ok || !scan_word(&rest, "]"))
		return false;
	for (int i = 0; i < HEAP_VALUES; i++)
		if (c->v[i] > INT64_MAX)
			return false;
	*t = rest;
	return true;
}

bool
heap_text_addresses(struct heap_text *h, struct text t)
{
	uint64_t address;

	h->address_count = 0;
	for (scan_blanks(&t); t.size; scan_blanks(&t)) {
		if (!text_begins(t, "0x") || !scan_hex(&t, &address) ||
			h->address_count == HEAP_STACK_MAX)
			return false;
		if (h->address_count == h->address_room) {
			h->address_room = h->address_room ? 2 * h->address_room : 64;
			h->addresses =
				xrealloc(h->addresses, h->address_room * sizeof(*h->addresses));
		}
		h->addresses[h->address_count++] = address;
	}
	return true;
}

/* --- values ------------------------------------------------------------------------ */

/* What there is for each that was sampled. */
static double
factor(const struct heap_text *h, uint64_t objects, uint64_t bytes)
{
	if (h->rate <= 1 || !objects || !bytes)
		return 1;
	return 1 / -expm1(-((double)bytes / (double)objects) / h->rate);
}

static uint64_t
scale(const struct heap_text *h, uint64_t raw, double by)
{
	double scaled = (double)raw * by + (h->rounds ? 0.5 : 0);

	if (by <= 1)
		return raw;
	return scaled < (double)INT64_MAX ? (uint64_t)scaled : INT64_MAX;
}

static void
scale_all(const struct heap_text *h, const struct heap_counts *raw, struct heap_counts *scaled)
{
	double live = factor(h, raw->v[HEAP_LIVE_OBJECTS], raw->v[HEAP_LIVE_BYTES]);
	double all = factor(h, raw->v[HEAP_ALL_OBJECTS], raw->v[HEAP_ALL_BYTES]);

	for (int i = 0; i < HEAP_VALUES; i++)
		scaled->v[i] = scale(h, raw->v[i], i < HEAP_ALL_BYTES ? live : all);
}

struct heap_metric {
	const char *name, *title, *unit;
};

static const struct heap_metric metrics[HEAP_VALUES] = {
	{ "inuse_space", "alive, in bytes", "bytes" },
	{ "inuse_objects", "alive, in objects", "count" },
	{ "alloc_space", "allocated, in bytes", "bytes" },
	{ "alloc_objects", "allocated, in objects", "count" },
};
static const struct heap_metric sampled_metrics[HEAP_VALUES] = {
	{ "sampled_inuse_space", "alive among the samples, in bytes", "bytes" },
	{ "sampled_inuse_objects", "alive among the samples, in objects", "count" },
	{ "sampled_alloc_space", "allocated among the samples, in bytes", "bytes" },
	{ "sampled_alloc_objects", "allocated among the samples, in objects", "count" },
};
static const struct heap_metric thread_metrics[HEAP_VALUES] = {
	{ "thread_inuse_space", "alive, of a thread, in bytes", "bytes" },
	{ "thread_inuse_objects", "alive, of a thread, in objects", "count" },
	{ "thread_alloc_space", "allocated, of a thread, in bytes", "bytes" },
	{ "thread_alloc_objects", "allocated, of a thread, in objects", "count" },
};

/* Values that a file has. */
static int
value_count(const struct heap_text *h)
{
	return h->all ? HEAP_VALUES : HEAP_ALL_BYTES;
}

static bool
tell_metrics(struct heap_text *h, const struct heap_metric *m, metric_number *first)
{
	for (int i = 0; i < value_count(h); i++) {
		const struct metric_row row = { .family = METRIC_OF_SAMPLES,
			.name = text_from(m[i].name),
			.unit = text_from(m[i].unit),
			.title = text_from(m[i].title) };
		metric_number number;

		if (!h->sink->metric(h->sink, h->set, &row, &number, h->err))
			return false;
		if (i == 0)
			*first = number;
	}
	return true;
}

bool
heap_text_metrics(struct heap_text *h)
{
	metric_number second;

	return tell_metrics(h, metrics, &h->metric) &&
	       (h->rate <= 1 || tell_metrics(h, sampled_metrics, &second)) &&
	       (!h->threads || tell_metrics(h, thread_metrics, &h->thread_metric));
}

bool
heap_text_track(struct heap_text *h, struct text name, int64_t thread_id, int32_t *track)
{
	const struct track_row row = { .id = ++h->track_count,
		.kind = thread_id == MODEL_NULL ? "heap" : "thread",
		.name = name,
		.process_id = MODEL_NULL,
		.thread_id = thread_id,
		.metric = thread_id == MODEL_NULL ? h->metric : h->thread_metric,
		.started_us = MODEL_NULL };

	*track = row.id;
	return h->sink->track(h->sink, h->set, &row, h->err);
}

bool
heap_text_sample(
	struct heap_text *h, int32_t track, stack_number stack, const struct heap_counts *raw)
{
	struct decimal values[2 * HEAP_VALUES];
	struct heap_counts scaled;
	struct sample_row row = {
		.track = track, .stack = stack, .metric = h->metric, .values = values
	};

	scale_all(h, raw, &scaled);
	for (int i = 0; i < value_count(h); i++)
		values[row.value_count++] = decimal_from_int64((int64_t)scaled.v[i]);
	for (int i = 0; i < value_count(h) && h->rate > 1; i++)
		values[row.value_count++] = decimal_from_int64((int64_t)raw->v[i]);
	h->sample_count++;
	return h->sink->sample(h->sink, h->set, &row, h->err);
}

bool
heap_text_thread_sample(
	struct heap_text *h, int32_t track, stack_number stack, const struct heap_counts *raw)
{
	struct decimal values[HEAP_VALUES];
	struct heap_counts scaled;
	char sampled[128];
	struct sample_row row = {
		.track = track, .stack = stack, .metric = h->thread_metric, .values = values
	};

	scale_all(h, raw, &scaled);
	for (int i = 0; i < value_count(h); i++)
		values[row.value_count++] = decimal_from_int64((int64_t)scaled.v[i]);
	if (h->rate > 1) {
		(void)snprintf(sampled, sizeof(sampled),
			"{\"sampled\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]}",
			raw->v[0], raw->v[1], raw->v[2], raw->v[3]);
		row.attributes = text_from(sampled);
	}
	h->sample_count++;
	return h->sink->sample(h->sink, h->set, &row, h->err);
}

/* --- stacks ------------------------------------------------------------------------ */

bool
heap_text_stack(struct heap_text *h, stack_number *stack)
{
	size_t cut;

	if (!stack_end(h->frames, false, stack, &cut, h->err))
		return false;
	return !cut || heap_text_issue(h, ISSUE_STACK_TOO_DEEP,
			       "a stack passes the frame limit: its outermost are left out");
}

/* --- files ------------------------------------------------------------------------- */

static void
tick(void *self, uint64_t offset)
{
	struct heap_text *h = self;

	h->source->consumed = h->before + (int64_t)offset;
	if (h->source->tick)
		h->source->tick(h->source->tick_self);
}

static bool
read_pass(struct heap_text *h, heap_read *read_lines, bool ticks)
{
	const struct line_options options = { .source = h->name,
		.max_line_bytes = LINE_MAX_BYTES,
		.tick = ticks ? tick : NULL,
		.tick_self = h };
	int fd = bundle_open_member(h->source->bundle, h->member, h->err);
	struct line_reader *r = fd < 0 ? NULL : line_reader_new_fd(fd, &options);
	bool ok = r && read_lines(h, r);

	line_reader_free(r);
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool
tell_metadata(struct heap_text *h)
{
	struct text application = TEXT_NULL;

	/* The program is mapped before its libraries. */
	if (h->mapping_count && h->mappings[0].path.data[0] == '/')
		application = h->mappings[0].path;
	members_array(&h->attributes, "comments", strbuf_text(&h->comments));
	return (!application.data ||
		       h->sink->metadata(h->sink, h->set, "application", application, h->err)) &&
	       h->sink->metadata(h->sink, h->set, "caption", text_from(h->name), h->err) &&
	       h->sink->metadata(
		       h->sink, h->set, "attributes", members_end(&h->attributes), h->err);
}

/* A head with something else behind it is damaged: there is nothing to keep. */
static bool
check_not_empty(struct heap_text *h)
{
	if (h->sample_count || !h->left_out_count)
		return true;
	return error_set(h->err, ERROR_INPUT,
		"%s: line 1 begins a heap profile, but none of %llu lines behind it is of one",
		h->name, (unsigned long long)h->left_out_count);
}

static bool
read_file(struct heap_text *h, heap_read *read_lines)
{
	bool ok;

	h->arena = ARENA_INIT;
	h->frames = frame_dictionary_new(h->sink, h->set);
	strbuf_init(&h->attributes, ATTRIBUTES_MAX);
	strbuf_init(&h->comments, HEAP_COMMENTS_MAX_BYTES);
	pair_map_init(&h->symbol_of);
	ok = read_pass(h, heap_text_read_libraries, false) && read_pass(h, read_lines, true) &&
	     check_not_empty(h) && tell_metadata(h);
	frame_dictionary_free(h->frames);
	strbuf_release(&h->attributes);
	strbuf_release(&h->comments);
	pair_map_release(&h->symbol_of);
	free(h->mappings);
	free(h->symbols);
	free(h->addresses);
	arena_release(&h->arena);
	return ok;
}

/* Does a line of the file's begin start so? A symbolised one may have it farther on. */
static bool
has_line(struct bundle *b, size_t member, const char *begin)
{
	char *buffer = xmalloc(LOOK_BYTES);
	size_t size = bundle_read_head(b, member, buffer, HEAD_BYTES);
	bool sections = text_begins((struct text){ buffer, size }, "--- ");
	bool found = false;

	if (sections)
		size = bundle_read_head(b, member, buffer, LOOK_BYTES);
	for (struct text t = { buffer, size }; t.size && !found;) {
		size_t lf = text_find(t, "\n");

		found = text_begins(t, begin);
		/* Blank lines and a symbolised file's sections may precede it. */
		if (!sections && lf != 0 && !text_begins(t, "\r"))
			break;
		t = text_from_at(t, lf == TEXT_NOT_FOUND ? t.size : lf + 1);
	}
	free(buffer);
	return found;
}

int
heap_text_probe(const struct format_source *source, const char *begin)
{
	for (size_t i = 0; source->bundle && i < bundle_count(source->bundle); i++)
		if (has_line(source->bundle, i, begin))
			return 8 * (int)strlen(begin);
	return 0;
}

static bool
tell_left_out(struct sink *sink, const char *name, struct error *err)
{
	const struct issue left_out = { .code = ISSUE_NO_PROFILE,
		.source = name,
		.message = "no heap profile; it was left out" };

	return sink->issue(sink, ISSUE_EVERY_SET, &left_out, err);
}

static bool
read_members(struct format_source *source, struct sink *sink, const uint32_t *sets,
	const bool *wanted, heap_read *read_lines, struct error *err)
{
	int64_t before = 0;

	for (size_t i = 0; i < bundle_count(source->bundle); i++) {
		const struct bundle_member *m = bundle_member(source->bundle, i);
		struct heap_text h = { .source = source,
			.sink = sink,
			.err = err,
			.name = m->name,
			.member = i,
			.before = before,
			.set = sets[i] };

		if (sets[i] == ISSUE_EVERY_SET ? !tell_left_out(sink, m->name, err)
					       : wanted[i] && !read_file(&h, read_lines))
			return false;
		before += m->size;
	}
	return sink->end(sink, err);
}

enum format_result
heap_text_read(struct format_source *source, struct sink *sink, const char *begin,
	heap_read *read_lines, struct error *err)
{
	size_t count = bundle_count(source->bundle);
	uint32_t *sets = arena_alloc_array(source->arena, count, sizeof(*sets));
	bool *wanted = arena_alloc_array(source->arena, count, sizeof(*wanted));
	size_t ours = 0;

	for (size_t i = 0; i < count; i++) {
		struct set_row row = { .source_inst_id = MODEL_NULL };

		sets[i] = ISSUE_EVERY_SET;
		if (!has_line(source->bundle, i, begin))
			continue;
		if (!bundle_is_file(source->bundle))
			row.file = text_from(bundle_member(source->bundle, i)->name);
		if (!sink->set(sink, &row, &sets[i], &wanted[i], err))
			return FORMAT_FAILED;
		ours++;
	}
	if (!ours) {
		error_set(err, ERROR_INPUT, "%s: no heap profile in it", source->path);
		error_hint(err, "looked for a line that begins with \"%s\"", begin);
		return FORMAT_FAILED;
	}
	return read_members(source, sink, sets, wanted, read_lines, err) ? FORMAT_DONE
									 : FORMAT_FAILED;
}
