/*
 * Rows of events, checked against their category and told to a sink as
 * samples on tracks. What a file's reader and the service's ingest share.
 *
 * A row becomes a sample: its first stack column is the stack (text innermost
 * frame first, ';' between frames: also the empty text is a frame), its first
 * elapsed column the value, microseconds; a category without one counts rows.
 * Host, process (a column "process", string) and pid (a column "pid", int) make
 * the track, the batch's time the sample's. What these do not hold exactly goes
 * into the sample's attributes by its column's name, so that every row comes
 * back as it was. A category whose stack or elapsed column is not called so
 * has {"stack": NAME, "elapsed": NAME} in its tracks' attributes.
 */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_ROWS_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_ROWS_H

#include "model/category.h"
#include "model/event.h"
#include "model/sink.h"

/* What the rows of a batch share. Texts are in the depot's escape. */
struct event_batch {
	struct text hostname;
	struct text time;
	bool time_is_number; /* a JSON number's text: seconds since 1970 */
	struct decimal at;   /* DECIMAL_NULL: time is none */
	bool exact;          /* at says all that the text does */
};

/* at and exact, from the others: once a batch, before its rows. */
void event_batch_settle(struct event_batch *b);

enum event_value_kind {
	EVENT_MISSING,
	EVENT_TEXT,
	EVENT_INT,
	EVENT_WRONG, /* nothing that a column holds; text says what, such as "null" */
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

/* Of one result set, which the sink has been told. Borrows the sink; NULL: rows are judged only. */
struct event_rows *event_rows_new(struct sink *sink, uint32_t set);
void event_rows_free(struct event_rows *e);

/* Tells the category's metric: for each category that comes, before any row.
 * Borrows it. */
bool event_rows_declare(struct event_rows *e, const struct category *c, struct error *err);

/* One row of a declared category; values by column, those of hostname and time
 * are not looked at. A row that is not right is not told: *why. */
bool event_rows_add(struct event_rows *e, const struct category *c, const struct event_batch *batch,
	const struct event_value *values, struct event_rejection *why, struct error *err);

/* The same, but nobody is told: the fact, borrowed until the next call. Not set when rejected. */
bool event_rows_judge(struct event_rows *e, const struct category *c,
	const struct event_batch *batch, const struct event_value *values,
	struct event_rejection *why, struct event_fact *fact, struct error *err);

/* Rows told so far. */
int64_t event_rows_count(const struct event_rows *e);

#endif
