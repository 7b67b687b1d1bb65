/* Streams of facts and frames in merge order. */
#include "aqtime_own_private.h"
#include "aqtime_streams_private.h"

#include "base/array.h"
#include "input/sort.h"

#include <stdlib.h>

enum {
	TEXT_MAX_BYTES = 256 * 1024 * 1024, /* limit for distinct error descriptions and names */
	MAX_REPEATED_FRAMES = 1000000,
};

static int
compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
compare_facts(const void *a, const void *b)
{
	const struct aqtime_fact *x = a;
	const struct aqtime_fact *y = b;
	int order = compare(x->set, y->set);

	return order ? order : compare(x->row.object.id, y->row.object.id);
}

static int
compare_frame_ids(const void *a, const void *b)
{
	const struct aqtime_frame *x = a;
	const struct aqtime_frame *y = b;
	int order = compare(x->set, y->set);

	return order ? order : compare(x->id, y->id);
}

static int
compare_frames(const void *a, const void *b)
{
	const struct aqtime_frame *x = a;
	const struct aqtime_frame *y = b;
	int order = compare(x->set, y->set);

	if (!order)
		order = compare(x->parent_id, y->parent_id);
	if (!order)
		order = compare(x->rec_id, y->rec_id);
	return order ? order : compare(x->id, y->id);
}

/* Replaces the text with a copy that all equal texts share. This saves memory while the rows are
 * sorted, because errors have few distinct texts. */
static bool
intern(struct aqtime_stream *s, struct text *t)
{
	uint32_t index;
	bool added;

	if (!t->data)
		return true;
	index = pair_map_add_bytes(&s->texts, t->data, t->size, (uint32_t)s->text_count, &added);
	if (added) {
		s->text_bytes += t->size;
		if (s->text_bytes > TEXT_MAX_BYTES)
			return error_set(s->reader.aq->err, ERROR_LIMIT,
				"%s: more than 256 MiB of distinct texts in unsorted rows",
				s->reader.rows->source);
		*ARRAY_ADD(s->text_list, s->text_count, s->text_room) =
			arena_text(s->reader.aq->source->arena, *t);
	}
	*t = s->text_list[index];
	return true;
}

static void
object_from(const struct aqtime_reader *r, struct object_row *o)
{
	*o = (struct object_row){
		.id = aqtime_int(r, KEY_ID),
		.parent_id = aqtime_int(r, KEY_PARENT),
		.rec_id = aqtime_int(r, KEY_REC),
		.class_id = aqtime_int(r, FIRST),
		.get_number = aqtime_int(r, FIRST + 1),
		.thread_id = aqtime_int(r, FIRST + 2),
		.number = r->values[FIRST + 3].number,
		.address = r->values[FIRST + 4].number,
		.size = r->values[FIRST + 5].number,
		.block_count = 1,
		.stack_first_id = MODEL_NULL,
	};
}

static void
error_from(const struct aqtime_reader *r, struct error_row *e)
{
	*e = (struct error_row){
		.id = aqtime_int(r, KEY_ID),
		.parent_id = aqtime_int(r, KEY_PARENT),
		.rec_id = aqtime_int(r, KEY_REC),
		.number = aqtime_int(r, FIRST),
		.error_code = aqtime_int(r, FIRST + 1),
		.kind = aqtime_int(r, FIRST + 2),
		.description = r->values[FIRST + 3].text,
		.name = r->values[FIRST + 4].text,
		.stack_first_id = MODEL_NULL,
	};
}

/* Whether the error's thread exists; true if the export has no threads. */
static bool
has_parent(const struct aqtime_reader *r, const struct error_row *e)
{
	return e->parent_id == MODEL_NULL || e->parent_id == -1 ||
	       !r->aq->sets[r->set].has_threads ||
	       pair_map_get(&r->aq->threads, r->set, e->parent_id) != PAIR_MAP_NONE;
}

static enum aqtime_step
fact_from(struct aqtime_stream *s, struct aqtime_fact *fact)
{
	struct aqtime_reader *r = &s->reader;

	if (s->own)
		return aqtime_own_fill(r, s->own, &fact->row);
	if (!s->errors) {
		object_from(r, &fact->row.object);
		return AQTIME_ROW;
	}
	error_from(r, &fact->row.error);
	if (has_parent(r, &fact->row.error))
		return AQTIME_ROW;
	return aqtime_reject(r, ISSUE_DANGLING_PARENT, "thread %lld does not exist",
		(long long)fact->row.error.parent_id);
}

