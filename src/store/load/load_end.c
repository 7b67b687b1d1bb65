/* The end of a load: totals, counts, labels, the row in instances, COMMIT and ANALYZE. */
#include "load_measures.h"
#include "store/checksums.h"
#include "store/result_sets.h"
#include "store/store_private.h"

#include "base/clock.h"
#include "base/memory.h"
#include "db/sql_array.h"

#include <config.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
	ANALYZE_MIN_ROWS = 1000,
	UNSUMMED_MIN_ROWS = 10 * 1000,
	DOUBT_LOCK_MS = 60 * 1000,
};

static int
compare_totals(const void *a, const void *b)
{
	const struct load_total *x = a;
	const struct load_total *y = b;

	if (x->metric != y->metric)
		return x->metric < y->metric ? -1 : 1;
	if (x->class_id != y->class_id)
		return x->class_id < y->class_id ? -1 : 1;
	return (x->stack > y->stack) - (x->stack < y->stack);
}

/* True if there are nearly as many sums as objects. Storing the sums would then cost as much as storing the
 * objects. */
static bool
sums_little(const struct load_set *set)
{
	int64_t sums = 0;

	for (size_t i = 0; i < set->total_count; i++)
		sums += set->totals[i].metric == METRIC_LIVE_SIZE;
	return sums >= UNSUMMED_MIN_ROWS && sums > set->counts[REL_OBJECTS].rows / 4 * 3;
}

/* Adds the class name and the stack of the total. Returns false if they may have been added before. Equal hashes count
 * as equal names and stacks. */
static bool
add_group(struct load *l, const struct load_set *set, const struct load_total *t,
	struct pair_map *groups)
{
	const struct text name = load_class_name(set, t->class_id);
	const int64_t lines = t->stack ? set->stacks[t->stack - 1].lines : 0;
	struct hash128 h;
	bool added;

	strbuf_reset(&l->scratch);
	strbuf_append(&l->scratch, &lines, sizeof(lines));
	strbuf_append_text(&l->scratch, name);
	h = hash128(l->scratch.data, l->scratch.size);
	pair_map_add(groups, (int64_t)h.low, (int64_t)h.high, 0, &added);
	return added;
}

/* Returns whether each row of live_totals has its own pair of a class name and a stack. */
static bool
has_distinct_leaks(struct load *l, const struct load_set *set)
{
	struct pair_map groups = { 0 };
	bool distinct = !set->classes_repeated;
	int64_t sums = 0;

	for (size_t i = 0; distinct && i < set->total_count; i++) {
		if (set->totals[i].metric != METRIC_LIVE_SIZE)
			continue;
		sums++;
		distinct = add_group(l, set, &set->totals[i], &groups);
	}
	pair_map_release(&groups);
	/* Objects without sums are the rows themselves. */
	return distinct && (!set->live_unsummed || sums == set->counts[REL_OBJECTS].rows);
}

/* Writes the totals in key order, so that the database index grows at its end. Sorting makes first_total
 * and last_total of the stacks invalid, but these are not needed again. */
static bool
write_totals(struct load *l, struct load_set *set, struct error *err)
{
	set->live_unsummed = sums_little(set);
	set->live_distinct = has_distinct_leaks(l, set);
	if (set->total_count)
		qsort(set->totals, set->total_count, sizeof(*set->totals), compare_totals);
	for (size_t i = 0; i < set->total_count; i++) {
		const struct load_total *t = &set->totals[i];

		if (set->live_unsummed && t->metric == METRIC_LIVE_SIZE)
			continue;
		load_row(l, set, REL_TOTALS);
		copier_text(l->copier, text_from(load_total_name(set, t->metric)));
		copier_int64(l->copier, t->class_id);
		copier_int32(l->copier, t->stack);
		copier_int64(l->copier, t->count);
		if (t->metric < METRICS_TOLD_MAX)
			copier_fixed(l->copier, t->value);
		else if (t->metric == METRIC_LIVE_SIZE && !t->sized)
			copier_null(l->copier);
		else
			copier_wide(l->copier, t->value);
		if (!load_row_end(l, err))
			return false;
	}
	return true;
}

