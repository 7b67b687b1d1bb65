/* What the parts of the MiniProfiler writer share. */
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
	struct span_row row;      /* texts in the profile's arena */
	size_t first, last, next; /* children */
};

struct mini_writer {
	struct sink sink;
	struct json_writer json;
	struct arena arena;   /* of the result set */
	struct arena profile; /* of the profile being put together */
	struct arena object;  /* of the object being written */
	struct kept_track *tracks;
	size_t track_count, track_capacity;
	struct kept_span *spans;
	size_t span_count, span_capacity;
	size_t next_track; /* of those not yet written */
	bool counting;     /* tracks are only counted */
	struct mini_shape shape;
	struct strbuf buffer;
	FILE *out;
	int64_t only; /* track; 0: all */
	uint64_t all_tracks;
};

/* What an object is written from. */
struct values {
	enum mini_kind kind;
	struct text texts[MINI_FIELDS];
	struct decimal numbers[MINI_FIELDS];
	int64_t started_us;
	int errored;
	const struct json_node *attributes, *absent; /* NULL: none */
};

/* From a span's or track's attributes; NULL has none. Nodes live in the arena. */
bool mini_values_parse(
	struct values *v, struct arena *a, struct text attributes, struct error *err);

/* All members of the object but the lists in `left` (by field), which spans fill. */
void mini_put_members(struct mini_writer *w, const struct values *v, const bool *left);
void mini_put_node(struct mini_writer *w, const struct json_node *n);

/* What attributes have of a list that spans add to, copied into the profile's
 * arena; *kept NULL when there is nothing. */
bool mini_keep_list(struct mini_writer *w, const struct values *v, struct text key,
	const struct json_node **kept, struct error *err);

#endif
