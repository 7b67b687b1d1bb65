/* The depot as a rowset: its tables, and the INST_IDs in them. */
#include "rowset_private.h"
#include "store/result_sets.h"
#include "store/store_private.h"

#include <stdlib.h>

#define OWN(table, row) \
	{ \
		.name = table, .rows = &row##_table \
	}

/* AQTime's tables are always listed. A table of profdepot is listed if it has rows, or if it is
 * marked with `always`. Sorted by name. */
static const struct depot_table depot_tables[] = {
	{ "INSTANCES", "store/export_instances" },
	{ "PROFDEPOT_ATTRIBUTES", "store/export_attributes" },
	{ "PROFDEPOT_CALLS", "store/export_calls" },
	OWN("PROFDEPOT_CALL_GRAPH", graph_row),
	{ "PROFDEPOT_COVERAGE", "store/export_coverage" },
	OWN("PROFDEPOT_ERRORS", error_row),
	OWN("PROFDEPOT_FURTHER_STACKS", further_stack_row),
	{ "PROFDEPOT_LABELS", "store/export_labels", .always = true },
	{ "PROFDEPOT_METRICS", "store/export_metrics" },
	OWN("PROFDEPOT_OBJECTS", object_row),
	{ "PROFDEPOT_RESULT_SETS", "store/export_result_sets" },
	OWN("PROFDEPOT_ROUTINES", routine_row),
	OWN("PROFDEPOT_RUNS", run_row),
	{ "PROFDEPOT_SAMPLES", "store/export_samples" },
	OWN("PROFDEPOT_SPANS", span_row),
	{ "PROFDEPOT_STACKS", "store/export_shared_stacks" },
	OWN("PROFDEPOT_SUPPRESSIONS", suppression_row),
	OWN("PROFDEPOT_THREADS", thread_row),
	OWN("PROFDEPOT_TRACKS", track_row),
	{ "RELATIONS", "store/export_relations" },
	{ "RESOURCE_PROFILER_CALL_STACK", "store/export_error_frames",
		"store/export_error_owners" },
	{ "RESOURCE_PROFILER_CLASSES_DATA", "store/export_classes" },
	{ "RESOURCE_PROFILER_CREATION_CALL_STACK", "store/export_object_frames",
		"store/export_object_owners" },
	{ "RESOURCE_PROFILER_ERRORS", "store/export_errors" },
	{ "RESOURCE_PROFILER_META_CLASSES_DATA", "store/export_meta_classes" },
	{ "RESOURCE_PROFILER_META_LINES", "store/export_lines" },
	{ "RESOURCE_PROFILER_META_ROUTINES", "store/export_routines" },
	{ "RESOURCE_PROFILER_OBJECTS", "store/export_objects" },
	{ "RESOURCE_PROFILER_THREADS", "store/export_threads" },
};

enum {
	DEPOT_TABLES = sizeof(depot_tables) / sizeof(depot_tables[0]),
};

/* Returns the number of result sets that are exported with this INST_ID. */
static size_t
users(const struct depot_rowset *s, int64_t number)
{
	size_t n = 0;

	for (size_t i = 0; i < s->set_count; i++)
		n += s->sets[i].number == number;
	return n;
}

/*
 * Chooses the sets' numbers in the export. At the beginning, each set has the number that its exporter
 * assigned or, if that is unknown, its INST_ID. Sets that share a number use their INST_IDs instead.
 * Another set may already have one of these INST_IDs as its number, so this step is repeated until nothing changes.
 * Each round determines the final number of at least one set.
 */
static void
choose_numbers(struct depot_rowset *s)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = 0; i < s->set_count; i++) {
			struct exported_set *set = &s->sets[i];

			if (users(s, set->number) == 1 || set->number == set->inst_id)
				continue;
			for (size_t j = s->set_count; j-- > 0;)
				if (j != i && s->sets[j].number == set->number)
					s->sets[j].number = s->sets[j].inst_id;
			set->number = set->inst_id;
			changed = true;
		}
	}
}

