/*
 * Fuzzes the reader and the writer of kernelscope events.
 *
 * The reader follows the sink's grammar, even if the sink fails. Writing the rows and reading them
 * again gives the same rows. The service's fast body reader gives the same rows, or reports that
 * the body must be read again.
 */
#include "checking_sink.h"
#include "format/formats.h"
#include "format/kernelscope/event_bodies.h"
#include "input/bundle/bundle.h"
#include "input/json/json_shape.h"
#include "model/category.h"
#include "model/source.h"

#include "base/hash.h"
#include "must.h"

#include <stdlib.h>

#define LITERAL(s) \
	{ \
		s, sizeof(s) - 1 \
	}

static const struct category_column off_columns[] = {
	{ LITERAL("hostname"), LITERAL("Hostname"), CATEGORY_STRING },
	{ LITERAL("time"), LITERAL("Time"), CATEGORY_TIMESTAMP },
	{ LITERAL("process"), LITERAL("Process"), CATEGORY_STRING },
	{ LITERAL("pid"), LITERAL("Pid"), CATEGORY_INT },
	{ LITERAL("stack"), LITERAL("Stack"), CATEGORY_STACK },
	{ LITERAL("elapsed"), LITERAL("Elapsed"), CATEGORY_ELAPSED },
};

static const struct category_column wake_columns[] = {
	{ LITERAL("hostname"), LITERAL("Hostname"), CATEGORY_STRING },
	{ LITERAL("time"), LITERAL("Time"), CATEGORY_TIMESTAMP },
	{ LITERAL("cpu"), LITERAL("Cpu"), CATEGORY_INT },
	{ LITERAL("kstack"), LITERAL("Kernel"), CATEGORY_STACK },
	{ LITERAL("ustack"), LITERAL("User"), CATEGORY_STACK },
	{ LITERAL("seen"), LITERAL("Seen"), CATEGORY_TIMESTAMP },
	{ LITERAL("elapsed"), LITERAL("Wait"), CATEGORY_ELAPSED },
	{ LITERAL("more"), LITERAL("More"), CATEGORY_ELAPSED },
};

static const struct category_column bare_columns[] = {
	{ LITERAL("hostname"), LITERAL("Hostname"), CATEGORY_STRING },
	{ LITERAL("time"), LITERAL("Time"), CATEGORY_TIMESTAMP },
	{ LITERAL("what"), LITERAL("What"), CATEGORY_STRING },
};

static const struct category categories[] = {
	{ LITERAL("bare"), bare_columns, 3, false },
	{ LITERAL("offcputime"), off_columns, 6, true },
	{ LITERAL("wakes"), wake_columns, 8, false },
};

static const struct category_list catalogue = { categories, 3 };

/* --- an input as a result set ----------------------------------------------------------------- */

/* The rows of an input. `source` reads the input again for each part. */
struct rows {
	struct sink sink;
	struct source source;
	const void *data;
	size_t size;
	enum source_part part; /* the part that `to` receives, unless `to` is NULL */
	struct sink *to;
	metric_number metrics;
	stack_number stacks;
	size_t samples;
	uint64_t sum; /* checksum of all rows */
};

static void
mix(uint64_t *sum, const void *data, size_t size)
{
	*sum = *sum * 31 + (data ? hash128(data, size).low : 7);
}

static void
add_text(struct rows *t, struct text text)
{
	mix(&t->sum, text.data, text.size);
}

static bool
wants(const struct rows *t, enum source_part part)
{
	return t->to && t->part == part;
}

static bool
take_set(struct sink *s, const struct set_row *row, uint32_t *set, bool *wanted, struct error *err)
{
	(void)s;
	(void)row;
	(void)err;
	*set = 0;
	*wanted = true;
	return true;
}

static bool
take_metadata(struct sink *s, uint32_t set, const char *key, struct text value, struct error *err)
{
	(void)s;
	(void)set;
	(void)key;
	(void)value;
	(void)err;
	return true;
}

