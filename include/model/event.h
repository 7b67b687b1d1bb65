/*
 * An event, checked against its category and taken apart into what the depot
 * keeps of it; see format/kernelscope/event_rows.h.
 */
#ifndef PROFDEPOT_MODEL_EVENT_H
#define PROFDEPOT_MODEL_EVENT_H

#include "base/decimal.h"
#include "model/category.h"
#include "model/measures.h"

/* What all events of a category share. */
struct event_shape {
	struct text category;
	struct metric_row metric;
	struct text track_attributes; /* NULL: none */
};

/* Texts are in the depot's escape and borrowed. */
struct event_fact {
	const struct event_shape *shape;
	struct text host;
	struct text process; /* NULL: the category has none */
	int64_t thread_id;   /* MODEL_NULL: likewise */
	struct text stack;   /* frames joined by ';', innermost first; NULL: likewise */
	struct decimal at;   /* seconds since 1970; NULL: none that is one */
	int64_t value;
	struct text attributes; /* JSON object, what these do not hold; NULL: nothing */
};

#endif
