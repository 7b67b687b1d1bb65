/*
 * Tests the depot as a source. The depot in PROFDEPOT_DB contains tests/golden/source/sets.sql. The
 * calls that the sink receives must be those in tests/golden/source/told.txt.
 */
#include "base/arena.h"
#include "base/strbuf.h"
#include "store/export/depot_source.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
	LOG_MAX = 1 << 20
};

struct log {
	struct sink sink; /* first */
	struct strbuf out;
};

static struct db *
open_db(void)
{
	const struct db_target target = { .role = DB_ROLE_READER };
	struct error err = ERROR_INIT;
	struct db *db = db_open(&target, &err);

	if (!db || !db_begin_snapshot(db, &err))
		fail_msg("%s", err.message);
	return db;
}

static struct strbuf *
out(struct sink *s, const char *what)
{
	struct strbuf *b = &((struct log *)s)->out;

	strbuf_append_str(b, what);
	return b;
}

static void
put_text(struct strbuf *b, struct text t)
{
	if (text_is_null(t))
		strbuf_append_str(b, " -");
	else
		strbuf_printf(b, " \"%.*s\"", (int)t.size, t.data);
}

static void
put_int(struct strbuf *b, int64_t v)
{
	if (v == MODEL_NULL)
		strbuf_append_str(b, " -");
	else
		strbuf_printf(b, " %" PRId64, v);
}

static void
put_number(struct strbuf *b, struct number n)
{
	char digits[24];

	number_format(n, digits);
	strbuf_printf(b, " %s", n.null ? "-" : digits);
}

static void
put_decimal(struct strbuf *b, struct decimal d)
{
	if (d.kind == DECIMAL_TEXT)
		strbuf_printf(b, " %.*s", (int)d.text.size, d.text.data);
	else if (d.kind == DECIMAL_NULL)
		strbuf_append_str(b, " -");
	else
		strbuf_printf(b, " %" PRId64 "/%d", d.mantissa, d.scale);
}

/* Calls `put` for each value. */
#define PUT_EACH(type, put, b, ...) \
	do { \
		const type values[] = { __VA_ARGS__ }; \
\
		for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) \
			put(b, values[i]); \
	} while (0)
#define PUT_INTS(b, ...) PUT_EACH(int64_t, put_int, b, __VA_ARGS__)
#define PUT_TEXTS(b, ...) PUT_EACH(struct text, put_text, b, __VA_ARGS__)
#define PUT_NUMBERS(b, ...) PUT_EACH(struct number, put_number, b, __VA_ARGS__)
#define PUT_DECIMALS(b, ...) PUT_EACH(struct decimal, put_decimal, b, __VA_ARGS__)

static void
put_array(struct strbuf *b, const int64_t *v, size_t count)
{
	strbuf_append_str(b, v ? " [" : " -");
	for (size_t i = 0; v && i < count; i++)
		put_int(b, v[i]);
	strbuf_append_str(b, v ? " ]" : "");
}

static bool
end_line(struct strbuf *b)
{
	strbuf_append_char(b, '\n');
	return true;
}

static bool
on_set(struct sink *s, const struct set_row *r, uint32_t *set, bool *wanted, struct error *err)
{
	struct strbuf *b = out(s, "set");

	(void)err;
	assert_true(*wanted);
	PUT_INTS(b, *set, r->source_inst_id);
	PUT_TEXTS(b, r->caption, r->counter_description, r->counter_frequency, r->counter_name);
	return end_line(b);
}

static bool
on_metadata(struct sink *s, uint32_t set, const char *key, struct text value, struct error *err)
{
	struct strbuf *b = out(s, "metadata ");

	(void)err;
	strbuf_append_str(b, key);
	put_int(b, set);
	put_text(b, value);
	return end_line(b);
}

static bool
on_metric(struct sink *s, uint32_t set, const struct metric_row *r, metric_number *number,
	struct error *err)
{
	struct strbuf *b = out(s, "metric");

	(void)err;
	PUT_INTS(b, set, *number, (int64_t)r->family);
	PUT_TEXTS(b, r->name, r->unit, r->title);
	return end_line(b);
}

static bool
on_routine(struct sink *s, uint32_t set, const struct routine_row *r, struct error *err)
{
	struct strbuf *b = out(s, "routine");

	(void)err;
	(void)set;
	PUT_INTS(b, r->id, r->parent_id, r->rec_id, r->hit_count, r->compiler, r->profile_lines,
		r->source_line, r->token);
	put_number(b, r->address);
	PUT_TEXTS(b, r->analysis_result, r->class_name, r->code_type, r->module_name, r->name_space,
		r->routine_name, r->source_file, r->symbol_moniker, r->unit_name, r->attributes);
	return end_line(b);
}

static bool
on_line(struct sink *s, uint32_t set, const struct line_row *r, struct error *err)
{
	struct strbuf *b = out(s, "line");

	(void)err;
	(void)set;
	PUT_INTS(b, r->id, r->rec_id, r->source_line, r->parent_id);
	return end_line(b);
}

