/* Writes a result set of another format: objects and errors as one aggregated profile per metric,
 * samples and spans as one profile per track. */
#include "base/array.h"
#include "speedscope_private.h"
#include "speedscope_write_private.h"

#include <config.h>
#include <stdlib.h>

/* Sums over objects and errors per stack, as fixed decimals. */
struct stack_sums {
	wide_int *sums[3]; /* first index: SUM_COUNT and so on; second index: the stack number */
	size_t room[3];
};

enum {
	SUM_COUNT,
	SUM_SIZE,
	SUM_ERRORS,
	SUMS
};

static const wide_int FIXED_ONE = (wide_int)1000000000 * 1000000000;

/* --- frames -------------------------------------------------------------------------- */

/* Returns the routine's source column, or MODEL_NULL if its attributes have no column. The readers of JavaScript
 * profiles store the column as the first attribute. */
static int64_t
column_of(struct text attributes)
{
	static const char key[] = "{\"column\":";
	const size_t size = sizeof(key) - 1;
	int64_t column = 0;
	size_t i;

	if (attributes.size <= size || memcmp(attributes.data, key, size) != 0)
		return MODEL_NULL;
	for (i = size; i < attributes.size && i < size + 10; i++) {
		const char c = attributes.data[i];

		if (c < '0' || c > '9')
			break;
		column = column * 10 + (c - '0');
	}
	return i > size ? column : MODEL_NULL;
}

/* The name of a routine as reports and flame graphs show it. */
static struct text
routine_label(struct speedscope_writer *w, const struct routine_row *row)
{
	struct arena *a = &w->arena;
	const struct text c = row->class_name;
	const struct text r = row->routine_name;
	const struct text m = row->module_name;

	if (r.size && c.size)
		return text_from(
			arena_printf(a, "%.*s.%.*s", (int)c.size, c.data, (int)r.size, r.data));
	if (r.size)
		return r;
	if (m.size)
		return text_from(arena_printf(a, "[%.*s]", (int)m.size, m.data));
	return TEXT_LITERAL("(unknown)");
}

static bool
take_routine(struct sink *s, uint32_t set, const struct routine_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct text file = row->source_file.size ? row->source_file : TEXT_NULL;
	uint32_t frame = speedscope_frame_at(
		w, routine_label(w, row), file, row->source_line, column_of(row->attributes));

	(void)set;
	(void)err;
	if (row->rec_id != MODEL_NULL)
		pair_map_add(&w->frame_of, row->rec_id, 0, frame, NULL);
	return true;
}

/* --- contents of the result set ------------------------------------------------------ */

static int
by_id(const void *key, const void *track)
{
	const int32_t id = *(const int32_t *)key, other = ((const struct written_track *)track)->id;

	return (id > other) - (id < other);
}

static struct written_track *
track_of(struct speedscope_writer *w, int32_t id)
{
	return w->track_count ? bsearch(&id, w->tracks, w->track_count, sizeof(*w->tracks), by_id)
			      : NULL;
}

static bool
note_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct written_track *t = track_of((struct speedscope_writer *)s, row->track);

	(void)set;
	(void)err;
	if (t && row->value_count > t->value_count)
		t->value_count = row->value_count;
	return true;
}

static bool
note_span(struct sink *s, uint32_t set, const struct span_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct written_track *t = track_of(w, row->track);

	(void)set;
	(void)err;
	if (!t)
		return true;
	t->has_spans = true;
	if (pair_map_get(&w->frame_of, row->routine_id, 0) == PAIR_MAP_NONE)
		speedscope_frame(w, speedscope_span_label(row));
	return true;
}

static bool
note_call(struct sink *s, uint32_t set, const struct frame_row *row, struct error *err)
{
	struct written_track *t = track_of((struct speedscope_writer *)s, row->track);

	(void)set;
	(void)err;
	if (t)
		t->has_spans = true;
	return true;
}

static void
add_sum(struct stack_sums *sums, int which, stack_number stack, wide_int value)
{
	size_t i = stack > 0 ? (size_t)stack : 0;

	ARRAY_RESERVE_ZEROED(sums->sums[which], sums->room[which], i + 1);
	sums->sums[which][i] += value;
}

