/*
 * Lists, shows, labels, removes, verifies and reindexes result sets.
 *
 * Functions fail with ERROR_NOT_FOUND and a hint if an INST_ID is unknown. A function that changes
 * a result set locks the set's row in instances until the transaction ends.
 */
#ifndef PROFDEPOT_STORE_RESULT_SETS_H
#define PROFDEPOT_STORE_RESULT_SETS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "base/text.h"
#include "db/connection.h"
#include "store/result_set_filter.h"

#include <stdint.h>

/* A label as the user writes it: "key=value"; the key is not empty. */
struct label {
	struct text key;
	struct text value;
};

/* Splits item at the first '='. The texts are borrowed from item. Fails with ERROR_USAGE. */
bool label_parse(const char *item, struct label *label, struct error *err);

/* Parses a label that will be stored. Also rejects the key "run", which is an option of load. */
bool label_parse_new(const char *item, struct label *label, struct error *err);

/* Parses "30d", "12h", "2w", "90m" or "45s" as seconds. Fails with ERROR_USAGE. */
bool age_parse(const char *item, int64_t *seconds, struct error *err);

/* Parses an INST_ID. Fails with ERROR_USAGE. */
bool inst_id_parse(const char *item, int64_t *inst_id, struct error *err);

/* Sets the error ERROR_NOT_FOUND for this INST_ID, with a hint. Always returns false. */
bool result_set_not_found(int64_t inst_id, struct error *err);

enum result_set_column {
	RESULT_SET_INST_ID,
	RESULT_SET_CAPTION,
	RESULT_SET_FORMAT,
	RESULT_SET_STATE,
	RESULT_SET_APPLICATION,
	RESULT_SET_APP_VERSION,
	RESULT_SET_HOST,
	RESULT_SET_LOADED_AT, /* ISO 8601 with offset */
	RESULT_SET_OBJECTS,   /* counts at load; NULL while open, see result_sets_open_counts */
	RESULT_SET_ERRORS,
	RESULT_SET_TRACKS,
	RESULT_SET_SAMPLES,
	RESULT_SET_SPANS,
	/* Rows of all relations that a load counts, except stacks and metrics. Each frame of a call stack is a row. */
	RESULT_SET_ROWS,
	RESULT_SET_LABELS,
	RESULT_SET_WARNINGS, /* number of import issues with a severity above info */
	RESULT_SET_COLUMNS,
	RESULT_SET_LOADED_US = RESULT_SET_COLUMNS, /* for struct result_set_position; not printed */
	RESULT_SET_SORTED
};

/* Returns the INST_ID's digits and the caption, both in the arena. May fail with ERROR_NOT_FOUND. */
bool result_set_caption(struct db *db, struct arena *a, int64_t inst_id, struct text *id,
	struct text *caption, struct error *err);

/* Lists the newest result sets first, unless f->sort is set. NULL on error; ERROR_USAGE: a filter is invalid. */
struct db_result *result_sets_list(
	struct db *db, const struct result_set_filter *f, struct error *err);

/* Counts the result sets per value of a property. Columns: facet ("total", "application", "branch", "app_version",
 * "format", "host", "tool" or "month"), value, count. When the values of a property are counted, the filter on this
 * property is ignored. f->metric, f->inst_ids, f->sort and the limits do not apply. NULL on error. */
struct db_result *result_sets_facets(
	struct db *db, const struct result_set_filter *f, int64_t max_values, struct error *err);

/* The newest `max_streams` streams, and figures of their newest result sets: one row per stream, format and figure.
 * Columns: application, labels, format, result_sets (at most 1,000, even if there are more), versions (the number of
 * versions of the newest 20 result sets), app_version and inst_id of the newest result set, loaded_at, checked_inst_id
 * (the newest result set with recorded verdicts among the newest 20), the number of its budgets that could be judged,
 * the number of its exceeded budgets, metric, unit, title, values. `metric` is NULL if the result sets have no figure.
 * `values` has one word per result set, the oldest first; "-" means that the figure was not measured. The caller must
 * begin a snapshot first. NULL on error. */
struct db_result *result_sets_overview(struct db *db, int64_t max_streams, struct error *err);

/* The data that "profdepot show" prints. The caller must begin a snapshot first. */
struct result_set_details {
	struct db_result *row;      /* one row, one column per property */
	struct db_result *labels;   /* key, value */
	struct db_result *coverage; /* what, degree, source */
	struct db_result *counts;   /* relation, rows; of a closed result set, as counted at load */
	struct db_result *metrics;  /* metric_no, name, family, unit, title, aggregate, total */
	struct db_result *verdicts; /* verdict, budget, reason */
	struct db_result *issues;   /* severity, code, occurrences, message of one example */
};

/* Fails with ERROR_NOT_FOUND if there is no such result set. On success the caller releases *d. */
bool result_set_show(
	struct db *db, int64_t inst_id, struct result_set_details *d, struct error *err);
void result_set_details_release(struct result_set_details *d);

/* Returns values that change if the facts of these result sets change. Columns: inst_id, state, time
 * of the load, digest of the content. A result set that does not exist has no row. NULL on error. */
struct db_result *result_sets_contents(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);

struct result_set_change {
	const char *caption;     /* NULL to keep it */
	const char *application; /* NULL to keep it; empty to remove it */
	const struct label *labels;
	size_t label_count;
	struct option_list removed_keys; /* unknown keys are ignored */
};

/* The indexes on these names limit their length. */
enum {
	RUN_NAME_MAX_BYTES = 1000
};

/* Applies the change to all these result sets in one transaction. Streams and the history of findings use the new
 * labels and the new application from the next ledger number on. */
bool result_sets_change(struct db *db, const int64_t *inst_ids, size_t count,
	const struct result_set_change *change, struct error *err);

/* Removes the facts of result sets in one transaction. With `forget`, also removes their runs from history,
 * even if the facts were removed before. removed[i] is false if there was nothing to remove. After the
 * transaction, drops the complete ranges (store/partitions.h) that have no result sets left. */
bool result_sets_remove(struct db *db, const int64_t *inst_ids, size_t count, bool forget,
	bool *removed, struct error *err);

/* The relations that a load counts. Names are in lower case. */
size_t relation_count(void);
const char *relation_name(size_t relation);

/* Adds up the rows of the relations that a load counts, without stacks and metrics. Use it for an open result set, for
 * which result_sets_list has no counts. */
bool result_set_count_rows(struct db *db, int64_t inst_id, int64_t *rows, struct error *err);

/* Current counts of the open ones among these result sets; see open_counts.sql for the columns. NULL on error. */
struct db_result *result_sets_open_counts(
	struct db *db, const int64_t *inst_ids, size_t count, struct error *err);

/* *open is true if SQL statements have changed the result set since the load, so that the recorded counts
 * are invalid. */
bool result_set_is_open(struct db *db, int64_t inst_id, bool *open, struct error *err);

/* Recomputes identities, totals, counts and call trees, and closes the result set. */
bool result_set_reindex(struct db *db, int64_t inst_id, struct error *err);

#endif
