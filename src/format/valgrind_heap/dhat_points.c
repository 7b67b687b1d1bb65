/* Program points in DHAT results. Each point becomes a sample. A point with live blocks at the end also
 * becomes an object. */
#include "dhat_private.h"

#include <inttypes.h>

enum {
	MAX_ACCESSES_BYTES = 1024 * 1024,
	NAME_BYTES = 64,
	TITLE_BYTES = 128,
	TRACK = 1,
	FIELDS_TOTAL = 2,
	FIELDS_ACCESSES = 2,
};

/* A point's numbers, in the order of their metrics. */
enum field {
	TB,
	TBK,
	GB,
	GBK,
	EB,
	EBK,
	MB,
	MBK,
	TEMPORARY, /* tbk if blocks are short-lived on average, else 0; as in DHAT's viewer */
	TL,
	RB,
	WB,
	FIELDS
};

static const char *const field_keys[FIELDS] = { "tb", "tbk", "gb", "gbk", "eb", "ebk", "mb", "mbk",
	NULL, "tl", "rb", "wb" };

static const struct heap_metric heap_metrics[FIELDS] = {
	{ "alloc_space", "bytes", "allocated" },
	{ "alloc_objects", "count", "allocations" },
	{ "peak_space", "bytes", "memory at the global maximum" },
	{ "peak_objects", "count", "blocks at the global maximum" },
	{ "inuse_space", "bytes", "memory at the end" },
	{ "inuse_objects", "count", "blocks at the end" },
	{ "max_space", "bytes", "the site's own maximum" },
	{ "max_objects", "count", "blocks at the site's own maximum" },
	{ "temporary_objects", "count", "short-lived blocks" },
	{ "lifetimes", "none", "sum of the blocks' lifetimes" },
	{ "read_bytes", "bytes", "read" },
	{ "written_bytes", "bytes", "written" },
};

/* The current point. */
struct point {
	int64_t values[FIELDS];
	bool has[FIELDS];
	const uint32_t *frames;
	size_t frame_count;
};

bool
dhat_expect(struct dhat *d, const char *key, enum json_type wanted, const char *noun)
{
	enum json_type type;

	if (!json_peek(d->json, &type, d->in->err))
		return false;
	return type == wanted || reader_refuse_at(d->in, json_offset(d->json), "%s is %s, not %s",
					 key, json_type_name(type), noun);
}

bool
dhat_read_int(struct dhat *d, const char *key, int64_t *value)
{
	enum json_type type;
	bool whole = false;

	if (!json_peek(d->json, &type, d->in->err))
		return false;
	if (type == JSON_NUMBER && !json_read_int64(d->json, value, &whole, d->in->err))
		return false;
	return (whole && *value >= 0) || reader_refuse_at(d->in, json_offset(d->json),
						 "\"%s\" is not a number from 0 to 2^63 - 1", key);
}

bool
dhat_enter_array(struct dhat *d, const char *key)
{
	return dhat_expect(d, key, JSON_ARRAY, "an array") && json_enter(d->json, d->in->err);
}

static struct text
or_else(struct text t, const char *other)
{
	return t.size ? t : text_from(other);
}

/* Metrics for a mode that counts events instead of blocks. */
static bool
emit_event_metrics(struct dhat *d)
{
	struct text verb = or_else(d->verb, "Occurred");
	struct text units[FIELDS_TOTAL] = { or_else(d->units, "bytes"),
		or_else(d->blocks, "blocks") };
	char names[FIELDS_TOTAL][NAME_BYTES];
	char titles[FIELDS_TOTAL][TITLE_BYTES];
	struct heap_metric metrics[FIELDS_TOTAL];

	for (size_t i = 0; i < FIELDS_TOTAL; i++) {
		bool bytes = i == TB && text_equal(units[i], TEXT_LITERAL("bytes"));

		snprintf(titles[i], TITLE_BYTES, "%.*s: %.*s", text_precision(verb, NAME_BYTES / 2),
			verb.data, text_precision(units[i], NAME_BYTES / 2), units[i].data);
		metric_name(text_from(titles[i]), names[i], NAME_BYTES);
		metrics[i] = (struct heap_metric){ names[i], bytes ? "bytes" : "count", titles[i] };
	}
	if (strcmp(names[0], names[1]) == 0) {
		metrics[0].name = "total_units";
		metrics[1].name = "total_events";
	}
	d->field_count = FIELDS_TOTAL;
	return heap_emit_metrics(d->in, metrics, FIELDS_TOTAL, &d->metric);
}

bool
dhat_emit_metrics(struct dhat *d)
{
	struct track_row track = { .id = TRACK,
		.kind = "heap",
		.name = d->mode.size ? d->mode : TEXT_LITERAL("heap"),
		.process_id = d->pid,
		.thread_id = MODEL_NULL,
		.started_us = MODEL_NULL };
	bool ok;

	d->field_count = d->has_accesses ? FIELDS : FIELDS - FIELDS_ACCESSES;
	ok = d->has_lifetimes ? heap_emit_metrics(d->in, heap_metrics, d->field_count, &d->metric)
			      : emit_event_metrics(d);
	track.metric = d->metric;
	return ok && emit_track(d->in, &track);
}

static bool
push_frame(struct dhat *d, int64_t number)
{
	uint32_t n = (uint32_t)number;

	if (number < (int64_t)d->frame_count) {
		strbuf_append(&d->scratch, &n, sizeof(n));
		return !d->scratch.failed ||
		       reader_refuse_at(d->in, json_offset(d->json), "a stack has too many frames");
	}
	return reader_refuse_at(d->in, json_value_offset(d->json), "frame %" PRId64 " of %zu",
		number, d->frame_count);
}