/* Relations that are only parts of views, or are computed from the facts, are not counted. */
static bool
is_counted(enum relation r)
{
	return r <= REL_CALL_GRAPH || r >= RELATIONS_WRITTEN;
}

static bool
write_counts(struct load *l, struct load_set *set, struct error *err)
{
	for (int r = 0; r < RELATIONS_COUNTED; r++) {
		const struct load_count *n = &set->counts[r];

		if (!is_counted((enum relation)r))
			continue;
		load_row(l, set, REL_COUNTS);
		copier_text(l->copier, text_from(relation_name((size_t)r)));
		copier_int64(l->copier, n->rows);
		copier_wide(l->copier, n->ids);
		if (r == REL_SAMPLES || r == REL_SPANS)
			copier_fixed(l->copier, n->values);
		else
			copier_wide(l->copier, n->values);
		if (!load_row_end(l, err))
			return false;
	}
	return true;
}

/* If a key is repeated, the last label wins. The command line overrides the export. */
static bool
write_labels(struct load *l, struct load_set *set, struct error *err)
{
	const size_t count = set->label_count + l->config.label_count;
	struct load_label *all = arena_alloc_array(l->arena, count, sizeof(*all));

	for (size_t i = 0; i < count; i++)
		all[i] = i < set->label_count ? set->labels[i]
					      : l->config.labels[i - set->label_count];
	for (size_t i = 0; i < count; i++) {
		bool later = false;

		for (size_t j = i + 1; j < count; j++)
			later |= strcmp(all[i].key, all[j].key) == 0;
		if (later)
			continue;
		load_row(l, set, REL_LABELS);
		copier_text(l->copier, text_from(all[i].key));
		copier_text(l->copier, text_from(all[i].value));
		if (!load_row_end(l, err))
			return false;
	}
	return true;
}

/* A set without a caption is named after its file. The exported caption, which the digest covers, stays
 * unchanged. */
static void
name_set(const struct load *l, struct load_set *set)
{
	if (!text_is_empty(set->outcome.caption) || l->config.caption)
		return;
	set->outcome.caption =
		text_is_empty(set->row.file) ? text_from(l->config.source_name) : set->row.file;
}

/* Checks the facts of a set, and writes everything that is computed from them. */
static bool
end_facts(struct load *l, struct load_set *set, struct error *err)
{
	if (set->complete)
		return true;
	set->complete = true;
	if (!load_check(l, set, err) || !load_check_tracks(set, err))
		return false;
	if (!l->copier || !set->wanted)
		return true;
	return block_flush_samples(l, set, err) && block_flush_frames(l, set, err) &&
	       copier_push(l->copier, err) && load_find_paths(l, set, err) &&
	       load_write_metrics(l, set, err) && write_totals(l, set, err) &&
	       load_write_sightings(l, set, err) && load_write_routine_identities(l, set, err);
}

bool
load_complete(struct sink *s, uint32_t number, struct error *err)
{
	struct load_set *set = load_set_at(s, number);

	return end_facts((struct load *)s, set, err) || load_repeated_id(err);
}

static bool
end_sets(struct load *l, struct error *err)
{
	for (size_t i = 0; i < l->set_count; i++) {
		struct load_set *set = l->sets[i];

		name_set(l, set);
		if (!end_facts(l, set, err) || !load_run_end(l, set, err))
			return false;
		load_count_equal(l, set);
		if (l->copier && set->wanted &&
			(!write_counts(l, set, err) || !write_labels(l, set, err) ||
				!load_run_write(l, set, err)))
			return false;
	}
	return true;
}

bool
load_end(struct sink *s, struct error *err)
{
	return end_sets((struct load *)s, err) || load_repeated_id(err);
}

