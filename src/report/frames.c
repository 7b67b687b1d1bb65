/* The frames of stacks: names for the ids in the arrays, and the order of stacks. */
#include "report_private.h"

#include "base/number.h"

#include <stdlib.h>

/* Known frames by (routine_id, line_id), open addressing, at most half full.
 * Small, so that a lookup costs one cache line. */
struct slot {
	int64_t routine_id, line_id;
	const struct table_frame *frame; /* NULL: free */
};

enum {
	STACK_SEPARATOR = 0x1e,
	FIELD_SEPARATOR = 0x1f,
};

struct frame_names {
	struct arena arena;
	struct slot *slots;
	size_t capacity; /* a power of two */
	size_t count;
};

/* In place of a line_id: a frame without a line, which shows the first line of the routine. */
#define OWN_LINE INT64_MIN

static size_t
slot_hash(int64_t routine_id, int64_t line_id)
{
	uint64_t h = (uint64_t)routine_id * UINT64_C(0x9e3779b97f4a7c15);

	h ^= ((uint64_t)line_id + 1) * UINT64_C(0xc2b2ae3d27d4eb4f);
	h ^= h >> 29;
	return (size_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 17);
}

static struct slot *
slot_of(struct slot *slots, size_t capacity, int64_t routine_id, int64_t line_id)
{
	size_t i = slot_hash(routine_id, line_id) & (capacity - 1);

	while (slots[i].frame && (slots[i].routine_id != routine_id || slots[i].line_id != line_id))
		i = (i + 1) & (capacity - 1);
	return &slots[i];
}

static void
grow(struct frame_names *f)
{
	size_t capacity = f->capacity ? f->capacity * 2 : 1024;
	struct slot *slots = xcalloc(capacity, sizeof(*slots));

	for (size_t i = 0; i < f->capacity; i++)
		if (f->slots[i].frame)
			*slot_of(slots, capacity, f->slots[i].routine_id, f->slots[i].line_id) =
				f->slots[i];
	free(f->slots);
	f->slots = slots;
	f->capacity = capacity;
}

static int64_t
int_of(struct text t, int64_t otherwise)
{
	struct number n;
	int64_t v;

	if (text_is_null(t) || number_parse(t, &n) != NUMBER_OK || !number_to_int64(n, &v))
		return otherwise;
	return v;
}

/* The first one stays. */
static void
remember(
	struct frame_names *f, int64_t routine_id, int64_t line_id, const struct table_frame *frame)
{
	struct table_frame *kept;
	struct slot *s;

	if ((f->count + 1) * 2 > f->capacity)
		grow(f);
	s = slot_of(f->slots, f->capacity, routine_id, line_id);
	if (s->frame)
		return;
	kept = arena_alloc(&f->arena, sizeof(*kept));
	*kept = *frame;
	*s = (struct slot){ routine_id, line_id, kept };
	f->count++;
}

static bool
take_routine(void *self, const struct db_result *row, struct error *err)
{
	struct frame_names *f = self;
	struct table_frame frame = {
		.module_name = arena_text(&f->arena, db_result_value(row, 0, 1)),
		.class_name = arena_text(&f->arena, db_result_value(row, 0, 2)),
		.routine_name = arena_text(&f->arena, db_result_value(row, 0, 3)),
		.unit_name = arena_text(&f->arena, db_result_value(row, 0, 4)),
		.source_file = arena_text(&f->arena, db_result_value(row, 0, 5)),
		.source_line = int_of(db_result_value(row, 0, 6), TABLE_NO_LINE),
		.symbol = arena_text(&f->arena, db_result_value(row, 0, 7)),
	};

	(void)err;
	remember(f, int_of(db_result_value(row, 0, 0), OWN_LINE), OWN_LINE, &frame);
	return true;
}

static bool
take_line(void *self, const struct db_result *row, struct error *err)
{
	struct frame_names *f = self;
	int64_t routine_id = int_of(db_result_value(row, 0, 0), OWN_LINE);
	int64_t line = int_of(db_result_value(row, 0, 2), TABLE_NO_LINE);
	const struct slot *own;
	struct table_frame frame;

	(void)err;
	if (!f->capacity || line == TABLE_NO_LINE)
		return true;
	own = slot_of(f->slots, f->capacity, routine_id, OWN_LINE);
	if (!own->frame)
		return true;
	frame = *own->frame;
	frame.source_line = line;
	remember(f, routine_id, int_of(db_result_value(row, 0, 1), OWN_LINE), &frame);
	return true;
}

struct frame_names *
frame_names_load(struct db *db, const char *inst_id, struct error *err)
{
	static const char routines[] =
		"SELECT r.rec_id, r.col_module_name, r.col_class_name, r.col_routine_name,"
		" r.col_unit_name, r.col_source_file, r.col_source_line, r.col_symbol_moniker"
		" FROM profdepot.resource_profiler_meta_routines r"
		" WHERE r.inst_id = $1::bigint AND r.rec_id IS NOT NULL ORDER BY r.id";
	static const char lines[] =
		"SELECT r.rec_id, l.rec_id, l.col_source_line"
		" FROM profdepot.resource_profiler_meta_lines l"
		" JOIN profdepot.resource_profiler_meta_routines r"
		" ON r.inst_id = $1::bigint AND r.id = l.parent_id"
		" WHERE l.inst_id = $1::bigint AND l.rec_id IS NOT NULL AND r.rec_id IS NOT NULL";
	struct frame_names *f = xcalloc(1, sizeof(*f));

	f->arena = ARENA_INIT;
	if (db_query_each(db, routines, &inst_id, 1, take_routine, f, err) &&
		db_query_each(db, lines, &inst_id, 1, take_line, f, err))
		return f;
	frame_names_free(f);
	return NULL;
}

