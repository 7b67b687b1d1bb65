/*
 * The speedscope writer, a sink that receives the rows of a source.
 *
 * A result set that was loaded from a speedscope file is restored. Any other result set is
 * converted. Objects and errors become one aggregated sampled profile per metric, and samples
 * become one sampled profile per track and metric. Spans become one evented profile per track if
 * they nest, otherwise a sampled profile that has self times as weights.
 */
#ifndef PROFDEPOT_FORMAT_SPEEDSCOPE_SPEEDSCOPE_WRITE_PRIVATE_H
#define PROFDEPOT_FORMAT_SPEEDSCOPE_SPEEDSCOPE_WRITE_PRIVATE_H

#include "base/arena.h"
#include "base/json_writer.h"
#include "base/pair_map.h"
#include "base/strbuf.h"
#include "format/format.h"
#include "model/source.h"

struct written_metric {
	enum metric_family family;
	struct text name, unit;
};

struct written_track {
	int32_t id;
	struct text name, attributes;
	metric_number metric;
	struct decimal start, duration;
	size_t value_count; /* maximum number of values in a sample; 0 if there are no samples */
	bool has_spans;
};

struct written_frame {
	struct text name, file;
	int64_t line, column; /* MODEL_NULL if absent */
};

/* Stacks as frames of the file, outermost first. */
struct written_stacks {
	uint32_t *frames;
	size_t used, room;
	size_t *begins; /* first frame of each stack; stack n ends where stack n + 1 begins */
	size_t count, begin_room;
};

struct speedscope_writer {
	struct sink sink; /* must be first: callbacks cast the sink to the writer */
	struct source *source;
	uint32_t set;
	const struct format_write_options *options;
	struct json_writer json;
	struct arena arena;
	struct arena scratch; /* memory for one routine or track */
	struct strbuf text;
	struct text caption, attributes;
	struct written_metric *metrics; /* metric 1 is the first item */
	size_t metric_room;
	struct written_track *tracks;
	size_t track_count, track_room;
	struct pair_map frame_of; /* maps the REC_ID of a routine to its frame */
	uint32_t frame_count;
	uint32_t unknown_frame;
	/* Used only for conversions. */
	struct written_frame *frames;
	size_t frame_room;
	struct pair_map frame_by_name;
	struct written_stacks stacks;
	void *work; /* data of the callbacks while a part is emitted */
};

/* Emits a part of the result set to the callbacks in `members`. They find `work` in w->work. */
bool speedscope_part(struct speedscope_writer *w, enum source_part part, int32_t track,
	const struct sink *members, void *work, struct error *err);
bool speedscope_read_stacks(struct speedscope_writer *w, struct error *err);
/* Writes the stack as an array of frames; stack 0 is empty. */
void speedscope_put_stack(struct speedscope_writer *w, stack_number stack);
void speedscope_put_decimal(struct speedscope_writer *w, struct decimal d);
void speedscope_put_fixed(struct speedscope_writer *w, wide_int v);
/* The metric with this number; NULL if there is no such metric. */
const struct written_metric *speedscope_metric(
	const struct speedscope_writer *w, metric_number number);
/* Returns whether the user requested this metric or all metrics. */
bool speedscope_wants(const struct speedscope_writer *w, struct text metric);
/* The frame of a routine; "(unknown)" if the routine does not exist. */
uint32_t speedscope_frame_of(struct speedscope_writer *w, int64_t routine_id);
/* Finds the frame with this name, or adds it. speedscope_frame_at also compares the place. */
uint32_t speedscope_frame(struct speedscope_writer *w, struct text name);
uint32_t speedscope_frame_at(struct speedscope_writer *w, struct text name, struct text file,
	int64_t line, int64_t column);

bool speedscope_write_native(struct speedscope_writer *w, struct error *err);
bool speedscope_write_converted(struct speedscope_writer *w, struct error *err);
/* Writes the spans of a track as one profile. */
bool speedscope_write_spans(
	struct speedscope_writer *w, const struct written_track *track, struct error *err);
/* The frame name of a span without a routine. */
struct text speedscope_span_label(const struct span_row *row);
/* Begins a converted profile: type, name and unit. */
void speedscope_begin_profile(struct speedscope_writer *w, const char *type, struct text name,
	const char *suffix, struct text unit);
void speedscope_put_range(struct speedscope_writer *w, wide_int start, wide_int end);

#endif
