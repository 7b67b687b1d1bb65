#include "base/number.h"
#include "source_private.h"
#include "store/result_sets.h"
#include "store/store_private.h"

#include <stdlib.h>

enum {
	MAX_KEYS = 2
};

/* --- the row at hand ------------------------------------------------------------------------- */

struct text
source_text(struct telling *t)
{
	return db_result_value(t->batch, t->row, t->column++);
}

/* The server's integers need no checking. */
int64_t
source_int64(struct telling *t)
{
	struct text v = source_text(t);

	return text_is_null(v) ? MODEL_NULL : strtoll(v.data, NULL, 10);
}

int32_t
source_int32(struct telling *t)
{
	int64_t v = source_int64(t);

	return v == MODEL_NULL ? 0 : (int32_t)v;
}

struct number
source_number(struct telling *t)
{
	struct text v = source_text(t);
	struct number n = NUMBER_NULL;

	if (!text_is_null(v))
		number_parse(v, &n);
	return n;
}

struct decimal
source_decimal(struct telling *t)
{
	struct text v = source_text(t);
	struct decimal d = { 0 };

	if (!text_is_null(v) && decimal_parse(v, &d) != DECIMAL_OK)
		d = (struct decimal){ 0 };
	return d;
}

int
source_flag(struct telling *t)
{
	struct text v = source_text(t);

	return text_is_null(v) ? -1 : v.data[0] == 't';
}

/* --- queries --------------------------------------------------------------------------------- */

static bool
begin(struct telling *t, struct cursor *c, const char *sql_name, struct error *err)
{
	const int64_t params[] = { t->source->sets[t->set].inst_id, t->track };

	return cursor_begin(c, t->source->db, t->source->cursors++, sql_name, params, err);
}

static bool
can_write(const struct telling *t, struct error *err)
{
	if (!t->source->watched || !ferror(t->source->watched))
		return true;
	return error_set(
		err, ERROR_FILE, "the output cannot be written: disk full, or its reader gone");
}

static void
point_at(struct telling *t, const struct cursor *c, size_t row)
{
	t->batch = c->batch;
	t->row = row;
	t->column = 0;
}

bool
source_each(struct telling *t, const char *sql_name, tell_fn *each, struct error *err)
{
	struct cursor c = { 0 };
	enum row_status status = ROW_END;
	size_t row;
	bool ok = begin(t, &c, sql_name, err);

	while (ok && (status = cursor_next(&c, &row, err)) == ROW_READ) {
		point_at(t, &c, row);
		ok = each(t, err) && can_write(t, err);
	}
	cursor_end(&c);
	return ok && status == ROW_END;
}

/* One of the two queries of a merge. */
struct side {
	struct cursor cursor;
	enum row_status status;
	size_t row;
	int64_t keys[MAX_KEYS];
};

static bool
advance(struct telling *t, struct side *s, size_t keys, struct error *err)
{
	s->status = cursor_next(&s->cursor, &s->row, err);
	if (s->status == ROW_READ) {
		point_at(t, &s->cursor, s->row);
		for (size_t i = 0; i < keys; i++)
			s->keys[i] = source_int64(t);
	}
	return s->status != ROW_ERROR;
}

/* Comes the first side's row first? */
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
source_merge(struct telling *t, const char *const sql_names[2], size_t keys, tell_fn *const each[2],
	struct error *err)
{
	struct side sides[2] = { { .status = ROW_END }, { .status = ROW_END } };
	bool ok = begin(t, &sides[0].cursor, sql_names[0], err) &&
		  begin(t, &sides[1].cursor, sql_names[1], err) &&
		  advance(t, &sides[0], keys, err) && advance(t, &sides[1], keys, err);

	while (ok && (sides[0].status == ROW_READ || sides[1].status == ROW_READ)) {
		size_t i = !first_is_next(sides, keys);

		point_at(t, &sides[i].cursor, sides[i].row);
		ok = each[i](t, err) && can_write(t, err) && advance(t, &sides[i], keys, err);
	}
	cursor_end(&sides[0].cursor);
	cursor_end(&sides[1].cursor);
	return ok;
}

/* --- parts ----------------------------------------------------------------------------------- */

static bool
tell_metadata(struct telling *t, const char *key, struct text value, struct error *err)
{
	return !t->to->metadata || text_is_null(value) ||
	       t->to->metadata(t->to, t->set, key, value, err);
}

static bool
tell_set(struct telling *t, struct error *err)
{
	static const char *const keys[] = { "caption", "application", "app_version", "host", "tool",
		"attributes" };
	struct set_row r = { 0 };
	uint32_t set = t->set;
	bool wanted = true;

	r.source_inst_id = source_int64(t);
	r.caption = source_text(t);
	r.counter_description = source_text(t);
	r.counter_frequency = source_text(t);
	r.counter_name = source_text(t);
	if (t->to->set && !t->to->set(t->to, &r, &set, &wanted, err))
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!tell_metadata(t, keys[i], source_text(t), err))
			return false;
	return true;
}

static bool
tell_label(struct telling *t, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct text key;
	bool ok;

	source_text(t); /* the result set */
	key = source_text(t);
	ok = tell_metadata(
		t, arena_printf(&a, "label:%.*s", (int)key.size, key.data), source_text(t), err);
	arena_release(&a);
	return ok;
}

