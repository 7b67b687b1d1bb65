/* The frames of stacks: names for the ids in the arrays, and the order of stacks. */
#include "report_private.h"

#include "base/array.h"
#include "base/pair_map.h"
#include "base/sql_file.h"

#include <stdlib.h>

enum {
	STACK_SEPARATOR = 0x1e,
	FIELD_SEPARATOR = 0x1f,
};

struct frame_names {
	struct arena arena;
	struct pair_map places; /* maps (routine_id, line_id) to an index into frames */
	struct table_frame *frames;
	size_t count, room;
};

/* The line_id of a frame without a call line. Such a frame shows the routine's first line. */
#define OWN_LINE INT64_MIN

/* Stores the frame, unless another frame with the same ids is already stored. */
static void
remember(
	struct frame_names *f, int64_t routine_id, int64_t line_id, const struct table_frame *frame)
{
	bool added;

	pair_map_add(&f->places, routine_id, line_id, (uint32_t)f->count, &added);
	if (added)
		*ARRAY_ADD(f->frames, f->count, f->room) = *frame;
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
		.source_line = db_result_int64(row, 0, 6, TABLE_NO_LINE),
		.symbol = arena_text(&f->arena, db_result_value(row, 0, 7)),
	};

	(void)err;
	remember(f, db_result_int64(row, 0, 0, OWN_LINE), OWN_LINE, &frame);
	return true;
}

static bool
take_line(void *self, const struct db_result *row, struct error *err)
{
	struct frame_names *f = self;
	int64_t routine_id = db_result_int64(row, 0, 0, OWN_LINE);
	uint32_t own = pair_map_get(&f->places, routine_id, OWN_LINE);
	struct table_frame frame;

	(void)err;
	if (own == PAIR_MAP_NONE)
		return true;
	frame = f->frames[own];
	frame.source_line = db_result_int64(row, 0, 2, TABLE_NO_LINE);
	if (frame.source_line != TABLE_NO_LINE)
		remember(f, routine_id, db_result_int64(row, 0, 1, OWN_LINE), &frame);
	return true;
}

struct frame_names *
frame_names_load(struct db *db, const char *inst_id, struct error *err)
{
	struct frame_names *f = xcalloc(1, sizeof(*f));

	f->arena = ARENA_INIT;
	if (db_query_each(db, sql_file_find("report/frame_routines")->text, &inst_id, 1,
		    take_routine, f, err) &&
		db_query_each(db, sql_file_find("store/routine_lines")->text, &inst_id, 1,
			take_line, f, err))
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
	pair_map_release(&f->places);
	free(f->frames);
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
		if (char_is_digit(*s))
			v = v * 10 + (uint64_t)(*s - '0');
	*p = s;
	/* -2^63 is not a valid ID; like NULL, it means that the frame has no call line. */
	*id = null || v > INT64_MAX ? OWN_LINE : negative ? -(int64_t)v : (int64_t)v;
	return true;
}

static const struct table_frame *
look_up(const struct frame_names *f, int64_t routine_id, int64_t line_id)
{
	static const struct table_frame unknown = { .source_line = TABLE_NO_LINE };
	uint32_t i = pair_map_get(&f->places, routine_id, line_id);

	if (i == PAIR_MAP_NONE)
		i = pair_map_get(&f->places, routine_id, OWN_LINE);
	return i == PAIR_MAP_NONE ? &unknown : &f->frames[i];
}

struct text
frame_names_file(const struct frame_names *f, struct text routine_id)
{
	const char *digits = routine_id.data;
	int64_t id;

	if (text_is_null(routine_id) || !next_id(&digits, digits + routine_id.size, &id))
		return TEXT_NULL;
	return look_up(f, id, OWN_LINE)->source_file;
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
	arrays.size = (size_t)(line - arrays.data);
	frames = arena_alloc_array(a, count_parts(arrays, ','), sizeof(*frames));
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
	return text_compare(
		text_is_null(a) ? TEXT_LITERAL("") : a, text_is_null(b) ? TEXT_LITERAL("") : b);
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
