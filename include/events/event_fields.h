/* The members of a strict body of an event query. event_parse.c checks a body against this table, and the API's
 * description is made from it. */
#ifndef PROFDEPOT_EVENTS_EVENT_FIELDS_H
#define PROFDEPOT_EVENTS_EVENT_FIELDS_H

#include <stddef.h>
#include <stdint.h>

struct event_field {
	const char *name;
	/* The type in JSON, in the notation of the API's description: "string", "integer", "boolean", "A|B",
	 * "[A]" for an array, "(a,b)" for one of these texts, or the name of an object's schema. */
	const char *type;
	int64_t min, max; /* range of an integer; both are 0 for other types */
};

enum {
	EVENT_FILTER_FIELDS = 3 /* the first members, which "compare" also has */
};

/* Returns the member with this index; NULL after the last one. */
const struct event_field *event_field_at(size_t i);

#endif
