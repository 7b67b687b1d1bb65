/*
 * Merges facts (objects, errors) with the frames of their stacks. Both streams are ordered by set and
 * key, so only one stack is in memory.
 */
#include "aqtime_own_private.h"
#include "aqtime_streams_private.h"

#include "base/array.h"

#include <stdlib.h>

/* The flags that a merge may add to format_source.plan. */
struct plans {
	unsigned facts, frames; /* flags: one to sort the facts, one to sort the frames */
	unsigned ids;           /* flag to look for frames that repeat an ID */
};

struct merge {
	struct aqtime *aq;
	const struct plans *plans;
	struct aqtime_stream facts, frames, own;
	struct aqtime_fact own_ahead; /* the next row of profdepot's own table */
	enum aqtime_step own_step;
	struct aqtime_frame *group; /* the frames of the current fact */
	size_t count, room;
	struct aqtime_frame ahead; /* the next frame, already read */
	enum aqtime_step ahead_step;
	int64_t *arrays; /* room for a stack's routines, lines, hits, IDs and positions */
	size_t arrays_room;
	uint32_t last_set; /* the previous frame's set, to check that IDs ascend */
	int64_t last_id;
	bool any;
	bool errors;
	bool check_ids; /* whether frames that repeat an ID were skipped */
};

/* Adds flags to the plan for the next read of the input. */
static enum format_result
read_again(struct merge *m, unsigned plan)
{
	m->aq->source->plan |= plan;
	return FORMAT_AGAIN;
}

static enum format_result
advance(struct merge *m)
{
	m->ahead_step = aqtime_frames_next(&m->frames, &m->ahead);
	if (m->ahead_step == AQTIME_FAILED)
		return FORMAT_FAILED;
	return m->ahead_step == AQTIME_UNORDERED ? read_again(m, m->plans->frames) : FORMAT_DONE;
}

static enum format_result
advance_own(struct merge *m)
{
	m->own_step = aqtime_facts_next(&m->own, &m->own_ahead);
	if (m->own_step == AQTIME_FAILED)
		return FORMAT_FAILED;
	return m->own_step == AQTIME_UNORDERED ? read_again(m, m->plans->facts) : FORMAT_DONE;
}

static int
compare_facts(const struct aqtime_fact *a, const struct aqtime_fact *b)
{
	if (a->set != b->set)
		return a->set < b->set ? -1 : 1;
	return (a->row.object.id > b->row.object.id) - (a->row.object.id < b->row.object.id);
}

/* Fills the members of the fact that only profdepot's own table has. Rows of this table that belong
 * to no fact become issues. */
static enum format_result
merge_own(struct merge *m, struct aqtime_fact *fact)
{
	enum format_result result = FORMAT_DONE;

	while (result == FORMAT_DONE && m->own_step == AQTIME_ROW &&
		compare_facts(&m->own_ahead, fact) < 0) {
		if (!aqtime_issue(m->aq, m->own_ahead.set,
			    aqtime_stream_place(&m->own, ISSUE_DANGLING_PARENT, m->own_ahead.line,
				    m->own_ahead.offset),
			    "the ID %lld does not exist", (long long)m->own_ahead.row.object.id))
			return FORMAT_FAILED;
		result = advance_own(m);
	}
	if (m->own_step == AQTIME_ROW && compare_facts(&m->own_ahead, fact) == 0)
		row_copy_own(m->own.own, &m->own_ahead.row, &fact->row);
	return result;
}

static int
compare_owner(const struct aqtime_frame *f, uint32_t set, int64_t id)
{
	if (f->set != set)
		return f->set < set ? -1 : 1;
	return (f->parent_id > id) - (f->parent_id < id);
}

static struct issue
at_frame(const struct merge *m, enum issue_code code, const struct aqtime_frame *f)
{
	return aqtime_stream_place(&m->frames, code, f->line, f->offset);
}

static const char *
owner_name(const struct merge *m)
{
	return m->errors ? "error" : "object";
}

static bool
report_dangling(struct merge *m)
{
	const struct aqtime_frame *f = &m->ahead;

	return aqtime_issue(m->aq, f->set, at_frame(m, ISSUE_DANGLING_PARENT, f),
		"%s %lld does not exist", owner_name(m), (long long)f->parent_id);
}

static bool
add_frame(struct merge *m)
{
	if (m->count == STACK_MAX_FRAMES)
		return aqtime_issue(m->aq, m->ahead.set,
			at_frame(m, ISSUE_STACK_TOO_DEEP, &m->ahead),
			"the stack has more than %d frames", (int)STACK_MAX_FRAMES);
	*ARRAY_ADD(m->group, m->count, m->room) = m->ahead;
	return true;
}

/* Moves the frames of the fact (set, id) to m->group. Frames before them belong to no fact and
 * become issues. */
static enum format_result
collect(struct merge *m, uint32_t set, int64_t id)
{
	enum format_result result = FORMAT_DONE;

	m->count = 0;
	while (result == FORMAT_DONE && m->ahead_step == AQTIME_ROW) {
		int order = compare_owner(&m->ahead, set, id);

		if (order > 0)
			break;
		if (!(order < 0 ? report_dangling(m) : add_frame(m)))
			return FORMAT_FAILED;
		result = advance(m);
	}
	return result;
}

