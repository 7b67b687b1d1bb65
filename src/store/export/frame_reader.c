/*
 * Makes the rows of a call stack relation from the distinct stacks, which the reader keeps in
 * memory. The server sends each stack once, not once per owner. Arrays stay in the text form that
 * the server sent, so that numbers are neither parsed nor formatted.
 */
#include "base/array.h"
#include "base/number.h"
#include "rowset_private.h"
#include "store/store_private.h"

#include <stdlib.h>

struct array {
	const char *at; /* the text after '{'; NULL for a NULL array */
};

enum array_kind {
	ARRAY_ROUTINES,
	ARRAY_LINES,
	ARRAY_HITS,
	ARRAY_RECS,
	ARRAY_KINDS
};

struct unfolded {
	int64_t stack_id;
	struct array arrays[ARRAY_KINDS];
};

struct frame_reader {
	struct row_reader base;
	struct arena stacks_arena;
	struct depot_rowset *rowset;
	const struct depot_table *table;
	struct cursor owners;
	size_t set;
	struct unfolded *stacks; /* sorted by stack_id */
	size_t stack_count;
	size_t stack_capacity;
	struct array walk[ARRAY_KINDS]; /* the remaining frames of the current owner */
	int64_t next_id;
	bool has_id;
	int64_t next_position;
	char id[24];
	char position[24];
	char parent_id[24];
	char inst_id[24];
	size_t parent_id_size;
	size_t inst_id_size;
	struct text fields[7];
};

static bool
add_stack(void *self, const struct db_result *row, struct error *err)
{
	struct frame_reader *r = self;
	struct unfolded *u;

	(void)err;
	u = ARRAY_ADD(r->stacks, r->stack_count, r->stack_capacity);
	u->stack_id = db_result_int64(row, 0, 0, 0);
	for (size_t i = 0; i < ARRAY_KINDS; i++) {
		struct text t = arena_text(&r->stacks_arena, db_result_value(row, 0, 1 + i));

		u->arrays[i].at = text_is_null(t) || t.size < 3 ? NULL : t.data + 1;
	}
	return true;
}

static int
compare_stacks(const void *a, const void *b)
{
	const int64_t x = ((const struct unfolded *)a)->stack_id;
	const int64_t y = ((const struct unfolded *)b)->stack_id;

	return (x > y) - (x < y);
}

static bool
begin_set(struct frame_reader *r, size_t set, struct error *err)
{
	cursor_end(&r->owners);
	r->set = set;
	r->stack_count = 0;
	arena_reset(&r->stacks_arena);
	r->inst_id_size = number_format_int64(r->rowset->sets[set].number, r->inst_id);
	return store_each(r->rowset->db, "store/export_stacks", r->rowset->sets[set].inst_id,
		       add_stack, r, err) &&
	       depot_cursor_begin(r->rowset, &r->owners, store_sql(r->table->owners), set, err);
}

/* Returns the next element. All elements of a NULL array are NULL. */
static struct text
array_next(struct array *a)
{
	const char *start = a->at;
	size_t size;

	if (!start)
		return TEXT_NULL;
	size = strcspn(start, ",}");
	a->at = start[size] == ',' ? start + size + 1 : NULL;
	if (size == 4 && memcmp(start, "NULL", 4) == 0)
		return TEXT_NULL;
	return (struct text){ start, size };
}

/* Begins the stack of the owner in row `row` of the batch. If the stack does not exist, the owner has no
 * frames, as in the relation's view. */
static void
begin_owner(struct frame_reader *r, size_t row)
{
	const struct db_result *batch = r->owners.batch;
	struct text id = db_result_value(batch, row, 0);
	struct unfolded key = { 0 };
	const struct unfolded *found = NULL;

	key.stack_id = db_result_int64(batch, row, 2, 0);
	if (r->stack_count)
		found = bsearch(&key, r->stacks, r->stack_count, sizeof(key), compare_stacks);
	for (size_t i = 0; i < ARRAY_KINDS; i++)
		r->walk[i].at = found ? found->arrays[i].at : NULL;
	r->has_id = !text_is_null(db_result_value(batch, row, 1));
	r->next_id = db_result_int64(batch, row, 1, 0);
	r->next_position = 0;
	r->parent_id_size = id.size < sizeof(r->parent_id) ? id.size : 0;
	memcpy(r->parent_id, id.data, r->parent_id_size);
}

/* Reads the owner's next frame. The columns are those of the objects' creation stacks. */
static void
fill_frame(struct frame_reader *r)
{
	struct text rec = array_next(&r->walk[ARRAY_RECS]);
	struct text *f = r->fields;

	f[0] = array_next(&r->walk[ARRAY_HITS]);
	f[1] = array_next(&r->walk[ARRAY_LINES]);
	f[2] = array_next(&r->walk[ARRAY_ROUTINES]);
	f[3] = TEXT_NULL;
	if (r->has_id)
		f[3] = (struct text){ r->id, number_format_int64(r->next_id++, r->id) };
	f[4] = (struct text){ r->inst_id, r->inst_id_size };
	f[5] = (struct text){ r->parent_id, r->parent_id_size };
	if (text_is_null(rec))
		rec = (struct text){ r->position,
			number_format_int64(r->next_position, r->position) };
	r->next_position++;
	f[6] = rec;
}

static enum row_status
next_frame(struct row_reader *base, struct row *row, struct error *err)
{
	struct frame_reader *r = (struct frame_reader *)base;

	while (!r->walk[ARRAY_ROUTINES].at) {
		size_t at;
		enum row_status status = cursor_next(&r->owners, &at, err);

		if (status == ROW_ERROR)
			return ROW_ERROR;
		if (status == ROW_READ)
			begin_owner(r, at);
		else if (r->set + 1 >= r->rowset->set_count)
			return ROW_END;
		else if (!begin_set(r, r->set + 1, err))
			return ROW_ERROR;
	}
	fill_frame(r);
	/* The relation for errors' stacks lacks the first columns of the relation for objects' stacks. */
	*row = (struct row){ .fields = r->fields + 7 - base->column_count,
		.count = base->column_count };
	return ROW_READ;
}

static void
close_frames(struct row_reader *base)
{
	struct frame_reader *r = (struct frame_reader *)base;

	cursor_end(&r->owners);
	arena_release(&r->stacks_arena);
	free(r->stacks);
	free(r);
}

struct row_reader *
frame_reader_new(struct depot_rowset *s, const struct depot_table *table, struct error *err)
{
	static const char *const columns[] = { "COL_HIT_COUNT", "COL_LINERID", "COL_ROUTINERID",
		"ID", "INST_ID", "PARENT_ID", "REC_ID" };
	bool is_errors = strcmp(table->name, "RESOURCE_PROFILER_CALL_STACK") == 0;
	size_t first = is_errors ? (s->error_lines ? 1 : 2) : 0;
	struct frame_reader *r = xcalloc(1, sizeof(*r));

	r->base = (struct row_reader){ .source = table->name,
		.columns = columns + first,
		.column_count = 7 - first,
		.next = next_frame,
		.close = close_frames };
	r->rowset = s;
	r->table = table;
	if (!begin_set(r, 0, err)) {
		close_frames(&r->base);
		return NULL;
	}
	return &r->base;
}