static bool
on_thread(struct sink *s, uint32_t set, const struct thread_row *r, struct error *err)
{
	struct strbuf *b = out(s, "thread");

	(void)err;
	(void)set;
	PUT_INTS(b, r->id, r->parent_id, r->rec_id, r->size, r->os_thread_id);
	put_text(b, r->name);
	return end_line(b);
}

static bool
on_class(struct sink *s, uint32_t set, const struct class_row *r, struct error *err)
{
	struct strbuf *b = out(s, "class");

	(void)err;
	(void)set;
	PUT_INTS(b, r->id, r->parent_id, r->rec_id);
	PUT_TEXTS(b, r->class_name, r->module_name, r->symbol_moniker);
	return end_line(b);
}

static bool
on_class_data(struct sink *s, uint32_t set, const struct class_data_row *r, struct error *err)
{
	struct strbuf *b = out(s, "class_data");

	(void)err;
	(void)set;
	PUT_INTS(b, r->id, r->parent_id, r->rec_id);
	PUT_TEXTS(b, r->class_name, r->module_name);
	PUT_NUMBERS(b, r->live_count, r->live_size, r->peak_created, r->peak_size, r->total_created,
		r->total_size);
	return end_line(b);
}

static bool
on_track(struct sink *s, uint32_t set, const struct track_row *r, struct error *err)
{
	struct strbuf *b = out(s, "track");

	(void)err;
	(void)set;
	put_int(b, r->id);
	PUT_TEXTS(b, text_from(r->kind), r->name, r->source_id, r->category, r->host, r->user_name,
		r->process_name);
	PUT_INTS(b, r->process_id, r->thread_id, r->metric);
	PUT_DECIMALS(b, r->start, r->duration);
	put_int(b, r->started_us);
	put_text(b, r->attributes);
	return end_line(b);
}

static bool
on_stack(struct sink *s, uint32_t set, const struct stack_row *r, stack_number *number,
	struct error *err)
{
	struct strbuf *b = out(s, "stack");

	(void)err;
	(void)set;
	put_int(b, *number);
	put_array(b, r->routine_ids, r->count);
	put_array(b, r->line_ids, r->count);
	put_array(b, r->hit_counts, r->count);
	put_array(b, r->frame_ids, r->count);
	put_array(b, r->rec_ids, r->count);
	return end_line(b);
}

static bool
on_object(struct sink *s, uint32_t set, const struct object_row *r, struct error *err)
{
	struct strbuf *b = out(s, "object");

	(void)err;
	(void)set;
	PUT_INTS(b, r->id, r->parent_id, r->rec_id);
	PUT_NUMBERS(b, r->number, r->address, r->size);
	PUT_INTS(b, r->class_id, r->get_number, r->thread_id, r->block_count, r->stack,
		r->stack_first_id);
	PUT_TEXTS(b, r->leak_kind, r->attributes);
	return end_line(b);
}

static bool
on_error(struct sink *s, uint32_t set, const struct error_row *r, struct error *err)
{
	struct strbuf *b = out(s, "error");

	(void)err;
	(void)set;
	PUT_INTS(b, r->id, r->parent_id, r->rec_id, r->number, r->error_code, r->kind);
	PUT_TEXTS(b, r->description, r->name);
	PUT_INTS(b, r->stack, r->stack_first_id, r->count);
	put_text(b, r->attributes);
	return end_line(b);
}

static bool
on_further(struct sink *s, uint32_t set, const struct further_stack_row *r, struct error *err)
{
	struct strbuf *b = out(s, "further");

	(void)err;
	(void)set;
	put_text(b, text_from(stack_owner_name(r->owner)));
	PUT_INTS(b, r->owner_id, r->position);
	PUT_TEXTS(b, r->role, r->description);
	PUT_INTS(b, r->thread_id, r->stack);
	return end_line(b);
}

static bool
on_suppression(struct sink *s, uint32_t set, const struct suppression_row *r, struct error *err)
{
	struct strbuf *b = out(s, "suppression");

	(void)err;
	(void)set;
	put_int(b, r->id);
	PUT_TEXTS(b, r->name, r->syntax, r->kind, r->pattern, r->file);
	PUT_INTS(b, r->count, r->bytes, r->blocks);
	return end_line(b);
}

static bool
on_sample(struct sink *s, uint32_t set, const struct sample_row *r, struct error *err)
{
	struct strbuf *b = out(s, "sample");

	(void)err;
	(void)set;
	PUT_INTS(b, r->track, r->metric, r->stack);
	put_decimal(b, r->at);
	strbuf_append_str(b, " [");
	for (size_t i = 0; i < r->value_count; i++)
		put_decimal(b, r->values[i]);
	strbuf_append_str(b, " ]");
	put_text(b, r->attributes);
	return end_line(b);
}

static bool
on_frame(struct sink *s, uint32_t set, const struct frame_row *r, struct error *err)
{
	struct strbuf *b = out(s, "frame");

	(void)err;
	(void)set;
	PUT_INTS(b, r->track, r->id, r->parent_id, r->metric, r->routine_id);
	PUT_DECIMALS(b, r->start, r->stop);
	return end_line(b);
}