static int
compare_positions(const void *a, const void *b)
{
	const struct aqtime_frame *x = a;
	const struct aqtime_frame *y = b;

	if (x->rec_id != y->rec_id)
		return x->rec_id < y->rec_id ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

/* Orders the frames by position. If two have the same position, the frame with the lower ID is the inner one. */
static void
order_group(struct merge *m)
{
	for (size_t i = 1; i < m->count; i++) {
		if (compare_positions(&m->group[i - 1], &m->group[i]) > 0) {
			qsort(m->group, m->count, sizeof(*m->group), compare_positions);
			return;
		}
	}
}

/* Returns whether the IDs of the frames ascend. If they do, no ID is repeated. If they do not, the caller reads the
 * input again and looks for repeated IDs. */
static bool
ids_rise(struct merge *m)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct aqtime_frame *f = &m->group[i];

		if (m->any && m->last_set == f->set && f->id <= m->last_id)
			return false;
		m->any = true;
		m->last_set = f->set;
		m->last_id = f->id;
	}
	return true;
}

struct shape {
	bool lines, hits; /* whether at least one frame has a line, or a hit count */
	bool consecutive; /* whether the IDs are consecutive */
	bool positions;   /* whether the positions are 0..n-1 */
};

static struct shape
lay_out(struct merge *m, int64_t *arrays[5])
{
	struct shape s = { .consecutive = true, .positions = true };

	ARRAY_RESERVE(m->arrays, m->arrays_room, m->count * 5);
	for (size_t a = 0; a < 5; a++)
		arrays[a] = m->arrays + a * m->count;
	for (size_t i = 0; i < m->count; i++) {
		const struct aqtime_frame *f = &m->group[i];

		arrays[0][i] = f->routine_id;
		arrays[1][i] = f->line_id;
		arrays[2][i] = f->hit_count;
		arrays[3][i] = f->id;
		arrays[4][i] = f->rec_id;
		s.lines |= f->line_id != MODEL_NULL;
		s.hits |= f->hit_count != MODEL_NULL;
		s.consecutive &= f->id == m->group[0].id + (int64_t)i;
		s.positions &= f->rec_id == (int64_t)i;
	}
	return s;
}

static bool
emit_stack(struct merge *m, int64_t owner, stack_number *number)
{
	int64_t *arrays[5];
	struct shape s = lay_out(m, arrays);
	const struct stack_row row = {
		.count = m->count,
		.routine_ids = arrays[0],
		.line_ids = s.lines ? arrays[1] : NULL,
		.hit_counts = s.hits ? arrays[2] : NULL,
		.frame_ids = s.consecutive ? NULL : arrays[3],
		.rec_ids = s.positions ? NULL : arrays[4],
	};
	struct issue at = at_frame(m, ISSUE_STACK_POSITIONS, &m->group[0]);

	at.raw = TEXT_NULL;
	if (!s.positions && !aqtime_issue(m->aq, m->group[0].set, at,
				    "the positions in the stack of %s %lld are not 0..%zu",
				    owner_name(m), (long long)owner, m->count - 1))
		return false;
	return m->aq->sink->stack(m->aq->sink, m->group[0].set, &row, number, m->aq->err);
}

static bool
emit_fact(struct merge *m, struct aqtime_fact *fact)
{
	struct sink *sink = m->aq->sink;
	stack_number stack = 0;
	int64_t first = m->count ? m->group[0].id : MODEL_NULL;

	if (m->count && !emit_stack(m, fact->row.object.id, &stack))
		return false;
	if (m->errors) {
		fact->row.error.stack = stack;
		fact->row.error.stack_first_id = first;
		return sink->error(sink, fact->set, &fact->row.error, m->aq->err);
	}
	fact->row.object.stack = stack;
	fact->row.object.stack_first_id = first;
	return sink->object(sink, fact->set, &fact->row.object, m->aq->err);
}

static enum format_result
merge_all(struct merge *m)
{
	struct aqtime_fact fact;
	enum format_result result = advance(m);
	enum aqtime_step step = AQTIME_ROW;

	if (result == FORMAT_DONE)
		result = advance_own(m);
	while (result == FORMAT_DONE &&
		(step = aqtime_facts_next(&m->facts, &fact)) == AQTIME_ROW) {
		result = merge_own(m, &fact);
		if (result == FORMAT_DONE)
			result = collect(m, fact.set, fact.row.object.id);
		if (result != FORMAT_DONE)
			return result;
		order_group(m);
		if (!m->check_ids && !ids_rise(m))
			return read_again(m, m->plans->ids);
		if (!emit_fact(m, &fact))
			return FORMAT_FAILED;
	}
	if (result != FORMAT_DONE || step == AQTIME_FAILED)
		return result != FORMAT_DONE ? result : FORMAT_FAILED;
	if (step == AQTIME_UNORDERED)
		return read_again(m, m->plans->facts);
	/* The frames after the last fact belong to no fact. */
	return collect(m, UINT32_MAX, INT64_MAX);
}

enum format_result
aqtime_read_facts(struct aqtime *aq, bool errors)
{
	static const struct plans plans[] = {
		{ AQTIME_SORT_OBJECTS, AQTIME_SORT_CREATION_STACK, AQTIME_CHECK_CREATION_IDS },
		{ AQTIME_SORT_ERRORS, AQTIME_SORT_STACK, AQTIME_CHECK_STACK_IDS },
	};
	const struct plans *p = &plans[errors];
	unsigned plan = aq->source->plan;
	struct merge m = { .aq = aq, .errors = errors, .plans = p, .check_ids = plan & p->ids };
	enum format_result result = FORMAT_FAILED;

	if (aqtime_facts_open(aq, &m.facts, errors, plan & p->facts) &&
		aqtime_own_facts_open(aq, &m.own, errors, plan & p->facts) &&
		aqtime_frames_open(aq, &m.frames, errors, plan & p->frames, plan & p->ids))
		result = merge_all(&m);
	aqtime_stream_close(&m.facts);
	aqtime_stream_close(&m.own);
	aqtime_stream_close(&m.frames);
	free(m.group);
	free(m.arrays);
	return result;
}
