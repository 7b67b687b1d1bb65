/*
 * Emits a recording's rows. Memory over time is emitted while the recording is read. The sums per
 * stack are emitted at the end.
 */
#include "heaptrack_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	HEAP_METRICS = 7,
	TIMELINE_METRICS = 2,
	/* Limit for all stacks together, because a short file can describe very deep stacks. */
	MAX_FRAMES = 1 << 27,
	VERSION_BYTES = 64,
};

static const uint32_t no_site = UINT32_MAX;

static const struct heap_metric metrics[HEAP_METRICS + TIMELINE_METRICS + 1] = {
	{ "alloc_objects", "count", "allocations" },
	{ "alloc_space", "bytes", "allocated" },
	{ "temporary_objects", "count", "temporary allocations" },
	{ "peak_objects", "count", "blocks at the peak" },
	{ "peak_space", "bytes", "memory at the peak" },
	{ "inuse_objects", "count", "leaked blocks" },
	{ "inuse_space", "bytes", "leaked" },
	{ "heap_space", "bytes", "heap memory over time", "max" },
	{ "heap_allocations", "count", "allocations so far", "last" },
	{ "rss", "bytes", "resident set over time", "max" },
};

static bool
add_track(struct heaptrack *h, enum heaptrack_track id, const char *kind, const char *name,
	metric_number metric)
{
	const struct track_row row = { .id = (int32_t)id,
		.kind = kind,
		.name = text_from(name),
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.metric = metric,
		.started_us = MODEL_NULL,
		.attributes = id == HEAPTRACK_HEAP
				      ? TEXT_NULL
				      : TEXT_LITERAL("{\"time_unit\":\"milliseconds\"}") };

	return emit_track(h->in, &row);
}

bool
heaptrack_declare(struct heaptrack *h)
{
	if (!heap_emit_metrics(
		    h->in, metrics, sizeof(metrics) / sizeof(metrics[0]), &h->heap_metric))
		return false;
	h->timeline_metric = h->heap_metric + HEAP_METRICS;
	h->rss_metric = h->timeline_metric + TIMELINE_METRICS;
	return add_track(h, HEAPTRACK_HEAP, "heap", "heap", h->heap_metric) &&
	       add_track(h, HEAPTRACK_TIMELINE, "timeline", "heap memory over time",
		       h->timeline_metric) &&
	       add_track(h, HEAPTRACK_RSS, "timeline", "resident set over time", h->rss_metric);
}

/* --- over time --------------------------------------------------------------------------- */

bool
heaptrack_emit_time(struct heaptrack *h)
{
	const struct decimal values[TIMELINE_METRICS] = { decimal_from_int64(h->live_bytes),
		decimal_from_int64((int64_t)h->allocations) };
	const struct sample_row row = { .track = HEAPTRACK_TIMELINE,
		.at = decimal_from_int64((int64_t)h->now_ms),
		.metric = h->timeline_metric,
		.values = values,
		.value_count = TIMELINE_METRICS };

	return emit_sample(h->in, &row);
}

bool
heaptrack_emit_rss(struct heaptrack *h, uint64_t pages)
{
	const struct decimal value = decimal_from_int64((int64_t)(pages * h->page_size));
	const struct sample_row row = { .track = HEAPTRACK_RSS,
		.at = decimal_from_int64((int64_t)h->now_ms),
		.metric = h->rss_metric,
		.values = &value,
		.value_count = 1 };

	return !h->page_size || emit_sample(h->in, &row);
}

/* --- sites ----------------------------------------------------------------------------------- */

/* Adds size * count to *a; returns false if the sum would exceed 2^63 - 1. */
static bool
add_bytes(int64_t *a, uint64_t size, uint64_t count)
{
	uint64_t product;

	return !__builtin_mul_overflow(size, count, &product) && product <= INT64_MAX &&
	       !__builtin_add_overflow(*a, (int64_t)product, a);
}

static bool
add_info(struct heaptrack *h, struct heaptrack_info *info)
{
	struct heaptrack_site *s = &h->sites[info->site];

	if (info->epoch != h->epoch)
		info->peak_live = info->live;
	s->allocations += info->allocations;
	s->temporary += info->temporary;
	s->live += info->live;
	s->peak_live += info->peak_live;
	if (add_bytes(&s->allocated_bytes, info->size, info->allocations) &&
		add_bytes(&s->live_bytes, info->size, info->live) &&
		add_bytes(&s->peak_bytes, info->size, info->peak_live))
		return true;
	return reader_refuse(h->in, "more than 2^63 bytes are allocated in total");
}