static bool
on_span(struct sink *s, uint32_t set, const struct span_row *r, struct error *err)
{
	struct strbuf *b = out(s, "span");

	(void)err;
	(void)set;
	PUT_INTS(b, r->track, r->id, r->parent_id, r->metric);
	PUT_TEXTS(b, text_from(r->kind), r->name);
	PUT_INTS(b, r->routine_id, r->stack);
	PUT_DECIMALS(b, r->start, r->duration, r->first_fetch);
	PUT_TEXTS(b, r->source_id, r->category, r->execute_type, r->command);
	put_int(b, r->errored);
	put_text(b, r->attributes);
	return end_line(b);
}

static struct log
log_new(void)
{
	struct log log = { .sink = { .set = on_set,
				   .metadata = on_metadata,
				   .metric = on_metric,
				   .routine = on_routine,
				   .line = on_line,
				   .thread = on_thread,
				   .class_meta = on_class,
				   .class_data = on_class_data,
				   .track = on_track,
				   .stack = on_stack,
				   .object = on_object,
				   .error = on_error,
				   .further_stack = on_further,
				   .suppression = on_suppression,
				   .sample = on_sample,
				   .frame = on_frame,
				   .span = on_span } };

	strbuf_init(&log.out, LOG_MAX);
	return log;
}

static void
compare(const char *got)
{
	struct arena a = ARENA_INIT;
	const char *srcdir = getenv("srcdir");
	FILE *f = fopen(arena_printf(&a, "%s/tests/golden/source/told.txt", srcdir), "r");
	char want[16 * 1024];
	size_t size;

	assert_non_null(f);
	size = fread(want, 1, sizeof(want) - 1, f);
	want[size] = '\0';
	fclose(f);
	assert_string_equal(got, want);
	arena_release(&a);
}

static void
test_parts(void **state)
{
	const int64_t inst_ids[] = { 12, 11 };
	struct error err = ERROR_INIT;
	struct db *db = open_db();
	struct depot_source *depot = depot_source_new(db, inst_ids, 2, &err);
	struct log log = log_new();
	struct source *s;

	(void)state;
	if (!depot)
		fail_msg("%s", err.message);
	s = depot_source_interface(depot);
	assert_int_equal(s->set_count, 2);
	assert_null(s->format(s, 0));
	assert_string_equal(s->format(s, 1), "trial");
	for (uint32_t set = 0; set < 2; set++)
		for (int part = 0; part < SOURCE_PARTS; part++)
			if (!s->emit(s, set, (enum source_part)part, SOURCE_EVERY_TRACK, &log.sink,
				    &err))
				fail_msg("%s", err.message);
	strbuf_append_str(&log.out, "track 2 only\n");
	assert_true(s->emit(s, 1, SOURCE_SPANS, 2, &log.sink, &err));
	assert_true(s->emit(s, 1, SOURCE_SAMPLES, 2, &log.sink, &err));
	assert_true(s->emit(s, 1, SOURCE_TRACKS, 2, &log.sink, &err));
	compare(strbuf_str(&log.out));
	strbuf_release(&log.out);
	depot_source_free(depot);
	db_close(db);
}

static bool
refuse(struct sink *s, uint32_t set, const struct frame_row *r, struct error *err)
{
	(void)s;
	(void)set;
	(void)r;
	return error_set(err, ERROR_FILE, "enough");
}

/* Tests a sink without callbacks, and a sink that stops the emission with an error. */
static void
test_sinks(void **state)
{
	const int64_t inst_ids[] = { 11 };
	struct error err = ERROR_INIT;
	struct db *db = open_db();
	struct depot_source *depot = depot_source_new(db, inst_ids, 1, &err);
	struct source *s = depot_source_interface(depot);
	struct sink deaf = { NULL };
	struct sink stops = { .frame = refuse };

	(void)state;
	for (int part = 0; part < SOURCE_PARTS; part++)
		assert_true(s->emit(s, 0, (enum source_part)part, 0, &deaf, &err));
	assert_false(s->emit(s, 0, SOURCE_SPANS, 0, &stops, &err));
	assert_string_equal(err.message, "enough");
	/* The transaction continues. */
	assert_true(s->emit(s, 0, SOURCE_SPANS, 0, &deaf, &err));
	depot_source_free(depot);
	db_close(db);
}

static void
test_no_source(void **state)
{
	static const int64_t none[] = { 11, 4711 };
	static const int64_t twice[] = { 11, 11 };
	struct error err = ERROR_INIT;
	struct db *db = open_db();

	(void)state;
	assert_null(depot_source_new(db, none, 2, &err));
	assert_int_equal(err.code, ERROR_NOT_FOUND);
	assert_null(depot_source_new(db, twice, 2, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	assert_null(depot_source_new(db, none, 0, &err));
	assert_int_equal(err.code, ERROR_USAGE);
	db_close(db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_sinks),
		cmocka_unit_test(test_no_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
