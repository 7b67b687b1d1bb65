/* The queries for one part of a source, read row by row through server-side cursors. */
#include "source_private.h"

enum {
	MAX_KEYS = 2
};

static bool
begin(struct emission *e, struct cursor *c, const char *sql, struct error *err)
{
	const char *params[] = { INT64_TEXT(e->source->sets[e->set].inst_id),
		INT64_TEXT(e->track) };

	return cursor_begin(c, e->source->db, e->source->cursors++, sql, params, 2, err);
}

static bool
can_write(const struct emission *e, struct error *err)
{
	if (!e->source->watched || !ferror(e->source->watched))
		return true;
	return error_set(err, ERROR_FILE,
		"cannot write the output: the disk is full, or the reader has closed the output");
}

static bool
emit_row(struct emission *e, const struct cursor *c, size_t row, emit_fn *each, struct error *err)
{
	e->row.result = c->batch;
	e->row.row = row;
	e->row.column = 0;
	return each(e, err) && can_write(e, err);
}

bool
source_each(struct emission *e, const char *sql, emit_fn *each, struct error *err)
{
	struct cursor c = { 0 };
	enum row_status status = ROW_END;
	size_t row;
	bool ok = begin(e, &c, sql, err);

	while (ok && (status = cursor_next(&c, &row, err)) == ROW_READ)
		ok = emit_row(e, &c, row, each, err);
	cursor_end(&c);
	return ok && status == ROW_END;
}

/* One of the two queries of a merge. */
struct side {
	struct cursor cursor;
	enum row_status status;
	size_t row;
	size_t columns[MAX_KEYS];
	int64_t keys[MAX_KEYS];
};

static bool
advance(struct side *s, size_t keys, struct error *err)
{
	s->status = cursor_next(&s->cursor, &s->row, err);
	for (size_t i = 0; s->status == ROW_READ && i < keys; i++)
		s->keys[i] = db_result_int64(s->cursor.batch, s->row, s->columns[i], 0);
	return s->status != ROW_ERROR;
}

static bool
begin_side(struct emission *e, struct side *s, const char *sql, const char *const keys[MAX_KEYS],
	size_t key_count, struct error *err)
{
	if (!begin(e, &s->cursor, sql, err))
		return false;
	for (size_t i = 0; i < key_count; i++)
		while (strcmp(db_result_column_name(s->cursor.batch, s->columns[i]), keys[i]) != 0)
			s->columns[i]++;
	return advance(s, key_count, err);
}

/* True if the next row must come from the first query. */
static bool
first_is_next(const struct side *s, size_t keys)
{
	if (s[0].status == ROW_END || s[1].status == ROW_END)
		return s[1].status == ROW_END;
	for (size_t i = 0; i < keys; i++)
		if (s[0].keys[i] != s[1].keys[i])
			return s[0].keys[i] < s[1].keys[i];
	return true;
}

bool
source_merge(struct emission *e, const struct source_merge *m, struct error *err)
{
	struct side sides[2] = { { .status = ROW_END }, { .status = ROW_END } };
	size_t keys = m->keys[1] ? 2 : 1;
	bool ok = begin_side(e, &sides[0], m->sql[0], m->keys, keys, err) &&
		  begin_side(e, &sides[1], m->sql[1], m->keys, keys, err);

	while (ok && (sides[0].status == ROW_READ || sides[1].status == ROW_READ)) {
		size_t i = !first_is_next(sides, keys);

		ok = emit_row(e, &sides[i].cursor, sides[i].row, m->each[i], err) &&
		     advance(&sides[i], keys, err);
	}
	cursor_end(&sides[0].cursor);
	cursor_end(&sides[1].cursor);
	return ok;
}