static enum aqtime_step
parse_fact(struct aqtime_stream *s, struct aqtime_fact *fact)
{
	struct aqtime_reader *r = &s->reader;
	enum aqtime_step step;

	do {
		step = aqtime_next(r);
		if (step != AQTIME_ROW)
			return step;
		memset(fact, 0, sizeof(*fact));
		fact->set = r->set;
		fact->line = r->row.line;
		fact->offset = r->row.offset;
		step = fact_from(s, fact);
	} while (step == AQTIME_REJECTED);
	return step;
}

static enum aqtime_step
parse_frame(struct aqtime_stream *s, struct aqtime_frame *frame)
{
	struct aqtime_reader *r = &s->reader;
	enum aqtime_step step;

	do {
		step = aqtime_next(r);
		if (step != AQTIME_ROW)
			return step;
	} while (s->drop.count && pair_map_get(&s->drop, (int64_t)r->sequence, 0) != PAIR_MAP_NONE);
	*frame = (struct aqtime_frame){
		.set = r->set,
		.sequence = r->sequence,
		.line = r->row.line,
		.offset = r->row.offset,
		.id = aqtime_int(r, KEY_ID),
		.parent_id = aqtime_int(r, KEY_PARENT),
		.rec_id = aqtime_int(r, KEY_REC),
		.routine_id = aqtime_int(r, FIRST),
		.line_id = aqtime_int(r, FIRST + 1),
		.hit_count = s->errors ? MODEL_NULL : aqtime_int(r, FIRST + 2),
	};
	return AQTIME_ROW;
}

static bool
intern_fact(struct aqtime_stream *s, struct aqtime_fact *fact)
{
	for (size_t i = 0; s->own && i < s->own->count; i++) {
		const struct row_column *c = &s->own->columns[i];
		char *member = (char *)&fact->row + c->offset;

		if (row_column_is_own(s->own, c) && (c->type == ROW_TEXT || c->type == ROW_JSON) &&
			!intern(s, (struct text *)(void *)member))
			return false;
	}
	return s->own || !s->errors ||
	       (intern(s, &fact->row.error.description) && intern(s, &fact->row.error.name));
}

static bool
sort_facts(struct aqtime_stream *s)
{
	struct error *err = s->reader.aq->err;
	struct aqtime_fact fact;
	enum aqtime_step step;

	s->sorter = sorter_new(sizeof(fact), compare_facts, 0);
	while ((step = parse_fact(s, &fact)) == AQTIME_ROW) {
		if (!intern_fact(s, &fact))
			return false;
		if (!sorter_add(s->sorter, &fact, err))
			return false;
	}
	return step == AQTIME_END && sorter_finish(s->sorter, err);
}

static bool
sort_frames(struct aqtime_stream *s, struct sorter *sorter)
{
	struct error *err = s->reader.aq->err;
	struct aqtime_frame frame;
	enum aqtime_step step;

	while ((step = parse_frame(s, &frame)) == AQTIME_ROW)
		if (!sorter_add(sorter, &frame, err))
			return false;
	return step == AQTIME_END && sorter_finish(sorter, err);
}

static enum aqtime_step
open_stream(struct aqtime *aq, struct aqtime_stream *s, enum aqtime_table_id id, bool errors,
	bool sorted)
{
	enum aqtime_step step;

	*s = (struct aqtime_stream){ .errors = errors, .sorted = sorted };
	step = aqtime_open(aq, id, &s->reader);
	s->present = step == AQTIME_ROW;
	return step;
}

bool
aqtime_facts_open(struct aqtime *aq, struct aqtime_stream *s, bool errors, bool sorted)
{
	enum aqtime_step step =
		open_stream(aq, s, errors ? AQTIME_ERRORS : AQTIME_OBJECTS, errors, sorted);

	return step == AQTIME_END || (step == AQTIME_ROW && (!sorted || sort_facts(s)));
}

bool
aqtime_own_facts_open(struct aqtime *aq, struct aqtime_stream *s, bool errors, bool sorted)
{
	enum aqtime_step step;

	*s = (struct aqtime_stream){ .errors = errors, .sorted = sorted };
	s->own = errors ? &error_row_table : &object_row_table;
	step = aqtime_own_open(aq, s->own, &s->reader);
	s->present = step == AQTIME_ROW;
	return step == AQTIME_END || (step == AQTIME_ROW && (!sorted || sort_facts(s)));
}

struct issue
aqtime_stream_place(
	const struct aqtime_stream *s, enum issue_code code, uint64_t line, uint64_t offset)
{
	return (struct issue){ .code = code,
		.source = s->reader.rows->source,
		.line = line,
		.offset = offset,
		.raw = s->sorted ? TEXT_NULL : s->reader.row.raw };
}

