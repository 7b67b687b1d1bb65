/*
 * The first look at a JSON file, by which formats recognise their own files: the type of the top
 * value, the keys of the top-level object, and those of the first element of an array. Values are
 * skipped, so a key after a large value is found, too. A large array is not read to its end once
 * the format is decided: after its first element, only "$schema" and "shared" of a file with
 * "profiles" matter.
 *
 * The look is tolerant: if the input ends early or is invalid later, what came before is used.
 */
#ifndef PROFDEPOT_INPUT_JSON_JSON_SHAPE_H
#define PROFDEPOT_INPUT_JSON_JSON_SHAPE_H

#include "base/text.h"
#include "input/bundle/bundle.h"

enum json_top {
	JSON_TOP_NONE, /* not JSON */
	JSON_TOP_OBJECT,
	JSON_TOP_ARRAY,
	JSON_TOP_OTHER, /* a string, a number ... */
};

enum {
	JSON_SHAPE_MAX_KEYS = 64
};

struct json_shape {
	enum json_top top;
	bool several; /* NDJSON: the first document was read to its end, and another follows */
	/* the keys of the top-level object, or of the array's first element if it is an object */
	struct text keys[JSON_SHAPE_MAX_KEYS];
	size_t key_count;
	struct text schema; /* the string value of "$schema"; NULL if absent */
	/* If the top level is an object: the keys of the first element of "traceEvents",
	 * "snapshots" or "profiles", whichever exists. */
	struct text inner[JSON_SHAPE_MAX_KEYS];
	size_t inner_count;
};

/* The shape of a member, read once. Never fails: the result is JSON_TOP_NONE if the member is not
 * JSON. Valid as long as the bundle. */
const struct json_shape *json_shape_of(struct bundle *b, size_t member);

/* Is this a key of the top-level object (of an array's first element), or of the inner object?
 * Only the first JSON_SHAPE_MAX_KEYS keys are kept. */
bool json_shape_has(const struct json_shape *s, const char *key);
bool json_shape_inner_has(const struct json_shape *s, const char *key);

#endif
