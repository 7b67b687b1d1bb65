/*
 * An event that is validated against its category and split into the values that the depot stores; see
 * format/kernelscope/event_rows.h.
 */
#ifndef PROFDEPOT_MODEL_EVENT_H
#define PROFDEPOT_MODEL_EVENT_H

#include "base/decimal.h"
#include "model/category.h"
#include "model/measures.h"

/* The values that all events of a category share. */
struct event_shape {
	struct text category;
	struct metric_row metric;
	struct text track_attributes; /* NULL if absent */
};

/* Texts are borrowed, and escaped as in the depot. */
struct event_fact {
	const struct event_shape *shape;
	struct text host;
	struct text process; /* NULL if absent */
	int64_t thread_id;   /* MODEL_NULL if absent */
	/* frames joined by ';', innermost first; NULL if absent */
	struct text stack;
	struct decimal at; /* seconds since 1970; NULL if absent or invalid */
	int64_t value;
	struct text attributes; /* JSON object of the remaining columns; NULL if empty */
};

#endif