static bool
read_stack(struct dhat *d)
{
	int64_t number = 0;

	if (!dhat_enter_array(d, "fs"))
		return false;
	strbuf_reset(&d->scratch);
	while (json_more_items(d->json, d->in->err))
		if (!dhat_read_int(d, "fs", &number) || !push_frame(d, number))
			return false;
	return !d->in->err->code;
}

/* Keeps the JSON of "acc", which shows how often each byte of the blocks was accessed. The counts
 * are run-length encoded. */
static bool
read_accesses(struct dhat *d)
{
	struct text raw;

	if (!json_read_raw(d->json, MAX_ACCESSES_BYTES, &raw, d->in->err))
		return false;
	strbuf_reset(&d->accesses);
	members_json(&d->accesses, "acc", raw);
	return true;
}

static bool
read_point_member(struct dhat *d, struct text key, struct point *p)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (field_keys[i] && text_equal(key, text_from(field_keys[i]))) {
			p->has[i] = true;
			return dhat_read_int(d, field_keys[i], &p->values[i]);
		}
	if (text_equal(key, TEXT_LITERAL("fs")))
		return read_stack(d);
	if (text_equal(key, TEXT_LITERAL("acc")))
		return read_accesses(d);
	return json_skip(d->json, d->in->err);
}

/* lifetimes / blocks <= limit */
static bool
is_short_lived(int64_t lifetimes, int64_t blocks, int64_t limit)
{
	return blocks && (lifetimes / blocks < limit ||
				 (lifetimes / blocks == limit && lifetimes % blocks == 0));
}

static bool
check_point(struct dhat *d, struct point *p, uint64_t offset)
{
	for (size_t i = 0; i < d->field_count; i++)
		if (field_keys[i] && !p->has[i] && i != TL)
			return reader_refuse_at(
				d->in, offset, "a point has no \"%s\"", field_keys[i]);
	if (is_short_lived(p->values[TL], p->values[TBK], d->short_lived))
		p->values[TEMPORARY] = p->values[TBK];
	p->frames = (const uint32_t *)(const void *)d->scratch.data;
	p->frame_count = d->scratch.size / sizeof(*p->frames);
	return true;
}

static bool
emit_point_stack(struct dhat *d, const struct point *p, stack_number *stack)
{
	stack_begin(d->dictionary);
	for (size_t i = 0; i < p->frame_count; i++)
		if (p->frames[i])
			stack_push_numbers(d->dictionary, d->frames[p->frames[i]].numbers);
	d->in->line.offset = json_offset(d->json);
	return stack_end_reported(d->dictionary, d->in, stack);
}

/* Emits an object for the blocks that are live at the end. */
static bool
emit_left_blocks(struct dhat *d, const struct point *p, stack_number stack)
{
	struct object_row row = { .number = NUMBER_NULL,
		.address = NUMBER_NULL,
		.size = number_from_int64(p->values[EB]),
		.block_count = p->values[EBK],
		.parent_id = MODEL_NULL,
		.get_number = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.stack = stack };
	struct text allocator = TEXT_LITERAL("heap");
	struct text module = TEXT_NULL;
	size_t i = 0;

	/* If the stack begins with several allocators, the innermost one names the class. */
	for (; i < p->frame_count && d->frames[p->frames[i]].allocates; i++)
		if (i == 0)
			allocator = d->frames[p->frames[i]].name;
	if (i < p->frame_count)
		module = d->frames[p->frames[i]].name;
	row.id = row.rec_id = d->next_object++;
	stack_ids(d->dictionary, OWNER_OBJECT, stack_depth(d->dictionary), &row.stack_first_id);
	return class_intern(d->dictionary, allocator, module, &row.class_id, d->in->err) &&
	       emit_object(d->in, &row);
}

static bool
emit_point(struct dhat *d, const struct point *p)
{
	struct decimal values[FIELDS];
	struct sample_row row = { .track = TRACK, .metric = d->metric };

	for (size_t i = 0; i < d->field_count; i++)
		values[i] = decimal_from_int64(p->values[i]);
	row.values = values;
	row.value_count = d->field_count;
	if (!emit_point_stack(d, p, &row.stack))
		return false;
	row.attributes = members_end(&d->accesses);
	if (!emit_sample(d->in, &row))
		return false;
	return !d->has_lifetimes || !p->values[EBK] || emit_left_blocks(d, p, row.stack);
}

static bool
read_point(struct dhat *d)
{
	struct point p = { .frame_count = 0 };
	uint64_t offset = json_offset(d->json);
	struct text key;

	if (!dhat_expect(d, "a point", JSON_OBJECT, "an object") ||
		!json_enter(d->json, d->in->err))
		return false;
	strbuf_reset(&d->scratch);
	strbuf_reset(&d->accesses);
	while (json_more_keys(d->json, &key, d->in->err))
		if (!read_point_member(d, key, &p))
			return false;
	return !d->in->err->code && check_point(d, &p, offset) && emit_point(d, &p);
}

bool
dhat_read_points(struct dhat *d)
{
	if (!dhat_enter_array(d, "pps"))
		return false;
	while (json_more_items(d->json, d->in->err)) {
		reader_tick(d->in, json_offset(d->json));
		if (!read_point(d))
			return false;
	}
	return !d->in->err->code;
}
