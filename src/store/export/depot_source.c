/* Result sets of the depot as a source: the list of its parts and the list of its result sets. */
#include "rowset_private.h"
#include "source_private.h"

#include "model/content.h"
#include "store/columns.h"
#include "store/result_sets.h"
#include "store/store_private.h"

#include <stdlib.h>

static bool
emit_metadata(struct emission *e, const char *key, struct text value, struct error *err)
{
	return !e->to->metadata || text_is_null(value) ||
	       e->to->metadata(e->to, e->set, key, value, err);
}

static bool
emit_set(struct emission *e, struct error *err)
{
	static const char *const keys[] = { "caption", "application", "app_version", "host", "tool",
		"attributes" };
	struct set_row r = { 0 };
	uint32_t set = e->set;
	bool wanted = true;

	r.source_inst_id = row_int64(&e->row);
	r.caption = row_text(&e->row);
	r.counter_description = row_text(&e->row);
	r.counter_frequency = row_text(&e->row);
	r.counter_name = row_text(&e->row);
	if (e->to->set && !e->to->set(e->to, &r, &set, &wanted, err))
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!emit_metadata(e, keys[i], row_text(&e->row), err))
			return false;
	return true;
}

static bool
emit_label(struct emission *e, struct error *err)
{
	struct arena a = ARENA_INIT;
	struct text key;
	bool ok;

	row_text(&e->row); /* the result set */
	key = row_text(&e->row);
	ok = emit_metadata(
		e, arena_printf(&a, "label:%.*s", (int)key.size, key.data), row_text(&e->row), err);
	arena_release(&a);
	return ok;
}

static bool
emit_samples(struct emission *e, struct error *err)
{
	const struct source_merge m = {
		.sql = { store_sql("store/source_sample_blocks"),
			store_sql("store/source_sample_rows") },
		.each = { source_emit_plain_sample, source_emit_sample },
		.keys = { "id" },
	};

	return source_merge(e, &m, err);
}

static bool
emit_spans(struct emission *e, struct error *err)
{
	const struct source_merge m = {
		.sql = { store_sql("store/source_span_blocks"), span_row_select },
		.each = { source_emit_frame, source_emit_span },
		.keys = { "track_id", "id" },
	};

	return source_merge(e, &m, err);
}

static bool
emit_part(struct emission *e, enum source_part part, struct error *err)
{
	switch (part) {
	case SOURCE_SET:
		return source_each(e, store_sql("store/source_set"), emit_set, err) &&
		       source_each(e, store_sql("store/export_labels"), emit_label, err) &&
		       source_each(e, store_sql("store/source_metrics"), source_emit_metric, err);
	case SOURCE_ROUTINES:
		return source_each(e, routine_row_select, source_emit_routine, err) &&
		       source_each(e, line_row_select, source_emit_line, err);
	case SOURCE_CLASSES:
		return source_each(e, class_row_select, source_emit_class_meta, err) &&
		       source_each(e, class_data_row_select, source_emit_class_data, err);
	case SOURCE_TRACKS:
		return source_each(e, thread_row_select, source_emit_thread, err) &&
		       source_each(e, track_row_select, source_emit_track, err);
	case SOURCE_STACKS:
		return source_each(e, store_sql("store/source_stacks"), source_emit_stack, err);
	case SOURCE_OBJECTS:
		return source_each(e, object_row_select, source_emit_object, err);
	case SOURCE_ERRORS:
		return source_each(e, error_row_select, source_emit_error, err);
	case SOURCE_SAMPLES:
		return emit_samples(e, err);
	case SOURCE_SPANS:
		return emit_spans(e, err);
	case SOURCE_FURTHER_STACKS:
		return source_each(e, further_stack_row_select, source_emit_further_stack, err);
	case SOURCE_GRAPH:
		return source_each(e, graph_row_select, source_emit_graph, err);
	case SOURCE_SUPPRESSIONS:
		return source_each(e, suppression_row_select, source_emit_suppression, err);
	case SOURCE_PARTS:
		break;
	}
	return error_set(err, ERROR_INTERNAL, "a source has no part %d", (int)part);
}

static bool
emit(struct source *source, uint32_t set, enum source_part part, int32_t track, struct sink *to,
	struct error *err)
{
	struct emission e = {
		.source = (struct depot_source *)source, .to = to, .set = set, .track = track
	};
	bool ok = emit_part(&e, part, err);

	free(e.numbers);
	free(e.row.decimals);
	return ok;
}

static const char *
format_of(struct source *source, uint32_t set)
{
	return ((struct depot_source *)source)->sets[set].format;
}

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
	}
	return true;
}

static bool
query_sets(struct depot_source *s, const int64_t *inst_ids, size_t count, struct error *err)
{
	struct db_result *r = export_query_sets(s->db, "store/source_sets", inst_ids, count, err);
	bool ok = r && read_sets(s, inst_ids, r, err);

	db_result_free(r);
	return ok;
}

struct depot_source *
depot_source_new(struct db *db, const int64_t *inst_ids, size_t count, struct error *err)
{
	struct depot_source *s = xcalloc(1, sizeof(*s));

	s->db = db;
	s->interface.format = format_of;
	s->interface.emit = emit;
	if (query_sets(s, inst_ids, count, err))
		return s;
	depot_source_free(s);
	return NULL;
}

void
depot_source_free(struct depot_source *s)
{
	if (!s)
		return;
	arena_release(&s->arena);
	free(s);
}

static bool
add_content(void *self, const struct db_result *row, struct error *err)
{
	enum content c = content_find(db_result_value(row, 0, 0));

	if (c == CONTENTS)
		return error_set(err, ERROR_INTERNAL, "unknown content of a result set");
	*(unsigned *)self |= CONTENT_BIT(c);
	return true;
}

bool
depot_source_contents(struct depot_source *s, uint32_t set, unsigned *contents, struct error *err)
{
	*contents = 0;
	return store_each(
		s->db, "store/export_contents", s->sets[set].inst_id, add_content, contents, err);
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