static const char *
bigint_text(struct arena *a, int64_t v)
{
	return v == MODEL_NULL ? NULL : arena_printf(a, "%" PRId64, v);
}

static const char *
uuid_text(struct arena *a, struct hash128 h)
{
	char *hex = arena_alloc(a, HASH128_HEX_BYTES);

	hash128_hex(h, hex);
	return hex;
}

static const char *
digest_text(struct arena *a, const uint8_t *digest)
{
	char *hex;

	if (!digest)
		return NULL;
	hex = arena_alloc(a, 2 * SHA256_BYTES + 3);
	hex[0] = '\\';
	hex[1] = 'x';
	hex_format(digest, SHA256_BYTES, hex + 2);
	return hex;
}

/* Returns the labels that identify the stream of the set, or NULL after an error. */
static const char *
stream_labels(struct load *l, const struct load_set *set, struct error *err)
{
	struct db_result *r =
		store_query_set(l->db, "store/stream_labels", set->outcome.inst_id, err);
	const char *labels = r ? arena_text(l->arena, db_result_value(r, 0, 0)).data : NULL;

	db_result_free(r);
	return labels;
}

/* Inserts the set's row. The texts of the set are NUL-terminated copies in the load's arena. */
static bool
insert_instance(struct load *l, const struct load_set *set, struct error *err)
{
	struct arena *a = l->arena;
	const struct load_config *c = &l->config;
	bool by_id = set->thread_id_hits > set->thread_rec_hits;
	const char *stream = stream_labels(l, set, err);
#define VALUE(name) [SQL_STORE_INSERT_INSTANCE_##name]
	const char *params[SQL_STORE_INSERT_INSTANCE_PARAMS] = {
		VALUE(INST_ID) = bigint_text(a, set->outcome.inst_id),
		VALUE(CAPTION) = set->outcome.caption.data,
		VALUE(COUNTER_DESCRIPTION) = set->row.counter_description.data,
		VALUE(COUNTER_FREQUENCY) = set->row.counter_frequency.data,
		VALUE(COUNTER_NAME) = set->row.counter_name.data,
		VALUE(FORMAT) = set->format.data ? set->format.data : c->format,
		VALUE(SOURCE_NAME) = c->source_name,
		VALUE(SOURCE_INST_ID) = bigint_text(a, set->outcome.source_inst_id),
		VALUE(SOURCE_CAPTION) = set->row.caption.data,
		VALUE(INPUT_DIGEST) = digest_text(a, c->input_digest),
		VALUE(INPUT_BYTES) = bigint_text(a, c->input_bytes),
		VALUE(CONTENT_DIGEST) = uuid_text(a, set->outcome.digest),
		VALUE(THREAD_KEY) = by_id ? "id" : "rec_id",
		VALUE(APPLICATION) = set->application.data,
		VALUE(APP_VERSION) = set->app_version.data,
		VALUE(HOST) = set->host.data,
		VALUE(TOOL) = set->tool.data,
		VALUE(LOADER_VERSION) = PACKAGE_VERSION,
		VALUE(LOAD_SECONDS) = arena_printf(a, "%.6f", clock_seconds() - c->started),
		VALUE(ATTRIBUTES) = set->attributes.data,
		VALUE(LIVE_SUMMED) = set->live_unsummed ? "f" : "t",
		VALUE(LIVE_DISTINCT) = set->live_distinct ? "t" : "f",
		VALUE(STREAM_LABELS) = stream,
	};
#undef VALUE

	return stream && db_done(db_query(l->db, store_sql("store/insert_instance"), params,
				 SQL_STORE_INSERT_INSTANCE_PARAMS, err));
}

static int64_t
largest_relation(const struct load_set *set)
{
	int64_t rows = 0;

	for (int r = 0; r < RELATIONS_COUNTED; r++)
		if (set->counts[r].rows > rows)
			rows = set->counts[r].rows;
	return rows;
}

