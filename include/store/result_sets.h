/*
 * Result sets as wholes: list, show, label, remove, verify, reindex.
 *
 * A number that names no result set is ERROR_NOT_FOUND with a hint. What
 * changes a result set holds its row in instances for the transaction.
 */
#ifndef PROFDEPOT_STORE_RESULT_SETS_H
#define PROFDEPOT_STORE_RESULT_SETS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "base/text.h"
#include "db/connection.h"

#include <stdint.h>

/* A label as the user writes it: "key=value", the key not empty. */
struct label {
	struct text key;
	struct text value;
};

/* Splits at the first '='. The texts are borrowed from item. ERROR_USAGE. */
bool label_parse(const char *item, struct label *label, struct error *err);

/* "30d", "12h", "2w", "90m", "45s" as seconds. ERROR_USAGE. */
bool age_parse(const char *item, int64_t *seconds, struct error *err);

/* A positive INST_ID. ERROR_USAGE. */
bool inst_id_parse(const char *item, int64_t *inst_id, struct error *err);

/* ERROR_NOT_FOUND with its hint. Returns false. */
bool result_set_not_found(int64_t inst_id, struct error *err);

/* Which result sets. All zero: every one. */
struct result_set_filter {
	const char *format;
	const char *application;
	const char *caption; /* glob: * and ?, without regard to case */
	const char *since;   /* loaded then or later: a time as PostgreSQL reads it */
	const char *until;   /* loaded before */
	struct option_list labels;
	const int64_t *inst_ids; /* NULL: whatever their number */
	size_t inst_id_count;
	int64_t skip_newest;        /* leaves out so many of what passed so far */
	int64_t older_than_seconds; /* 0: of any age */
	int64_t limit;              /* 0: all */
};

enum result_set_column {
	RESULT_SET_INST_ID,
	RESULT_SET_CAPTION,
	RESULT_SET_FORMAT,
	RESULT_SET_STATE,
	RESULT_SET_APPLICATION,
	RESULT_SET_APP_VERSION,
	RESULT_SET_HOST,
	RESULT_SET_LOADED_AT, /* ISO 8601 with offset */
	RESULT_SET_OBJECTS,   /* rows as loaded; NULL while open */
	RESULT_SET_ERRORS,
	RESULT_SET_TRACKS,
	RESULT_SET_SAMPLES,
	RESULT_SET_SPANS,
	RESULT_SET_ROWS, /* of all of them and of AQTime's relations, stacks unfolded */
	RESULT_SET_LABELS,
	RESULT_SET_COLUMNS
};

/* Newest first. NULL on error. */
struct db_result *result_sets_list(
	struct db *db, const struct result_set_filter *f, struct error *err);

/* What show prints, each a result of its own; the caller has begun a snapshot. */
struct result_set_details {
	struct db_result *row;     /* one row, a column a property */
	struct db_result *labels;  /* key, value */
	struct db_result *counts;  /* relation, rows */
	struct db_result *metrics; /* metric_no, name, family, unit, title */
	struct db_result *issues;  /* severity, code, occurrences, message (of one of them) */
};

/* ERROR_NOT_FOUND when there is none. The caller releases *d of a success. */
bool result_set_show(
	struct db *db, int64_t inst_id, struct result_set_details *d, struct error *err);
void result_set_details_release(struct result_set_details *d);

struct result_set_change {
	const char *caption; /* NULL: stays */
	const struct label *labels;
	size_t label_count;
	struct option_list removed_keys; /* keys that are not there are no error */
};

/* All of them in one transaction, which it begins and commits. */
bool result_sets_change(struct db *db, const int64_t *inst_ids, size_t count,
	const struct result_set_change *change, struct error *err);

/* Removes one result set in a transaction of its own. *removed: false when
 * somebody else was faster. */
bool result_set_remove(struct db *db, int64_t inst_id, bool *removed, struct error *err);

/* The relations that a load counts, by number; names in lower case. */
size_t relation_count(void);
const char *relation_name(size_t relation);

/* Rows of AQTime's relations as they stand: what list cannot say while open. */
bool result_set_count_rows(struct db *db, int64_t inst_id, int64_t *rows, struct error *err);

enum verify_column {
	VERIFY_RELATION,
	VERIFY_WHAT,
	VERIFY_RECORDED,
	VERIFY_FOUND,
	VERIFY_COLUMNS
};

/* Rows and sums as the loader counted them, totals against the facts,
 * identities against the names: a row for each that differs (at most 100 each
 * of the latter two); none: all agree. NULL on error. */
struct db_result *result_set_verify(struct db *db, int64_t inst_id, struct error *err);

/* *open: changed by SQL since it was loaded, so there is nothing to hold it against. */
bool result_set_is_open(struct db *db, int64_t inst_id, bool *open, struct error *err);

/* Computes identities, totals and counts anew and closes the result set. */
bool result_set_reindex(struct db *db, int64_t inst_id, struct error *err);

#endif
