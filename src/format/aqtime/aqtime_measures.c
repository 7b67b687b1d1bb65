/* Reads profdepot's tables for results that AQTime does not have: metrics, tracks, samples, spans, further
 * stacks, suppressions and call graphs. */
#include "aqtime_own_private.h"

/* Converts the result of a call of the sink. The sink reports a wrong call as an internal error of the reader. Here,
 * the input determines the calls, so the internal error becomes an error of the input. */
static enum aqtime_step
sent(struct aqtime_reader *r, bool ok)
{
	struct error *err = r->aq->err;

	if (ok)
		return AQTIME_ROW;
	if (err->code == ERROR_INTERNAL) {
		err->code = ERROR_INPUT;
		error_prefix(
			err, "%s: line %llu", r->rows->source, (unsigned long long)r->row.line);
	}
	return AQTIME_FAILED;
}

static enum aqtime_step
reject_odd(struct aqtime_reader *r, size_t column)
{
	struct text field = r->values[column].text;

	return aqtime_reject(r, ISSUE_ODD_VALUE, "column %s: \"%.*s\" is not a valid value",
		r->table->columns[column].name, text_precision(field, 60), field.data);
}

static bool
each_of(struct aqtime *aq, enum aqtime_table_id id,
	enum aqtime_step (*each)(struct aqtime_reader *r))
{
	struct aqtime_reader r;

	return aqtime_each(&r, aqtime_open(aq, id, &r), each);
}

static bool
each_own(struct aqtime *aq, const struct row_table *rows,
	enum aqtime_step (*each)(struct aqtime_reader *r))
{
	struct aqtime_reader r;

	return aqtime_each(&r, aqtime_own_open(aq, rows, &r), each);
}

static bool
family_find(struct text name, enum metric_family *family)
{
	static const char *const names[METRIC_FAMILIES] = { "objects", "errors", "samples", "spans",
		"gauges" };
	size_t i = text_among(name, names, METRIC_FAMILIES);

	*family = (enum metric_family)i;
	return i < METRIC_FAMILIES;
}

static enum aqtime_step
read_metric(struct aqtime_reader *r)
{
	static const char *const aggregates[] = { "max", "last", "mean" };
	struct metric_row row = { .name = r->values[2].text,
		.unit = r->values[4].text,
		.title = r->values[5].text,
		.aggregate = r->values[6].text };
	metric_number number = 0;

	if (text_is_empty(row.name))
		return reject_odd(r, 2);
	if (!family_find(r->values[3].text, &row.family))
		return reject_odd(r, 3);
	if (text_is_null(row.unit))
		return reject_odd(r, 4);
	if (!text_is_null(row.aggregate) &&
		(row.family != METRIC_OF_GAUGES || text_among(row.aggregate, aggregates, 3) == 3))
		return reject_odd(r, 6);
	if (!r->aq->sink->metric(r->aq->sink, r->set, &row, &number, r->aq->err))
		return sent(r, false);
	if (number != aqtime_int(r, 1))
		return sent(r, error_set(r->aq->err, ERROR_INTERNAL, "METRIC_NO %lld should be %d",
				       (long long)aqtime_int(r, 1), number));
	return AQTIME_ROW;
}

static enum aqtime_step
read_track(struct aqtime_reader *r)
{
	struct aqtime *aq = r->aq;
	struct track_row row = { 0 };
	enum aqtime_step step = aqtime_own_fill(r, &track_row_table, &row);

	if (step != AQTIME_ROW)
		return step;
	pair_map_add(&aq->own->tracks, r->set, row.id, (uint32_t)row.metric, NULL);
	return sent(r, aq->sink->track(aq->sink, r->set, &row, aq->err));
}

static enum aqtime_step
read_stack(struct aqtime_reader *r)
{
	struct aqtime *aq = r->aq;
	const int64_t *parts[5] = { NULL };
	bool present[5];
	size_t count = 0;
	stack_number number = 0;

	for (size_t i = 0; i < 5; i++) {
		size_t n;

		present[i] = !text_is_null(r->values[2 + i].text);
		if (!present[i] && i > 0)
			continue;
		if (!aqtime_integers(aq->own, r->values[2 + i].text, i * count, &n) || !n ||
			(i > 0 && n != count))
			return reject_odd(r, 2 + i);
		count = n;
	}
	for (size_t i = 0; i < 5; i++)
		parts[i] = present[i] ? aq->own->elements + i * count : NULL;
	const struct stack_row row = { count, parts[0], parts[1], parts[2], parts[3], parts[4] };

	if (!aq->sink->stack(aq->sink, r->set, &row, &number, aq->err))
		return sent(r, false);
	pair_map_add(&aq->own->stacks, r->set, aqtime_int(r, 1), (uint32_t)number, NULL);
	return AQTIME_ROW;
}

/* Finds the sink's number for a STACK_ID of the export. */
static enum aqtime_step
find_stack(struct aqtime_reader *r, int64_t id, stack_number *stack)
{
	uint32_t number;

	*stack = 0;
	if (id == MODEL_NULL || id == 0)
		return AQTIME_ROW;
	number = pair_map_get(&r->aq->own->stacks, r->set, id);
	if (number == PAIR_MAP_NONE)
		return aqtime_reject(
			r, ISSUE_DANGLING_PARENT, "stack %lld does not exist", (long long)id);
	*stack = (stack_number)number;
	return AQTIME_ROW;
}

static enum aqtime_step
find_metric(struct aqtime_reader *r, int64_t track, metric_number *metric)
{
	uint32_t number = pair_map_get(&r->aq->own->tracks, r->set, track);

	if (number == PAIR_MAP_NONE || number == 0)
		return aqtime_reject(r, ISSUE_DANGLING_PARENT,
			"track %lld does not exist, or has no metric", (long long)track);
	*metric = (metric_number)number;
	return AQTIME_ROW;
}

