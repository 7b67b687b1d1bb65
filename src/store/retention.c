/* Stores the rules that select result sets for removal. */
#include "store/retention.h"

#include "base/number.h"
#include "db/sql_array.h"
#include "store_private.h"

#include <string.h>

enum {
	LABELS_MAX_BYTES = 64 * 1024,
	ADD_TRIES = 20,
};

bool
retention_make(
	struct result_set_filter *filter, const char *older_than, int64_t keep, struct error *err)
{
	struct label label;

	if (!older_than && keep == RETENTION_KEEP_NOT_GIVEN) {
		error_set(err, ERROR_USAGE, "the rule selects no result sets");
		return error_hint(err, "give --older-than, --keep or both");
	}
	if (older_than && !age_parse(older_than, &filter->older_than_seconds, err))
		return error_prefix(err, "--older-than");
	if (older_than && filter->older_than_seconds == 0)
		return error_set(err, ERROR_USAGE, "--older-than must be above 0");
	for (size_t i = 0; i < filter->labels.count; i++)
		if (!label_parse(filter->labels.items[i], &label, err))
			return false;
	filter->skip_newest = keep == RETENTION_KEEP_NOT_GIVEN ? 0 : keep;
	return true;
}

struct db_result *
retention_query(struct db *db, struct error *err)
{
	return db_query(db, store_sql("store/retention_rules"), NULL, 0, err);
}

/* The labels as an array for the server; NULL on error. The array belongs to b. */
static const char *
labels_text(struct strbuf *b, const struct option_list *labels, struct error *err)
{
	for (size_t i = 0; i < labels->count; i++)
		sql_array_text(b, text_from(labels->items[i]));
	if (!b->failed)
		return sql_array_end(b);
	error_set(err, ERROR_LIMIT, "the labels of a rule exceed %d bytes", (int)LABELS_MAX_BYTES);
	return NULL;
}

/* The values of the parameters that both statements of a rule have. */
#define RULE_VALUES(FILE, filter, labels) \
	[FILE##_APPLICATION] = (filter)->application, [FILE##_FORMAT] = (filter)->format, \
	[FILE##_LABELS] = (labels), [FILE##_KEEP] = INT64_TEXT((filter)->skip_newest), \
	[FILE##_OLDER_THAN] = \
		(filter)->older_than_seconds ? INT64_TEXT((filter)->older_than_seconds) : NULL

/* Returns the next number for a rule; NULL on error. */
static struct db_result *
next_number(struct db *db, struct error *err)
{
	return db_query(db,
		"SELECT 1 + COALESCE(max(r.rule_no), 0) FROM profdepot.retention_rules r", NULL, 0,
		err);
}

/* Another client that adds a rule at the same time can get the same number first. Then the next number is free. If one
 * statement read the rules and added one, two clients would wait for each other on Citus. */
bool
retention_add(
	struct db *db, const struct result_set_filter *filter, int64_t *rule, struct error *err)
{
	struct strbuf b;
	const char *labels;
	struct db_result *r = NULL;

	strbuf_init(&b, LABELS_MAX_BYTES);
	labels = labels_text(&b, &filter->labels, err);
	for (int i = 0; labels && i < ADD_TRIES; i++) {
		struct db_result *next;

		error_clear(err);
		next = next_number(db, err);
		if (!next)
			break;
		r = STORE_QUERY(db, "retention_add", SQL_STORE_RETENTION_ADD, err,
			RULE_VALUES(SQL_STORE_RETENTION_ADD, filter, labels),
			[SQL_STORE_RETENTION_ADD_RULE_NO] = db_result_value(next, 0, 0).data);
		db_result_free(next);
		if (r || strcmp(err->sqlstate, "23505") != 0)
			break;
	}
	strbuf_release(&b);
	return store_int64(r, 0, rule);
}

static bool
refuse_number(int64_t rule, struct error *err)
{
	error_set(err, ERROR_NOT_FOUND, "the depot has no retention rule %lld", (long long)rule);
	return error_hint(err, "\"profdepot retain list\" shows the rules");
}

bool
retention_change(
	struct db *db, int64_t rule, const struct result_set_filter *filter, struct error *err)
{
	struct strbuf b;
	const char *labels;
	struct db_result *r = NULL;
	bool ok;

	strbuf_init(&b, LABELS_MAX_BYTES);
	labels = labels_text(&b, &filter->labels, err);
	if (labels)
		r = STORE_QUERY(db, "retention_change", SQL_STORE_RETENTION_CHANGE, err,
			RULE_VALUES(SQL_STORE_RETENTION_CHANGE, filter, labels),
			[SQL_STORE_RETENTION_CHANGE_RULE_NO] = INT64_TEXT(rule));
	ok = r && (db_result_rows(r) == 1 || refuse_number(rule, err));
	strbuf_release(&b);
	db_result_free(r);
	return ok;
}

static bool
is_among(const struct db_result *r, int64_t rule)
{
	for (size_t i = 0; i < db_result_rows(r); i++)
		if (db_result_int64(r, i, 0, 0) == rule)
			return true;
	return false;
}

bool
retention_remove(struct db *db, const int64_t *rules, size_t count, struct error *err)
{
	struct db_result *r;
	bool ok;

	if (!db_begin(db, err))
		return false;
	r = store_query_sets(db, "store/retention_remove", rules, count, err);
	ok = r != NULL;
	for (size_t i = 0; ok && i < count; i++)
		ok = is_among(r, rules[i]) || refuse_number(rules[i], err);
	ok = ok && db_commit(db, err);
	if (!ok)
		db_rollback(db);
	db_result_free(r);
	return ok;
}

static const char *
copy_text(struct arena *a, const struct db_result *rules, size_t row, enum retention_column column)
{
	const struct text t = db_result_value(rules, row, column);

	return text_is_null(t) ? NULL : arena_strndup(a, t.data, t.size);
}

bool
retention_filter(struct db *db, struct arena *a, const struct db_result *rules, size_t row,
	struct result_set_filter *filter, struct error *err)
{
	struct db_result *r = store_query_set(
		db, "store/retention_labels", db_result_int64(rules, row, RETENTION_RULE, 0), err);
	const char **labels;

	if (!r)
		return false;
	labels = arena_alloc_array(a, db_result_rows(r), sizeof(*labels));
	for (size_t i = 0; i < db_result_rows(r); i++) {
		const struct text t = db_result_value(r, i, 0);

		labels[i] = arena_strndup(a, t.data, t.size);
	}
	*filter = (struct result_set_filter){
		.application = copy_text(a, rules, row, RETENTION_APPLICATION),
		.format = copy_text(a, rules, row, RETENTION_FORMAT),
		.labels = { .items = labels, .count = db_result_rows(r) },
		.skip_newest = db_result_int64(rules, row, RETENTION_KEEP, 0),
		.older_than_seconds = db_result_int64(rules, row, RETENTION_SECONDS, 0),
	};
	db_result_free(r);
	return true;
}
