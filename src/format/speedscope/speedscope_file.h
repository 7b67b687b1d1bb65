/*
 * The state of the speedscope reader.
 */
#ifndef PROFDEPOT_FORMAT_SPEEDSCOPE_SPEEDSCOPE_FILE_H
#define PROFDEPOT_FORMAT_SPEEDSCOPE_SPEEDSCOPE_FILE_H

#include "base/pair_map.h"
#include "base/strbuf.h"
#include "format/common/emit.h"
#include "format/common/nesting.h"
#include "input/json/json_reader.h"
#include "input/spool.h"

enum speedscope_type {
	SPEEDSCOPE_NO_TYPE,
	SPEEDSCOPE_EVENTED,
	SPEEDSCOPE_SAMPLED,
	SPEEDSCOPE_TYPES
};

/* Units, named as in metrics; "none" is the first. */
#define SPEEDSCOPE_UNITS(X) \
	X(none) \
	X(nanoseconds) \
	X(microseconds) \
	X(milliseconds) \
	X(seconds) \
	X(bytes)
enum speedscope_unit {
#define SPEEDSCOPE_UNIT_ENUM(name) SPEEDSCOPE_UNIT_##name,
	SPEEDSCOPE_UNITS(SPEEDSCOPE_UNIT_ENUM)
#undef SPEEDSCOPE_UNIT_ENUM
	SPEEDSCOPE_UNIT_COUNT
};
extern const char *const speedscope_units[SPEEDSCOPE_UNIT_COUNT];

/* A profile's keys. */
#define SPEEDSCOPE_KEYS(X) \
	X(TYPE, "type") \
	X(NAME, "name") \
	X(UNIT, "unit") \
	X(START, "startValue") \
	X(END, "endValue") \
	X(EVENTS, "events") \
	X(SAMPLES, "samples") \
	X(WEIGHTS, "weights")
enum speedscope_key {
#define SPEEDSCOPE_KEY_ENUM(id, name) SPEEDSCOPE_KEY_##id,
	SPEEDSCOPE_KEYS(SPEEDSCOPE_KEY_ENUM)
#undef SPEEDSCOPE_KEY_ENUM
	SPEEDSCOPE_KEY_COUNT
};
extern const char *const speedscope_keys[SPEEDSCOPE_KEY_COUNT];

/* The members of a profile other than its events or samples. Text is in the file's arena. */
struct speedscope_head {
	enum speedscope_type type;
	enum speedscope_unit unit;
	struct text name; /* NULL if absent or empty */
	struct decimal start, end;
	uint32_t seen[SPEEDSCOPE_KEY_COUNT]; /* how often the key appears */
};

/* A number that owns its text. */
struct speedscope_time {
	struct decimal d;
	char *own; /* copy of the text if d is a DECIMAL_TEXT, or NULL */
};

/* Copies d with its text; free(t->own) releases it. */
static inline void
speedscope_time_set(struct speedscope_time *t, struct decimal d)
{
	*t = (struct speedscope_time){ .d = d };
	if (d.kind != DECIMAL_TEXT)
		return;
	t->own = xmalloc(d.text.size + 1);
	memcpy(t->own, d.text.data, d.text.size);
	t->d.text.data = t->own;
}

struct speedscope_call {
	uint32_t frame;
	path_number path;
	int64_t id;
	struct speedscope_time start;
};

/* Incomplete JSON, such as "[1,2" or "{"a":1". Empty before the first item. */
struct speedscope_odd {
	struct strbuf text;
	bool reported; /* whether an issue already says that `text` is full */
};

/* A file that is read in one pass, or in three if its keys are in an unusual order. */
struct speedscope_file {
	wide_int weight_sum; /* the profile's weights, in units of decimal_to_fixed */
	struct reader *in;   /* in->again is set if the keys are in an unusual order */
	struct arena arena;
	struct json_reader *json;

	bool emit_shared, emit_profiles;     /* what this pass emits */
	bool look;                           /* this pass only collects the heads */
	uint32_t shared_seen, profiles_seen; /* number of occurrences in this pass */
	uint32_t shared_last, profiles_last; /* which occurrence is read; 0 means the first */
	struct speedscope_head *heads;       /* collected by the first of three passes */
	size_t head_count, head_room;

	/* shared.frames */
	bool has_frames, has_facts;
	uint32_t frame_count;
	struct text *keys; /* maps a frame to its "key"; NULL if no frame has a key */
	size_t key_room;
	uint32_t *canonical;      /* for each frame, the first frame with the same key; or NULL */
	struct arena frame_arena; /* reset for each frame */
	struct strbuf item, scratch;

	metric_number metrics[SPEEDSCOPE_TYPES][SPEEDSCOPE_UNIT_COUNT]; /* 0 if not declared */
	struct text group_name, first_profile;
	size_t profile_count;
	size_t bad_texts; /* number of texts that are not UTF-8 */
	uint64_t bad_text_offset;
	struct speedscope_odd members, shared_members;

	/* The current profile. */
	struct speedscope_head head;
	size_t profile; /* number of the profile, from 0 */
	char part[128]; /* prefix of messages, such as 'profile 2 ("main"): ' */
	metric_number metric;
	struct speedscope_odd p_members, p_events, p_samples, p_weights;
	struct decimal last; /* time of the last event; its text is in last_text */
	struct strbuf last_text;
	struct strbuf value_text; /* text of the current number */
	uint64_t events;
	struct speedscope_call *calls; /* the open calls */
	size_t call_count, call_room;
	struct nest_begins begins; /* finds a frame's innermost open call; usually empty */
	int64_t next_id;           /* ID of the next frame, counted over all profiles */
	struct spool *stacks, *weights;
	uint64_t sample_count, weight_count;
	bool has_last, has_samples, has_weights, weight_inexact;
	struct pair_map stack_texts; /* maps a stack's text to its number */
	int64_t *ids;                /* a stack's frames */
	size_t id_room;
	uint64_t bad_sample, bad_offset; /* the first sample with a missing frame */
	int64_t bad_frame;
	double weight_double; /* used if weight_sum is inexact */
};

#endif
