/*
 * Reads MiniProfiler JSON into the model.
 *
 * Each profile becomes a track. Its steps, calls (custom timings and SQL timings) and client
 * timings become spans. Each producer has its own keys, and its own way to express "no value": no
 * key, null, or an empty list. The shape of a profile consists of the spellings that most of its
 * objects use. It is stored once, in the attributes of the track. An object's attributes contain
 * its differences from the shape, and values that have no column:
 *
 *	KEY	a value that the column cannot reproduce; it overrides the column. A KEY that
 *		begins with @ gets a second @
 *	@absent	keys of the shape that the object does not have
 *	@raw	members that are too deep for PostgreSQL's parser, as JSON in strings
 *	@list	true for a call in an SQL timings list; always the first member
 *	@keys	on tracks: the shape, as a list of words per object kind. A word begins with a key. After
 *		the key, a mark shows how "no value" is written: ? if the key is missing, ~ for an empty
 *		text, list or object, and no mark for null. The word of a time or number ends with a colon and its form
 */
#ifndef PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_PRIVATE_H
#define PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_PRIVATE_H

#include "base/pair_map.h"
#include "format/common/emit.h"
#include "format/common/frame_dictionary.h"
#include "format/common/json_members.h"
#include "miniprofiler_keys.h"

#define MINI_FORMAT "miniprofiler"
#define MINI_STORAGE_FORMAT "miniprofiler-storage"

enum {
	MINI_KEY_IN_MESSAGE_BYTES = 60
};

struct mini_reader {
	struct reader *in; /* reader of the current file or storage */
	metric_number metric;
	int64_t next_span;
	int32_t next_track;
	struct frame_dictionary *frames;
	struct pair_map ids;  /* profile IDs so far */
	struct arena scratch; /* reset for each span */
	struct strbuf attributes, raw, absent;
	uint64_t profiles;
	char reason[256]; /* why the first document is not a profile */
	/* The current profile: */
	const struct json_node *profile;
	struct mini_shape shape;
	int32_t track;
};

/* The values of an object's columns. */
struct mini_columns {
	struct text texts[MINI_FIELDS];
	struct decimal numbers[MINI_FIELDS];
	int64_t started_us;
	int errored;
};

/* Begins the set and emits its metric, calls `read` if the set is wanted, and ends the set. */
enum format_result mini_read(struct format_source *source, struct sink *sink,
	bool (*read)(struct mini_reader *m), struct error *err);

/* Emits a profile as a track with spans. A value that is not a profile is reported as an issue.
 * `rebuilt` marks a profile that was made from storage rows. */
bool mini_emit_profile(struct mini_reader *m, const struct json_node *n, bool rebuilt);

/* Reads those values of an object that have a column, and keeps the other values for
 * mini_attributes. */
bool mini_take_object(struct mini_reader *m, enum mini_kind kind, const struct json_node *object,
	struct mini_columns *c);
/* Writes, as JSON, the attributes of the object that mini_take_object read last. *out is NULL if
 * the object has no attributes; it is valid until the next object. */
bool mini_attributes(struct mini_reader *m, struct text *out);

/* Returns whether a later member of CustomTimings repeats this call type. If a type is repeated,
 * only its last list of calls is used. */
bool mini_is_overruled(const struct json_node *type);

/* Emits the stack in a snippet. *number is 0 if the snippet is empty. */
bool mini_emit_stack(
	struct mini_reader *m, struct text snippet, uint64_t offset, stack_number *number);
/* Finds the REC_ID of a step's or call's routine, and emits the routine if it is new. code is
 * "step" or "call". */
bool mini_emit_routine(struct mini_reader *m, const char *code, struct text name, int64_t *rec_id);

bool mini_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err);

#endif
