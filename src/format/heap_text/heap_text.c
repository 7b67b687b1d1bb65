/* Shared by the readers of jemalloc's and tcmalloc's profiles. */
#include "heap_text.h"

#include "base/array.h"
#include "base/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	LOOK_BYTES = 8 * 1024 * 1024, /* how far to look for the profile in a symbolised file */
	LINE_MAX_BYTES = 8 * 1024 * 1024,
	ATTRIBUTES_MAX = 1024 * 1024
};

/* --- lines ------------------------------------------------------------------------- */

bool
heap_text_left_out(struct heap_text *h, const char *message)
{
	h->left_out_count++;
	return reader_issue(h->in, ISSUE_LEFT_OUT, "%s", message);
}

bool
heap_text_line(struct heap_text *h, bool *ok)
{
	if (!reader_line(h->in, ok))
		return false;
	h->in->line.text = text_trim(h->in->line.text);
	return !text_equal(h->in->line.text, TEXT_LITERAL("MAPPED_LIBRARIES:"));
}

bool
heap_text_begin(struct heap_text *h, const char *begin)
{
	bool ok = true;

	while (heap_text_line(h, &ok))
		if (text_begins(h->in->line.text, begin))
			return true;
	h->in->line.text = TEXT_NULL;
	return ok;
}

bool
heap_text_counts(struct text *t, struct heap_counts *counts)
{
	static const struct {
		enum heap_value value;
		const char *end;
	} parts[HEAP_VALUES] = { { HEAP_LIVE_OBJECTS, ":" }, { HEAP_LIVE_BYTES, "[" },
		{ HEAP_ALL_OBJECTS, ":" }, { HEAP_ALL_BYTES, "]" } };
	struct text rest = *t;

	for (int i = 0; i < HEAP_VALUES; i++) {
		int64_t v;

		scan_blanks(&rest);
		if (!scan_int64(&rest, &v))
			return false;
		if (parts[i].end[0] != ':')
			scan_blanks(&rest);
		if (!scan_word(&rest, parts[i].end))
			return false;
		counts->v[parts[i].value] = (uint64_t)v;
	}
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
		*ARRAY_ADD(h->addresses, h->address_count, h->address_room) = address;
	}
	return true;
}

/* --- values ------------------------------------------------------------------------ */

/* The number of allocations that one sample represents. */
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

static const struct heap_metric metrics[HEAP_VALUES] = {
	{ "inuse_space", "bytes", "alive, in bytes" },
	{ "inuse_objects", "count", "alive, in objects" },
	{ "alloc_space", "bytes", "allocated, in bytes" },
	{ "alloc_objects", "count", "allocated, in objects" },
};
static const struct heap_metric sampled_metrics[HEAP_VALUES] = {
	{ "sampled_inuse_space", "bytes", "alive among the samples, in bytes" },
	{ "sampled_inuse_objects", "count", "alive among the samples, in objects" },
	{ "sampled_alloc_space", "bytes", "allocated among the samples, in bytes" },
	{ "sampled_alloc_objects", "count", "allocated among the samples, in objects" },
};
static const struct heap_metric thread_metrics[HEAP_VALUES] = {
	{ "thread_inuse_space", "bytes", "alive in one thread, in bytes" },
	{ "thread_inuse_objects", "count", "alive in one thread, in objects" },
	{ "thread_alloc_space", "bytes", "allocated by one thread, in bytes" },
	{ "thread_alloc_objects", "count", "allocated by one thread, in objects" },
};

/* The number of values that each sample of the file has. */
static int
value_count(const struct heap_text *h)
{
	return h->all ? HEAP_VALUES : HEAP_ALL_BYTES;
}

static bool
add_metrics(struct heap_text *h, const struct heap_metric *m, metric_number *first)
{
	return heap_emit_metrics(h->in, m, (size_t)value_count(h), first);
}

