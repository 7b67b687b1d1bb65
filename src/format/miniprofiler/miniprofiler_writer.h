/* Declarations of the MiniProfiler writer. */
#ifndef PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_WRITER_H
#define PROFDEPOT_FORMAT_MINIPROFILER_MINIPROFILER_WRITER_H

#include "miniprofiler_private.h"

#include "base/json_writer.h"
#include "model/source.h"

#define NO_SPAN SIZE_MAX

struct kept_track {
	int32_t id;
	struct text name, source_id, host, user_name, attributes;
	struct decimal duration;
	int64_t started_us;
};

struct kept_span {
	struct span_row row;      /* the texts are in the profile's arena */
	size_t first, last, next; /* first and last child, and next sibling */
};

struct mini_writer {
	struct sink sink;
	struct json_writer json;
	struct arena arena;   /* memory for the result set */
	struct arena profile; /* memory for the profile being read */
	struct arena object;  /* memory for the object being written */
	struct kept_track *tracks;
	size_t track_count, track_room;
	struct kept_span *spans;
	size_t span_count, span_room;
	size_t next_track; /* index of the first track that is not written yet */
	bool counting;     /* whether to count the tracks without writing them */
	struct mini_shape shape;
	struct strbuf buffer;
	FILE *out;
	int64_t only; /* the only track to write; 0 means all */
	uint64_t all_tracks;
};

/* The values of an object to write. */
struct values {
	enum mini_kind kind;
	struct text texts[MINI_FIELDS];
	struct decimal numbers[MINI_FIELDS];
	int64_t started_us;
	int errored;
	const struct json_node *attributes, *absent; /* NULL if absent */
};

/* Parses the attributes of a span or track; `attributes` may be NULL. The nodes are in the
 * arena. */
bool mini_values_parse(
	struct values *v, struct arena *a, struct text attributes, struct error *err);

/* Writes the object's members. Skips each list for which left[FIELD] is true, because its items are
 * spans. */
void mini_put_members(struct mini_writer *w, const struct values *v, const bool *left);
void mini_put_node(struct mini_writer *w, const struct json_node *n);

/* Some items of a list are in the attributes because they did not become spans. Sets *kept to a
 * copy of the list of these items, in the profile's arena, or to NULL if there are no such
 * items. */
bool mini_keep_list(struct mini_writer *w, const struct values *v, struct text key,
	const struct json_node **kept, struct error *err);

#endif
