/* An object of a profile taken apart: columns here, attributes there. */
#ifndef PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_TAKE_H
#define PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_TAKE_H

#include "miniprofiler_private.h"

enum {
	MINI_KEY_IN_MESSAGE_BYTES = 60
};

struct mini_columns {
	struct text texts[MINI_FIELDS];
	struct decimal numbers[MINI_FIELDS];
	int64_t started_us;
	int errored;
};

struct mini_teller {
	struct mini_reader *m;
	struct mini_shape shape;
	const struct json_node *profile;
	int32_t track;
	struct error *err;
};

/* Columns of an object; what they cannot hold is kept for mini_attributes. */
bool mini_take_object(struct mini_teller *t, enum mini_kind kind, const struct json_node *object,
	struct mini_columns *c);
/* The object's attributes as JSON in the scratch arena; NULL when there are none. */
bool mini_attributes(struct mini_teller *t, struct text *out);

/* Does the type of these calls come again? Then the later one counts. */
bool mini_is_overruled(const struct json_node *type);

#endif