/* Returns the result set with the largest relation; NULL if all relations are small. */
static const struct load_set *
largest_set(const struct load *l)
{
	const struct load_set *largest = NULL;
	int64_t rows = ANALYZE_MIN_ROWS - 1;

	for (size_t i = 0; i < l->set_count; i++) {
		const struct load_set *set = l->sets[i];

		if (!set->wanted || largest_relation(set) <= rows)
			continue;
		rows = largest_relation(set);
		largest = set;
	}
	return largest;
}

/* Returns the names of the relations that may have many rows, as an array for SQL. */
static const char *
large_relations(const struct load_set *set, struct strbuf *b)
{
	for (int r = 0; r < RELATIONS_WRITTEN; r++)
		if (r == REL_TOTALS || set->counts[r].rows >= ANALYZE_MIN_ROWS)
			sql_array_text(b, text_from(relation_name((size_t)r)));
	return sql_array_end(b);
}

/* The SQL function runs ANALYZE only where the planner's row estimates would be far from the truth. */
static bool
analyze(struct load *l, struct error *err)
{
	const struct load_set *set = largest_set(l);
	struct strbuf relations;
	bool ok;

	if (!set)
		return true;
	strbuf_init(&relations, 4096);
	ok = db_done(STORE_QUERY(l->db, "analyze", SQL_STORE_ANALYZE,
		err, [SQL_STORE_ANALYZE_INST_ID] = bigint_text(l->arena, set->outcome.inst_id),
		[SQL_STORE_ANALYZE_RELATIONS] = large_relations(set, &relations)));
	strbuf_release(&relations);
	return ok;
}

/* Computes routine costs from the call graphs. */
static bool
write_graph_totals(struct load *l, struct error *err)
{
	for (size_t i = 0; i < l->set_count; i++) {
		const struct load_set *set = l->sets[i];

		if (set->wanted && set->counts[REL_CALL_GRAPH].rows &&
			!db_done(store_query_set(
				l->db, "store/graph_totals", set->outcome.inst_id, err)))
			return false;
	}
	return true;
}

/* The server wrote the row in instances and the costs of a call graph. Their checksums are therefore
 * computed from the stored rows. */
static bool
read_checksums(struct load *l, struct load_set *set, struct error *err)
{
	int64_t inst_id = set->outcome.inst_id;

	return checksum_read(l->db, inst_id, REL_INSTANCES, &set->checksums[REL_INSTANCES], err) &&
	       (!set->counts[REL_CALL_GRAPH].rows ||
		       checksum_read(l->db, inst_id, REL_ROUTINE_TOTALS,
			       &set->checksums[REL_ROUTINE_TOTALS], err));
}

/* Writes the rows that need all values of a set. Runs all queries before it sends rows, because a query has
 * to wait until the server has stored the rows that were sent. */
static bool
write_instances(struct load *l, struct error *err)
{
	for (size_t i = 0; i < l->set_count; i++)
		if (l->sets[i]->wanted &&
			(!load_is_wanted(l, err) || !insert_instance(l, l->sets[i], err) ||
				!read_checksums(l, l->sets[i], err)))
			return false;
	copier_sum(l->copier, NULL);
	for (size_t i = 0; i < l->set_count; i++)
		if (l->sets[i]->wanted && !checksums_write(l->copier, l->sets[i]->outcome.inst_id,
						  l->sets[i]->checksums, err))
			return false;
	return copier_settle(l->copier, err);
}

static bool
any_wanted(const struct load *l)
{
	for (size_t i = 0; i < l->set_count; i++)
		if (l->sets[i]->wanted)
			return true;
	return false;
}

/*
 * Asks the server whether it has committed the load. The server can still be committing the transaction
 * of the lost connection. Therefore load_lock_contents waits until that transaction has ended.
 */
