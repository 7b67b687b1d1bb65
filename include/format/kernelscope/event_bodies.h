/*
 * Bodies of kernelscope's logger, from JSON to rows: one object or an array of
 * them a document, {"hostname": TEXT, "time": TEXT, CATEGORY: [{COLUMN: VALUE}]}.
 *
 * Host and time may stand behind the rows, so bodies are read by two readers
 * of the same bytes: one looks ahead for the body's host and time, the other
 * follows with its rows. Neither holds more than a row. A name may stand twice,
 * and the last counts, so the first reader goes through all of a body, unless
 * it is told to be hasty.
 */
#ifndef PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_BODIES_H
#define PROFDEPOT_FORMAT_KERNELSCOPE_EVENT_BODIES_H

#include "base/arena.h"
#include "format/kernelscope/event_rows.h"
#include "input/json/json_reader.h"

/* What a document holds before it is read. */
struct event_survey {
	bool *used;                 /* by category; has rows or an empty list */
	struct text hostname, time; /* of the first body that names both; in the arena */
	bool several_hosts;
	struct text unknown; /* first name that is no category but has rows */
	int64_t bodies;      /* objects */
};

/* Adds to the survey, whose .used has room for all categories; reads to the end. */
bool event_bodies_survey(struct json_reader *r, const struct category_list *categories,
	struct arena *a, struct event_survey *survey, struct error *err);

/* Where rows go, and who is told of it. */
struct event_bodies {
	const struct category_list *categories;
	struct event_rows *rows;
	struct sink *sink; /* for issues */
	uint32_t set;
	const char *source; /* file, for issues */
	/* The input's bytes from..to, borrowed till the next call; NULL: not to be had. */
	struct text (*raw)(void *self, uint64_t from, uint64_t to);
	void (*tick)(void *self, uint64_t offset); /* now and then; may be NULL */
	/* Takes the rows instead of the sink, which is told issues only; NULL: the sink does. */
	bool (*fact)(void *self, const struct event_fact *fact, struct error *err);
	void *self;
	/* Looks ahead no further than to the first host and time. Where another comes behind
	 * them, or the time is none, the reading fails with `repeated`: to be done again without
	 * haste, all rows that were told being void. */
	bool hasty;
	bool repeated;
};

/* Reads to the end. `ahead` and `r` read the same bytes. What is not right is
 * left out with an issue. */
bool event_bodies_read(struct event_bodies *b, struct json_reader *ahead, struct json_reader *r,
	struct error *err);

#endif
