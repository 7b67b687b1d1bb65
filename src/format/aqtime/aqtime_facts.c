/*
 * Merges facts (objects, errors) with the frames of their stacks. Both streams are ordered by set and
 * key, so only one stack is in memory.
 */
#include "aqtime_streams_private.h"

#include "base/array.h"

#include <stdlib.h>

struct merge {
	struct aqtime *aq;
	bool errors;
	bool check_ids; /* frames that repeat an ID were left out */
	struct aqtime_stream facts, frames;
	struct aqtime_frame *group; /* the frames of the current fact */
	size_t count, room;
	struct aqtime_frame ahead; /* the next frame */
	enum aqtime_step ahead_step;
	int64_t *arrays; /* routines, lines, hits, IDs, positions */
	size_t arrays_room;
	uint32_t last_set; /* the last frame's set, to check that IDs ascend */
	int64_t last_id;
	bool any;
};

enum outcome {
	GOOD,
	FAILED,
	UNORDERED_FACTS,
	UNORDERED_FRAMES,
	UNORDERED_IDS
};

static enum outcome
advance(struct merge *m)
{
	m->ahead_step = aqtime_frames_next(&m->frames, &m->ahead);
	if (m->ahead_step == AQTIME_FAILED)
		return FAILED;
	return m->ahead_step == AQTIME_UNORDERED ? UNORDERED_FRAMES : GOOD;
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

/* Moves the frames of the owner into m->group. */
static enum outcome
collect(struct merge *m, uint32_t set, int64_t id)
{
	m->count = 0;
	while (m->ahead_step == AQTIME_ROW) {
		int order = compare_owner(&m->ahead, set, id);
		enum outcome o;

		if (order > 0)
			break;
		if (!(order < 0 ? report_dangling(m) : add_frame(m)))
			return FAILED;
		o = advance(m);
		if (o != GOOD)
			return o;
	}
	return GOOD;
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

/* If two frames have the same position, the one with the lower ID is the inner one. */
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

/* Ascending IDs cannot repeat. Otherwise the file is read again to find repeated IDs. */
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
	bool lines, hits; /* at least one frame has a line or hit count */
	bool consecutive; /* IDs */
	bool positions;   /* 0..n-1 */
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

static enum outcome
merge_all(struct merge *m)
{
	struct aqtime_fact fact;
	enum outcome o = advance(m);
	enum aqtime_step step = AQTIME_ROW;

	while (o == GOOD && (step = aqtime_facts_next(&m->facts, &fact)) == AQTIME_ROW) {
		o = collect(m, fact.set, fact.row.object.id);
		if (o != GOOD)
			return o;
		order_group(m);
		if (!m->check_ids && !ids_rise(m))
			return UNORDERED_IDS;
		if (!emit_fact(m, &fact))
			return FAILED;
	}
	if (o != GOOD || step == AQTIME_FAILED)
		return o != GOOD ? o : FAILED;
	if (step == AQTIME_UNORDERED)
		return UNORDERED_FACTS;
	while (m->ahead_step == AQTIME_ROW) {
		if (!report_dangling(m))
			return FAILED;
		o = advance(m);
		if (o != GOOD)
			return o;
	}
	return GOOD;
}

enum format_result
aqtime_read_facts(struct aqtime *aq, bool errors)
{
	unsigned plan = aq->source->plan;
	unsigned sort_facts = errors ? AQTIME_SORT_ERRORS : AQTIME_SORT_OBJECTS;
	unsigned sort_frames = errors ? AQTIME_SORT_STACK : AQTIME_SORT_CREATION_STACK;
	unsigned check_ids = errors ? AQTIME_CHECK_STACK_IDS : AQTIME_CHECK_CREATION_IDS;
	struct merge m = { .aq = aq, .errors = errors, .check_ids = plan & check_ids };
	enum outcome o = FAILED;

	if (aqtime_facts_open(aq, &m.facts, errors, plan & sort_facts) &&
		aqtime_frames_open(aq, &m.frames, errors, plan & sort_frames, plan & check_ids))
		o = merge_all(&m);
	aqtime_stream_close(&m.facts);
	aqtime_stream_close(&m.frames);
	free(m.group);
	free(m.arrays);
	switch (o) {
	case GOOD:
		return FORMAT_DONE;
	case FAILED:
		return FORMAT_FAILED;
	case UNORDERED_FACTS:
		aq->source->plan |= sort_facts;
		break;
	case UNORDERED_FRAMES:
		aq->source->plan |= sort_frames;
		break;
	case UNORDERED_IDS:
		aq->source->plan |= check_ids;
		break;
	}
	return FORMAT_AGAIN;
}