static bool
find_stored(struct load *l, const struct load_set *set, bool *stored, struct error *err)
{
	struct db_result *r = NULL;

	if (!db_reconnect(l->db, err))
		return false;
	if (db_begin(l->db, err) && db_set_lock_timeout(l->db, DOUBT_LOCK_MS, err) &&
		load_lock_contents(l, err))
		r = STORE_QUERY(l->db, "is_stored", SQL_STORE_IS_STORED, err,
			[SQL_STORE_IS_STORED_INST_ID] = bigint_text(l->arena, set->outcome.inst_id),
			[SQL_STORE_IS_STORED_DIGEST] = uuid_text(l->arena, set->outcome.digest));
	*stored = r && db_result_rows(r) > 0;
	db_rollback(l->db);
	return db_done(r);
}

/* Commits. If the connection is lost before the server answers, finds out whether the load is
 * stored. */
static bool
commit(struct load *l, struct error *err)
{
	const struct load_set *set = l->sets[0];
	struct error why = ERROR_INIT;
	bool stored = false;

	if (db_commit(l->db, err))
		return true;
	if (db_is_alive(l->db))
		return false;
	for (size_t i = 0; !set->wanted; i++)
		set = l->sets[i];
	if (find_stored(l, set, &stored, &why)) {
		if (stored)
			error_clear(err);
		return stored;
	}
	error_prefix(&why,
		"the connection was lost during COMMIT, and it is not known whether result set %" PRId64
		" was stored",
		set->outcome.inst_id);
	*err = why;
	return error_hint(err, "load the input again: if it was stored, it is reported as known");
}

bool
load_commit(struct load *l, bool *again, struct error *err)
{
	enum memory_stage before;
	bool known;

	*again = false;
	if (!any_wanted(l)) {
		load_abandon(l);
		return true;
	}
	if (!copier_settle(l->copier, err))
		return load_repeated_id(err);
	if (!write_graph_totals(l, err) || !load_lock_contents(l, err) ||
		!load_find_late_known(l, &known, err))
		return false;
	if (known) {
		*again = l->set_count > 1;
		load_abandon(l);
		return true;
	}
	if (!write_instances(l, err))
		return load_repeated_id(err);
	l->in_transaction = false;
	before = memory_set_stage(MEMORY_COMMITTING);
	if (!commit(l, err)) {
		memory_set_stage(before);
		return false;
	}
	memory_set_stage(MEMORY_STORED);
	if (!db_exec(l->db, "SELECT profdepot.ledger_publish()", &l->warning))
		error_prefix(&l->warning,
			"loaded, but not yet added to the history; the next load adds it");
	else if (!analyze(l, &l->warning))
		error_prefix(&l->warning, "loaded, but without statistics");
	return true;
}

const struct error *
load_warning(const struct load *l)
{
	return &l->warning;
}

bool
load_find_input(struct arena *a, struct db *db, const struct input_key *key, int64_t **inst_ids,
	size_t *count, struct error *err)
{
	struct db_result *r = STORE_QUERY(db, "find_input", SQL_STORE_FIND_INPUT,
		err, [SQL_STORE_FIND_INPUT_BYTES] = bigint_text(a, key->bytes),
		[SQL_STORE_FIND_INPUT_DIGEST] = digest_text(a, key->digest),
		[SQL_STORE_FIND_INPUT_RUN_KEY] = key->run);

	if (!r)
		return false;
	*count = db_result_rows(r);
	*inst_ids = arena_alloc_array(a, *count, sizeof(**inst_ids));
	for (size_t i = 0; i < *count; i++)
		(*inst_ids)[i] = db_result_int64(r, i, 0, 0);
	db_result_free(r);
	return true;
}

bool
load_has_input_size(struct db *db, int64_t bytes, bool *has, struct error *err)
{
	struct db_result *r = STORE_QUERY(db, "has_input_size", SQL_STORE_HAS_INPUT_SIZE,
		err, [SQL_STORE_HAS_INPUT_SIZE_BYTES] = INT64_TEXT(bytes));

	*has = r && db_result_rows(r) > 0;
	return db_done(r);
}
