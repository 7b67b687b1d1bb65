/*
 * AQTime's Resource profiler: the tables of an export or database. This file reads the dictionaries;
 * aqtime_facts.c reads objects and errors.
 */
#include "aqtime_own_private.h"

#include "base/array.h"
#include "format/formats.h"
#include "model/coverage.h"

#include <inttypes.h>
#include <stdlib.h>

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
emit_set(struct aqtime_reader *r)
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

	if (pair_map_get(&aq->numbers, row.source_inst_id, 0) != PAIR_MAP_NONE)
		return true; /* the second pass reports the duplicate */
	if (!aq->sink->set(aq->sink, &row, &set, &wanted, aq->err))
		return false;
	pair_map_add(&aq->numbers, row.source_inst_id, 0, set, NULL);
	ARRAY_RESERVE_ZEROED(aq->sets, aq->set_room, (size_t)set + 1);
	aq->sets[set].wanted = wanted;
	aq->set_count = set + 1;
	return true;
}

/* Reads INSTANCES twice: first to find the result sets, then to report the issues in the table, because an issue
 * must belong to a result set. */
static bool
read_instances(struct aqtime *aq)
{
	struct aqtime_reader r;
	struct pair_map seen = { 0 };
	enum aqtime_step step = AQTIME_FAILED;
	bool ok = true;

	if (aqtime_open(aq, AQTIME_INSTANCES, &r) != AQTIME_ROW)
		return false;
	aq->quiet = true;
	while (ok && (step = aqtime_next(&r)) == AQTIME_ROW)
		ok = emit_set(&r);
	aq->quiet = false;
	ok = ok && step == AQTIME_END;
	if (ok && aq->set_count == 0) {
		ok = error_set(aq->err, ERROR_INPUT, "%s: no result set", r.rows->source);
		error_hint(aq->err, "INSTANCES must have a row for each INST_ID");
	}
	aqtime_close(&r);
	if (!ok || aqtime_open(aq, AQTIME_INSTANCES, &r) != AQTIME_ROW)
		return false;
	while (ok && (step = aqtime_next(&r)) == AQTIME_ROW) {
		bool added;

		pair_map_add(&seen, aqtime_int(&r, 0), 0, 0, &added);
		r.set = pair_map_get(&aq->numbers, aqtime_int(&r, 0), 0);
		if (!added)
			ok = aqtime_reject(&r, ISSUE_DUPLICATE_ID,
				     "INST_ID %" PRId64 " is a duplicate",
				     aqtime_int(&r, 0)) != AQTIME_FAILED;
	}
	pair_map_release(&seen);
	aqtime_close(&r);
	return ok && step == AQTIME_END;
}

typedef bool row_fn(struct aqtime_reader *r);

static bool
report_missing(struct aqtime *aq, enum aqtime_table_id id)
{
	static const char *const losses[AQTIME_TABLES] = {
		[AQTIME_OBJECTS] = "leaks cannot be reported",
		[AQTIME_META_ROUTINES] = "call stacks have no names",
	};
	const char *loss = losses[id];
	const struct issue missing = { .code = loss ? ISSUE_MISSING_KEY : ISSUE_MISSING_TABLE };

	return aqtime_tables[id].ours ||
	       rowset_find(aq->source->rowset, aqtime_tables[id].name) >= 0 ||
	       aqtime_issue(aq, ISSUE_EVERY_SET, missing, "table %s is absent%s%s",
		       aqtime_tables[id].name, loss ? ": " : "", loss ? loss : "");
}

/* Reads a dictionary, and adds its IDs to `ids` unless `ids` is NULL. A row that repeats an ID causes an issue. */
static bool
read_dictionary(struct aqtime *aq, enum aqtime_table_id id, struct pair_map *ids, row_fn *emit)
{
	struct aqtime_reader r;
	struct pair_map own = { 0 };
	bool ok = true;
	enum aqtime_step step = aqtime_open(aq, id, &r);

	if (step != AQTIME_ROW)
		return step == AQTIME_END && report_missing(aq, id);
	while (ok && (step = aqtime_next(&r)) == AQTIME_ROW) {
		bool added = true;

		if (!r.table->ours)
			pair_map_add(ids ? ids : &own, r.set, aqtime_int(&r, KEY_ID), 0, &added);
		ok = added ? emit(&r)
			   : aqtime_reject(&r, ISSUE_DUPLICATE_ID, "ID %" PRId64 " is a duplicate",
				     aqtime_int(&r, KEY_ID)) != AQTIME_FAILED;
	}
	pair_map_release(&own);
	aqtime_close(&r);
	return ok && step == AQTIME_END;
}