void
frame_names_free(struct frame_names *f)
{
	if (!f)
		return;
	arena_release(&f->arena);
	free(f->slots);
	free(f);
}

/* Reads the next element of "{1,NULL,...}" at *p. At the end of the array, moves *p past it and
 * returns false. The text comes from the server, so each element is a bigint or NULL. */
static bool
next_id(const char **p, const char *end, int64_t *id)
{
	const char *s = *p;
	uint64_t v = 0;
	bool negative, null;

	while (s < end && (*s == '{' || *s == ','))
		s++;
	if (s >= end || *s == '}') {
		*p = s < end ? s + 1 : s;
		return false;
	}
	null = *s == 'N';
	negative = *s == '-';
	for (; s < end && *s != ',' && *s != '}'; s++)
		if (*s >= '0' && *s <= '9')
			v = v * 10 + (uint64_t)(*s - '0');
	*p = s;
	/* -2^63 is not an ID; like OWN_LINE it means no line. */
	*id = null || v > INT64_MAX ? OWN_LINE : negative ? -(int64_t)v : (int64_t)v;
	return true;
}

static size_t
count_ids(struct text arrays)
{
	size_t n = 1;

	for (size_t i = 0; i < arrays.size && arrays.data[i] != '}'; i++)
		n += arrays.data[i] == ',';
	return n;
}

static const struct table_frame *
look_up(const struct frame_names *f, int64_t routine_id, int64_t line_id)
{
	static const struct table_frame unknown = { .source_line = TABLE_NO_LINE };
	const struct slot *s;

	if (!f->capacity)
		return &unknown;
	s = slot_of(f->slots, f->capacity, routine_id, line_id);
	if (!s->frame)
		s = slot_of(f->slots, f->capacity, routine_id, OWN_LINE);
	return s->frame ? s->frame : &unknown;
}

void
frame_names_resolve(
	const struct frame_names *f, struct arena *a, struct text arrays, struct table_cell *cell)
{
	const char *routine = arrays.data;
	const char *line;
	const char *end;
	struct table_frame *frames;
	int64_t routine_id, line_id;
	size_t n = 0;

	*cell = (struct table_cell){ TEXT_NULL, NULL, 0 };
	if (text_is_null(arrays))
		return;
	end = arrays.data + arrays.size;
	line = memchr(arrays.data, '}', arrays.size);
	line = line ? line + 1 : end;
	frames = arena_alloc_array(a, count_ids(arrays), sizeof(*frames));
	while (next_id(&routine, end, &routine_id)) {
		line_id = OWN_LINE;
		if (line < end)
			next_id(&line, end, &line_id);
		frames[n++] = *look_up(f, routine_id, line_id);
	}
	cell->frames = frames;
	cell->frame_count = n;
}

/* Returns the part of *rest before the separator, and moves *rest past the separator. Without a
 * separator, returns all of *rest. */
static struct text
next_part(struct text *rest, char separator)
{
	const char *end = rest->size ? memchr(rest->data, separator, rest->size) : NULL;
	struct text part = { rest->data, end ? (size_t)(end - rest->data) : rest->size };
	size_t passed = part.size + (end ? 1 : 0);

	*rest = (struct text){ rest->data + passed, rest->size - passed };
	return part;
}

static size_t
count_parts(struct text t, char separator)
{
	size_t n = 1;

	for (size_t i = 0; i < t.size; i++)
		n += t.data[i] == separator;
	return n;
}

void
frame_names_stacks(
	const struct frame_names *f, struct arena *a, struct text stacks, struct table_cell *cell)
{
	struct table_stack *out;
	struct table_cell frames;

	if (text_is_empty(stacks))
		return;
	out = arena_alloc_array(a, count_parts(stacks, STACK_SEPARATOR), sizeof(*out));
	cell->stacks = out;
	while (stacks.size) {
		struct text one = next_part(&stacks, STACK_SEPARATOR);
		struct table_stack *s = &out[cell->stack_count++];

		s->role = arena_text(a, next_part(&one, FIELD_SEPARATOR));
		s->heading = arena_text(a, next_part(&one, FIELD_SEPARATOR));
		frame_names_resolve(f, a, one.size ? one : TEXT_NULL, &frames);
		s->frames = frames.frames;
		s->frame_count = frames.frame_count;
	}
}

/* NULL is equal to the empty name. */
static int
name_compare(struct text a, struct text b)
{
	size_t n = a.size < b.size ? a.size : b.size;
	int c = n && a.data != b.data ? memcmp(a.data, b.data, n) : 0;

	return c ? c : (a.size > b.size) - (a.size < b.size);
}

static int
frame_compare(const struct table_frame *a, const struct table_frame *b)
{
	int c = name_compare(a->module_name, b->module_name);

	if (!c)
		c = name_compare(a->class_name, b->class_name);
	if (!c)
		c = name_compare(a->routine_name, b->routine_name);
	if (!c)
		c = name_compare(a->source_file, b->source_file);
	return c ? c : (a->source_line > b->source_line) - (a->source_line < b->source_line);
}

int
frames_compare(const struct table_cell *a, const struct table_cell *b)
{
	for (size_t i = 0; i < a->frame_count && i < b->frame_count; i++) {
		int c = frame_compare(&a->frames[i], &b->frames[i]);

		if (c)
			return c;
	}
	return (a->frame_count > b->frame_count) - (a->frame_count < b->frame_count);
}
