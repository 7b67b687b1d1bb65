/*
 * The shape of a JSON file: the type of the top value, and the keys of the top-level object or of an
 * array's first element. Formats recognise their files by the shape. Values are skipped, so a key
 * after a large value is found, too. A large array is not read to its end if its first element decides
 * the format. The array "profiles" is an exception: the keys after it are read, too, because "$schema"
 * and "shared" can be among them.
 *
 * If the input ends early or becomes invalid, the shape contains the keys before that position.
 */
#ifndef PROFDEPOT_INPUT_JSON_JSON_SHAPE_H
#define PROFDEPOT_INPUT_JSON_JSON_SHAPE_H

#include "base/text.h"
#include "input/bundle/bundle.h"

enum json_top {
	JSON_TOP_NONE, /* not JSON */
	JSON_TOP_OBJECT,
	JSON_TOP_ARRAY,
	JSON_TOP_OTHER, /* a string, a number or a literal */
};

enum {
	JSON_SHAPE_MAX_KEYS = 64
};

struct json_shape {
	enum json_top top;
	bool several; /* NDJSON: another document follows the first one */
	/* the keys of the top-level object, or of the array's first element if it is an object */
	struct text keys[JSON_SHAPE_MAX_KEYS];
	size_t key_count;
	struct text schema; /* the string value of "$schema"; NULL if absent */
	/* The keys of the first element of "traceEvents", "snapshots" or "profiles", if the
	 * top-level object has one of them. */
	struct text inner[JSON_SHAPE_MAX_KEYS];
	size_t inner_count;
};

/* Returns a member's shape. The first call reads it. It is valid until the bundle is closed. Never fails:
 * if the member is not JSON, `top` is JSON_TOP_NONE. */
const struct json_shape *json_shape_of(struct bundle *b, size_t member);

/* json_shape_has returns whether the key is in `keys`, and json_shape_inner_has whether it is in `inner`. Both arrays
 * contain only the first JSON_SHAPE_MAX_KEYS keys. */
bool json_shape_has(const struct json_shape *s, const char *key);
bool json_shape_inner_has(const struct json_shape *s, const char *key);

#endif
