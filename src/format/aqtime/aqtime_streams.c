#include "aqtime_streams_private.h"

#include "base/hash.h"
#include "input/sort.h"

#include <stdlib.h>

enum {
	TEXT_MAX_BYTES = 256 * 1024 * 1024, /* distinct descriptions and names of errors */
	MAX_REPEATED_FRAMES = 1000000,
};

/* Positions in aqtime_tables. */
enum {
	KEY_ID = 1,
	KEY_PARENT,
	KEY_REC,
	FIRST
};

static int
compare_longs(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
compare_facts(const void *a, const void *b)
{
	const struct aqtime_fact *x = a;
	const struct aqtime_fact *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	return compare_longs(x->row.object.id, y->row.object.id);
}

static int
compare_frames(const void *a, const void *b)
{
	const struct aqtime_frame *x = a;
	const struct aqtime_frame *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	if (x->parent_id != y->parent_id)
		return compare_longs(x->parent_id, y->parent_id);
	if (x->rec_id != y->rec_id)
		return compare_longs(x->rec_id, y->rec_id);
	return compare_longs(x->id, y->id);
}

/* By ID, for finding the ones that repeat. */
static int
compare_frame_ids(const void *a, const void *b)
{
	const struct aqtime_frame *x = a;
	const struct aqtime_frame *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	return compare_longs(x->id, y->id);
}

/* Error texts are few: each is kept once while the rows are sorted. */
static bool
intern(struct aqtime_stream *s, struct text *t)
{
	struct hash128 h;
	uint32_t index;
	bool added;

	if (!t->data)
		return true;
	h = hash128(t->data, t->size);
	index = pair_map_add(
		&s->texts, (int64_t)h.low, (int64_t)h.high, (uint32_t)s->text_count, &added);
	if (added) {
		s->text_bytes += t->size;
		if (s->text_bytes > TEXT_MAX_BYTES)
			return error_set(s->reader.aq->err, ERROR_LIMIT,
				"%s: more than 256 MiB of distinct texts in rows out of order",
				s->reader.rows->source);
		if (s->text_count == s->text_room) {
			s->text_room = s->text_room ? s->text_room * 2 : 64;
			s->text_list = xrealloc(s->text_list, s->text_room * sizeof(*s->text_list));
		}
		s->text_list[s->text_count++] = arena_text(s->reader.aq->source->arena, *t);
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

/* An error belongs to its thread: without it the row is left out, as a line
 * without its routine is. An export without threads loads all the same. */
static int
has_parent(struct aqtime_reader *r, const struct error_row *e)
{
	struct aqtime *aq = r->aq;

	if (e->parent_id == MODEL_NULL || e->parent_id == -1 || !aq->has_threads[r->set] ||
		pair_map_get(&aq->threads, r->set, e->parent_id) != PAIR_MAP_NONE)
		return 1;
	return aqtime_reject(r, ISSUE_DANGLING_PARENT, "thread %lld is not there",
		       (long long)e->parent_id)
		       ? 0
		       : -1;
}

/* 1, 0 end, -1 failed. */
static int
parse_fact(struct aqtime_stream *s, struct aqtime_fact *fact)
{
	struct aqtime_reader *r = &s->reader;
	int good;

	do {
		good = aqtime_next(r);
		if (good != 1)
			return good;
		memset(fact, 0, sizeof(*fact));
		fact->set = r->set;
		fact->line = r->row.line;
		fact->offset = r->row.offset;
		if (!s->errors) {
			object_from(r, &fact->row.object);
			return 1;
		}
		error_from(r, &fact->row.error);
		good = has_parent(r, &fact->row.error);
	} while (good == 0);
	return good;
}

/* 1, 0 end, -1 failed. */
static int
parse_frame(struct aqtime_stream *s, struct aqtime_frame *frame)
{
	struct aqtime_reader *r = &s->reader;
	int good;

	do {
		good = aqtime_next(r);
		if (good != 1)
			return good;
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
	return 1;
}

static bool
sort_facts(struct aqtime_stream *s)
{
	struct error *err = s->reader.aq->err;
	struct aqtime_fact fact;
	int more;

	s->sorter = sorter_new(sizeof(fact), compare_facts, 0);
	while ((more = parse_fact(s, &fact)) == 1) {
		if (s->errors && (!intern(s, &fact.row.error.description) ||
					 !intern(s, &fact.row.error.name)))
			return false;
		if (!sorter_add(s->sorter, &fact, err))
			return false;
	}
	return more == 0 && sorter_finish(s->sorter, err);
}

static bool
sort_frames(struct aqtime_stream *s)
{
	struct error *err = s->reader.aq->err;
	struct aqtime_frame frame;
	int more;

	s->sorter = sorter_new(sizeof(frame), compare_frames, 0);
	while ((more = parse_frame(s, &frame)) == 1)
		if (!sorter_add(s->sorter, &frame, err))
			return false;
	return more == 0 && sorter_finish(s->sorter, err);
}

bool
aqtime_facts_open(struct aqtime *aq, struct aqtime_stream *s, bool errors, bool sorted)
{
	int open;

	memset(s, 0, sizeof(*s));
	pair_map_init(&s->texts);
	pair_map_init(&s->drop);
	s->errors = errors;
	s->sorted = sorted;
	open = aqtime_open(aq, errors ? AQTIME_ERRORS : AQTIME_OBJECTS, &s->reader);
	s->present = open == 1;
	return open == 0 || (open == 1 && (!sorted || sort_facts(s)));
}

/* Tells the frames that repeat an ID and notes them, so that they are left
 * out when the file is read for good. */
static bool
note_repeated(struct aqtime_stream *s, struct sorter *by_id)
{
	struct aqtime *aq = s->reader.aq;
	const void *record;
	struct aqtime_frame last = { .set = PAIR_MAP_NONE };

	for (;;) {
		const struct aqtime_frame *f;
		char message[80];

		if (!sorter_next(by_id, &record, aq->err))
			return false;
		if (!record)
			return true;
		f = record;
		if (f->set != last.set || f->id != last.id) {
			last = *f;
			continue;
		}
		snprintf(message, sizeof(message), "ID %lld stands in line %llu already",
			(long long)f->id, (unsigned long long)last.line);
		if (!aqtime_issue(aq, f->set, ISSUE_DUPLICATE_ID, s->reader.rows->source, f->line,
			    f->offset, message))
			return false;
		if (s->drop.count == MAX_REPEATED_FRAMES)
			return error_set(aq->err, ERROR_LIMIT,
				"%s: more than a million rows repeat an ID",
				s->reader.rows->source);
		pair_map_add(&s->drop, (int64_t)f->sequence, 0, 0, NULL);
	}
}

static bool
check_frame_ids(struct aqtime *aq, struct aqtime_stream *s)
{
	enum aqtime_table_id id = s->errors ? AQTIME_STACK : AQTIME_CREATION_STACK;
	struct sorter *by_id = sorter_new(sizeof(struct aqtime_frame), compare_frame_ids, 0);
	struct aqtime_frame frame;
	bool ok;
	int more;

	while ((more = parse_frame(s, &frame)) == 1)
		if (!sorter_add(by_id, &frame, aq->err))
			break;
	aq->quiet = false;
	ok = more == 0 && sorter_finish(by_id, aq->err) && note_repeated(s, by_id);
	sorter_free(by_id);
	aqtime_close(&s->reader);
	return ok && aqtime_open(aq, id, &s->reader) == 1;
}

bool
aqtime_frames_open(
	struct aqtime *aq, struct aqtime_stream *s, bool errors, bool sorted, bool check_ids)
{
	int open;

	memset(s, 0, sizeof(*s));
	pair_map_init(&s->texts);
	pair_map_init(&s->drop);
	s->errors = errors;
	s->sorted = sorted;
	aq->quiet = check_ids;
	open = aqtime_open(aq, errors ? AQTIME_STACK : AQTIME_CREATION_STACK, &s->reader);
	s->present = open == 1;
	if (open != 1) {
		aq->quiet = false;
		return open == 0;
	}
	if (check_ids && !check_frame_ids(aq, s))
		return false;
	return !sorted || sort_frames(s);
}

void
aqtime_stream_close(struct aqtime_stream *s)
{
	sorter_free(s->sorter);
	pair_map_release(&s->texts);
	pair_map_release(&s->drop);
	free(s->text_list);
	s->sorter = NULL;
	s->text_list = NULL;
	if (s->present)
		aqtime_close(&s->reader);
	s->present = false;
}

/* -1, 0, 1 as the row's key is before, equal to or behind the last one's. */
static int
follow(struct aqtime_stream *s, uint32_t set, int64_t key)
{
	int order = 1;

	if (s->any && set == s->last_set)
		order = compare_longs(key, s->last_key);
	else if (s->any)
		order = set < s->last_set ? -1 : 1;
	if (order >= 0) {
		s->any = true;
		s->last_set = set;
		s->last_key = key;
	}
	return order;
}

static bool
repeated_fact(struct aqtime_stream *s, const struct aqtime_fact *fact)
{
	char message[80];

	snprintf(message, sizeof(message), "ID %lld is there already",
		(long long)fact->row.object.id);
	if (!s->sorted) {
		s->reader.set = fact->set;
		return aqtime_reject(&s->reader, ISSUE_DUPLICATE_ID, "%s", message);
	}
	return aqtime_issue(s->reader.aq, fact->set, ISSUE_DUPLICATE_ID, s->reader.rows->source,
		fact->line, fact->offset, message);
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
	static const enum aqtime_step steps[] = { AQTIME_FAILED, AQTIME_END, AQTIME_ROW };

	if (!s->present)
		return AQTIME_END;
	for (;;) {
		enum aqtime_step step = s->sorted ? next_record(s, fact, sizeof(*fact))
						  : steps[parse_fact(s, fact) + 1];
		int order;

		if (step != AQTIME_ROW)
			return step;
		order = follow(s, fact->set, fact->row.object.id);
		if (order > 0)
			return AQTIME_ROW;
		if (order < 0)
			return AQTIME_UNORDERED;
		if (!repeated_fact(s, fact))
			return AQTIME_FAILED;
	}
}

enum aqtime_step
aqtime_frames_next(struct aqtime_stream *s, struct aqtime_frame *frame)
{
	static const enum aqtime_step steps[] = { AQTIME_FAILED, AQTIME_END, AQTIME_ROW };
	enum aqtime_step step;

	if (!s->present)
		return AQTIME_END;
	step = s->sorted ? next_record(s, frame, sizeof(*frame)) : steps[parse_frame(s, frame) + 1];
	if (step == AQTIME_ROW && follow(s, frame->set, frame->parent_id) < 0)
		return AQTIME_UNORDERED;
	return step;
}