/* Returns the parent of the table according to AQTime's documentation; NULL for a table at the top level. */
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

/* Checks a row of RELATIONS. Ignores rows about tables of other profilers. */
static bool
check_relation(struct aqtime_reader *r, const struct relation_row *row)
{
	static const char prefix[] = "RESOURCE_PROFILER_";
	const char *parent = expected_parent(row->child_table);

	if (!text_equal_nocase(text_up_to(row->child_table, sizeof(prefix) - 1), text_from(prefix)))
		return true;
	if (parent ? text_equal_nocase(row->parent_table, text_from(parent))
		   : text_is_empty(row->parent_table))
		return true;
	return aqtime_reject(r, ISSUE_RELATIONS, "the parent of %.*s should be %s",
		       text_precision(row->child_table, 80), row->child_table.data,
		       parent ? parent : "empty") != AQTIME_FAILED;
}

static bool
emit_relation(struct aqtime_reader *r)
{
	const struct relation_row row = { .id = aqtime_int(r, KEY_ID),
		.child_table = r->values[2].text,
		.parent_table = r->values[3].text };

	return check_relation(r, &row) &&
	       r->aq->sink->relation(r->aq->sink, r->set, &row, r->aq->err);
}

/* Returns the REC_ID of the row, or its ID if the export has no REC_ID. */
static int64_t
rec_or_id(const struct aqtime_reader *r)
{
	return r->map[KEY_REC] < 0 ? aqtime_int(r, KEY_ID) : aqtime_int(r, KEY_REC);
}

static bool
emit_thread(struct aqtime_reader *r)
{
	struct thread_row row = { .id = aqtime_int(r, KEY_ID),
		.parent_id = aqtime_int(r, KEY_PARENT),
		.rec_id = rec_or_id(r),
		.size = aqtime_int(r, FIRST),
		.os_thread_id = aqtime_int(r, FIRST + 1) };

	r->aq->sets[r->set].has_threads = true;
	aqtime_own_merge(r, &r->aq->own->threads, &row);
	return r->aq->sink->thread(r->aq->sink, r->set, &row, r->aq->err);
}

static bool
emit_class_meta(struct aqtime_reader *r)
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
			if (aqtime_reject(r, ISSUE_COUNTER_ORDER,
				    "class %" PRId64 ": the %s violate live <= peak <= total",
				    c->rec_id, words[k]) == AQTIME_FAILED)
				return false;
			break;
		}
	}
	return true;
}

static bool
emit_class_data(struct aqtime_reader *r)
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

/* Remembers the REC_ID; returns true if it occurred before. A frame refers to a routine by the
 * routine's REC_ID, and to a line by the line's REC_ID within the routine. With a repeated REC_ID,
 * a frame would have two routines or lines, and would be shown twice. */
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
	return aqtime_reject(r, ISSUE_DUPLICATE_ID, "REC_ID %" PRId64 " is a duplicate", rec_id) !=
	       AQTIME_FAILED;
}

