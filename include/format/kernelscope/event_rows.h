/*
 * Checks event rows against their category and emits them as samples on tracks. The file reader and
 * the service's ingest use this module.
 *
 * Each row becomes a sample:
 *	stack	the first stack column: frames separated by ';', innermost first. The empty text is one
 *		frame with an empty name
 *	value	the first elapsed column, in microseconds; 1 if the category has no such column
 *	track	host, process (the string column "process") and pid (the int column "pid")
 *	time	the time of the batch
 *
 * Other values, and values that these members cannot represent exactly, become attributes of the
 * sample. Each attribute has the name of its column. An export therefore reproduces every row. If the stack or
 * elapsed column has another name, the track's attributes are {"stack": NAME, "elapsed": NAME}.
 */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_ROWS_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_ROWS_H

#include "model/category.h"
#include "model/event.h"
#include "model/sink.h"

/* The values that all rows of a batch share. Texts are escaped as in the depot. */
struct event_batch {
	struct text hostname;
	struct text time;
	bool time_is_number; /* `time` is a JSON number: seconds since 1970 */
	struct decimal at;   /* DECIMAL_NULL if the time is invalid */
	bool exact;          /* formatting `at` reproduces the text */
};

/* Computes `at` and `exact` from the other members. Call this once per batch, before its rows. */
void event_batch_settle(struct event_batch *b);

enum event_value_kind {
	EVENT_MISSING,
	EVENT_TEXT,
	EVENT_INT,
	EVENT_WRONG, /* no column accepts the value; `text` is its type, such as "null" */
};

struct event_value {
	enum event_value_kind kind;
	struct text text;
	int64_t integer;
};

/* Whether a row was rejected, and why. */
struct event_rejection {
	bool rejected;
	enum issue_code code;
	char message[200];
};

struct event_rows;

/* Emits rows of one result set. Borrows the sink. If the sink is NULL, rows are only checked. */
struct event_rows *event_rows_new(struct sink *sink, uint32_t set);
void event_rows_free(struct event_rows *e);

/* Emits the category's metric. Call it for each category before any row. Borrows the category. */
bool event_rows_declare(struct event_rows *e, const struct category *c, struct error *err);

/* Emits a row of a declared category. `values` has one element per column; the elements for
 * hostname and time are ignored. An invalid row is not emitted, and the reason is stored in *why. */
bool event_rows_add(struct event_rows *e, const struct category *c, const struct event_batch *batch,
	const struct event_value *values, struct event_rejection *why, struct error *err);

/* Like event_rows_add, but stores the row in *fact instead of emitting it. *fact is valid until the
 * next call, and is not set if the row is rejected. */
bool event_rows_judge(struct event_rows *e, const struct category *c,
	const struct event_batch *batch, const struct event_value *values,
	struct event_rejection *why, struct event_fact *fact, struct error *err);

#endif
