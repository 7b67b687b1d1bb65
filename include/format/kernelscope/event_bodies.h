/*
 * Reads event rows from the JSON bodies that kernelscope's logger receives.
 *
 * Format: each document is one object, or an array of objects:
 *	{"hostname": TEXT, "time": TEXT, CATEGORY: [{COLUMN: VALUE}]}
 *
 * Host and time may follow the rows. Therefore two JSON readers read the same bytes: the first one
 * looks ahead for the host and time of the body, and the second one reads its rows. Neither reader
 * keeps more than one row in memory. If a name is repeated, the last value is used; therefore the
 * first reader reads the whole body, except with `hasty`.
 */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_BODIES_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_BODIES_H

#include "base/arena.h"
#include "format/kernelscope/event_rows.h"
#include "input/json/json_reader.h"

/* The content of the documents. */
struct event_survey {
	bool *used; /* per category: true if the documents have rows or an empty list for it */
	struct text hostname, time; /* from the first body that has both; in the arena */
	bool several_hosts;
	struct text unknown; /* the first name that has an array but is not a category */
	int64_t bodies;
};

/* Adds the whole input to the survey, whose member `used` must have room for all categories. */
bool event_bodies_survey(struct json_reader *r, const struct category_list *categories,
	struct arena *a, struct event_survey *survey, struct error *err);

/* The destination of rows and issues. */
struct event_bodies {
	const struct category_list *categories;
	struct event_rows *rows;
	struct sink *sink; /* for issues */
	uint32_t set;
	const char *source; /* name of the file, for issues */
	/* Returns the input's bytes from..to, valid until the next call; NULL if impossible. */
	struct text (*raw)(void *self, uint64_t from, uint64_t to);
	void (*tick)(void *self, uint64_t offset); /* called regularly; may be NULL */
	/* Receives the rows instead of the sink, which then receives only issues; may be NULL. */
	bool (*fact)(void *self, const struct event_fact *fact, struct error *err);
	void *self;
	/* Look ahead only to the first host and time. If another host or time follows, or the time
	 * is invalid, reading fails and sets `repeated`. The caller then discards the rows and
	 * reads again without `hasty`. */
	bool hasty;
	bool repeated;
};

/* Reads all input. `ahead` and `r` read the same bytes. Skips invalid data and emits an issue. */
bool event_bodies_read(struct event_bodies *b, struct json_reader *ahead, struct json_reader *r,
	struct error *err);

#endif