static bool
take_issue(struct sink *s, uint32_t set, const struct issue *issue, struct error *err)
{
	(void)s;
	(void)set;
	(void)issue;
	(void)err;
	return true;
}

static bool
take_metric(struct sink *s, uint32_t set, const struct metric_row *row, metric_number *number,
	struct error *err)
{
	struct rows *t = (struct rows *)s;

	*number = ++t->metrics;
	add_text(t, row->unit);
	add_text(t, row->title);
	return !wants(t, SOURCE_SET) || t->to->metric(t->to, set, row, number, err);
}

static bool
take_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct rows *t = (struct rows *)s;

	add_text(t, row->routine_name);
	return !wants(t, SOURCE_ROUTINES) || t->to->routine(t->to, set, row, err);
}

static bool
take_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct rows *t = (struct rows *)s;

	add_text(t, row->name);
	add_text(t, row->category);
	add_text(t, row->host);
	add_text(t, row->process_name);
	add_text(t, row->attributes);
	mix(&t->sum, &row->thread_id, sizeof(row->thread_id));
	return !wants(t, SOURCE_TRACKS) || t->to->track(t->to, set, row, err);
}

static bool
take_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct rows *t = (struct rows *)s;

	*number = ++t->stacks;
	mix(&t->sum, row->routine_ids, row->count * sizeof(*row->routine_ids));
	return !wants(t, SOURCE_STACKS) || t->to->stack(t->to, set, row, number, err);
}

static bool
take_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct rows *t = (struct rows *)s;
	const struct decimal value = row->values[0];

	MUST(row->at.kind != DECIMAL_TEXT && value.kind == DECIMAL_COMPACT);
	t->samples++;
	add_text(t, row->attributes);
	mix(&t->sum, &row->track, sizeof(row->track));
	mix(&t->sum, &row->stack, sizeof(row->stack));
	mix(&t->sum, &row->at.mantissa, sizeof(row->at.mantissa));
	mix(&t->sum, &row->at.scale, sizeof(row->at.scale));
	mix(&t->sum, &value.mantissa, sizeof(value.mantissa));
	return !wants(t, SOURCE_SAMPLES) || t->to->sample(t->to, set, row, err);
}

static bool
take_end(struct sink *s, struct error *err)
{
	(void)s;
	(void)err;
	return true;
}

static enum format_result
read_into(struct sink *sink, const void *data, size_t size, struct error *err)
{
	struct arena arena = ARENA_INIT;
	struct bundle *b = bundle_from_memory("f.json", data, size);
	struct format_source source = {
		.path = "f.json", .bundle = b, .categories = &catalogue, .arena = &arena
	};
	enum format_result result;

	source.shape = json_shape_of(b, 0);
	(void)format_probe(&format_kernelscope, &source);
	result = format_read(&format_kernelscope, &source, sink, err);
	MUST(result != FORMAT_AGAIN);
	bundle_close(b);
	arena_release(&arena);
	return result;
}

static bool
emit_part(struct source *s, uint32_t set, enum source_part part, int32_t track, struct sink *to,
	struct error *err)
{
	struct rows *t = (struct rows *)(void *)((char *)s - offsetof(struct rows, source));

	(void)set;
	(void)track;
	t->part = part;
	t->to = to;
	t->metrics = 0;
	t->stacks = 0;
	return read_into(&t->sink, t->data, t->size, err) == FORMAT_DONE;
}

/* Reads the rows of an input that must be valid. */
static struct rows
rows_of(const void *data, size_t size)
{
	struct rows t = { .sink = { .set = take_set,
				  .metadata = take_metadata,
				  .issue = take_issue,
				  .metric = take_metric,
				  .routine = take_routine,
				  .track = take_track,
				  .stack = take_stack,
				  .sample = take_sample,
				  .end = take_end },
		.source = { .set_count = 1, .emit = emit_part },
		.data = data,
		.size = size };
	struct error err = ERROR_INIT;

	MUST(read_into(&t.sink, data, size, &err) == FORMAT_DONE);
	return t;
}

/* --- checks ----------------------------------------------------------------------------------- */