static bool
take_object(struct sink *s, uint32_t set, const struct object_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	int64_t blocks = row->block_count == MODEL_NULL ? 1 : row->block_count;
	wide_int size = row->size.null ? 0 : (wide_int)row->size.magnitude;

	(void)set;
	(void)err;
	add_sum(w->work, SUM_COUNT, row->stack, blocks * FIXED_ONE);
	add_sum(w->work, SUM_SIZE, row->stack, (row->size.negative ? -size : size) * FIXED_ONE);
	return true;
}

static bool
take_error(struct sink *s, uint32_t set, const struct error_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;

	(void)set;
	(void)err;
	add_sum(w->work, SUM_ERRORS, row->stack,
		(row->count > 1 ? (wide_int)row->count : 1) * FIXED_ONE);
	return true;
}

/* --- profiles ------------------------------------------------------------------------ */

/* Writes one aggregated profile with one sample per stack. Negative sums are left out. */
static void
write_sums(struct speedscope_writer *w, const struct stack_sums *sums, int which, const char *name,
	const char *unit)
{
	const wide_int *values = sums->sums[which];
	wide_int total = 0;

	if (!sums->room[which] || !speedscope_wants(w, text_from(name)))
		return;
	for (size_t i = 0; i < sums->room[which]; i++)
		total += values[i] > 0 ? values[i] : 0;
	speedscope_begin_profile(w, "sampled", text_from(name), "", text_from(unit));
	speedscope_put_range(w, 0, total);
	json_key_array(&w->json, "samples");
	for (size_t i = 0; i < sums->room[which]; i++)
		if (values[i] > 0)
			speedscope_put_stack(w, (stack_number)i);
	json_end_array(&w->json);
	json_key_array(&w->json, "weights");
	for (size_t i = 0; i < sums->room[which]; i++)
		if (values[i] > 0)
			speedscope_put_fixed(w, values[i]);
	json_end_array(&w->json);
	json_end_object(&w->json);
}

/* One pass over the samples of a track. */
struct sample_pass {
	size_t value;
	wide_int total;
	enum {
		PASS_TOTAL,
		PASS_STACKS,
		PASS_WEIGHTS
	} pass;
};

static bool
take_sample(struct sink *s, uint32_t set, const struct sample_row *row, struct error *err)
{
	struct speedscope_writer *w = (struct speedscope_writer *)s;
	struct sample_pass *p = w->work;
	struct decimal d = { 0 };
	wide_int weight;

	(void)set;
	(void)err;
	if (p->value < row->value_count)
		d = row->values[p->value];
	weight = decimal_to_fixed(d);
	if (p->pass == PASS_STACKS)
		speedscope_put_stack(w, row->stack);
	else if (p->pass == PASS_WEIGHTS)
		speedscope_put_decimal(w, weight > 0 ? d : decimal_from_int64(0));
	else
		p->total += weight > 0 ? weight : 0;
	return true;
}

static bool
write_samples(struct speedscope_writer *w, const struct written_track *track, size_t value,
	struct error *err)
{
	const struct sink members = { .sample = take_sample };
	const struct written_metric *metric =
		speedscope_metric(w, track->metric + (metric_number)value);
	struct sample_pass p = { .value = value };
	const char *suffix = "";

	if (!metric || metric->family != METRIC_OF_SAMPLES || !speedscope_wants(w, metric->name))
		return true;
	if (track->value_count > 1)
		suffix = arena_printf(
			&w->arena, " (%.*s)", (int)metric->name.size, metric->name.data);
	if (!speedscope_part(w, SOURCE_SAMPLES, track->id, &members, &p, err))
		return false;
	speedscope_begin_profile(
		w, "sampled", track->name.size ? track->name : metric->name, suffix, metric->unit);
	speedscope_put_range(w, 0, p.total);
	for (p.pass = PASS_STACKS; p.pass <= PASS_WEIGHTS; p.pass++) {
		json_key_array(&w->json, p.pass == PASS_STACKS ? "samples" : "weights");
		if (!speedscope_part(w, SOURCE_SAMPLES, track->id, &members, &p, err))
			return false;
		json_end_array(&w->json);
	}
	json_end_object(&w->json);
	return true;
}

