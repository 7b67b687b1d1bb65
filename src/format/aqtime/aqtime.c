#include "aqtime_private.h"
#include "format/formats.h"

#include "format/formats.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	KEY_ID = 1,
	KEY_PARENT,
	KEY_REC,
	FIRST
};

static int
probe(const struct format_source *source)
{
	int bits = 0;

	if (!source->rowset || rowset_find(source->rowset, "INSTANCES") < 0)
		return 0;
	for (size_t i = 0; i < AQTIME_TABLES; i++)
		if (i != AQTIME_INSTANCES &&
			rowset_find(source->rowset, aqtime_tables[i].name) >= 0 &&
			!aqtime_tables[i].ours && i != AQTIME_RELATIONS)
			bits += 8 * (int)strlen(aqtime_tables[i].name);
	return bits;
}

static bool
grow_sets(struct aqtime *aq)
{
	if (aq->set_count == aq->wanted_room) {
		size_t room = aq->wanted_room ? aq->wanted_room * 2 : 16;

		aq->wanted = xrealloc(aq->wanted, room * sizeof(*aq->wanted));
		aq->has_threads = xrealloc(aq->has_threads, room * sizeof(*aq->has_threads));
		aq->has_rows = xrealloc(aq->has_rows, room * sizeof(*aq->has_rows));
		aq->wanted_room = room;
	}
	return true;
}

static bool
tell_set(struct aqtime_reader *r)
{
	struct aqtime *aq = r->aq;
	const struct set_row row = {
		.source_inst_id = aqtime_int(r, 0),
		.caption = r->values[1].text,
		.counter_description = r->values[2].text,
		.counter_frequency = r->values[3].text,
		.counter_name = r->values[4].text,
	};
	uint32_t set;
	bool wanted;

	if (pair_map_get(&aq->sets, row.source_inst_id, 0) != PAIR_MAP_NONE)
		return true; /* the second reading tells */
	grow_sets(aq);
	if (!aq->sink->set(aq->sink, &row, &set, &wanted, aq->err))
		return false;
	pair_map_add(&aq->sets, row.source_inst_id, 0, set, NULL);
	aq->wanted[set] = wanted;
	aq->has_threads[set] = false;
	aq->has_rows[set] = false;
	aq->set_count = set + 1;
	return true;
}

/* Issues need a result set to belong to: INSTANCES is read once for the sets
 * and once for what is wrong with it. */
static bool
read_instances(struct aqtime *aq)
{
	struct aqtime_reader r;
	struct pair_map seen;
	int more;
	bool ok = true;

	if (aqtime_open(aq, AQTIME_INSTANCES, &r) != 1)
		return false;
	aq->quiet = true;
	while (ok && (more = aqtime_next(&r)) == 1)
		ok = tell_set(&r);
	aq->quiet = false;
	ok = ok && more == 0;
	if (ok && aq->set_count == 0) {
		ok = error_set(aq->err, ERROR_INPUT, "%s: no result set in it", r.rows->source);
		error_hint(aq->err, "INSTANCES must have a row for each INST_ID");
	}
	aqtime_close(&r);
	if (!ok || aqtime_open(aq, AQTIME_INSTANCES, &r) != 1)
		return false;
	pair_map_init(&seen);
	while (ok && (more = aqtime_next(&r)) == 1) {
		bool added;

		pair_map_add(&seen, aqtime_int(&r, 0), 0, 0, &added);
		r.set = pair_map_get(&aq->sets, aqtime_int(&r, 0), 0);
		if (!added)
			ok = aqtime_reject(&r, ISSUE_DUPLICATE_ID,
				"INST_ID %" PRId64 " is there already", aqtime_int(&r, 0));
	}
	pair_map_release(&seen);
	aqtime_close(&r);
	return ok && more == 0;
}

typedef bool row_fn(struct aqtime_reader *r);

/* Reads a dictionary table: rows that repeat an ID become issues. */
static bool
read_dictionary(struct aqtime *aq, enum aqtime_table_id id, struct pair_map *ids, row_fn *tell)
{
	struct aqtime_reader r;
	struct pair_map own;
	bool ok = true;
	int more = 0;
	int open = aqtime_open(aq, id, &r);

	if (open < 0)
		return false;
	if (open == 0) {
		char message[80];

		if (r.table->ours)
			return true;
		snprintf(message, sizeof(message), "table %s is absent", r.table->name);
		return aqtime_issue(aq, ISSUE_EVERY_SET, ISSUE_MISSING_TABLE, NULL, 0, 0, message);
	}
	pair_map_init(&own);
	while (ok && (more = aqtime_next(&r)) == 1) {
		bool added = true;

		if (!r.table->ours)
			pair_map_add(ids ? ids : &own, r.set, aqtime_int(&r, KEY_ID), 0, &added);
		if (added)
			ok = tell(&r);
		else
			ok = aqtime_reject(&r, ISSUE_DUPLICATE_ID,
				"ID %" PRId64 " is there already", aqtime_int(&r, KEY_ID));
	}
	pair_map_release(&own);
	aqtime_close(&r);
	return ok && more == 0;
}

