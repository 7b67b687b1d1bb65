/*
 * The Chrome trace reader. One pass over the file reads the category, name, phase and times of each
 * event. Events that can be user timings are then read again, with all members. At the end the
 * timings are paired, sorted and emitted. Format: "Trace Event Format" (Google, 2016).
 *
 *	chrome.c	probe, and the steps of a load
 *	chrome_state	functions that all parts use
 *	chrome_stream	the pass over the file
 *	chrome_collect	which events are timings
 *	chrome_trace	processes, threads, navigations, bounds
 *	chrome_pair	pairs and DevTools' order
 *	chrome_extension	custom tracks and markers
 *	chrome_emit	spans of the timings
 *	chrome_calls	--events all: nesting of trace events
 *	chrome_profile	--events all: CPU profiles
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
/* Emits a routine as JavaScript names it, without demangling. */
bool chrome_add_routine(struct chrome *c, struct routine_row *row);
/* The rec_id of the routine with that name and category; CHROME_NONE on error. */
uint32_t chrome_routine(struct chrome *c, struct text name, struct text category);
/* d, or NULL if the sum of all durations would become too large for the depot; the reader
 * reports how many there were. */
struct decimal chrome_duration(struct chrome *c, struct decimal d);
/* Bytes of the file, valid until the next call. */
bool chrome_bytes_at(struct chrome *c, uint64_t offset, size_t size, struct text *bytes);
/* Reads the event at that place into c->scratch, which the caller resets. NULL if the event is
 * too large, which is an issue, or if the file cannot be read, which sets the error. */
struct json_node *chrome_event_at(struct chrome *c, uint64_t offset, uint64_t size);
/* Appends the event as JSON text; one that is nested too deep for PostgreSQL becomes a string of
 * JSON text. *event as from chrome_event_at. */
bool chrome_keep_event(struct chrome *c, struct strbuf *b, uint64_t offset, uint64_t size,
	struct json_node **event);

/* chrome_stream.c */
bool chrome_stream(struct chrome *c);

/* chrome_collect.c. The members of an event that the pass reads. */
struct chrome_head {
	uint64_t offset, size;
	unsigned name, cat; /* bits */
	char ph;            /* 0 if absent or not a single character */
};
enum {
	CHROME_CAT_TIMING = 1,
	CHROME_CAT_CONSOLE = 2,
	CHROME_CAT_LISTED = 4, /* in a list of several categories */
};
enum {
	CHROME_NAME_GIVEN = 1 << 0,
	CHROME_NAME_IGNORED = 1 << 1,
	CHROME_NAME_CALL = 1 << 2,
	CHROME_NAME_STAMP = 1 << 3,
	CHROME_NAME_TRACE = 1 << 4, /* metadata, navigations, frames */
	CHROME_NAME_UMA = 1 << 5,
	CHROME_NAME_PROFILE = 1 << 6,
};
/* Phases of asynchronous events, and of instants. */
static inline bool
chrome_is_async(char ph)
{
	return ph != 0 && strchr("bneSTFp", ph) != NULL;
}

static inline bool
chrome_is_instant(char ph)
{
	return ph == 'I' || ph == 'i' || ph == 'R';
}

unsigned chrome_name_bits(struct text name);
unsigned chrome_category_bits(struct text category);
bool chrome_wants(const struct chrome *c, const struct chrome_head *h);
bool chrome_collect(struct chrome *c, const struct chrome_head *h);

/* chrome_trace.c */
bool chrome_track_of(struct chrome *c, const struct json_node *event, uint32_t *track);
bool chrome_trace_event(struct chrome *c, const struct json_node *event);
void chrome_bounds_add(struct chrome_bounds *b, double ts, double dur);
/* Reads the browser version from a small top-level member. */
void chrome_trace_metadata(struct chrome *c, struct text key, const struct json_node *j);

bool chrome_emit_trace(struct chrome *c);
bool chrome_emit_threads(struct chrome *c);
/* Emits a track for the thread and sets *id, unless *id is set. */
bool chrome_emit_track(struct chrome *c, const struct chrome_track *t, const char *kind,
	metric_number metric, int32_t *id);
const char *chrome_refusal_text(unsigned bit);

/* chrome_pair.c: makes c->spans. */
bool chrome_pair(struct chrome *c);
void chrome_span_add(struct chrome *c, const struct chrome_span *s);

/* chrome_extension.c */
void chrome_payload_read(struct chrome *c, struct chrome_timing *t, struct text detail);
void chrome_extend(struct chrome *c);
/* Parses the detail of a mark or measure, exactly as the page wrote it. NULL if it is not
 * JSON. */
struct json_node *chrome_detail_parse(struct arena *a, struct text detail);

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
