/* Reads the samples of FastMM's sampling profiler; see usage_private.h. */
#include "format/common/emit.h"
#include "format/common/json_members.h"
#include "format/common/text_scan.h"
#include "usage_private.h"

enum usage_column {
	COLUMN_VALUE,
	COLUMN_INDEX,
	COLUMN_CLOCK,
	COLUMN_ELAPSED,
	COLUMN_BLOCK_SIZE,
	COLUMN_USABLE_SIZE,
};

enum {
	MAX_TRACKS = 100000,
	NAME_BYTES = 64,
};

/* The values of a row, in the order of the columns. */
struct sample {
	struct decimal values[USAGE_MAX_COLUMNS];
	int64_t index, elapsed, clock, block_size,
		usable_size; /* MODEL_NULL if there is no column */
	struct text clock_text;
};

static struct text
next_field(struct text *t)
{
	size_t at = text_find(*t, ",");
	struct text field = text_up_to(*t, at);

	*t = at == TEXT_NOT_FOUND ? TEXT_NULL : text_from_at(*t, at + 1);
	return text_trim(field);
}

bool
usage_is_header(struct text t)
{
	return text_begins(t, "sample_index,") && text_find(t, ",elapsed_ms,") != TEXT_NOT_FOUND;
}

/* --- columns ---------------------------------------------------------------------------------------- */

static enum usage_column
column_of(struct text name)
{
	static const char *const names[] = { "sample_index", "wall_clock", "elapsed_ms",
		"block_size", "useable_size" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_equal(name, text_from(names[i])))
			return (enum usage_column)(COLUMN_INDEX + i);
	return COLUMN_VALUE;
}

static const char *
unit_of(struct text name)
{
	if (text_ends(name, "_bytes"))
		return "bytes";
	return text_ends(name, "_count") || text_ends(name, "_contention") ? "count" : "none";
}

/* "small_block_count" becomes "small block count". */
static struct text
title_of(struct text name, char out[NAME_BYTES])
{
	for (size_t i = 0; i < name.size; i++)
		out[i] = name.data[i] == '_' ? ' ' : name.data[i];
	return (struct text){ out, name.size };
}

/* The names of FastMM's columns match [a-z][a-z0-9_]* and have less than NAME_BYTES bytes. */
static bool
is_name(struct text t)
{
	for (size_t i = 0; i < t.size; i++)
		if (!(t.data[i] >= 'a' && t.data[i] <= 'z') &&
			!(i && (char_is_digit(t.data[i]) || t.data[i] == '_')))
			return false;
	return t.size > 0 && t.size < NAME_BYTES;
}

/* Emits a column's metric. An efficiency is a quotient. Its values are combined by their mean, because their maximum
 * says nothing about a run. */
static bool
emit_column(struct usage_samples *s, struct reader *in, struct text name)
{
	char title[NAME_BYTES];
	metric_number number;
	struct metric_row row = { .family = METRIC_OF_GAUGES,
		.name = name,
		.unit = text_from(unit_of(name)),
		.title = title_of(name, title),
		.aggregate = text_from(text_ends(name, "_pct") ? "mean" : "max") };

	s->value_count++;
	if (!in->wanted)
		return true;
	return emit_metric(in, &row, s->value_count == 1 ? &s->metric : &number);
}

static bool
is_repeated(struct text header, struct text before, struct text name)
{
	struct text t = text_up_to(header, before.size);

	while (t.size)
		if (text_equal(next_field(&t), name))
			return true;
	return false;
}

bool
usage_samples_begin(struct usage_samples *s, struct reader *in, struct text header)
{
	struct text t = header;

	*s = (struct usage_samples){ .first_clock = MODEL_NULL };
	while (t.size) {
		struct text before = text_up_to(header, header.size - t.size);
		struct text name = next_field(&t);

		if (s->column_count == USAGE_MAX_COLUMNS)
			return reader_refuse(in, "more than %d columns", USAGE_MAX_COLUMNS);
		if (!is_name(name) || is_repeated(header, before, name))
			return reader_refuse(in,
				"a column's name is invalid, or two columns have the same name");
		s->roles[s->column_count] = (int)column_of(name);
		if (s->roles[s->column_count++] == COLUMN_VALUE && !emit_column(s, in, name))
			return false;
	}
	return s->value_count || reader_refuse(in, "the samples have no values");
}

/* --- tracks ------------------------------------------------------------------------------------------ */

