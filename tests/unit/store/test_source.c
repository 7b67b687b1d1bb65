/*
 * Tests the depot as a source (the depot in PROFDEPOT_DB contains tests/golden/source/sets.sql):
 * compares each part that the sink receives with tests/golden/source/told.txt.
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

static void
put_numbers(struct strbuf *b, const int64_t *v, size_t count)
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
	put_int(b, *set);
	put_int(b, r->source_inst_id);
	put_text(b, r->caption);
	put_text(b, r->counter_description);
	put_text(b, r->counter_frequency);
	put_text(b, r->counter_name);
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
	put_int(b, set);
	put_int(b, *number);
	put_int(b, (int64_t)r->family);
	put_text(b, r->name);
	put_text(b, r->unit);
	put_text(b, r->title);
	return end_line(b);
}

static bool
on_routine(struct sink *s, uint32_t set, const struct routine_row *r, struct error *err)
{
	struct strbuf *b = out(s, "routine");

	(void)err;
	(void)set;
	put_int(b, r->id);
	put_int(b, r->parent_id);
	put_int(b, r->rec_id);
	put_int(b, r->hit_count);
	put_int(b, r->compiler);
	put_int(b, r->profile_lines);
	put_int(b, r->source_line);
	put_int(b, r->token);
	put_number(b, r->address);
	put_text(b, r->analysis_result);
	put_text(b, r->class_name);
	put_text(b, r->code_type);
	put_text(b, r->module_name);
	put_text(b, r->name_space);
	put_text(b, r->routine_name);
	put_text(b, r->source_file);
	put_text(b, r->symbol_moniker);
	put_text(b, r->unit_name);
	put_text(b, r->attributes);
	return end_line(b);
}

static bool
on_line(struct sink *s, uint32_t set, const struct line_row *r, struct error *err)
{
	struct strbuf *b = out(s, "line");

	(void)err;
	(void)set;
	put_int(b, r->id);
	put_int(b, r->rec_id);
	put_int(b, r->source_line);
	put_int(b, r->parent_id);
	return end_line(b);
}

static bool
on_thread(struct sink *s, uint32_t set, const struct thread_row *r, struct error *err)
{
	struct strbuf *b = out(s, "thread");

	(void)err;
	(void)set;
	put_int(b, r->id);
	put_int(b, r->parent_id);
	put_int(b, r->rec_id);
	put_int(b, r->size);
	put_int(b, r->os_thread_id);
	put_text(b, r->name);
	return end_line(b);
}

static bool
on_class(struct sink *s, uint32_t set, const struct class_row *r, struct error *err)
{
	struct strbuf *b = out(s, "class");

	(void)err;
	(void)set;
	put_int(b, r->id);
	put_int(b, r->parent_id);
	put_int(b, r->rec_id);
	put_text(b, r->class_name);
	put_text(b, r->module_name);
	put_text(b, r->symbol_moniker);
	return end_line(b);
}

static bool
on_class_data(struct sink *s, uint32_t set, const struct class_data_row *r, struct error *err)
{
	struct strbuf *b = out(s, "class_data");

	(void)err;
	(void)set;
	put_int(b, r->id);
	put_int(b, r->parent_id);
	put_int(b, r->rec_id);
	put_text(b, r->class_name);
	put_text(b, r->module_name);
	put_number(b, r->live_count);
	put_number(b, r->live_size);
	put_number(b, r->peak_created);
	put_number(b, r->peak_size);
	put_number(b, r->total_created);
	put_number(b, r->total_size);
	return end_line(b);
}

static bool
on_track(struct sink *s, uint32_t set, const struct track_row *r, struct error *err)
{
	struct strbuf *b = out(s, "track");

	(void)err;
	(void)set;
	put_int(b, r->id);
	put_text(b, text_from(r->kind));
	put_text(b, r->name);
	put_text(b, r->source_id);
	put_text(b, r->category);
	put_text(b, r->host);
	put_text(b, r->user_name);
	put_text(b, r->process_name);
	put_int(b, r->process_id);
	put_int(b, r->thread_id);
	put_int(b, r->metric);
	put_decimal(b, r->start);
	put_decimal(b, r->duration);
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
	put_numbers(b, r->routine_ids, r->count);
	put_numbers(b, r->line_ids, r->count);
	put_numbers(b, r->hit_counts, r->count);
	put_numbers(b, r->frame_ids, r->count);
	put_numbers(b, r->rec_ids, r->count);
	return end_line(b);
}

static bool
on_object(struct sink *s, uint32_t set, const struct object_row *r, struct error *err)
{
	struct strbuf *b = out(s, "object");

	(void)err;
	(void)set;
	put_int(b, r->id);
	put_int(b, r->parent_id);
	put_int(b, r->rec_id);
	put_number(b, r->number);
	put_number(b, r->address);
	put_number(b, r->size);
	put_int(b, r->class_id);
	put_int(b, r->get_number);
	put_int(b, r->thread_id);
	put_int(b, r->block_count);
	put_int(b, r->stack);
	put_int(b, r->stack_first_id);
	put_text(b, r->leak_kind);
	put_text(b, r->attributes);
	return end_line(b);
}

static bool
on_error(struct sink *s, uint32_t set, const struct error_row *r, struct error *err)
{
	struct strbuf *b = out(s, "error");

	(void)err;
	(void)set;
	put_int(b, r->id);
	put_int(b, r->parent_id);
	put_int(b, r->rec_id);
	put_int(b, r->number);
	put_int(b, r->error_code);
	put_int(b, r->kind);
	put_text(b, r->description);
	put_text(b, r->name);
	put_int(b, r->stack);
	put_int(b, r->stack_first_id);
	put_int(b, r->count);
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
	put_int(b, r->owner_id);
	put_int(b, r->position);
	put_text(b, r->role);
	put_text(b, r->description);
	put_int(b, r->thread_id);
	put_int(b, r->stack);
	return end_line(b);
}

static bool
on_suppression(struct sink *s, uint32_t set, const struct suppression_row *r, struct error *err)
{
	struct strbuf *b = out(s, "suppression");

	(void)err;
	(void)set;
	put_int(b, r->id);
	put_text(b, r->name);
	put_text(b, r->syntax);
	put_text(b, r->kind);
	put_text(b, r->pattern);
	put_text(b, r->file);
	put_int(b, r->count);
	put_int(b, r->bytes);
	put_int(b, r->blocks);
	return end_line(b);
}

static bool
on_sample(struct sink *s, uint32_t set, const struct sample_row *r, struct error *err)
{
	struct strbuf *b = out(s, "sample");

	(void)err;
	(void)set;
	put_int(b, r->track);
	put_int(b, r->metric);
	put_int(b, r->stack);
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
	put_int(b, r->track);
	put_int(b, r->id);
	put_int(b, r->parent_id);
	put_int(b, r->metric);
	put_int(b, r->routine_id);
	put_decimal(b, r->start);
	put_decimal(b, r->stop);
	return end_line(b);
}

static bool
on_span(struct sink *s, uint32_t set, const struct span_row *r, struct error *err)
{
	struct strbuf *b = out(s, "span");

	(void)err;
	(void)set;
	put_int(b, r->track);
	put_int(b, r->id);
	put_int(b, r->parent_id);
	put_int(b, r->metric);
	put_text(b, text_from(r->kind));
	put_text(b, r->name);
	put_int(b, r->routine_id);
	put_int(b, r->stack);
	put_decimal(b, r->start);
	put_decimal(b, r->duration);
	put_decimal(b, r->first_fetch);
	put_text(b, r->source_id);
	put_text(b, r->category);
	put_text(b, r->execute_type);
	put_text(b, r->command);
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

/* A sink without callbacks, and a sink that stops the emission. */
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