static bool
tell_part(struct telling *t, enum source_part part, struct error *err)
{
	static const char *const samples[] = { "store/source_sample_blocks",
		"store/source_sample_rows" };
	static const char *const spans[] = { "store/source_span_blocks", "store/source_span_rows" };
	static tell_fn *const tell_samples[] = { source_tell_plain_sample, source_tell_sample };
	static tell_fn *const tell_spans[] = { source_tell_frame, source_tell_span };

	switch (part) {
	case SOURCE_SET:
		return source_each(t, "store/source_set", tell_set, err) &&
		       source_each(t, "store/export_labels", tell_label, err) &&
		       source_each(t, "store/source_metrics", source_tell_metric, err);
	case SOURCE_ROUTINES:
		return source_each(t, "store/source_routines", source_tell_routine, err) &&
		       source_each(t, "store/source_lines", source_tell_line, err);
	case SOURCE_CLASSES:
		return source_each(t, "store/source_classes", source_tell_class_meta, err) &&
		       source_each(t, "store/source_class_data", source_tell_class_data, err);
	case SOURCE_TRACKS:
		return source_each(t, "store/source_threads", source_tell_thread, err) &&
		       source_each(t, "store/source_tracks", source_tell_track, err);
	case SOURCE_STACKS:
		return source_each(t, "store/source_stacks", source_tell_stack, err);
	case SOURCE_OBJECTS:
		return source_each(t, "store/source_objects", source_tell_object, err);
	case SOURCE_ERRORS:
		return source_each(t, "store/source_errors", source_tell_error, err);
	case SOURCE_SAMPLES:
		return source_merge(t, samples, 1, tell_samples, err);
	case SOURCE_SPANS:
		return source_merge(t, spans, 2, tell_spans, err);
	case SOURCE_FURTHER_STACKS:
		return source_each(t, "store/source_further_stacks", source_tell_further, err);
	case SOURCE_GRAPH:
		return source_each(t, "store/source_graph", source_tell_graph, err);
	case SOURCE_SUPPRESSIONS:
		return source_each(t, "store/source_suppressions", source_tell_suppression, err);
	case SOURCE_PARTS:
		break;
	}
	return error_set(err, ERROR_INTERNAL, "no part of a source");
}

static bool
tell(struct source *source, uint32_t set, enum source_part part, int32_t track, struct sink *to,
	struct error *err)
{
	struct telling t = {
		.source = (struct depot_source *)source, .to = to, .set = set, .track = track
	};
	bool ok = tell_part(&t, part, err);

	free(t.numbers);
	free(t.decimals);
	return ok;
}

static const char *
format_of(struct source *source, uint32_t set)
{
	return ((struct depot_source *)source)->sets[set].format;
}

/* --- which result sets ----------------------------------------------------------------------- */

static bool
read_sets(struct depot_source *s, const int64_t *inst_ids, const struct db_result *r,
	struct error *err)
{
	size_t count = db_result_rows(r);

	s->sets = arena_alloc_array(&s->arena, count, sizeof(*s->sets));
	s->interface.set_count = (uint32_t)count;
	for (size_t i = 0; i < count; i++) {
		if (db_result_value(r, i, 0).data[0] != 't')
			return result_set_not_found(inst_ids[i], err);
		s->sets[i].inst_id = inst_ids[i];
		s->sets[i].format = arena_text(&s->arena, db_result_value(r, i, 1)).data;
		for (size_t j = 0; j < i; j++)
			if (inst_ids[j] == inst_ids[i])
				return error_set(err, ERROR_USAGE, "result set %lld is given twice",
					(long long)inst_ids[i]);
	}
	return true;
}

static bool
query_sets(struct depot_source *s, const int64_t *inst_ids, size_t count, struct error *err)
{
	struct db_result *r = store_query_sets(s->db, "store/source_sets", inst_ids, count, err);
	bool ok = r && read_sets(s, inst_ids, r, err);

	db_result_free(r);
	return ok;
}

struct depot_source *
depot_source_new(struct db *db, const int64_t *inst_ids, size_t count, struct error *err)
{
	struct depot_source *s;

	if (count == 0) {
		error_set(err, ERROR_USAGE, "no result set was named");
		return NULL;
	}
	s = xcalloc(1, sizeof(*s));
	s->arena = ARENA_INIT;
	s->db = db;
	s->interface.format = format_of;
	s->interface.emit = tell;
	/* Every row is wanted, not only the first ones, which is what a cursor's plan goes by. */
	if (!db_exec(db, "SET LOCAL cursor_tuple_fraction = 1", err) ||
		!query_sets(s, inst_ids, count, err)) {
		depot_source_free(s);
		return NULL;
	}
	return s;
}

void
depot_source_free(struct depot_source *s)
{
	if (!s)
		return;
	arena_release(&s->arena);
	free(s);
}

void
depot_source_watch(struct depot_source *s, FILE *out)
{
	s->watched = out;
}

struct source *
depot_source_interface(struct depot_source *s)
{
	return &s->interface;
}
