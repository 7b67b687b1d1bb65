/*
 * MiniProfiler between JSON and the model.
 *
 * A profile is a track; its steps, calls (custom timings and SQL timings) and client timings are spans.
 * Every producer has its own keys, and its own way to write nothing: no key, null, an empty list. The
 * shape is what most objects of a profile do; it is one text in the track's attributes. An object's own
 * attributes hold what differs from the shape and what has no column:
 *
 *	KEY	a value that no column gives back exactly; overrides the column. A key that begins
 *		with @ gets another @
 *	@absent	keys of the shape that the object lacks
 *	@raw	members as JSON in strings: too deep for PostgreSQL's parser
 *	@list	true for a call in a list of SQL timings; comes first
 *	@keys	of a track: the shape, by kind of object. Each word is a key, then the spelling of no
 *		value: nothing for null, ? for no key, ~ for the empty text, list or object; then
 *		: and how a time or number is written
 */
#ifndef PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_PRIVATE_H
#define PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_PRIVATE_H

#include "base/pair_map.h"
#include "format/common/emit.h"
#include "miniprofiler_keys.h"

#define MINI_FORMAT "miniprofiler"
#define MINI_STORAGE_FORMAT "miniprofiler-storage"

enum {
	MINI_KEY_IN_MESSAGE_BYTES = 60
};

struct mini_reader {
	struct reader *in; /* the file that is read, or the storage */
	metric_number metric;
	int64_t next_span, next_routine, next_line;
	int32_t next_track;
	struct pair_map routines, lines, ids;
	struct arena scratch; /* of one span */
	struct strbuf attributes, raw, absent, key;
	uint64_t profiles;
	char reason[256]; /* why the first document is not a profile */
	/* The profile that is emitted. */
	const struct json_node *profile;
	struct mini_shape shape;
	int32_t track;
};

/* The columns of an object. */
struct mini_columns {
	struct text texts[MINI_FIELDS];
	struct decimal numbers[MINI_FIELDS];
	int64_t started_us;
	int errored;
};

/* --- miniprofiler_profile.c ------------------------------------------------------------------- */

/* Begins the set and its metric, calls `read` if the set is wanted, and ends the set. */
enum format_result mini_read(struct format_source *source, struct sink *sink,
	bool (*read)(struct mini_reader *m), struct error *err);

/* Emits a profile as a track and its spans; anything else becomes an issue. rebuilt: from storage rows. */
bool mini_emit_profile(struct mini_reader *m, const struct json_node *n, bool rebuilt);

/* --- miniprofiler_take.c ---------------------------------------------------------------------- */

/* The columns of an object of the profile; the rest is kept for mini_attributes. */
bool mini_take_object(struct mini_reader *m, enum mini_kind kind, const struct json_node *object,
	struct mini_columns *c);
/* The attributes of the last object as JSON in the scratch arena; NULL if it has no attributes. */
bool mini_attributes(struct mini_reader *m, struct text *out);

/* Whether a type of calls is repeated later: the last one counts. */
bool mini_is_overruled(const struct json_node *type);

/* --- miniprofiler_stack.c --------------------------------------------------------------------- */

/* The stack of the routines in a snippet; 0 if it is empty. */
bool mini_emit_stack(
	struct mini_reader *m, struct text snippet, uint64_t offset, stack_number *number);
/* The REC_ID of a routine, which is emitted on its first use. code: "step", "call" or "frame". */
bool mini_emit_routine(struct mini_reader *m, const char *code, struct text name, struct text file,
	int64_t *rec_id);

/* --- miniprofiler_write.c --------------------------------------------------------------------- */

bool mini_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err);

#endif