/* The tree that AQTime documents; everything else is top-level. */
static const char *
expected_parent(struct text child)
{
	static const char *const pairs[][2] = {
		{ "RESOURCE_PROFILER_CALL_STACK", "RESOURCE_PROFILER_ERRORS" },
		{ "RESOURCE_PROFILER_ERRORS", "RESOURCE_PROFILER_THREADS" },
		{ "RESOURCE_PROFILER_CREATION_CALL_STACK", "RESOURCE_PROFILER_OBJECTS" },
		{ "RESOURCE_PROFILER_META_LINES", "RESOURCE_PROFILER_META_ROUTINES" },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (text_equal_nocase(child, text_from(pairs[i][0])))
			return pairs[i][1];
	return NULL;
}

/* Other profilers' tables share RELATIONS: nothing is said of them. */
static bool
check_relation(struct aqtime_reader *r, const struct relation_row *row)
{
	static const char prefix[] = "RESOURCE_PROFILER_";
	struct text head = row->child_table;
	const char *parent = expected_parent(head);

	if (head.size < sizeof(prefix) - 1)
		return true;
	head.size = sizeof(prefix) - 1;
	if (!text_equal_nocase(head, text_from(prefix)))
		return true;
	if (parent ? text_equal_nocase(row->parent_table, text_from(parent))
		   : text_is_empty(row->parent_table))
		return true;
	return aqtime_reject(r, ISSUE_RELATIONS, "%.*s should have %s as its parent",
		text_precision(row->child_table, 80), row->child_table.data,
		parent ? parent : "nothing");
}

static bool
tell_relation(struct aqtime_reader *r)
{
	const struct relation_row row = { .id = aqtime_int(r, KEY_ID),
		.child_table = r->values[2].text,
		.parent_table = r->values[3].text };

	return check_relation(r, &row) &&
	       r->aq->sink->relation(r->aq->sink, r->set, &row, r->aq->err);
}

/* Where an export leaves REC_ID out, the rows are their own record. */
static int64_t
rec_or_id(const struct aqtime_reader *r)
{
	return r->map[KEY_REC] < 0 ? aqtime_int(r, KEY_ID) : aqtime_int(r, KEY_REC);
}

static bool
tell_thread(struct aqtime_reader *r)
{
	const struct thread_row row = { .id = aqtime_int(r, KEY_ID),
		.parent_id = aqtime_int(r, KEY_PARENT),
		.rec_id = rec_or_id(r),
		.size = aqtime_int(r, FIRST),
		.os_thread_id = aqtime_int(r, FIRST + 1) };

	r->aq->has_threads[r->set] = true;
	return r->aq->sink->thread(r->aq->sink, r->set, &row, r->aq->err);
}

static bool
tell_class_meta(struct aqtime_reader *r)
{
	const struct class_row row = { .id = aqtime_int(r, KEY_ID),
		.parent_id = aqtime_int(r, KEY_PARENT),
		.rec_id = rec_or_id(r),
		.class_name = r->values[FIRST].text,
		.module_name = r->values[FIRST + 1].text,
		.symbol_moniker = r->values[FIRST + 2].text };

	return r->aq->sink->class_meta(r->aq->sink, r->set, &row, r->aq->err);
}

static bool
counters_in_order(struct aqtime_reader *r, const struct class_data_row *c)
{
	const struct number chains[2][3] = {
		{ c->live_count, c->peak_created, c->total_created },
		{ c->live_size, c->peak_size, c->total_size },
	};
	static const char *const words[] = { "counts", "sizes" };

	for (int k = 0; k < 2; k++) {
		const struct number *n = chains[k];

		for (int i = 0; i < 2; i++) {
			if (n[i].null || n[i + 1].null || number_compare(n[i], n[i + 1]) <= 0)
				continue;
			if (!aqtime_reject(r, ISSUE_COUNTER_ORDER,
				    "class %" PRId64 ": the %s are not live <= peak <= total",
				    c->rec_id, words[k]))
				return false;
			break;
		}
	}
	return true;
}

static bool
tell_class_data(struct aqtime_reader *r)
{
	const struct class_data_row row = { .id = aqtime_int(r, KEY_ID),
		.parent_id = aqtime_int(r, KEY_PARENT),
		.rec_id = rec_or_id(r),
		.class_name = r->values[FIRST].text,
		.module_name = r->values[FIRST + 1].text,
		.live_count = r->values[FIRST + 2].number,
		.live_size = r->values[FIRST + 3].number,
		.peak_created = r->values[FIRST + 4].number,
		.peak_size = r->values[FIRST + 5].number,
		.total_created = r->values[FIRST + 6].number,
		.total_size = r->values[FIRST + 7].number };

	return counters_in_order(r, &row) &&
	       r->aq->sink->class_data(r->aq->sink, r->set, &row, r->aq->err);
}

/* Frames name a routine by its REC_ID and a line by its REC_ID within the
 * routine: of two rows with one name every frame would stand there twice. */
static bool
repeats_rec(struct pair_map *recs, int64_t owner, int64_t rec_id)
{
	bool added = true;

	if (rec_id != MODEL_NULL)
		pair_map_add(recs, owner, rec_id, 0, &added);
	return !added;
}

static bool
reject_rec(struct aqtime_reader *r, int64_t rec_id)
{
	return aqtime_reject(r, ISSUE_DUPLICATE_ID, "REC_ID %" PRId64 " is there already", rec_id);
}

static bool
tell_routine(struct aqtime_reader *r)
{
	const union aqtime_value *v = r->values + FIRST;
	const struct routine_row row = { .id = aqtime_int(r, KEY_ID),
		.parent_id = aqtime_int(r, KEY_PARENT),
		.rec_id = rec_or_id(r),
		.hit_count = v[0].integer,
		.compiler = v[1].integer,
		.address = v[2].number,
		.analysis_result = v[3].text,
		.class_name = v[4].text,
		.code_type = v[5].text,
		.module_name = v[6].text,
		.name_space = v[7].text,
		.profile_lines = v[8].integer,
		.routine_name = v[9].text,
		.source_file = v[10].text,
		.source_line = v[11].integer,
		.symbol_moniker = v[12].text,
		.token = v[13].integer,
		.unit_name = v[14].text };

	if (repeats_rec(&r->aq->routine_recs, r->set, row.rec_id))
		return reject_rec(r, row.rec_id);
	pair_map_add(&r->aq->routines, r->set, row.id, (uint32_t)r->aq->routines.count, NULL);
	return r->aq->sink->routine(r->aq->sink, r->set, &row, r->aq->err);
}

static bool
tell_line(struct aqtime_reader *r)
{
	const struct line_row row = { .id = aqtime_int(r, KEY_ID),
		.parent_id = aqtime_int(r, KEY_PARENT),
		.rec_id = aqtime_int(r, KEY_REC),
		.source_line = aqtime_int(r, FIRST) };
	uint32_t routine = pair_map_get(&r->aq->routines, r->set, row.parent_id);

	if (routine == PAIR_MAP_NONE)
		return aqtime_reject(r, ISSUE_DANGLING_PARENT, "routine %" PRId64 " is not there",
			row.parent_id);
	if (repeats_rec(&r->aq->line_recs, routine, row.rec_id))
		return reject_rec(r, row.rec_id);
	return r->aq->sink->line(r->aq->sink, r->set, &row, r->aq->err);
}

static bool
tell_metadata(struct aqtime_reader *r)
{
	static const char *const keys[] = { NULL, "caption", "application", "app_version", "host",
		"tool" };

	for (size_t i = 1; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!r->aq->sink->metadata(
			    r->aq->sink, r->set, keys[i], r->values[i].text, r->aq->err))
			return false;
	return true;
}

static bool
tell_label(struct aqtime_reader *r)
{
	struct text key = r->values[1].text;
	const char *name;

	if (text_is_empty(key))
		return aqtime_reject(r, ISSUE_MISSING_VALUE, "column KEY is empty");
	name = arena_printf(r->aq->source->arena, "label:%.*s",
		text_precision(key, LABEL_KEY_MAX_BYTES), key.data);
	return r->aq->sink->metadata(r->aq->sink, r->set, name, r->values[2].text, r->aq->err);
}

static bool
is_ours(const char *table)
{
	for (size_t i = 0; i < AQTIME_TABLES; i++)
		if (strcmp(aqtime_tables[i].name, table) == 0)
			return true;
	return false;
}

static bool
tell_unknown_tables(struct aqtime *aq)
{
	const struct rowset *s = aq->source->rowset;

	for (size_t i = 0; i < s->table_count; i++) {
		char message[160];

		if (is_ours(s->tables[i]))
			continue;
		snprintf(message, sizeof(message), "table %.*s was left out",
			text_precision(text_from(s->tables[i]), 100), s->tables[i]);
		if (!aqtime_issue(aq, ISSUE_EVERY_SET, ISSUE_UNKNOWN_TABLE, NULL, 0, 0, message))
			return false;
	}
	return true;
}

static bool
tell_missing(struct aqtime *aq, enum aqtime_table_id id)
{
	char message[80];

	if (rowset_find(aq->source->rowset, aqtime_tables[id].name) >= 0)
		return true;
	snprintf(message, sizeof(message), "table %s is absent", aqtime_tables[id].name);
	return aqtime_issue(aq, ISSUE_EVERY_SET, ISSUE_MISSING_TABLE, NULL, 0, 0, message);
}

static bool
read_dictionaries(struct aqtime *aq)
{
	return read_instances(aq) && tell_unknown_tables(aq) &&
	       read_dictionary(aq, AQTIME_SETS, NULL, tell_metadata) &&
	       read_dictionary(aq, AQTIME_LABELS, NULL, tell_label) &&
	       read_dictionary(aq, AQTIME_RELATIONS, NULL, tell_relation) &&
	       read_dictionary(aq, AQTIME_THREADS, &aq->threads, tell_thread) &&
	       read_dictionary(aq, AQTIME_META_CLASSES, NULL, tell_class_meta) &&
	       read_dictionary(aq, AQTIME_CLASSES, NULL, tell_class_data) &&
	       read_dictionary(aq, AQTIME_META_ROUTINES, NULL, tell_routine) &&
	       read_dictionary(aq, AQTIME_META_LINES, NULL, tell_line) &&
	       tell_missing(aq, AQTIME_OBJECTS) && tell_missing(aq, AQTIME_CREATION_STACK) &&
	       tell_missing(aq, AQTIME_ERRORS) && tell_missing(aq, AQTIME_STACK);
}

/* One database holds results of all of AQTime's profilers: a result set that
 * has no row here is another's when tables of others lie beside. */
static void
drop_foreign_sets(struct aqtime *aq)
{
	const struct rowset *s = aq->source->rowset;
	bool foreign = false;

	for (size_t i = 0; i < s->table_count; i++)
		foreign |=
			!is_ours(s->tables[i]) &&
			(strstr(s->tables[i], "_PROFILER_") || strstr(s->tables[i], "_TRACER_") ||
				strstr(s->tables[i], "_EMULATOR_") ||
				strstr(s->tables[i], "PLATFORM_COMPLIANCE"));
	for (size_t i = 0; foreign && i < aq->set_count; i++)
		if (aq->wanted[i] && !aq->has_rows[i])
			aq->sink->drop(aq->sink, (uint32_t)i);
}

static enum format_result
read_tables(struct format_source *source, struct sink *sink, struct error *err)
{
	struct aqtime aq = { .source = source, .sink = sink, .err = err };
	enum format_result result = FORMAT_FAILED;

	pair_map_init(&aq.sets);
	pair_map_init(&aq.threads);
	pair_map_init(&aq.routines);
	pair_map_init(&aq.routine_recs);
	pair_map_init(&aq.line_recs);
	if (read_dictionaries(&aq)) {
		result = aqtime_read_facts(&aq, false);
		if (result == FORMAT_DONE)
			result = aqtime_read_facts(&aq, true);
		if (result == FORMAT_DONE) {
			drop_foreign_sets(&aq);
			if (!sink->end(sink, err))
				result = FORMAT_FAILED;
		}
	}
	pair_map_release(&aq.sets);
	pair_map_release(&aq.threads);
	pair_map_release(&aq.routines);
	pair_map_release(&aq.routine_recs);
	pair_map_release(&aq.line_recs);
	free(aq.wanted);
	free(aq.has_threads);
	free(aq.has_rows);
	return result;
}

const struct format format_aqtime = {
	.name = "aqtime",
	.title = "AQTime Resource profiler: a file per table, or a database through --odbc",
	.profiler = "AQTime Resource profiler",
	.known_by = "a folder or archive with a file per table, INSTANCES.csv and "
		    "RESOURCE_PROFILER_OBJECTS.csv among them",
	.reads = true,
	.writes = true,
	.tables = true,
	.probe = probe,
	.read = read_tables,
};
