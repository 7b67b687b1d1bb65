/*
 * Fuzzes the reader and the writer of kernelscope events.
 *
 * The reader follows the sink's grammar, even if the sink fails. Writing the rows and reading them again
 * gives the same rows. The service's fast body reader gives the same rows, or reports that the body
 * must be read again.
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

struct emitted {
	struct sink sink;
	struct source source;
	struct arena arena;
	struct metric_row *metrics;
	struct track_row *tracks;
	struct routine_row *routines;
	struct stack_row *stacks;
	struct sample_row *samples;
	size_t metric_count, track_count, routine_count, stack_count, sample_count;
	uint64_t sum;
};

static struct emitted *
of_sink(struct sink *s)
{
	return (struct emitted *)(void *)s;
}

static void
add(struct emitted *t, const void *data, size_t size)
{
	t->sum = t->sum * 31 + hash128(data, size).low;
}

static struct text
keep(struct emitted *t, struct text text)
{
	add(t, text.data, text.size);
	return arena_text(&t->arena, text);
}

#define PUSH(t, list, row) \
	do { \
		(t)->list##s = \
			xrealloc((t)->list##s, ((t)->list##_count + 1) * sizeof(*(t)->list##s)); \
		(t)->list##s[(t)->list##_count++] = (row); \
	} while (0)

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
	struct emitted *t = of_sink(s);
	struct metric_row copy = *row;

	(void)set;
	(void)err;
	copy.name = arena_text(&t->arena, row->name);
	copy.unit = keep(t, row->unit);
	copy.title = keep(t, row->title);
	PUSH(t, metric, copy);
	*number = (metric_number)t->metric_count;
	return true;
}

static bool
take_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct emitted *t = of_sink(s);
	struct routine_row copy = *row;

	(void)set;
	(void)err;
	copy.routine_name = keep(t, row->routine_name);
	PUSH(t, routine, copy);
	return true;
}

static bool
take_track(struct sink *s, uint32_t set, const struct track_row *row, struct error *err)
{
	struct emitted *t = of_sink(s);
	struct track_row copy = *row;

	(void)set;
	(void)err;
	copy.name = keep(t, row->name);
	copy.category = keep(t, row->category);
	copy.host = keep(t, row->host);
	copy.process_name = keep(t, row->process_name);
	copy.attributes = keep(t, row->attributes);
	add(t, &row->thread_id, sizeof(row->thread_id));
	PUSH(t, track, copy);
	return true;
}

static bool
take_stack(struct sink *s, uint32_t set, const struct stack_row *row, stack_number *number,
	struct error *err)
{
	struct emitted *t = of_sink(s);
	struct stack_row copy = *row;
	int64_t *ids = arena_alloc_array(&t->arena, row->count, sizeof(*ids));

	(void)set;
	(void)err;
	memcpy(ids, row->routine_ids, row->count * sizeof(*ids));
	add(t, ids, row->count * sizeof(*ids));
	copy.routine_ids = ids;
	PUSH(t, stack, copy);
	*number = (stack_number)t->stack_count;
	return true;
}

static bool
take_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct emitted *t = of_sink(s);
	struct sample_row copy = *row;
	struct decimal *value = arena_alloc(&t->arena, sizeof(*value));

	(void)set;
	(void)err;
	*value = row->values[0];
	copy.values = value;
	MUST(row->at.kind != DECIMAL_TEXT && value->kind == DECIMAL_COMPACT);
	copy.attributes = keep(t, row->attributes);
	add(t, &row->track, sizeof(row->track));
	add(t, &row->stack, sizeof(row->stack));
	add(t, &row->at.mantissa, sizeof(row->at.mantissa));
	add(t, &row->at.scale, sizeof(row->at.scale));
	add(t, &value->mantissa, sizeof(value->mantissa));
	PUSH(t, sample, copy);
	return true;
}

static bool
take_end(struct sink *s, struct error *err)
{
	(void)s;
	(void)err;
	return true;
}

static bool
emit_part(struct source *s, uint32_t set, enum source_part part, int32_t track, struct sink *to,
	struct error *err)
{
	struct emitted *t =
		(struct emitted *)(void *)((char *)s - offsetof(struct emitted, source));
	bool ok = true;

	(void)track;
	for (size_t i = 0; ok && part == SOURCE_SET && i < t->metric_count; i++) {
		metric_number number = (metric_number)i + 1;

		ok = to->metric(to, set, &t->metrics[i], &number, err);
	}
	for (size_t i = 0; ok && part == SOURCE_TRACKS && i < t->track_count; i++)
		ok = to->track(to, set, &t->tracks[i], err);
	for (size_t i = 0; ok && part == SOURCE_ROUTINES && i < t->routine_count; i++)
		ok = to->routine(to, set, &t->routines[i], err);
	for (size_t i = 0; ok && part == SOURCE_STACKS && i < t->stack_count; i++) {
		stack_number number = (stack_number)i + 1;

		ok = to->stack(to, set, &t->stacks[i], &number, err);
	}
	for (size_t i = 0; ok && part == SOURCE_SAMPLES && i < t->sample_count; i++)
		ok = to->sample(to, set, &t->samples[i], err);
	return ok;
}

static struct emitted *
emitted_new(void)
{
	struct emitted *t = xcalloc(1, sizeof(*t));

	*t = (struct emitted){ .sink = { .set = take_set,
				       .metadata = take_metadata,
				       .issue = take_issue,
				       .metric = take_metric,
				       .routine = take_routine,
				       .track = take_track,
				       .stack = take_stack,
				       .sample = take_sample,
				       .end = take_end },
		.source = { .set_count = 1, .emit = emit_part },
		.arena = ARENA_INIT };
	return t;
}

static void
emitted_free(struct emitted *t)
{
	free(t->metrics);
	free(t->tracks);
	free(t->routines);
	free(t->stacks);
	free(t->samples);
	arena_release(&t->arena);
	free(t);
}

/* --- reading ---------------------------------------------------------------------------------- */

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
	struct emitted *first = emitted_new();
	struct emitted *second = emitted_new();
	struct error err = ERROR_INIT;
	char *text = NULL;
	size_t text_size;
	FILE *out;

	MUST(read_into(&first->sink, data, size, &err) == FORMAT_DONE);
	if (first->sample_count) {
		out = open_memstream(&text, &text_size);
		MUST(out && format_kernelscope.write(&first->source, out, &options, &err));
		fclose(out);
		MUST(read_into(&second->sink, text, text_size, &err) == FORMAT_DONE);
		MUST(second->sample_count == first->sample_count);
		/* A category without rows is not written, and its metric is not emitted. */
		MUST(second->metric_count != first->metric_count || second->sum == first->sum);
		free(text);
	}
	emitted_free(first);
	emitted_free(second);
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

static void
add_sum(struct heard *h, const void *data, size_t size)
{
	h->sum = h->sum * 31 + (data ? hash128(data, size).low : 7);
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
		add_sum(h, texts[i].data, texts[i].size);
	add_sum(h, &f->value, sizeof(f->value));
	add_sum(h, &f->thread_id, sizeof(f->thread_id));
	add_sum(h, &f->at.kind, sizeof(f->at.kind));
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