/* Reports the frames that repeat an ID, and adds them to s->drop; the second read skips them. */
static bool
note_repeated(struct aqtime_stream *s, struct sorter *by_id)
{
	struct aqtime *aq = s->reader.aq;
	const void *record;
	struct aqtime_frame last = { .set = PAIR_MAP_NONE };

	for (;;) {
		const struct aqtime_frame *f;
		struct issue at = { .code = ISSUE_DUPLICATE_ID, .source = s->reader.rows->source };

		if (!sorter_next(by_id, &record, aq->err))
			return false;
		if (!record)
			return true;
		f = record;
		if (f->set != last.set || f->id != last.id) {
			last = *f;
			continue;
		}
		at.line = f->line;
		at.offset = f->offset;
		if (!aqtime_issue(aq, f->set, at, "ID %lld is already in line %llu",
			    (long long)f->id, (unsigned long long)last.line))
			return false;
		if (s->drop.count == MAX_REPEATED_FRAMES)
			return error_set(aq->err, ERROR_LIMIT,
				"%s: more than a million rows repeat an ID",
				s->reader.rows->source);
		pair_map_add(&s->drop, (int64_t)f->sequence, 0, 0, NULL);
	}
}

static bool
check_frame_ids(struct aqtime *aq, struct aqtime_stream *s, enum aqtime_table_id id)
{
	struct sorter *by_id = sorter_new(sizeof(struct aqtime_frame), compare_frame_ids, 0);
	bool ok = sort_frames(s, by_id);

	aq->quiet = false;
	ok = ok && note_repeated(s, by_id);
	sorter_free(by_id);
	aqtime_close(&s->reader);
	return ok && aqtime_open(aq, id, &s->reader) == AQTIME_ROW;
}

bool
aqtime_frames_open(
	struct aqtime *aq, struct aqtime_stream *s, bool errors, bool sorted, bool check_ids)
{
	enum aqtime_table_id id = errors ? AQTIME_STACK : AQTIME_CREATION_STACK;
	enum aqtime_step step;

	aq->quiet = check_ids;
	step = open_stream(aq, s, id, errors, sorted);
	if (step != AQTIME_ROW) {
		aq->quiet = false;
		return step == AQTIME_END;
	}
	if (check_ids && !check_frame_ids(aq, s, id))
		return false;
	if (!sorted)
		return true;
	s->sorter = sorter_new(sizeof(struct aqtime_frame), compare_frames, 0);
	return sort_frames(s, s->sorter);
}

void
aqtime_stream_close(struct aqtime_stream *s)
{
	sorter_free(s->sorter);
	pair_map_release(&s->texts);
	pair_map_release(&s->drop);
	free(s->text_list);
	if (s->present)
		aqtime_close(&s->reader);
}

/* Compares the row's set and key with those of the previous row, and returns -1, 0 or 1. */
static int
follow(struct aqtime_stream *s, uint32_t set, int64_t key)
{
	int order = 1;

	if (s->any && set == s->last_set)
		order = compare(key, s->last_key);
	else if (s->any)
		order = set < s->last_set ? -1 : 1;
	if (order >= 0) {
		s->any = true;
		s->last_set = set;
		s->last_key = key;
	}
	return order;
}

static enum aqtime_step
next_record(struct aqtime_stream *s, void *out, size_t size)
{
	const void *record;

	if (!sorter_next(s->sorter, &record, s->reader.aq->err))
		return AQTIME_FAILED;
	if (!record)
		return AQTIME_END;
	memcpy(out, record, size);
	return AQTIME_ROW;
}

enum aqtime_step
aqtime_facts_next(struct aqtime_stream *s, struct aqtime_fact *fact)
{
	if (!s->present)
		return AQTIME_END;
	for (;;) {
		enum aqtime_step step =
			s->sorted ? next_record(s, fact, sizeof(*fact)) : parse_fact(s, fact);
		int order;

		if (step != AQTIME_ROW)
			return step;
		order = follow(s, fact->set, fact->row.object.id);
		if (order > 0)
			return AQTIME_ROW;
		if (order < 0)
			return AQTIME_UNORDERED;
		if (!aqtime_issue(s->reader.aq, fact->set,
			    aqtime_stream_place(s, ISSUE_DUPLICATE_ID, fact->line, fact->offset),
			    "ID %lld is a duplicate", (long long)fact->row.object.id))
			return AQTIME_FAILED;
	}
}

enum aqtime_step
aqtime_frames_next(struct aqtime_stream *s, struct aqtime_frame *frame)
{
	enum aqtime_step step;

	if (!s->present)
		return AQTIME_END;
	step = s->sorted ? next_record(s, frame, sizeof(*frame)) : parse_frame(s, frame);
	if (step == AQTIME_ROW && follow(s, frame->set, frame->parent_id) < 0)
		return AQTIME_UNORDERED;
	return step;
}
