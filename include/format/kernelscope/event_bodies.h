/*
 * Bodies of kernelscope's logger, from JSON to rows.
 *
 * Format: each document is one object, or an array of objects:
 *	{"hostname": TEXT, "time": TEXT, CATEGORY: [{COLUMN: VALUE}]}
 *
 * Host and time may follow the rows, so two readers read the same bytes: one looks ahead for the body's
 * host and time, the other reads its rows. Neither holds more than a row in memory. A name may be
 * repeated, and the last one counts, so the first reader reads all of a body unless it is hasty.
 */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_BODIES_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_BODIES_H

#include "base/arena.h"
#include "format/kernelscope/event_rows.h"
#include "input/json/json_reader.h"

/* What the documents contain. */
struct event_survey {
	bool *used;                 /* by category: it has rows or an empty list */
	struct text hostname, time; /* of the first body that has both; in the arena */
	bool several_hosts;
	struct text unknown; /* the first unknown name with an array */
	int64_t bodies;
};

/* Reads to the end and adds to the survey; its .used must have room for all categories. */
bool event_bodies_survey(struct json_reader *r, const struct category_list *categories,
	struct arena *a, struct event_survey *survey, struct error *err);

/* Where rows and issues go. */
struct event_bodies {
	const struct category_list *categories;
	struct event_rows *rows;
	struct sink *sink; /* for issues */
	uint32_t set;
	const char *source; /* file, for issues */
	/* Returns the input's bytes from..to, valid until the next call; NULL if impossible. */
	struct text (*raw)(void *self, uint64_t from, uint64_t to);
	void (*tick)(void *self, uint64_t offset); /* called regularly; may be NULL */
	/* Receives the rows instead of the sink, which then gets only issues; may be NULL. */
	bool (*fact)(void *self, const struct event_fact *fact, struct error *err);
	void *self;
	/* Look ahead no further than the first host and time. If another one follows, or the time
	 * is invalid, reading fails with `repeated`: discard the rows and read again without
	 * haste. */
	bool hasty;
	bool repeated;
};

/* Reads to the end. `ahead` and `r` read the same bytes. Anything invalid is left out with an issue. */
bool event_bodies_read(struct event_bodies *b, struct json_reader *ahead, struct json_reader *r,
	struct error *err);

#endif