/* Makes a site for each trace that has allocations, in the order of h->infos. */
static bool
fold(struct heaptrack *h)
{
	uint32_t *site_of = xmalloc((h->trace_count + 1) * sizeof(*site_of));
	bool ok = true;

	for (size_t i = 0; i <= h->trace_count; i++)
		site_of[i] = no_site;
	h->sites = xcalloc(h->info_count + 1, sizeof(*h->sites));
	for (size_t i = 0; ok && i < h->info_count; i++) {
		struct heaptrack_info *info = &h->infos[i];

		if (!info->allocations)
			continue;
		if (site_of[info->trace] == no_site) {
			site_of[info->trace] = (uint32_t)h->site_count;
			h->sites[h->site_count++].trace = info->trace;
		}
		info->site = site_of[info->trace];
		ok = add_info(h, info);
	}
	free(site_of);
	return ok;
}

/* Emits a site's class. heaptrack names the allocating function only if it is a C++ function. */
static bool
emit_class(struct heaptrack *h, const struct heaptrack_ip *own, const struct heaptrack_frame *first,
	struct heaptrack_site *site)
{
	bool named = first && first->function && h->strings[first->function - 1].allocator;
	struct text allocator = named ? h->strings[first->function - 1].text : TEXT_LITERAL("heap");
	struct text module = own && own->module ? h->strings[own->module - 1].text : TEXT_NULL;

	return class_intern(h->dictionary, allocator, module, &site->class_id, h->in->err);
}

static bool
is_allocators(const struct heaptrack *h, const struct heaptrack_ip *ip)
{
	const struct heaptrack_frame *f = &h->frames[ip->first_frame + ip->frame_count - 1];

	return f->function && h->strings[f->function - 1].allocator;
}

/* Emits the stack of a site, innermost call first. */
static bool
emit_site_stack(struct heaptrack *h, struct heaptrack_site *site)
{
	const struct heaptrack_frame *first = NULL;
	const struct heaptrack_ip *own = NULL;

	stack_begin(h->dictionary);
	for (uint32_t at = site->trace; at; at = h->traces[at - 1].parent) {
		const struct heaptrack_trace *t = &h->traces[at - 1];
		const struct heaptrack_ip *ip = t->ip ? &h->ips[t->ip - 1] : NULL;
		const struct heaptrack_frame *f = ip ? &h->frames[ip->first_frame] : NULL;

		if (!ip) {
			if (!stack_push(h->dictionary, &(struct frame){ .line = 0 }, h->in->err))
				return false;
			continue;
		}
		first = first ? first : f;
		if (!own && !is_allocators(h, ip))
			own = ip;
		for (size_t i = 0; i < ip->frame_count; i++)
			stack_push_numbers(h->dictionary, f[i].numbers);
	}
	site->depth = stack_depth(h->dictionary);
	h->stack_frames += site->depth;
	if (h->stack_frames > MAX_FRAMES)
		return reader_refuse(
			h->in, "the stacks have more than %d frames in total", MAX_FRAMES);
	if (!stack_end_reported(h->dictionary, h->in, &site->stack))
		return false;
	return !site->live || emit_class(h, own, first, site);
}

static bool
emit_site(struct heaptrack *h, const struct heaptrack_site *s)
{
	const struct decimal values[HEAP_METRICS] = { decimal_from_int64((int64_t)s->allocations),
		decimal_from_int64(s->allocated_bytes), decimal_from_int64((int64_t)s->temporary),
		decimal_from_int64((int64_t)s->peak_live), decimal_from_int64(s->peak_bytes),
		decimal_from_int64((int64_t)s->live), decimal_from_int64(s->live_bytes) };
	const struct sample_row row = { .track = HEAPTRACK_HEAP,
		.stack = s->stack,
		.metric = h->heap_metric,
		.values = values,
		.value_count = HEAP_METRICS };

	return emit_sample(h->in, &row);
}

bool
heaptrack_emit_object(
	struct heaptrack *h, const struct heaptrack_site *site, struct object_row *row)
{
	row->id = row->rec_id = h->next_object++;
	row->parent_id = MODEL_NULL;
	row->class_id = site->class_id;
	row->get_number = MODEL_NULL;
	row->thread_id = MODEL_NULL;
	row->stack = site->stack;
	stack_ids(h->dictionary, OWNER_OBJECT, site->depth, &row->stack_first_id);
	return emit_object(h->in, row);
}

