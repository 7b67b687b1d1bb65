/*
 * Rows of events, checked against their category and emitted as samples on tracks, for files and for
 * the service's ingest.
 *
 * A row becomes a sample. Its first stack column is the stack (text, innermost frame first, ';' between
 * frames; the empty text is a frame, too), its first elapsed column the value in microseconds; a
 * category without one counts rows. Host, process (a string column "process") and pid (an int column
 * "pid") identify the track; the sample's time is the batch's. Values that these cannot hold exactly go
 * into the sample's attributes by column name, so that an export gives back every row unchanged. If a
 * category's stack or elapsed column has another name, the attributes of its tracks are
 * {"stack": NAME, "elapsed": NAME}.
 */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_ROWS_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_ROWS_H

#include "model/category.h"
#include "model/event.h"
#include "model/sink.h"

/* What the rows of a batch share. Text is in the depot's escape. */
struct event_batch {
	struct text hostname;
	struct text time;
	bool time_is_number; /* a JSON number's text: seconds since 1970 */
	struct decimal at;   /* DECIMAL_NULL if the time is invalid */
	bool exact;          /* formatting `at` gives the same text */
};

/* Sets `at` and `exact` from the others: once per batch, before its rows. */
void event_batch_settle(struct event_batch *b);

enum event_value_kind {
	EVENT_MISSING,
	EVENT_TEXT,
	EVENT_INT,
	EVENT_WRONG, /* not a value of a column; text says what it is, such as "null" */
};

struct event_value {
	enum event_value_kind kind;
	struct text text;
	int64_t integer;
};

/* Why a row was left out. */
struct event_rejection {
	bool rejected;
	enum issue_code code;
	char message[200];
};

struct event_rows;

/* For one result set of the sink, which it borrows. If sink is NULL, rows are only checked. */
struct event_rows *event_rows_new(struct sink *sink, uint32_t set);
void event_rows_free(struct event_rows *e);

/* Emits the category's metric. Call it for each category, before any row. Borrows it. */
bool event_rows_declare(struct event_rows *e, const struct category *c, struct error *err);

/* Emits a row of a declared category. `values` by column; those of hostname and time are ignored. An
 * invalid row is not emitted; *why has the reason. */
bool event_rows_add(struct event_rows *e, const struct category *c, const struct event_batch *batch,
	const struct event_value *values, struct event_rejection *why, struct error *err);

/* The same, but emits nothing: *fact is valid until the next call, and not set if the row is rejected. */
bool event_rows_judge(struct event_rows *e, const struct category *c,
	const struct event_batch *batch, const struct event_value *values,
	struct event_rejection *why, struct event_fact *fact, struct error *err);

/* The rows so far. */
int64_t event_rows_count(const struct event_rows *e);

#endif
