/*
 * What the files of the depot's source share: a row of a query, read column
 * by column, and the functions that tell one row.
 */
#ifndef PROFDEPOT_STORE_EXPORT_SOURCE_PRIVATE_H
#define PROFDEPOT_STORE_EXPORT_SOURCE_PRIVATE_H

#include "base/arena.h"
#include "store/cursor.h"
#include "store/export/depot_source.h"

struct source_set {
	int64_t inst_id;
	const char *format; /* NULL: SQL wrote it */
};

struct depot_source {
	struct source interface; /* first: calls come back from it */
	struct arena arena;
	struct db *db;
	struct source_set *sets;
	unsigned cursors; /* numbers given out */
	FILE *watched;    /* NULL: none */
};

/* One part of one result set on its way into a sink. */
struct telling {
	struct depot_source *source;
	struct sink *to;
	uint32_t set;
	int32_t track;
	/* The row at hand; columns are taken from left to right. */
	const struct db_result *batch;
	size_t row;
	size_t column;
	/* Arrays of the row at hand. */
	int64_t *numbers;
	size_t numbers_room;
	struct decimal *decimals;
	size_t decimals_room;
};

struct text source_text(struct telling *t);
int64_t source_int64(struct telling *t); /* MODEL_NULL for NULL */
int32_t source_int32(struct telling *t); /* 0 for NULL */
struct number source_number(struct telling *t);
struct decimal source_decimal(struct telling *t);
int source_flag(struct telling *t); /* 1, 0, -1 for NULL */

typedef bool tell_fn(struct telling *t, struct error *err);

/* Each row of the query, called with the result set's number and the track. */
bool source_each(struct telling *t, const char *sql_name, tell_fn *each, struct error *err);

/* Rows of two queries that begin with the same key columns, merged by them. */
bool source_merge(struct telling *t, const char *const sql_names[2], size_t keys,
	tell_fn *const each[2], struct error *err);

/* source_rows.c */
tell_fn source_tell_routine, source_tell_line, source_tell_thread, source_tell_class_meta,
	source_tell_class_data, source_tell_object, source_tell_error, source_tell_further,
	source_tell_graph, source_tell_suppression;

/* source_facts.c */
tell_fn source_tell_metric, source_tell_track, source_tell_stack, source_tell_plain_sample,
	source_tell_sample, source_tell_frame, source_tell_span;

#endif
