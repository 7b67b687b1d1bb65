/* Functions that emit the rows of the reader's set to its sink. */
#ifndef PROFDEPOT_FORMAT_COMMON_EMIT_H
#define PROFDEPOT_FORMAT_COMMON_EMIT_H

#include "format/common/reader.h"
#include "model/coverage.h"

/* Demangles row->routine_name, and keeps the symbol in symbol_moniker. */
bool emit_routine(struct reader *r, struct routine_row *row);
bool emit_metadata(struct reader *r, const char *key, struct text value);

/* Emits how completely the run looked for a kind of result. `source` is the evidence in the input,
 * such as "--leak-check=no". */
bool emit_coverage(
	struct reader *r, enum coverage_what what, enum coverage_degree degree, const char *source);
/* Emits whether the profiler wrote its end marker. */
bool emit_finished(struct reader *r, bool finished);

static inline bool
emit_thread(struct reader *r, const struct thread_row *row)
{
	return r->sink->thread(r->sink, r->set, row, r->err);
}

static inline bool
emit_metric(struct reader *r, const struct metric_row *row, metric_number *number)
{
	return r->sink->metric(r->sink, r->set, row, number, r->err);
}

static inline bool
emit_track(struct reader *r, const struct track_row *row)
{
	return r->sink->track(r->sink, r->set, row, r->err);
}

static inline bool
emit_line(struct reader *r, const struct line_row *row)
{
	return r->sink->line(r->sink, r->set, row, r->err);
}

static inline bool
emit_stack(struct reader *r, const struct stack_row *row, stack_number *number)
{
	return r->sink->stack(r->sink, r->set, row, number, r->err);
}

static inline bool
emit_graph(struct reader *r, const struct graph_row *row)
{
	return r->sink->graph(r->sink, r->set, row, r->err);
}

static inline bool
emit_sample(struct reader *r, const struct sample_row *row)
{
	return r->sink->sample(r->sink, r->set, row, r->err);
}

static inline bool
emit_path(struct reader *r, path_number parent, int64_t routine_id, path_number *path)
{
	return r->sink->path(r->sink, r->set, parent, routine_id, path, r->err);
}

static inline bool
emit_span(struct reader *r, const struct span_row *row)
{
	return r->sink->span(r->sink, r->set, row, r->err);
}

static inline bool
emit_frame(struct reader *r, const struct frame_row *row)
{
	return r->sink->frame(r->sink, r->set, row, r->err);
}

static inline bool
emit_object(struct reader *r, const struct object_row *row)
{
	return r->sink->object(r->sink, r->set, row, r->err);
}

static inline bool
emit_error(struct reader *r, const struct error_row *row)
{
	return r->sink->error(r->sink, r->set, row, r->err);
}

static inline bool
emit_further_stack(struct reader *r, const struct further_stack_row *row)
{
	return r->sink->further_stack(r->sink, r->set, row, r->err);
}

static inline bool
emit_suppression(struct reader *r, const struct suppression_row *row)
{
	return r->sink->suppression(r->sink, r->set, row, r->err);
}

/* Makes a routine row with this ID. All its other numbers are NULL. */
struct routine_row blank_routine(int64_t id);

/* Makes a metric's name, [a-z][a-z0-9_]*, from its title. The name has at most size - 1 bytes. */
void metric_name(struct text title, char *out, size_t size);

#endif
