/* Emits the current row of a source query to the sink. */
#include "source_private.h"

#include "base/array.h"
#include "store/columns.h"

#include <stdlib.h>

enum {
	STACK_ARRAYS = 5,
};

/* Emits a row that is read by a function generated from the schema. */
#define EMIT(call, row_type) \
	bool source_emit_##call(struct emission *e, struct error *err) \
	{ \
		struct row_type r = { 0 }; \
\
		return row_type##_read(&e->row, &r, err) && \
		       (!e->to->call || e->to->call(e->to, e->set, &r, err)); \
	}

EMIT(routine, routine_row)
EMIT(line, line_row)
EMIT(thread, thread_row)
EMIT(class_meta, class_row)
EMIT(class_data, class_data_row)
EMIT(object, object_row)
EMIT(error, error_row)
EMIT(further_stack, further_stack_row)
EMIT(graph, graph_row)
EMIT(suppression, suppression_row)
EMIT(track, track_row)
EMIT(span, span_row)

/* Columns: metric_no, family, name, unit, title, aggregate. */
bool
source_emit_metric(struct emission *e, struct error *err)
{
	metric_number number = row_int32(&e->row);
	struct metric_row r = { .family = metric_family_find(row_text(&e->row)) };

	r.name = row_text(&e->row);
	r.unit = row_text(&e->row);
	r.title = row_text(&e->row);
	r.aggregate = row_text(&e->row);
	return !e->to->metric || e->to->metric(e->to, e->set, &r, &number, err);
}

static void
read_numbers(struct text array, size_t count, int64_t *out)
{
	const char *at = array.data + 1;

	for (size_t i = 0; i < count; i++, at = array_text_next(at))
		out[i] = *at == 'N' ? MODEL_NULL : strtoll(at, NULL, 10);
}

/* Columns: stack_id and the arrays. */
bool
source_emit_stack(struct emission *e, struct error *err)
{
	stack_number number = row_int32(&e->row);
	struct text arrays[STACK_ARRAYS];
	const int64_t *parts[STACK_ARRAYS] = { NULL };
	struct stack_row r = { 0 };

	for (int i = 0; i < STACK_ARRAYS; i++)
		arrays[i] = row_text(&e->row);
	r.count = array_text_count(arrays[0]);
	ARRAY_RESERVE(e->numbers, e->number_room, r.count * STACK_ARRAYS);
	for (size_t i = 0; i < STACK_ARRAYS; i++) {
		if (text_is_null(arrays[i]))
			continue;
		if (array_text_count(arrays[i]) != r.count)
			return error_set(err, ERROR_DATABASE,
				"the arrays of stack %d have different lengths", (int)number);
		read_numbers(arrays[i], r.count, e->numbers + i * r.count);
		parts[i] = e->numbers + i * r.count;
	}
	r.routine_ids = parts[0];
	r.line_ids = parts[1];
	r.hit_counts = parts[2];
	r.frame_ids = parts[3];
	r.rec_ids = parts[4];
	return !e->to->stack || e->to->stack(e->to, e->set, &r, &number, err);
}

/* Columns: id, track_id, metric_no, stack_id, at. */
static struct sample_row
read_sample(struct row_values *v)
{
	struct sample_row r = { 0 };

	row_int64(v);
	r.track = row_int32(v);
	r.metric = row_int32(v);
	r.stack = row_int32(v);
	r.at = row_decimal(v);
	return r;
}

/* Emits a sample of a block. The sample has one weight, in the column that follows the column `at`. */
bool
source_emit_plain_sample(struct emission *e, struct error *err)
{
	struct sample_row r = read_sample(&e->row);
	struct decimal value = row_decimal(&e->row);

	r.values = &value;
	r.value_count = 1;
	return !e->to->sample || e->to->sample(e->to, e->set, &r, err);
}

/* Emits a sample with an array of weights and with attributes. Both are in the columns that follow the column `at`. */
bool
source_emit_sample(struct emission *e, struct error *err)
{
	struct sample_row r = read_sample(&e->row);

	if (!row_decimals(&e->row, &r.values, &r.value_count, err))
		return false;
	r.attributes = row_text(&e->row);
	return !e->to->sample || e->to->sample(e->to, e->set, &r, err);
}

/* Columns: track_id, id, metric_no, parent_id, routine_id, start, stop. */
bool
source_emit_frame(struct emission *e, struct error *err)
{
	struct frame_row r = { 0 };

	r.track = row_int32(&e->row);
	r.id = row_int64(&e->row);
	r.metric = row_int32(&e->row);
	r.parent_id = row_int64(&e->row);
	r.routine_id = row_int64(&e->row);
	r.start = row_decimal(&e->row);
	r.stop = row_decimal(&e->row);
	return !e->to->frame || e->to->frame(e->to, e->set, &r, err);
}