bool
heaptrack_emit_groups(struct heaptrack *h)
{
	for (size_t i = 0; i < h->site_count; i++) {
		const struct heaptrack_site *s = &h->sites[i];
		struct object_row row = { .number = NUMBER_NULL,
			.address = NUMBER_NULL,
			.size = number_from_int64(s->live_bytes),
			.block_count = (int64_t)s->live };

		if (s->live && !heaptrack_emit_object(h, s, &row))
			return false;
	}
	return true;
}

/* --- the recording -------------------------------------------------------------------------- */

/* Emits heaptrack's version. In a recording, version 1.4.0 is the hexadecimal number 10400. */
static bool
emit_tool(struct heaptrack *h)
{
	char version[VERSION_BYTES];

	snprintf(version, sizeof(version), "heaptrack %" PRIu64 ".%" PRIu64 ".%" PRIu64,
		h->tool_version >> 16, h->tool_version >> 8 & 0xFF, h->tool_version & 0xFF);
	return emit_metadata(h->in, "tool", text_from(version));
}

static void
append_totals(struct heaptrack *h)
{
	struct strbuf *b = &h->attributes;
	uint64_t temporary = 0;
	uint64_t live = 0;
	int64_t leaking = 0;

	for (size_t i = 0; i < h->site_count; i++) {
		temporary += h->sites[i].temporary;
		live += h->sites[i].live;
		leaking += h->sites[i].live > 0;
	}
	members_int(b, "allocations", (int64_t)h->allocations);
	members_int(b, "temporary_allocations", (int64_t)temporary);
	members_int(b, "peak_heap_bytes", h->peak_bytes);
	members_int(b, "peak_heap_ms", (int64_t)h->peak_ms);
	members_int(b, "leaked_bytes", h->live_bytes);
	members_int(b, "leaked_blocks", (int64_t)live);
	members_int(b, "leaking_stacks", leaking);
	members_int(b, "runtime_ms", (int64_t)h->now_ms);
}

static bool
emit_about(struct heaptrack *h)
{
	struct strbuf *b = &h->attributes;
	struct text application =
		h->command.size ? heap_application(h->command) : text_from(h->in->name);
	bool bad = false;

	strbuf_reset(b);
	members_int(b, "format_version", (int64_t)h->format_version);
	members_json(b, "raw", h->raw ? TEXT_LITERAL("true") : TEXT_LITERAL("false"));
	members_json(b, "attached", h->attached ? TEXT_LITERAL("true") : TEXT_LITERAL("false"));
	members_text(b, "command", h->command);
	if (h->executable.data)
		members_text(b, "executable", heap_clean_text(&h->text, h->executable, &bad));
	if (h->page_size) {
		members_int(b, "page_bytes", (int64_t)h->page_size);
		members_int(b, "system_pages", (int64_t)h->pages);
		members_int(b, "peak_rss_bytes", (int64_t)(h->peak_rss_pages * h->page_size));
	}
	append_totals(h);
	return emit_tool(h) && emit_metadata(h->in, "application", application) &&
	       emit_metadata(
		       h->in, "caption", h->command.size ? h->command : text_from(h->in->name)) &&
	       emit_metadata(h->in, "attributes", members_end(b));
}

static bool
report_doubts(struct heaptrack *h)
{
	if (h->raw)
		return reader_issue(h->in, ISSUE_NO_NAMES,
			"raw recording: frames are modules and offsets; for names, run "
			"\"heaptrack --interpret FILE\" or, before heaptrack 1.5, \"zstd -dc < FILE | "
			"/usr/lib/heaptrack/libexec/heaptrack_interpret | zstd -c > NEW\"");
	return h->ended ||
	       reader_issue(h->in, ISSUE_UNFINISHED,
		       "the recording has no end: the program was still running or was killed, or "
		       "the file is truncated");
}

bool
heaptrack_emit(struct heaptrack *h)
{
	if (!fold(h) || !emit_about(h) || !report_doubts(h))
		return false;
	for (size_t i = 0; i < h->site_count; i++)
		if (!emit_site_stack(h, &h->sites[i]) || !emit_site(h, &h->sites[i]))
			return false;
	return true;
}