static bool
write_tracks(struct speedscope_writer *w, struct error *err)
{
	for (size_t i = 0; i < w->track_count; i++) {
		const struct written_track *t = &w->tracks[i];

		for (size_t k = 0; k < t->value_count; k++)
			if (!write_samples(w, t, k, err))
				return false;
		if (t->has_spans && !speedscope_write_spans(w, t, err))
			return false;
	}
	return true;
}

/* --- a file -------------------------------------------------------------------------- */

static void
write_frames(struct speedscope_writer *w)
{
	json_key_object(&w->json, "shared");
	json_key_array(&w->json, "frames");
	for (uint32_t i = 0; i < w->frame_count; i++) {
		const struct written_frame *f = &w->frames[i];

		json_begin_object(&w->json);
		json_key_depot_text(&w->json, "name", f->name);
		if (f->file.data)
			json_key_depot_text(&w->json, "file", f->file);
		if (f->line != MODEL_NULL)
			json_key_int(&w->json, "line", f->line);
		if (f->column != MODEL_NULL)
			json_key_int(&w->json, "col", f->column);
		json_end_object(&w->json);
	}
	json_end_array(&w->json);
	json_end_object(&w->json);
}

/* Adds up objects and errors. Skips them if the user requested a track, because they belong to no
 * track. */
static bool
read_sums(struct speedscope_writer *w, struct stack_sums *sums, struct error *err)
{
	const struct sink objects = { .object = take_object };
	const struct sink errors = { .error = take_error };

	if (w->options->track)
		return true;
	return speedscope_part(w, SOURCE_OBJECTS, SOURCE_EVERY_TRACK, &objects, sums, err) &&
	       speedscope_part(w, SOURCE_ERRORS, SOURCE_EVERY_TRACK, &errors, sums, err);
}

static bool
look(struct speedscope_writer *w, struct stack_sums *sums, struct error *err)
{
	const struct sink routines = { .routine = take_routine };
	const struct sink facts = { .sample = note_sample, .span = note_span, .frame = note_call };
	int32_t track = (int32_t)w->options->track;
	/* If the requested track has no values, the file has no profiles. */
	bool any = track != 0;

	if (!speedscope_part(w, SOURCE_ROUTINES, SOURCE_EVERY_TRACK, &routines, NULL, err))
		return false;
	w->unknown_frame = speedscope_frame(w, TEXT_LITERAL("(unknown)"));
	if (!read_sums(w, sums, err) ||
		!speedscope_part(w, SOURCE_SAMPLES, track, &facts, NULL, err) ||
		!speedscope_part(w, SOURCE_SPANS, track, &facts, NULL, err) ||
		!speedscope_read_stacks(w, err))
		return false;
	for (size_t i = 0; i < w->track_count; i++)
		any = any || w->tracks[i].value_count || w->tracks[i].has_spans;
	for (int i = 0; i < SUMS; i++)
		any = any || sums->room[i];
	if (any)
		return true;
	error_set(err, ERROR_USAGE, "the result set has nothing to write as a speedscope file");
	return error_hint(err, "objects, errors, samples or spans are needed");
}

static bool
write_file(struct speedscope_writer *w, const struct stack_sums *sums, struct error *err)
{
	json_begin_object(&w->json);
	json_key_string(&w->json, "$schema", SPEEDSCOPE_SCHEMA);
	json_key_string(&w->json, "exporter", "profdepot@" PACKAGE_VERSION);
	json_key_depot_text(
		&w->json, "name", w->caption.size ? w->caption : TEXT_LITERAL("profdepot"));
	json_key_int(&w->json, "activeProfileIndex", 0);
	write_frames(w);
	json_key_array(&w->json, "profiles");
	write_sums(w, sums, SUM_COUNT, "live_count", "none");
	write_sums(w, sums, SUM_SIZE, "live_size", "bytes");
	write_sums(w, sums, SUM_ERRORS, "errors", "none");
	if (!write_tracks(w, err))
		return false;
	json_end_array(&w->json);
	json_end_object(&w->json);
	return true;
}

bool
speedscope_write_converted(struct speedscope_writer *w, struct error *err)
{
	struct stack_sums sums = { 0 };
	bool ok = look(w, &sums, err) && write_file(w, &sums, err);

	for (int i = 0; i < SUMS; i++)
		free(sums.sums[i]);
	return ok;
}