static uint64_t
check(const uint8_t *data, size_t size, uint64_t fail_after, enum format_result *result)
{
	struct checking_sink *c = checking_sink_new(fail_after);
	struct error err = ERROR_INIT;
	uint64_t calls;

	*result = read_into(checking_sink_interface(c), data, size, &err);
	checking_sink_finish(c, *result, &err);
	calls = checking_sink_calls(c);
	checking_sink_free(c);
	return calls;
}

static void
round_trip(const uint8_t *data, size_t size)
{
	static const struct format_write_options options = { 0 };
	const struct rows first = rows_of(data, size);
	struct rows copy = first, second;
	struct error err = ERROR_INIT;
	char *text = NULL;
	size_t text_size;
	FILE *out;

	if (!first.samples)
		return;
	out = open_memstream(&text, &text_size);
	MUST(out && format_kernelscope.write(&copy.source, out, &options, &err));
	fclose(out);
	second = rows_of(text, text_size);
	MUST(second.samples == first.samples);
	/* A category without rows is not written, and its metric is not emitted. */
	MUST(second.metrics != first.metrics || second.sum == first.sum);
	free(text);
}

/* --- the fast body reader --------------------------------------------------------------------- */

struct heard {
	struct sink sink; /* receives issues */
	uint64_t facts, issues;
	uint64_t sum;
};

static bool
hear_issue(struct sink *s, uint32_t set, const struct issue *issue, struct error *err)
{
	(void)set;
	(void)issue;
	(void)err;
	((struct heard *)s)->issues++;
	return true;
}

static bool
hear_fact(void *self, const struct event_fact *f, struct error *err)
{
	struct heard *h = self;
	const struct text texts[] = { f->host, f->process, f->stack, f->attributes,
		f->shape->category };

	(void)err;
	h->facts++;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		mix(&h->sum, texts[i].data, texts[i].size);
	mix(&h->sum, &f->value, sizeof(f->value));
	mix(&h->sum, &f->thread_id, sizeof(f->thread_id));
	mix(&h->sum, &f->at.kind, sizeof(f->at.kind));
	return true;
}

static bool
hear(const uint8_t *data, size_t size, bool hasty, struct heard *h, bool *repeated)
{
	static const struct json_options options = {
		.source = "body", .max_depth = 100, .max_string_bytes = 1 << 20
	};
	struct json_reader *ahead = json_reader_new_memory((const char *)data, size, 0, &options);
	struct json_reader *r = json_reader_new_memory((const char *)data, size, 0, &options);
	struct event_rows *rows = event_rows_new(NULL, 0);
	struct error err = ERROR_INIT;
	struct event_bodies b = { .categories = &catalogue,
		.rows = rows,
		.sink = &h->sink,
		.source = "body",
		.fact = hear_fact,
		.self = h,
		.hasty = hasty };
	bool ok = true;

	*h = (struct heard){ .sink = { .issue = hear_issue } };
	for (size_t i = 0; ok && i < catalogue.count; i++)
		ok = event_rows_declare(rows, &catalogue.items[i], &err);
	ok = ok && event_bodies_read(&b, ahead, r, &err);
	*repeated = b.repeated;
	MUST(ok || err.code);
	MUST(!ok || !b.repeated);
	event_rows_free(rows);
	json_reader_free(ahead);
	json_reader_free(r);
	return ok;
}

static void
in_haste(const uint8_t *data, size_t size)
{
	struct heard all;
	struct heard hasty;
	bool repeated;
	bool ok = hear(data, size, false, &all, &repeated);

	MUST(!repeated);
	if (hear(data, size, true, &hasty, &repeated) != ok)
		MUST(repeated);
	else if (ok)
		MUST(hasty.facts == all.facts && hasty.issues == all.issues &&
			hasty.sum == all.sum);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum format_result result;
	uint64_t calls;

	if (size == 0)
		return 0;
	calls = check(data, size, 0, &result);
	if (result == FORMAT_DONE)
		round_trip(data, size);
	if (calls)
		check(data, size, 1 + size % calls, &result);
	in_haste(data, size);
	return 0;
}
