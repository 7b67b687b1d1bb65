/* Reads profdepot's own tables in an export. They contain the values for which AQTime's tables have
 * no columns. */
#ifndef PROFDEPOT_FORMAT_AQTIME_AQTIME_OWN_PRIVATE_H
#define PROFDEPOT_FORMAT_AQTIME_AQTIME_OWN_PRIVATE_H

#include "aqtime_private.h"
#include "model/row_tables.h"

/* The rows of a second table. For each dictionary (threads and routines), profdepot writes such a table with the
 * values that AQTime's table lacks. The reader of the dictionary finds these rows by (set, ID), and merges them
 * into the dictionary's rows. */
struct aqtime_own_rows {
	const struct row_table *rows;
	struct pair_map by_id;
	void **items; /* in the input's arena */
	size_t count, room;
};

struct aqtime_own {
	struct aqtime_own_rows threads, routines;
	struct pair_map stacks; /* maps (set, STACK_ID) to the sink's number */
	struct pair_map tracks; /* maps (set, TRACK_ID) to the metric */
	struct pair_map words;  /* kinds of tracks and spans, each kept once */
	char **word_list;
	size_t word_count, word_room;
	int64_t *elements; /* the arrays of the current row */
	size_t element_room;
	struct decimal *decimals;
	size_t decimal_room;
};

void aqtime_own_release(struct aqtime_own *own);

/* aqtime_own.c */
bool aqtime_is_own_table(const char *name);
/* Opens profdepot's own table for the relation `rows`. */
enum aqtime_step aqtime_own_open(
	struct aqtime *aq, const struct row_table *rows, struct aqtime_reader *r);
/* Stores the current row in `row`, which is the relation's struct. Returns AQTIME_ROW, AQTIME_REJECTED
 * or AQTIME_FAILED. */
enum aqtime_step aqtime_own_fill(struct aqtime_reader *r, const struct row_table *rows, void *row);
/* Call aqtime_own_read before the dictionary (threads or routines) is read. It reads profdepot's second table for the
 * dictionary. aqtime_own_merge then adds the values of this table to a row of the dictionary. */
bool aqtime_own_read(struct aqtime *aq, struct aqtime_own_rows *own, const struct row_table *rows);
void aqtime_own_merge(struct aqtime_reader *r, const struct aqtime_own_rows *own, void *row);

/* aqtime_measures.c: read the tables for results that AQTime does not have. Call aqtime_read_tracks before objects
 * and errors are read, and aqtime_read_measures afterwards. */
bool aqtime_read_tracks(struct aqtime *aq);
bool aqtime_read_measures(struct aqtime *aq);

/* aqtime_values.c */
bool aqtime_json_is_valid(struct text t); /* true for NULL */
/* Parse a number, or an array such as "{1,NULL,3}". *items is valid until the next call. */
bool aqtime_decimal(struct text t, struct decimal *out);
bool aqtime_decimals(
	struct aqtime_own *own, struct text t, const struct decimal **items, size_t *count);
/* Stores the numbers in own->elements, beginning at index `at`. */
bool aqtime_integers(struct aqtime_own *own, struct text t, size_t at, size_t *count);

#endif
