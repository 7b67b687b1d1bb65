/*
 * The callgrind reader: callgrind.c reads lines, callgrind_documents.c separates processes,
 * callgrind_names.c keeps names and routines, callgrind_costs.c sums costs, callgrind_events.c
 * makes metrics, callgrind_tree.c estimates stacks, callgrind_emit.c emits rows.
 */
#ifndef PROFDEPOT_FORMAT_CALLGRIND_CALLGRIND_PRIVATE_H
#define PROFDEPOT_FORMAT_CALLGRIND_CALLGRIND_PRIVATE_H

#include "callgrind_rows.h"
#include "format/common/frame_dictionary.h"
#include "format/common/members.h"
#include "format/common/text_scan.h"
#include "format/common/text_table.h"

#include "base/array.h"
#include "base/decimal.h"
#include "base/pair_map.h"
#include "base/strbuf.h"

enum {
	CALLGRIND_LINE_MAX_BYTES = 1024 * 1024,
	CALLGRIND_MAX_METRICS = 60,
	CALLGRIND_MAX_POSITIONS = 3,
	CALLGRIND_MAX_NODES = 65536, /* limit for the estimated tree; equals the depot's limit */
	CALLGRIND_MAX_DEPTH = 512,
	CALLGRIND_MAX_ROWS = 256 * 1024 * 1024, /* maximum number of cells in memory */
	CALLGRIND_MAX_ATTRIBUTES = 1024 * 1024,
	CALLGRIND_VALUE_BYTES = 24, /* room for a 64-bit number */
};

struct callgrind {
	struct reader *in;
	struct arena arena;

	struct text_table texts;
	struct pair_map text_by_id; /* maps (ID, space) to a text */

	struct callgrind_routine *routines;
	size_t routine_count, routine_room;
	struct pair_map routine_by_names;
	struct frame_dictionary *dictionary;

	struct callgrind_row *rows;
	size_t row_count, row_room;
	struct pair_map row_by_key;
	uint64_t *cells;
	size_t cell_count, cell_room;

	struct callgrind_event *events; /* room for CALLGRIND_MAX_METRICS */
	size_t event_count;             /* number of events in the file */
	size_t derived_count;    /* number of derived events, which follow the file's events */
	struct text events_line; /* the first "events:" line */

	/* The current place. */
	callgrind_text object, function_file, here_file;
	uint32_t routine; /* UINT32_MAX before the first routine */
	callgrind_text called_object, called_file, called_name;
	bool has_called_object, has_called_file;
	bool has_called;      /* whether called_name has been read */
	uint32_t last_called; /* target of the last "calls=" line; UINT32_MAX at first */
	size_t position_count,
		line_position; /* >= position_count if the file has no line numbers */
	int64_t positions[CALLGRIND_MAX_POSITIONS];
	enum callgrind_kind pending; /* the kind of the next cost line */
	uint64_t pending_count, pending_followed;
	int64_t pending_line;
	callgrind_text jump_file, jump_name; /* a jump's target; 0 means the current file or name */

	/* The current part: the sum of the own costs, and the totals that the file states. */
	uint64_t *part_sums, *part_stated;
	bool has_totals, has_summary;
	bool any_totals; /* whether at least one part has totals */
	struct line totals_line;
	struct strbuf parts; /* the parts as JSON */
	size_t part_count;
	bool has_notes; /* whether the last part has notes */
	struct text command, creator;
	int64_t pid, thread;
	struct strbuf scratch;
};

/*
 * Splits a file into documents, one per process. With --combine-dumps=yes, callgrind writes several
 * documents into one file. Each document has its own head and compressed names.
 */
struct callgrind_documents {
	struct reader *in;
	int64_t pid; /* the document's process; MODEL_NULL if unknown */
	bool holding;
	struct strbuf held; /* lines of a head, kept until "pid:" */
	size_t held_at;
	uint64_t held_number, held_offset; /* position of the first held line */
};

enum callgrind_next {
	CALLGRIND_LINE, /* in->line is the line */
	CALLGRIND_DOCUMENT,
	CALLGRIND_END,
	CALLGRIND_FAILED
};

enum callgrind_next callgrind_next_line(struct callgrind_documents *d);

/* names */
callgrind_text callgrind_intern(struct callgrind *c, struct text t);
/* Parses "(id) name", "(id)" or "name". */
bool callgrind_name(
	struct callgrind *c, enum callgrind_space space, struct text t, callgrind_text *out);
/* Finds the number of the routine, and emits the routine on its first use. */
bool callgrind_routine(struct callgrind *c, callgrind_text object, callgrind_text file,
	callgrind_text name, uint32_t *out);
struct text callgrind_text_of(const struct callgrind *c, callgrind_text t);

/* Parts of a file. A note is a key and a value in the head. */
bool callgrind_begin_part(struct callgrind *c);
bool callgrind_end_part(struct callgrind *c);
void callgrind_note(struct callgrind *c, struct text key, struct text value);

/* Finds or makes the row for the place that `place` describes. Adds `costs` and the counts of `place` to
 * this row. */
bool callgrind_add(struct callgrind *c, const struct callgrind_row *place, const uint64_t *costs);

/* If the calls to a routine cost more than the routine's lines, adds the difference to the routine's own cost, as a
 * cost that belongs to no line. Call this only for a file without totals, because the lines of such a file may be
 * incomplete. */
bool callgrind_explain(struct callgrind *c);

/* events */
bool callgrind_read_events(struct callgrind *c, struct text names);
bool callgrind_read_event(struct callgrind *c, struct text definition);
bool callgrind_add_metrics(struct callgrind *c);
/* Makes one value per metric from one cost per event. `text` has room for CALLGRIND_VALUE_BYTES per
 * value. The decimals borrow `text`. */
bool callgrind_values(
	struct callgrind *c, const uint64_t *costs, struct decimal *values, char *text);

/* Emits the samples of the estimated tree. */
bool callgrind_add_samples(struct callgrind *c);

/* Emits all rows of the document. */
bool callgrind_emit(struct callgrind *c);

/* Parses digits, or 0x and hex digits, with up to 64 bits. */
bool callgrind_number(struct text t, uint64_t *out);
/* Like callgrind_number, but with up to 63 bits; returns MODEL_NULL on failure. */
int64_t callgrind_integer(struct text t);
/* `text` has room for CALLGRIND_VALUE_BYTES. The decimal may borrow `text`. */
struct decimal callgrind_decimal(uint64_t v, char *text);

#endif