bool
heap_text_head(struct heap_text *h, uint64_t rate, const struct heap_counts *total)
{
	struct strbuf *b = &h->attributes;
	metric_number second;

	members_number(b, "total_objects", total->v[HEAP_LIVE_OBJECTS]);
	members_number(b, "total_bytes", total->v[HEAP_LIVE_BYTES]);
	members_number(b, "total_alloc_objects", total->v[HEAP_ALL_OBJECTS]);
	members_number(b, "total_alloc_bytes", total->v[HEAP_ALL_BYTES]);
	h->rate = rate > 1 ? (double)rate : 0;
	return add_metrics(h, metrics, &h->metric) &&
	       (h->rate <= 1 || add_metrics(h, sampled_metrics, &second)) &&
	       (!h->threads || add_metrics(h, thread_metrics, &h->thread_metric)) &&
	       heap_text_track(h, text_from(h->in->name), MODEL_NULL, &h->track);
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
	return emit_track(h->in, &row);
}

bool
heap_text_sample(struct heap_text *h, stack_number stack, const struct heap_counts *raw)
{
	struct decimal values[2 * HEAP_VALUES];
	struct heap_counts scaled;
	struct sample_row row = {
		.track = h->track, .stack = stack, .metric = h->metric, .values = values
	};

	scale_all(h, raw, &scaled);
	for (int i = 0; i < value_count(h); i++)
		values[row.value_count++] = decimal_from_int64((int64_t)scaled.v[i]);
	for (int i = 0; i < value_count(h) && h->rate > 1; i++)
		values[row.value_count++] = decimal_from_int64((int64_t)raw->v[i]);
	h->sample_count++;
	return emit_sample(h->in, &row);
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
	return emit_sample(h->in, &row);
}

/* --- files ------------------------------------------------------------------------- */

static bool
pass(struct heap_text *h, heap_read *read_lines)
{
	return reader_open_lines(h->in, LINE_MAX_BYTES) && read_lines(h);
}

static bool
emit_about(struct heap_text *h)
{
	struct text application = TEXT_NULL;

	/* The first mapping is the program, because it is mapped before its libraries. */
	if (h->mapping_count && h->mappings[0].path.data[0] == '/')
		application = h->mappings[0].path;
	members_array(&h->attributes, "comments", strbuf_text(&h->comments));
	return (!application.data || emit_metadata(h->in, "application", application)) &&
	       emit_metadata(h->in, "caption", text_from(h->in->name)) &&
	       emit_metadata(h->in, "attributes", members_end(&h->attributes));
}

/* Refuses a file as damaged if only its head is valid. */
static bool
check_not_empty(struct heap_text *h)
{
	if (h->sample_count || !h->left_out_count)
		return true;
	return error_set(h->in->err, ERROR_INPUT,
		"%s: line 1 begins a heap profile, but no line after it is valid", h->in->name);
}

bool
heap_text_read(struct reader *r, heap_read *read_lines)
{
	struct heap_text heap = {
		.in = r, .arena = ARENA_INIT, .frames = frame_dictionary_new(r->sink, r->set)
	};
	struct heap_text *h = &heap;
	bool ok;

	strbuf_init(&h->attributes, ATTRIBUTES_MAX);
	strbuf_init(&h->comments, HEAP_COMMENTS_MAX_BYTES);
	ok = pass(h, heap_text_read_libraries) && pass(h, read_lines) && check_not_empty(h) &&
	     emit_about(h);
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

static bool
has_line(struct text head, const char *begin, bool sections)
{
	for (struct text t = head; t.size;) {
		size_t lf = text_find(t, "\n");

		if (text_begins(t, begin))
			return true;
		/* Without sections, only blank lines may precede the profile's first line. */
		if (!sections && lf != 0 && !text_begins(t, "\r"))
			return false;
		t = text_from_at(t, lf == TEXT_NOT_FOUND ? t.size : lf + 1);
	}
	return false;
}

int
heap_text_look(const struct format_source *source, size_t member, const char *begin)
{
	struct text head = bundle_head(source->bundle, member);
	bool sections = text_begins(head, "--- ");
	bool found = has_line(head, begin, sections);

	if (!found && sections && head.size == BUNDLE_HEAD_BYTES) {
		char *more = xmalloc(LOOK_BYTES);
		size_t size = bundle_read_head(source->bundle, member, more, LOOK_BYTES);

		found = has_line((struct text){ more, size }, begin, sections);
		free(more);
	}
	return found ? 8 * (int)strlen(begin) : 0;
}
