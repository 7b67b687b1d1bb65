/* Shared by the depot source's files: the queries for each part, and the functions that emit one
 * row. */
#ifndef PROFDEPOT_STORE_EXPORT_SOURCE_PRIVATE_H
#define PROFDEPOT_STORE_EXPORT_SOURCE_PRIVATE_H

#include "base/arena.h"
#include "db/cursor.h"
#include "store/export/depot_source.h"
#include "store/rows.h"

struct source_set {
	int64_t inst_id;
	const char *format; /* NULL if SQL statements wrote the result set */
};

struct depot_source {
	struct source interface; /* must be first: callbacks cast the interface to this struct */
	struct arena arena;
	struct db *db;
	struct source_set *sets;
	unsigned cursors; /* number of cursors opened so far */
	FILE *watched;    /* NULL if depot_source_watch was not called */
};

/* Emits one part of one result set to a sink. */
struct emission {
	struct depot_source *source;
	struct sink *to;
	uint32_t set;
	int32_t track;
	struct row_values row; /* the current row */
	int64_t *numbers;      /* arrays of the current row */
	size_t number_room;
};

typedef bool emit_fn(struct emission *e, struct error *err);

/* source_query.c: runs a query whose parameters are the result set and the track, and emits each row. */
bool source_each(struct emission *e, const char *sql, emit_fn *each, struct error *err);

/* Rows of two queries, merged by their key columns. */
struct source_merge {
	const char *sql[2];
	emit_fn *each[2];
	const char *keys[2]; /* names of the key columns; the second may be NULL */
};

bool source_merge(struct emission *e, const struct source_merge *m, struct error *err);

/* source_rows.c */
emit_fn source_emit_routine, source_emit_line, source_emit_thread, source_emit_class_meta,
	source_emit_class_data, source_emit_object, source_emit_error, source_emit_further_stack,
	source_emit_graph, source_emit_suppression, source_emit_metric, source_emit_track,
	source_emit_stack, source_emit_plain_sample, source_emit_sample, source_emit_frame,
	source_emit_span;

#endif
