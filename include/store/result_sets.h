/*
 * Result sets as wholes: list, show, label, remove, verify, reindex.
 *
 * An unknown number is ERROR_NOT_FOUND with a hint. Whatever changes a result set locks its row in
 * instances for the transaction.
 */
#ifndef PROFDEPOT_STORE_RESULT_SETS_H
#define PROFDEPOT_STORE_RESULT_SETS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "base/text.h"
#include "db/connection.h"

#include <stdint.h>

/* A label as the user writes it: "key=value"; the key is not empty. */
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

/* Which result sets; all zero means all. */
struct result_set_filter {
	const char *format;
	const char *application;
	const char *caption; /* glob with * and ?, ignores case */
	const char *since;   /* loaded at this time or later; PostgreSQL parses it */
	const char *until;   /* loaded before */
	struct option_list labels;
	const int64_t *inst_ids; /* NULL for all */
	size_t inst_id_count;
	int64_t skip_newest;        /* skips this many of those that match so far */
	int64_t older_than_seconds; /* 0 for any age */
	int64_t limit;              /* 0 for all */
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
	RESULT_SET_ROWS, /* of all of these and of AQTime's relations, with one row per frame */
	RESULT_SET_LABELS,
	RESULT_SET_COLUMNS
};

/* Newest first. NULL on error. */
struct db_result *result_sets_list(
	struct db *db, const struct result_set_filter *f, struct error *err);

/* What show prints. The caller has begun a snapshot. */
struct result_set_details {
	struct db_result *row;     /* one row, one column per property */
	struct db_result *labels;  /* key, value */
	struct db_result *counts;  /* relation, rows */
	struct db_result *metrics; /* metric_no, name, family, unit, title */
	struct db_result *issues;  /* severity, code, occurrences, message (of one issue) */
};

/* ERROR_NOT_FOUND if there is no such result set. On success the caller releases *d. */
bool result_set_show(
	struct db *db, int64_t inst_id, struct result_set_details *d, struct error *err);
void result_set_details_release(struct result_set_details *d);

struct result_set_change {
	const char *caption; /* NULL to keep it */
	const struct label *labels;
	size_t label_count;
	struct option_list removed_keys; /* unknown keys are ignored */
};

/* Changes all of them in one transaction of its own. */
bool result_sets_change(struct db *db, const int64_t *inst_ids, size_t count,
	const struct result_set_change *change, struct error *err);

/* Removes one result set in a transaction of its own. *removed is false if it was already gone. */
bool result_set_remove(struct db *db, int64_t inst_id, bool *removed, struct error *err);

/* The relations that a load counts, by number; names in lower case. */
size_t relation_count(void);
const char *relation_name(size_t relation);

/* Current rows of AQTime's relations; result_sets_list has no rows of open result sets. */
bool result_set_count_rows(struct db *db, int64_t inst_id, int64_t *rows, struct error *err);

enum verify_column {
	VERIFY_RELATION,
	VERIFY_WHAT,
	VERIFY_RECORDED,
	VERIFY_FOUND,
	VERIFY_COLUMNS
};

/* Compares rows and sums with those that the loader counted, totals with the facts, and identities
 * with the names. One row per difference, at most 100 for totals and for identities. NULL on error. */
struct db_result *result_set_verify(struct db *db, int64_t inst_id, struct error *err);

/* *open: SQL changed it since it was loaded, so the recorded counts are invalid. */
bool result_set_is_open(struct db *db, int64_t inst_id, bool *open, struct error *err);

/* Computes identities, totals, counts and call trees again and closes the result set. */
bool result_set_reindex(struct db *db, int64_t inst_id, struct error *err);

#endif
