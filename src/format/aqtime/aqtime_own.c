/*
 * profdepot's own tables in an export. They contain the values for which AQTime's tables have no
 * columns. Their columns are those of the depot's relations (model/row_tables.h).
 */
#include "aqtime_own_private.h"

#include "base/array.h"

#include <assert.h>
#include <stdlib.h>

static const struct own_table {
	const char *name;
	const struct row_table *rows;
} own_tables[] = {
#define OWN_ROW(name, row) { name, &row##_table },
	OWN_TABLES(OWN_ROW)
#undef OWN_ROW
};

enum {
	OWN_TABLE_COUNT = sizeof(own_tables) / sizeof(own_tables[0])
};

bool
aqtime_is_own_table(const char *name)
{
	for (size_t i = 0; i < OWN_TABLE_COUNT; i++)
		if (strcmp(own_tables[i].name, name) == 0)
			return true;
	return false;
}

static const char *
own_name(const struct row_table *rows)
{
	for (size_t i = 0; i < OWN_TABLE_COUNT; i++)
		if (own_tables[i].rows == rows)
			return own_tables[i].name;
	return NULL;
}

static enum aqtime_kind
kind_of(const struct row_column *c)
{
	switch (c->type) {
	case ROW_BIGINT:
	case ROW_INTEGER:
	case ROW_TIME:
		return c->required ? AQTIME_KEY : AQTIME_BIG;
	case ROW_BOOLEAN:
		return AQTIME_BOOLEAN;
	case ROW_NUMBER:
		return AQTIME_DECIMAL;
	case ROW_DECIMAL:
	case ROW_DECIMALS:
	case ROW_TEXT:
	case ROW_STRING:
	case ROW_JSON:
	case ROW_OWNER:
		break;
	}
	return AQTIME_TEXT;
}

/* The columns that identify a row must be in the header. */
enum aqtime_step
aqtime_own_open(struct aqtime *aq, const struct row_table *rows, struct aqtime_reader *r)
{
	struct aqtime_table t = { .name = own_name(rows), .ours = true };
	enum aqtime_step step;
	size_t n = 0;

	t.columns[n++] = (struct aqtime_column){ "INST_ID", AQTIME_KEY, true, false, NULL };
	for (size_t i = 0; i < rows->count; i++) {
		const struct row_column *c = &rows->columns[i];

		if (!row_column_is_own(rows, c))
			continue;
		assert(n + 1 < AQTIME_MAX_COLUMNS);
		t.columns[n++] =
			(struct aqtime_column){ arena_upper(aq->source->arena, text_from(c->name)),
				kind_of(c), c->required, true };
	}
	step = aqtime_open_table(aq, &t, r);
	r->own = t;
	r->table = &r->own;
	return step;
}

/* --- values ----------------------------------------------------------------------------------- */

static enum aqtime_step
reject_value(struct aqtime_reader *r, const struct row_column *c, struct text field)
{
	return aqtime_reject(r, ISSUE_ODD_VALUE, "column %s: \"%.*s\" is not a valid value",
		c->name, text_precision(field, 60), field.data);
}

/* Returns a stored copy of the kind of a track or span, with a NUL after it. There are few
 * different kinds, so each is stored once. */
static const char *
keep_word(struct aqtime *aq, struct text t)
{
	struct aqtime_own *own = aq->own;
	bool added;
	uint32_t index =
		pair_map_add_bytes(&own->words, t.data, t.size, (uint32_t)own->word_count, &added);

	if (added)
		*ARRAY_ADD(own->word_list, own->word_count, own->word_room) =
			arena_strndup(aq->source->arena, t.data, t.size);
	return own->word_list[index];
}

static bool
owner_find(struct text t, enum stack_owner *owner)
{
	for (int i = 0; i < STACK_OWNERS; i++)
		if (text_equal(t, text_from(stack_owner_name((enum stack_owner)i)))) {
			*owner = (enum stack_owner)i;
			return true;
		}
	return false;
}

static bool
fill_text(struct aqtime *aq, const struct row_column *c, struct text t, void *member, char *row)
{
	if (c->type == ROW_DECIMAL)
		return aqtime_decimal(t, member);
	if (c->type == ROW_DECIMALS)
		return aqtime_decimals(
			aq->own, t, member, (size_t *)(void *)(row + c->count_offset));
	if (c->type == ROW_OWNER)
		return owner_find(t, member);
	if (c->type == ROW_STRING)
		*(const char **)member = t.data ? keep_word(aq, t) : NULL;
	else
		*(struct text *)member = t;
	return text_is_null(t) ? !c->required : c->type != ROW_JSON || aqtime_json_is_valid(t);
}