/* Finds the track for the sample's block size, and emits the track on its first use. */
static bool
find_track(struct usage_samples *s, struct reader *in, const struct sample *sample, int32_t *id)
{
	char name[NAME_BYTES] = "memory over time";
	struct strbuf attributes = STRBUF_INIT(200);
	struct track_row track = { .kind = "timeline",
		.process_id = MODEL_NULL,
		.thread_id = MODEL_NULL,
		.started_us = MODEL_NULL,
		.metric = s->metric };
	bool added;
	bool ok;

	*id = (int32_t)pair_map_add(
		&s->tracks, sample->block_size, 0, (uint32_t)s->tracks.count + 1, &added);
	if (!added)
		return true;
	if (s->tracks.count > MAX_TRACKS)
		return reader_refuse(in, "more than %d sizes of blocks", MAX_TRACKS);
	if (sample->block_size != MODEL_NULL)
		snprintf(name, sizeof(name), "blocks of %lld bytes", (long long)sample->block_size);
	track.id = *id;
	track.name = text_from(name);
	members_text(&attributes, "time_unit", TEXT_LITERAL("ms"));
	if (sample->block_size != MODEL_NULL)
		members_int(&attributes, "block_size", sample->block_size);
	if (sample->usable_size != MODEL_NULL)
		members_int(&attributes, "usable_size", sample->usable_size);
	track.attributes = members_end(&attributes);
	ok = emit_track(in, &track);
	strbuf_release(&attributes);
	return ok;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static bool
take_number(struct text field, int64_t *v)
{
	return scan_int64(&field, v) && !field.size;
}

static bool
take_clock(struct text field, struct sample *sample)
{
	struct text rest = field;

	sample->clock_text = field;
	return usage_scan_time(&rest, &sample->clock) && !rest.size;
}

static bool
take_field(enum usage_column role, struct text field, struct sample *sample, size_t *values)
{
	switch (role) {
	case COLUMN_INDEX:
		return take_number(field, &sample->index);
	case COLUMN_CLOCK:
		return take_clock(field, sample);
	case COLUMN_ELAPSED:
		return take_number(field, &sample->elapsed);
	case COLUMN_BLOCK_SIZE:
		return take_number(field, &sample->block_size);
	case COLUMN_USABLE_SIZE:
		return take_number(field, &sample->usable_size);
	case COLUMN_VALUE:
		break;
	}
	return decimal_parse(field, &sample->values[(*values)++]) == DECIMAL_OK;
}

static bool
take_fields(const struct usage_samples *s, struct text line, struct sample *sample)
{
	size_t values = 0;

	*sample = (struct sample){ .index = MODEL_NULL,
		.elapsed = MODEL_NULL,
		.clock = MODEL_NULL,
		.block_size = MODEL_NULL,
		.usable_size = MODEL_NULL };
	for (size_t i = 0; i < s->column_count; i++) {
		if (!line.size || !take_field((enum usage_column)s->roles[i], next_field(&line),
					  sample, &values))
			return false;
	}
	return !line.size && sample->index != MODEL_NULL && sample->elapsed != MODEL_NULL;
}

/* Returns the milliseconds since the first start of the profiler. When sampling is resumed, elapsed_ms begins
 * at 0 again. The clock time of the samples shows how long sampling was stopped. */
static int64_t
time_of(struct usage_samples *s, const struct sample *sample)
{
	int64_t at = sample->elapsed;
	int64_t last = s->last_elapsed + s->offset;

	if (s->rows && sample->elapsed < s->last_elapsed) {
		int64_t pause = sample->clock != MODEL_NULL ? sample->clock - s->last_clock : 0;

		s->offset = last - sample->elapsed + (pause > 0 ? pause : 0);
	}
	at += s->offset;
	s->last_elapsed = sample->elapsed;
	s->last_clock = sample->clock;
	return at;
}

static bool
emit(struct usage_samples *s, struct reader *in, const struct sample *sample)
{
	struct strbuf attributes = STRBUF_INIT(300);
	struct sample_row row = { .at = decimal_from_int64(time_of(s, sample)),
		.metric = s->metric,
		.values = sample->values,
		.value_count = s->value_count };
	bool ok;

	s->rows++;
	members_int(&attributes, "sample_index", sample->index);
	if (sample->clock_text.size)
		members_text(&attributes, "wall_clock", sample->clock_text);
	members_int(&attributes, "elapsed_ms", sample->elapsed);
	row.attributes = members_end(&attributes);
	ok = find_track(s, in, sample, &row.track) && emit_sample(in, &row);
	strbuf_release(&attributes);
	return ok;
}

bool
usage_samples_row(struct usage_samples *s, struct reader *in, struct text line)
{
	struct sample sample;

	if (!in->wanted || !line.size)
		return true;
	/* In a truncated row, the last number may be incomplete. */
	if (in->line.unended || !take_fields(s, line, &sample))
		return reader_issue(in, in->line.unended ? ISSUE_REPORT_CUT : ISSUE_RECORD_BROKEN,
			"a sample is truncated or does not match the columns of the header");
	return emit(s, in, &sample);
}

bool
usage_samples_end(struct usage_samples *s, struct reader *in, bool damaged)
{
	struct strbuf attributes = STRBUF_INIT(100);
	bool ok = true;

	pair_map_release(&s->tracks);
	if (!in->wanted)
		return true;
	members_text(&attributes, "mode", TEXT_LITERAL("samples"));
	members_number(&attributes, "samples", s->rows);
	ok = emit_metadata(in, "tool", TEXT_LITERAL("fastmm5")) &&
	     emit_metadata(in, "attributes", members_end(&attributes)) &&
	     emit_finished(in, !damaged) &&
	     emit_coverage(in, COVERAGE_HEAP, COVERAGE_SAMPLED, "samples of the memory manager");
	strbuf_release(&attributes);
	return ok;
}
