/* A small JSON document in memory, for the bodies of requests. */
#ifndef PROFDEPOT_EVENTS_JSON_VALUE_H
#define PROFDEPOT_EVENTS_JSON_VALUE_H

#include "base/arena.h"
#include "input/json/json_reader.h"

enum {
	JSON_VALUE_MAX_DEPTH = 100,
	JSON_VALUE_MAX_COUNT = 100000, /* of values of all kinds */
	JSON_VALUE_MAX_MEMBERS = 1000, /* of one object: keys are looked for one by one */
};

struct json_value {
	enum json_type type;
	struct text text; /* a string's characters in the depot's escape; a number as written */
	struct text key;  /* of an object's member */
	struct json_value *first, *next; /* members in their order, of equal keys the last only */
	size_t count;                    /* of members */
};

/* The one document that text holds, in the arena. NULL with ERROR_INPUT or ERROR_LIMIT. */
struct json_value *json_value_parse(struct arena *a, struct text text, struct error *err);

/* NULL when v is no object or has no such member. */
const struct json_value *json_value_member(const struct json_value *v, const char *key);

/* A number or a string that is one as written: a whole number of 64 bits? */
bool json_value_int64(const struct json_value *v, int64_t *out);

#endif