static bool
emit_routine(struct aqtime_reader *r)
{
	const union aqtime_value *v = r->values + FIRST;
	struct routine_row row = { .id = aqtime_int(r, KEY_ID),
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
	aqtime_own_merge(r, &r->aq->own->routines, &row);
	pair_map_add(&r->aq->routines, r->set, row.id, (uint32_t)r->aq->routines.count, NULL);
	return r->aq->sink->routine(r->aq->sink, r->set, &row, r->aq->err);
}

static bool
emit_line(struct aqtime_reader *r)
{
	const struct line_row row = { .id = aqtime_int(r, KEY_ID),
		.parent_id = aqtime_int(r, KEY_PARENT),
		.rec_id = aqtime_int(r, KEY_REC),
		.source_line = aqtime_int(r, FIRST) };
	uint32_t routine = pair_map_get(&r->aq->routines, r->set, row.parent_id);

	if (routine == PAIR_MAP_NONE)
		return aqtime_reject(r, ISSUE_DANGLING_PARENT, "routine %" PRId64 " does not exist",
			       row.parent_id) != AQTIME_FAILED;
	if (repeats_rec(&r->aq->line_recs, routine, row.rec_id))
		return reject_rec(r, row.rec_id);
	return r->aq->sink->line(r->aq->sink, r->set, &row, r->aq->err);
}

static bool
emit_metadata(struct aqtime_reader *r)
{
	static const char *const keys[] = { NULL, "caption", "application", "app_version", "host",
		"tool", "format" };

	for (size_t i = 1; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!r->aq->sink->metadata(
			    r->aq->sink, r->set, keys[i], r->values[i].text, r->aq->err))
			return false;
	return true;
}

static bool
emit_attributes(struct aqtime_reader *r)
{
	struct text value = r->values[1].text;

	if (text_is_null(value) || !aqtime_json_is_valid(value))
		return aqtime_reject(r, ISSUE_ODD_VALUE, "column ATTRIBUTES is not JSON") !=
		       AQTIME_FAILED;
	return r->aq->sink->metadata(r->aq->sink, r->set, "attributes", value, r->aq->err);
}

static bool
emit_label(struct aqtime_reader *r)
{
	struct text key = r->values[1].text;
	const char *name;

	if (text_is_empty(key))
		return aqtime_reject(r, ISSUE_MISSING_VALUE, "column KEY is empty") !=
		       AQTIME_FAILED;
	name = arena_printf(r->aq->source->arena, "label:%.*s",
		text_precision(key, LABEL_KEY_MAX_BYTES), key.data);
	return r->aq->sink->metadata(r->aq->sink, r->set, name, r->values[2].text, r->aq->err);
}

static bool
emit_coverage(struct aqtime_reader *r)
{
	struct arena *a = r->aq->source->arena;
	struct text what = r->values[1].text;
	struct text degree = r->values[2].text;
	struct text source = r->values[3].text;
	enum coverage_what known_what;
	enum coverage_degree known_degree;

	if (!coverage_what_parse(what, &known_what) ||
		!coverage_degree_parse(degree, &known_degree))
		return aqtime_reject(r, ISSUE_ODD_VALUE, "WHAT or DEGREE is not a valid value") !=
		       AQTIME_FAILED;
	return r->aq->sink->metadata(r->aq->sink, r->set,
		arena_printf(a, "looked_for:%s", coverage_what_name(known_what)),
		text_from(arena_printf(a, "%s %.*s", coverage_degree_name(known_degree),
			text_precision(source, 1000), source.data)),
		r->aq->err);
}

static bool
emit_number(struct aqtime_reader *r, const char *key, int64_t v)
{
	char digits[24] = "";
	size_t size = v == MODEL_NULL ? 0 : number_format_int64(v, digits);

	return v == MODEL_NULL || r->aq->sink->metadata(r->aq->sink, r->set, key,
					  (struct text){ digits, size }, r->aq->err);
}

static enum aqtime_step
emit_run(struct aqtime_reader *r)
{
	struct sink *sink = r->aq->sink;
	struct run_row row = { .finished = -1 };
	enum aqtime_step step = aqtime_own_fill(r, &run_row_table, &row);
	const struct {
		const char *key;
		struct text value;
	} texts[] = { { "run_key", row.run_key }, { "commit_id", row.commit_id },
		{ "parent_commit_id", row.parent_commit_id }, { "environment", row.environment },
		{ "finished", row.finished < 0 ? TEXT_NULL
			      : row.finished   ? TEXT_LITERAL("true")
					       : TEXT_LITERAL("false") } };

	if (step != AQTIME_ROW)
		return step;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!text_is_null(texts[i].value) &&
			!sink->metadata(sink, r->set, texts[i].key, texts[i].value, r->aq->err))
			return AQTIME_FAILED;
	return emit_number(r, "started_us", row.started_us) &&
			       emit_number(r, "ended_us", row.ended_us)
		       ? AQTIME_ROW
		       : AQTIME_FAILED;
}

static bool
read_runs(struct aqtime *aq)
{
	struct aqtime_reader r;

	return aqtime_each(&r, aqtime_own_open(aq, &run_row_table, &r), emit_run);
}

static bool
is_ours(const char *table)
{
	if (aqtime_is_own_table(table))
		return true;
	for (size_t i = 0; i < AQTIME_TABLES; i++)
		if (strcmp(aqtime_tables[i].name, table) == 0)
			return true;
	return false;
}

static bool
report_unknown_tables(struct aqtime *aq)
{
	const struct rowset *s = aq->source->rowset;
	const struct issue unknown = { .code = ISSUE_UNKNOWN_TABLE };

	for (size_t i = 0; i < s->table_count; i++)
		if (!is_ours(s->tables[i]) && !aqtime_issue(aq, ISSUE_EVERY_SET, unknown,
						      "table %.100s was left out", s->tables[i]))
			return false;
	return true;
}

/* If the table is absent, emits the coverage "unknown" for each result set, because nothing shows whether the run
 * looked for the facts of that table. */