static enum aqtime_step
read_sample(struct aqtime_reader *r)
{
	struct aqtime *aq = r->aq;
	struct sample_row row = { .track = (int32_t)aqtime_int(r, 2),
		.attributes = r->values[6].text };
	enum aqtime_step step = find_stack(r, aqtime_int(r, 3), &row.stack);

	if (step == AQTIME_ROW)
		step = find_metric(r, aqtime_int(r, 2), &row.metric);
	if (step != AQTIME_ROW)
		return step;
	if (!aqtime_decimal(r->values[4].text, &row.at))
		return reject_odd(r, 4);
	if (!aqtime_decimals(aq->own, r->values[5].text, &row.values, &row.value_count) ||
		!row.value_count)
		return reject_odd(r, 5);
	if (!aqtime_json_is_valid(row.attributes))
		return reject_odd(r, 6);
	if (aqtime_int(r, 1) != ++aq->sets[r->set].samples)
		return sent(r,
			error_set(aq->err, ERROR_INTERNAL,
				"sample %lld should have the ID %lld; samples must be "
				"sorted by ID",
				(long long)aqtime_int(r, 1), (long long)aq->sets[r->set].samples));
	return sent(r, aq->sink->sample(aq->sink, r->set, &row, aq->err));
}

static enum aqtime_step
read_call(struct aqtime_reader *r)
{
	struct aqtime *aq = r->aq;
	struct frame_row row = { .id = aqtime_int(r, 1),
		.parent_id = aqtime_int(r, 2),
		.track = (int32_t)aqtime_int(r, 3),
		.routine_id = aqtime_int(r, 4),
		.path = PATH_OF_PARENT };
	enum aqtime_step step = find_metric(r, aqtime_int(r, 3), &row.metric);

	if (step != AQTIME_ROW)
		return step;
	for (size_t i = 5; i < 7; i++)
		if (!aqtime_decimal(r->values[i].text, i == 5 ? &row.start : &row.stop))
			return reject_odd(r, i);
	return sent(r, aq->sink->frame(aq->sink, r->set, &row, aq->err));
}

/* If a call's numbers do not fit into a block of calls, the depot stores the call as a span of the
 * kind "frame". This function turns such a span back into a call. */
static bool
send_span(struct aqtime *aq, uint32_t set, const struct span_row *s)
{
	struct frame_row frame = { s->id, s->parent_id, s->track, s->metric, s->routine_id, s->path,
		s->start, { 0 } };

	if (strcmp(s->kind, "frame") == 0 && decimal_add(s->start, s->duration, &frame.stop))
		return aq->sink->frame(aq->sink, set, &frame, aq->err);
	return aq->sink->span(aq->sink, set, s, aq->err);
}

static enum aqtime_step
read_span(struct aqtime_reader *r)
{
	struct span_row row = { .path = PATH_OF_PARENT };
	enum aqtime_step step = aqtime_own_fill(r, &span_row_table, &row);

	if (step == AQTIME_ROW)
		step = find_metric(r, row.track, &row.metric);
	if (step == AQTIME_ROW)
		step = find_stack(r, row.stack, &row.stack);
	return step == AQTIME_ROW ? sent(r, send_span(r->aq, r->set, &row)) : step;
}

static enum aqtime_step
read_further_stack(struct aqtime_reader *r)
{
	struct sink *sink = r->aq->sink;
	struct further_stack_row row = { 0 };
	enum aqtime_step step = aqtime_own_fill(r, &further_stack_row_table, &row);

	if (step == AQTIME_ROW)
		step = find_stack(r, row.stack, &row.stack);
	if (step != AQTIME_ROW)
		return step;
	return sent(r, sink->further_stack(sink, r->set, &row, r->aq->err));
}

static enum aqtime_step
read_suppression(struct aqtime_reader *r)
{
	struct sink *sink = r->aq->sink;
	struct suppression_row row = { 0 };
	enum aqtime_step step = aqtime_own_fill(r, &suppression_row_table, &row);

	if (step != AQTIME_ROW)
		return step;
	return sent(r, sink->suppression(sink, r->set, &row, r->aq->err));
}

static enum aqtime_step
read_graph(struct aqtime_reader *r)
{
	static const char *const kinds[] = { "self", "call", "jump", "conditional jump" };
	struct sink *sink = r->aq->sink;
	struct graph_row row = { 0 };
	enum aqtime_step step = aqtime_own_fill(r, &graph_row_table, &row);

	if (step != AQTIME_ROW)
		return step;
	if (text_among(text_from(row.kind), kinds, 4) == 4)
		return aqtime_reject(
			r, ISSUE_ODD_VALUE, "\"%.60s\" is not a kind of call graph row", row.kind);
	return sent(r, sink->graph(sink, r->set, &row, r->aq->err));
}

bool
aqtime_read_tracks(struct aqtime *aq)
{
	return each_of(aq, AQTIME_METRICS, read_metric) &&
	       each_own(aq, &track_row_table, read_track) && each_of(aq, AQTIME_STACKS, read_stack);
}

bool
aqtime_read_measures(struct aqtime *aq)
{
	for (size_t i = 0; i < aq->set_count; i++)
		aq->sets[i].samples = 0;
	return each_own(aq, &further_stack_row_table, read_further_stack) &&
	       each_own(aq, &suppression_row_table, read_suppression) &&
	       each_of(aq, AQTIME_SAMPLES, read_sample) && each_of(aq, AQTIME_CALLS, read_call) &&
	       each_own(aq, &span_row_table, read_span) &&
	       each_own(aq, &graph_row_table, read_graph);
}