static bool
read_sets(struct depot_rowset *s, const struct db_result *r, struct error *err)
{
	enum {
		INST_ID,
		SOURCE,
		LINES,
		PRIVATE,
		FOUND
	};

	s->set_count = db_result_rows(r);
	s->sets = arena_alloc_array(&s->arena, s->set_count, sizeof(*s->sets));
	for (size_t i = 0; i < s->set_count; i++) {
		struct exported_set *set = &s->sets[i];

		set->inst_id = db_result_int64(r, i, INST_ID, 0);
		if (!db_result_bool(r, i, FOUND))
			return result_set_not_found(set->inst_id, err);
		set->number = db_result_int64(r, i, SOURCE, set->inst_id);
		s->error_lines |= db_result_bool(r, i, LINES);
		s->private_stacks |= db_result_bool(r, i, PRIVATE);
	}
	return true;
}

struct db_result *
export_query_sets(
	struct db *db, const char *name, const int64_t *inst_ids, size_t count, struct error *err)
{
	if (count == 0)
		error_set(err, ERROR_USAGE, "no result set was named");
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (inst_ids[j] == inst_ids[i]) {
				error_set(err, ERROR_USAGE, "result set %lld is given twice",
					(long long)inst_ids[i]);
				return NULL;
			}
	/* All rows will be read, but by default the planner optimises for a cursor's first rows. */
	if (!count || !db_exec(db, "SET LOCAL cursor_tuple_fraction = 1", err))
		return NULL;
	return store_query_sets(db, name, inst_ids, count, err);
}

static bool
query_sets(struct depot_rowset *s, const int64_t *inst_ids, size_t count, struct error *err)
{
	struct db_result *r = export_query_sets(s->db, "store/export_sets", inst_ids, count, err);
	bool ok = r && read_sets(s, r, err);

	db_result_free(r);
	return ok;
}

static bool
has_rows(struct depot_rowset *s, const char *sql, bool *has, struct error *err)
{
	const char *exists = arena_printf(&s->arena, "SELECT EXISTS (%s\n)", sql);

	*has = false;
	for (size_t i = 0; i < s->set_count && !*has; i++) {
		const char *params[] = { INT64_TEXT(s->sets[i].inst_id),
			INT64_TEXT(s->sets[i].number) };
		struct db_result *r = db_query(s->db, exists, params, 2, err);

		*has = r && db_result_bool(r, 0, 0);
		if (!db_done(r))
			return false;
	}
	return true;
}

/* Lists AQTime's tables, and profdepot's tables that have rows or are always listed. */
static bool
list_tables(struct depot_rowset *s, struct error *err)
{
	struct depot_table *rows = arena_alloc_array(&s->arena, DEPOT_TABLES, sizeof(*rows));
	size_t n = 0;

	s->tables = arena_alloc_array(&s->arena, DEPOT_TABLES, sizeof(*s->tables));
	for (size_t i = 0; i < DEPOT_TABLES; i++) {
		struct depot_table t = depot_tables[i];
		bool listed = t.always || !text_begins(text_from(t.name), "PROFDEPOT_");

		t.sql = t.rows ? own_table_sql(&s->arena, t.rows) : store_sql(t.sql);
		if (!listed && !has_rows(s, t.sql, &listed, err))
			return false;
		if (!listed)
			continue;
		rows[n] = t;
		s->tables[n++] = t.name;
	}
	s->table_rows = rows;
	s->interface.tables = s->tables;
	s->interface.table_count = n;
	return true;
}

static struct row_reader *
open_table(struct rowset *interface, size_t table, struct error *err)
{
	struct depot_rowset *s = (struct depot_rowset *)interface;
	const struct depot_table *t = &s->table_rows[table];

	if (t->owners && !s->private_stacks)
		return frame_reader_new(s, t, err);
	return table_reader_new(s, t, err);
}

struct depot_rowset *
depot_rowset_new(struct db *db, const int64_t *inst_ids, size_t count, struct error *err)
{
	struct depot_rowset *s = xcalloc(1, sizeof(*s));

	s->db = db;
	s->interface.open = open_table;
	if (!query_sets(s, inst_ids, count, err)) {
		depot_rowset_free(s);
		return NULL;
	}
	choose_numbers(s);
	if (list_tables(s, err))
		return s;
	depot_rowset_free(s);
	return NULL;
}

void
depot_rowset_free(struct depot_rowset *s)
{
	if (!s)
		return;
	arena_release(&s->arena);
	free(s);
}

struct rowset *
depot_rowset_interface(struct depot_rowset *s)
{
	return &s->interface;
}
