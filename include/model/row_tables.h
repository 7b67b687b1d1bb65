/*
 * The columns of the relations whose rows have a struct in C. tools/schema2c.awk generates the
 * lists of columns from schema/. Some of these columns do not exist in AQTime. An AQTime export stores
 * them in additional tables, whose names begin with PROFDEPOT_. The writer and the reader of exports
 * derive these tables from this header.
 */
#ifndef PROFDEPOT_MODEL_ROW_TABLES_H
#define PROFDEPOT_MODEL_ROW_TABLES_H

#include "model/measures.h"
#include "model/run.h"

#include <stddef.h>

/* The type of a column, and of the struct's member. */
enum row_type {
	ROW_BIGINT,   /* int64_t; MODEL_NULL for NULL */
	ROW_INTEGER,  /* int32_t; 0 for NULL */
	ROW_BOOLEAN,  /* int: 1, 0, -1 for NULL */
	ROW_TIME,     /* int64_t: Unix time in microseconds; MODEL_NULL for NULL */
	ROW_NUMBER,   /* struct number */
	ROW_DECIMAL,  /* struct decimal */
	ROW_DECIMALS, /* const struct decimal *, an array; a size_t member has its length */
	ROW_TEXT,     /* struct text */
	ROW_STRING,   /* const char * */
	ROW_JSON,     /* struct text */
	ROW_OWNER,    /* enum stack_owner */
};

struct row_column {
	const char *name; /* in lower case */
	enum row_type type;
	bool required;             /* NOT NULL, without a default */
	const char *default_value; /* NULL if the default is NULL */
	size_t offset, size;       /* offset and size of the member */
	size_t count_offset;       /* ROW_DECIMALS: the member that counts them */
};

struct row_table {
	const char *relation; /* in lower case, without schema */
	const char *key; /* its primary key as an ORDER BY list, without inst_id; the alias is t */
	const struct row_column *columns; /* without inst_id */
	size_t count;
};

extern const struct row_table relation_row_table, run_row_table, coverage_row_table,
	thread_row_table, class_row_table, class_data_row_table, routine_row_table, line_row_table,
	track_row_table, object_row_table, error_row_table, span_row_table, further_stack_row_table,
	suppression_row_table, graph_row_table;

/* The tables that profdepot adds to an AQTime export and whose columns this header describes. Each entry has the
 * table's name and the type of its rows. An added table for one of AQTime's relations has only the rows and
 * columns that AQTime's own table cannot store. */
#define OWN_TABLES(X) \
	X("PROFDEPOT_CALL_GRAPH", graph_row) \
	X("PROFDEPOT_ERRORS", error_row) \
	X("PROFDEPOT_FURTHER_STACKS", further_stack_row) \
	X("PROFDEPOT_OBJECTS", object_row) \
	X("PROFDEPOT_ROUTINES", routine_row) \
	X("PROFDEPOT_RUNS", run_row) \
	X("PROFDEPOT_SPANS", span_row) \
	X("PROFDEPOT_SUPPRESSIONS", suppression_row) \
	X("PROFDEPOT_THREADS", thread_row) \
	X("PROFDEPOT_TRACKS", track_row)

/* Returns whether AQTime also has this relation. */
bool row_table_is_aqtimes(const struct row_table *t);
/* Returns whether the added table has the column. If AQTime lacks the whole relation, the added
 * table has all columns. Otherwise it has the ID and the columns that AQTime lacks. */
bool row_column_is_own(const struct row_table *t, const struct row_column *c);
/* Copies the members whose columns are in the added table. */
void row_copy_own(const struct row_table *t, const void *from, void *to);

/* For the generated code. */
#define ROW_TEXT_TYPE(type, member) \
	_Generic(((type *)0)->member, struct text: ROW_TEXT, const char *: ROW_STRING, \
		enum stack_owner: ROW_OWNER)
#define ROW_PLACE(type, member) offsetof(type, member), sizeof(((type *)0)->member)

#endif
