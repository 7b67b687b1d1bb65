/*
 * speedscope's own format, .speedscope.json (https://www.speedscope.app/file-format-schema.json):
 *
 *	{ "$schema": URL, "shared": { "frames": [ { "name", "file", "line", "col" } ... ] },
 *	  "profiles": [ { "type": "evented", "name", "unit", "startValue", "endValue",
 *	                  "events": [ { "type": "O" or "C", "frame": index, "at": number } ... ] },
 *	                { "type": "sampled", ...,
 *	                  "samples": [ [ index, ... outermost first ] ... ], "weights": [ ... ] } ],
 *	  "name", "activeProfileIndex", "exporter" }
 *
 * A file becomes a result set, a frame becomes a routine with the index as its REC_ID, and a
 * profile becomes a track. Values that no column stores become attributes, so that the writer can
 * restore them:
 *
 *	of the result set  { "members": { top-level members except shared and profiles },
 *	                     "shared": { members except frames } }
 *	of a routine       { members of the frame that no column holds }
 *	of a track         { "absent": [ missing keys ], "members": { odd or unknown },
 *	                     "samples": [ [ index, value ] ], "weights": [ [ index, value ] ],
 *	                     "events": [ [ index, { odd or unknown members },
 *	                                   enum speedscope_mark unless 0 ] ] }
 */
#ifndef PROFDEPOT_FORMAT_SPEEDSCOPE_SPEEDSCOPE_PRIVATE_H
#define PROFDEPOT_FORMAT_SPEEDSCOPE_SPEEDSCOPE_PRIVATE_H

#include "base/json_string.h"
#include "speedscope_file.h"

#define SPEEDSCOPE_SCHEMA "https://www.speedscope.app/file-format-schema.json"

enum {
	SPEEDSCOPE_MAX_FRAMES = 16 * 1024 * 1024,
	SPEEDSCOPE_MAX_PROFILES = 1024 * 1024,
	SPEEDSCOPE_MAX_DEPTH = 256, /* limit for nested JSON; the format needs 5 */
	SPEEDSCOPE_MAX_STRING_BYTES = 16 * 1024 * 1024,
	SPEEDSCOPE_MAX_STACK_TEXTS = 256 * 1024,    /* at this size the map is cleared */
	SPEEDSCOPE_MAX_ODD_BYTES = 4 * 1024 * 1024, /* odd values per attributes document */
};

enum speedscope_mark {
	SPEEDSCOPE_PLAIN,
	SPEEDSCOPE_NO_SPAN, /* neither O nor C; the members are the complete event */
	SPEEDSCOPE_NO_TIME, /* an event without "at" */
};

/* Makes all further messages begin with the number and the name of the current profile. */
void speedscope_name_profile(struct speedscope_file *f);
/* Enters the next array or object. Fails with "NOUN NUMBER is TYPE, not an array" if the next
 * value has another type. number is -1 if the noun has no number. */
bool speedscope_enter(
	struct speedscope_file *f, enum json_type want, const char *noun, int64_t number);

/* Adds a member to the object in f->item; f->scratch is the member's value. */
void speedscope_item_member(struct speedscope_file *f, struct text key);
/* Adds `"key":f->scratch` to an object, or `[index,raw]` to a list. A value that exceeds the
 * limit is left out, with an issue. */
bool speedscope_odd_member(struct speedscope_file *f, struct speedscope_odd *o, struct text key);
bool speedscope_odd_item(struct speedscope_file *f, struct speedscope_odd *o, uint64_t index,
	struct text raw, enum speedscope_mark mark);

enum speedscope_value {
	SPEEDSCOPE_FAILED,
	SPEEDSCOPE_GOOD,
	SPEEDSCOPE_ODD,  /* has another type, but is usable; raw text in f->scratch */
	SPEEDSCOPE_NULL, /* null; raw text in f->scratch */
	SPEEDSCOPE_BAD,  /* not usable; raw text in f->scratch */
};

/* Reads a number, or a string that contains one. *v's text is copied to f->value_text. */
enum speedscope_value speedscope_read_number(struct speedscope_file *f, struct decimal *v);
/* Reads the index of a frame. If the frame does not exist, returns SPEEDSCOPE_BAD. *v is the index, or
 * -1 if the value is not an index. */
enum speedscope_value speedscope_read_frame(struct speedscope_file *f, int64_t *v);
/* Reads an index at p, which points into the JSON reader's window. Returns where the index ends; NULL
 * if there is no index less than `count` at p, or if the window ends within the index. */
const char *speedscope_scan_index(const char *p, uint32_t count, int64_t *v);
/* Reads a string, whose memory is borrowed. Returns SPEEDSCOPE_BAD if the value is neither a string nor
 * null. */
enum speedscope_value speedscope_read_text(struct speedscope_file *f, struct text *v);
/* Replaces f->scratch. */
void speedscope_set_scratch(struct speedscope_file *f, struct text raw);
void speedscope_set_scratch_int(struct speedscope_file *f, int64_t v);
/* Reads any value and copies its text into f->scratch. */
bool speedscope_read_raw(struct speedscope_file *f);

/* Returns d with its text copied into the arena. */
struct decimal speedscope_keep(struct arena *a, struct decimal d);

/* end - start. The result is computed with doubles if it does not fit in 64 bits. */
struct decimal speedscope_difference(struct arena *a, struct decimal end, struct decimal start);

/* The writer; see speedscope_write_private.h. */
struct source;
bool speedscope_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err);

/* speedscope_end_evented sets *total to the time from the start to the last event, or to NULL if there
 * are no events. speedscope_end_sampled sets *total to the sum of the weights. */
bool speedscope_read_events(struct speedscope_file *f);
bool speedscope_end_evented(struct speedscope_file *f, struct decimal *total);
bool speedscope_read_samples(struct speedscope_file *f);
bool speedscope_read_weights(struct speedscope_file *f);
bool speedscope_end_sampled(struct speedscope_file *f, struct decimal *total);

/* Read the value of "shared" or "profiles". */
bool speedscope_read_shared(struct speedscope_file *f);
bool speedscope_read_profiles(struct speedscope_file *f);
/* Emits the metric on its first use. */
bool speedscope_need_metric(
	struct speedscope_file *f, enum speedscope_type type, enum speedscope_unit unit);

#endif
