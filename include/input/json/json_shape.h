/*
 * A first look at a file's JSON, by which formats know their own: what stands
 * at the top, the keys of the top-level object, and those of the first
 * element of an array. Values are skipped, so that a key behind a large one is
 * found too. Large arrays are not read to their end when what was seen before
 * them tells the format: behind one's first element only "$schema" and "shared"
 * of a file with "profiles" are looked for.
 *
 * It is a tolerant look: of an input that breaks off or turns out to be no
 * JSON later, what stood before counts.
 */
#ifndef PROFDEPOT_INPUT_JSON_JSON_SHAPE_H
#define PROFDEPOT_INPUT_JSON_JSON_SHAPE_H

#include "base/text.h"
#include "input/bundle/bundle.h"

enum json_top {
	JSON_TOP_NONE, /* no JSON */
	JSON_TOP_OBJECT,
	JSON_TOP_ARRAY,
	JSON_TOP_OTHER, /* a string, a number ... */
};

enum {
	JSON_SHAPE_MAX_KEYS = 64
};

struct json_shape {
	enum json_top top;
	bool several; /* NDJSON: a further document follows the first, where that
		       was read to its end */
	struct text keys[JSON_SHAPE_MAX_KEYS]; /* of the object, or of the array's first element
						  when that is an object */
	size_t key_count;
	struct text schema; /* the string value of "$schema", NULL none */
	/* Of an object: keys of the first element of "traceEvents", "snapshots"
	 * or "profiles", whichever is there. */
	struct text inner[JSON_SHAPE_MAX_KEYS];
	size_t inner_count;
};

/* Of a member, looked at once; never fails: what is not JSON has JSON_TOP_NONE. Lives as long as
 * the bundle. */
const struct json_shape *json_shape_of(struct bundle *b, size_t member);

/* Is it among the keys of the top-level object (of an array: of its first element), or of the
 * inner object? Where there are more keys than are kept, the later ones are not. */
bool json_shape_has(const struct json_shape *s, const char *key);
bool json_shape_inner_has(const struct json_shape *s, const char *key);

#endif