static bool
emit_unknown_coverage(struct aqtime *aq, enum aqtime_table_id id, const char *key)
{
	if (rowset_find(aq->source->rowset, aqtime_tables[id].name) >= 0)
		return true;
	for (size_t i = 0; i < aq->set_count; i++)
		if (!aq->sink->metadata(aq->sink, (uint32_t)i, key,
			    TEXT_LITERAL("unknown the table is absent"), aq->err))
			return false;
	return true;
}

static bool
read_dictionaries(struct aqtime *aq)
{
	return read_instances(aq) && report_unknown_tables(aq) &&
	       read_dictionary(aq, AQTIME_SETS, NULL, emit_metadata) &&
	       read_dictionary(aq, AQTIME_LABELS, NULL, emit_label) &&
	       read_dictionary(aq, AQTIME_ATTRIBUTES, NULL, emit_attributes) && read_runs(aq) &&
	       aqtime_own_read(aq, &aq->own->threads, &thread_row_table) &&
	       aqtime_own_read(aq, &aq->own->routines, &routine_row_table) &&
	       read_dictionary(aq, AQTIME_RELATIONS, NULL, emit_relation) &&
	       read_dictionary(aq, AQTIME_THREADS, &aq->threads, emit_thread) &&
	       read_dictionary(aq, AQTIME_META_CLASSES, NULL, emit_class_meta) &&
	       read_dictionary(aq, AQTIME_CLASSES, NULL, emit_class_data) &&
	       read_dictionary(aq, AQTIME_META_ROUTINES, NULL, emit_routine) &&
	       read_dictionary(aq, AQTIME_META_LINES, NULL, emit_line) &&
	       report_missing(aq, AQTIME_OBJECTS) && report_missing(aq, AQTIME_CREATION_STACK) &&
	       report_missing(aq, AQTIME_ERRORS) && report_missing(aq, AQTIME_STACK) &&
	       emit_unknown_coverage(aq, AQTIME_OBJECTS, "looked_for:leaks") &&
	       emit_unknown_coverage(aq, AQTIME_ERRORS, "looked_for:errors") &&
	       read_dictionary(aq, AQTIME_COVERAGE, NULL, emit_coverage) && aqtime_read_tracks(aq);
}

/* A database may contain results of all AQTime profilers. If it has tables of other profilers, a
 * result set without rows in the Resource profiler's tables belongs to another profiler. Drops the result
 * sets of other profilers. */
static void
drop_foreign_sets(struct aqtime *aq)
{
	const struct rowset *s = aq->source->rowset;
	bool foreign = false;

	for (size_t i = 0; i < s->table_count; i++)
		foreign |= aqtime_other_profiler(s->tables[i]) > 0;
	for (size_t i = 0; foreign && i < aq->set_count; i++)
		if (aq->sets[i].wanted && !aq->sets[i].has_rows)
			aq->sink->drop(aq->sink, (uint32_t)i);
}

static enum format_result
read_tables(struct format_source *source, struct sink *sink, struct error *err)
{
	struct aqtime_own own = { .word_count = 0 };
	struct aqtime aq = { .source = source, .sink = sink, .err = err, .own = &own };
	struct pair_map *const maps[] = { &aq.numbers, &aq.threads, &aq.routines, &aq.routine_recs,
		&aq.line_recs };
	enum format_result result = FORMAT_FAILED;

	if (read_dictionaries(&aq))
		result = aqtime_read_facts(&aq, false);
	if (result == FORMAT_DONE)
		result = aqtime_read_facts(&aq, true);
	if (result == FORMAT_DONE) {
		drop_foreign_sets(&aq);
		if (!aqtime_read_measures(&aq) || !sink->end(sink, err))
			result = FORMAT_FAILED;
	}
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		pair_map_release(maps[i]);
	aqtime_own_release(&own);
	free(aq.sets);
	return result;
}

const struct format format_aqtime = {
	.name = "aqtime",
	.title = "AQTime Resource profiler: one file per table, or a database through --odbc",
	.profiler = "AQTime Resource profiler",
	.known_by = "a folder or archive with one file per table, such as INSTANCES.csv and "
		    "RESOURCE_PROFILER_OBJECTS.csv",
	.covers = { [COVERAGE_LEAKS] = COVERAGE_FULL, [COVERAGE_ERRORS] = COVERAGE_FULL },
	.reads = true,
	.writes = true,
	.carries = CONTENT_ALL,
	.tables = true,
	.probe = probe,
	.refuse = aqtime_refuse,
	.read = read_tables,
};