/* Stores the value in the member. If the value is absent, stores the column's default. */
static bool
fill_integer(const struct row_column *c, int64_t v, void *member)
{
	if (v == MODEL_NULL && c->default_value)
		v = strtoll(c->default_value, NULL, 10);
	if (c->type == ROW_INTEGER) {
		*(int32_t *)member = v == MODEL_NULL ? 0 : (int32_t)v;
		return v == MODEL_NULL || (v >= 0 && v <= INT32_MAX);
	}
	if (c->type == ROW_BOOLEAN)
		*(int *)member = v == MODEL_NULL ? -1 : v != 0;
	else
		*(int64_t *)member = v;
	return true;
}

enum aqtime_step
aqtime_own_fill(struct aqtime_reader *r, const struct row_table *rows, void *row)
{
	size_t n = 1;

	for (size_t i = 0; i < rows->count; i++) {
		const struct row_column *c = &rows->columns[i];
		void *member = (char *)row + c->offset;
		struct text field = TEXT_NULL;
		bool ok = true;

		if (!row_column_is_own(rows, c))
			continue;
		if (r->map[n] >= 0)
			field = r->row.fields[r->map[n]];
		if (kind_of(c) == AQTIME_TEXT)
			ok = fill_text(r->aq, c, r->values[n].text, member, row);
		else if (c->type == ROW_NUMBER)
			*(struct number *)member = r->values[n].number;
		else
			ok = fill_integer(c, r->values[n].integer, member);
		if (!ok)
			return reject_value(r, c, field);
		n++;
	}
	return AQTIME_ROW;
}

/* --- dictionaries ----------------------------------------------------------------------------- */

/* Adds the current row to `own`. If the rows have an ID, it is the first member of their struct. */
static enum aqtime_step
keep_row(struct aqtime_reader *r, struct aqtime_own_rows *own, size_t size)
{
	struct arena *a = r->aq->source->arena;
	char *row = arena_alloc(a, size);
	enum aqtime_step step;
	bool added;

	memset(row, 0, size);
	step = aqtime_own_fill(r, own->rows, row);
	if (step != AQTIME_ROW)
		return step;
	for (size_t i = 0; i < own->rows->count; i++) {
		const struct row_column *c = &own->rows->columns[i];
		struct text *t = (struct text *)(void *)(row + c->offset);

		if (row_column_is_own(own->rows, c) && (c->type == ROW_TEXT || c->type == ROW_JSON))
			*t = arena_text(a, *t);
	}
	pair_map_add(&own->by_id, r->set, aqtime_int(r, KEY_ID), (uint32_t)own->count, &added);
	if (!added)
		return aqtime_reject(r, ISSUE_DUPLICATE_ID, "ID %lld is a duplicate",
			(long long)aqtime_int(r, KEY_ID));
	*ARRAY_ADD(own->items, own->count, own->room) = row;
	return AQTIME_ROW;
}

bool
aqtime_own_read(struct aqtime *aq, struct aqtime_own_rows *own, const struct row_table *rows)
{
	struct aqtime_reader r;
	size_t size = 0;
	enum aqtime_step step = aqtime_own_open(aq, rows, &r);

	if (step != AQTIME_ROW)
		return step == AQTIME_END;
	own->rows = rows;
	for (size_t i = 0; i < rows->count; i++)
		if (rows->columns[i].offset + rows->columns[i].size > size)
			size = rows->columns[i].offset + rows->columns[i].size;
	while ((step = aqtime_next(&r)) == AQTIME_ROW)
		if (keep_row(&r, own, size) == AQTIME_FAILED)
			break;
	aqtime_close(&r);
	return step == AQTIME_END;
}

void
aqtime_own_merge(struct aqtime_reader *r, const struct aqtime_own_rows *own, void *row)
{
	uint32_t index = pair_map_get(&own->by_id, r->set, aqtime_int(r, KEY_ID));

	if (index != PAIR_MAP_NONE)
		row_copy_own(own->rows, own->items[index], row);
}

void
aqtime_own_release(struct aqtime_own *own)
{
	pair_map_release(&own->threads.by_id);
	pair_map_release(&own->routines.by_id);
	pair_map_release(&own->stacks);
	pair_map_release(&own->tracks);
	pair_map_release(&own->words);
	free(own->threads.items);
	free(own->routines.items);
	free(own->word_list);
	free(own->elements);
	free(own->decimals);
}
