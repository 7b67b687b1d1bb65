/*
 * The Chrome trace reader. One pass over the file reads the category, name, phase and times of each
 * event. Events that can be user timings are then read again, with all members. At the end the
 * timings are paired, sorted and emitted. Format: "Trace Event Format" (Google, 2016).
 *
 *	chrome.c	recognises a trace, and runs the steps of a load
 *	chrome_state	has the functions that all parts use
 *	chrome_stream	reads the file in one pass
 *	chrome_collect	finds the events that are timings
 *	chrome_trace	reads processes, threads, navigations and bounds
 *	chrome_pair	pairs events and puts spans in DevTools' order
 *	chrome_extension	makes custom tracks and markers
 *	chrome_emit	emits the spans of the timings
 *	chrome_calls	nests trace events, for --events all
 *	chrome_profile	reads CPU profiles, for --events all
 */
#ifndef PROFDEPOT_FORMAT_CHROME_CHROME_PRIVATE_H
#define PROFDEPOT_FORMAT_CHROME_CHROME_PRIVATE_H

#include "base/hash.h"
#include "base/json_string.h"
#include "base/pair_map.h"
#include "chrome_json.h"
#include "chrome_state.h"
#include "format/format.h"

/* chrome_state.c */

/* Returns the index of the text in c->strings. */
uint32_t chrome_intern(struct chrome *c, struct text t);
/* Returns a number for the value. Values that JavaScript's === considers equal have the same number.
 * A missing value has the number of "undefined". */
uint32_t chrome_intern_value(struct chrome *c, const struct json_node *j);
/* Returns the rec_id of the routine that the key identifies, or CHROME_NONE on error. On the first use
 * of a key, emits the routine with the members of `row`. Its name is a JavaScript name, which is not
 * demangled. */
uint32_t chrome_routine(
	struct chrome *c, const struct text *key, size_t count, const struct routine_row *row);
/* Like chrome_routine; makes the key and the row from the span's name and category. */
uint32_t chrome_span_routine(struct chrome *c, struct text name, struct text category);
/* Returns d, or NULL if the sum of all durations would become too large for the depot. The
 * reader reports how many durations were left out. */
struct decimal chrome_duration(struct chrome *c, struct decimal d);
/* Reads bytes of the file. *bytes is valid until the next call. */
bool chrome_bytes_at(struct chrome *c, uint64_t offset, size_t size, struct text *bytes);
/* Reads the event at this offset into c->scratch, which the caller resets. Returns NULL if the
 * event is too large (emits an issue), or if the file cannot be read (sets the error). */
struct json_node *chrome_event_at(struct chrome *c, uint64_t offset, uint64_t size);
/* Sets the error for a limit that only --events all can reach, and returns false. */
bool chrome_limit(struct chrome *c, int max, const char *noun);
/* Appends the event as JSON. An event that is nested too deep for PostgreSQL becomes a string that
 * contains JSON. Sets *event to the result of chrome_event_at. */
bool chrome_keep_event(struct chrome *c, struct strbuf *b, uint64_t offset, uint64_t size,
	struct json_node **event);

/* chrome_stream.c */
bool chrome_stream(struct chrome *c);

/* chrome_collect.c. The part of an event that the first pass reads. */
struct chrome_head {
	uint64_t offset, size;
	unsigned name, cat; /* bits CHROME_NAME_* and CHROME_CAT_* */
	char ph;            /* phase; 0 if absent or not a single character */
};
enum {
	CHROME_CAT_TIMING = 1,
	CHROME_CAT_CONSOLE = 2,
	CHROME_CAT_LISTED = 4, /* the event has a list of several categories */
};
enum {
	CHROME_NAME_GIVEN = 1 << 0,
	CHROME_NAME_IGNORED = 1 << 1,
	CHROME_NAME_CALL = 1 << 2,
	CHROME_NAME_STAMP = 1 << 3,
	CHROME_NAME_TRACE = 1 << 4, /* events with metadata, navigations or frames */
	CHROME_NAME_UMA = 1 << 5,
	CHROME_NAME_PROFILE = 1 << 6,
};
/* Whether ph is the phase of an asynchronous event. */
static inline bool
chrome_is_async(char ph)
{
	return ph != 0 && strchr("bneSTFp", ph) != NULL;
}

/* Whether ph is the phase of an instant event. */
static inline bool
chrome_is_instant(char ph)
{
	return ph == 'I' || ph == 'i' || ph == 'R';
}

typedef bool chrome_taker(
	struct chrome *c, const struct chrome_head *h, const struct json_node *event);
/* Reads the event again and passes it to `take`, unless it is too large. */
bool chrome_take_event(struct chrome *c, const struct chrome_head *h, chrome_taker *take);

unsigned chrome_name_bits(struct text name);
unsigned chrome_category_bits(struct text category);
bool chrome_wants(const struct chrome_head *h);
bool chrome_collect(struct chrome *c, const struct chrome_head *h);

/* chrome_trace.c */
bool chrome_track_of(struct chrome *c, const struct json_node *event, uint32_t *track);
bool chrome_trace_event(struct chrome *c, const struct json_node *event);
void chrome_bounds_add(struct chrome_bounds *b, double ts, double dur);
/* Reads the browser version from a small top-level member. */
void chrome_trace_metadata(struct chrome *c, struct text key, const struct json_node *j);

bool chrome_emit_trace(struct chrome *c);
bool chrome_emit_threads(struct chrome *c);
/* Emits a track for the thread and sets *id, unless *id is already set. */
bool chrome_emit_track(struct chrome *c, const struct chrome_track *t, const char *kind,
	metric_number metric, int32_t *id);
extern const char *const chrome_refusals[CHROME_REFUSALS]; /* indexed by bit number */

/* chrome_pair.c: makes c->spans. */
void chrome_pair(struct chrome *c);

/* chrome_extension.c */
void chrome_payload_read(struct chrome *c, struct chrome_timing *t, struct text detail);
void chrome_extend(struct chrome *c);
/* Parses the detail of a mark or measure, exactly as the page wrote it. Returns NULL if it is not
 * JSON. */
struct json_node *chrome_detail_parse(struct arena *a, struct text detail);

/* Append a member to a JSON object that already has members. A number that is not finite, and a
 * string that is NULL, are written as null. */
void chrome_put_number(struct strbuf *b, const char *key, double v);
void chrome_put_string(struct strbuf *b, const char *key, struct text value);
void chrome_put_json(struct strbuf *b, const char *key, struct text json);

/* chrome_emit.c */
bool chrome_emit(struct chrome *c);
/* chrome_write.c, for struct format. Fails with ERROR_USAGE if the result set has no spans. */
bool chrome_write(struct source *source, FILE *out, const struct format_write_options *options,
	struct error *err);

/* chrome_calls.c, chrome_profile.c */
void chrome_calls_new(struct chrome *c);
bool chrome_calls_add(struct chrome *c, const struct chrome_head *h);
bool chrome_calls_metrics(struct chrome *c);
bool chrome_calls_emit(struct chrome *c);
void chrome_calls_free(struct chrome *c);
bool chrome_profile_add(struct chrome *c, const struct chrome_head *h);
bool chrome_profiles_metrics(struct chrome *c);
bool chrome_profiles_emit(struct chrome *c);
void chrome_profiles_free(struct chrome *c);

#endif
