/*
 * The reader of callgrind's profiles. callgrind.c reads lines,
 * callgrind_names.c keeps names and routines, callgrind_costs.c sums,
 * callgrind_events.c is about metrics, callgrind_tree.c estimates stacks, callgrind_tell.c tells
 * the sink.
 */
#ifndef PROFDEPOT_FORMAT_CALLGRIND_CALLGRIND_PRIVATE_H
#define PROFDEPOT_FORMAT_CALLGRIND_CALLGRIND_PRIVATE_H

#include "callgrind_rows.h"
#include "format/common/text_file.h"

#include "base/decimal.h"
#include "base/hash.h"
#include "base/pair_map.h"
#include "base/strbuf.h"

enum {
	CALLGRIND_LINE_MAX_BYTES = 1024 * 1024,
	CALLGRIND_MAX_METRICS = 60,
	CALLGRIND_MAX_POSITIONS = 3,
	CALLGRIND_MAX_NODES = 65536, /* of the estimated tree: as many as the depot stores */
	CALLGRIND_MAX_DEPTH = 512,
	CALLGRIND_MAX_ROWS = 256 * 1024 * 1024, /* cells of costs in memory */
	CALLGRIND_MAX_ATTRIBUTES = 1024 * 1024,
};

struct callgrind {
	struct text_file *file;
	struct arena arena;
	uint64_t seed;

	/* Names: by bytes, and by space and (id). */
	struct text *texts;
	size_t text_count, text_room;
	struct pair_map text_by_hash, text_by_id;

	struct callgrind_routine *routines;
	size_t routine_count, routine_room;
	struct pair_map routine_by_names;

	struct callgrind_row *rows;
	size_t row_count, row_room;
	struct pair_map row_by_key;
	uint64_t *cells;
	size_t cell_count, cell_room;

	struct callgrind_event *events; /* CALLGRIND_MAX_METRICS */
	size_t event_count;             /* in the file */
	size_t derived_count;           /* behind them */
	struct text events_line;        /* as first told */

	/* Where the lines are. */
	callgrind_text object, function_file, here_file;
	uint32_t routine; /* UINT32_MAX: none yet */
	callgrind_text called_object, called_file, called_name;
	bool has_called_object, has_called_file;
	bool has_called;                      /* by a name that waits for its calls */
	uint32_t last_called;                 /* of the calls before; UINT32_MAX: none */
	size_t position_count, line_position; /* line_position == position_count: none */
	int64_t positions[CALLGRIND_MAX_POSITIONS];
	enum callgrind_kind pending; /* of the next line of costs */
	uint64_t pending_count, pending_followed;
	int64_t pending_line;
	callgrind_text jump_file, jump_name; /* where it leads, 0: here */

	/* The part that is read: costs of its own, and what it says of them. */
	uint64_t *part_sums, *part_told;
	bool has_totals, has_summary;
	bool any_totals; /* of any part */
	struct line totals_line;
	struct strbuf parts, member; /* JSON */
	size_t part_count;
	struct text command, creator;
	int64_t pid, thread;
	struct strbuf plain, scratch;
};

/*
 * The processes of a file, one document each: --combine-dumps=yes has a program and its children
 * append to one. Each has a head of its own, and its compressed names begin anew.
 */
struct callgrind_documents {
	struct text_file *file;
	int64_t pid; /* of the document; MODEL_NULL: not told */
	bool holding;
	struct strbuf held; /* lines of a head until "pid:" tells whose it is */
	size_t held_at;
	uint64_t held_number, held_offset; /* of the first of them */
};

enum callgrind_next {
	CALLGRIND_LINE, /* in file->line */
	CALLGRIND_DOCUMENT,
	CALLGRIND_END,
	CALLGRIND_FAILED
};

enum callgrind_next callgrind_next_line(struct callgrind_documents *d);

/* names */
callgrind_text callgrind_intern(struct callgrind *c, struct text t);
/* "(id) name", "(id)" or "name" */
bool callgrind_name(
	struct callgrind *c, enum callgrind_space space, struct text t, callgrind_text *out);
/* Tells what is new. */
bool callgrind_routine(struct callgrind *c, callgrind_text object, callgrind_text file,
	callgrind_text name, uint32_t *out);
struct text callgrind_text_of(const struct callgrind *c, callgrind_text t);

/* parts: of a file; a note is what one says of itself */
bool callgrind_begin_part(struct callgrind *c);
bool callgrind_end_part(struct callgrind *c);
bool callgrind_note(struct callgrind *c, struct text key, struct text value);

/* costs: adds a line's to the row of its place */
bool callgrind_add(struct callgrind *c, const struct callgrind_row *place, const uint64_t *costs);

/*
 * Of a file that tells no totals: what calls of a routine cost beyond what its
 * lines and calls say becomes an own cost of it, on no line. Where totals are
 * told, lines are all that there is.
 */
bool callgrind_explain(struct callgrind *c);

/* events */
bool callgrind_read_events(struct callgrind *c, struct text names);
bool callgrind_read_event(struct callgrind *c, struct text definition);
bool callgrind_tell_metrics(struct callgrind *c);
/* A value for each metric, from one for each event. text: room for 24 bytes
 * each, borrowed by the decimals. */
bool callgrind_values(
	struct callgrind *c, const uint64_t *costs, struct decimal *values, char *text);

/* The samples of the estimated tree. */
bool callgrind_tell_samples(struct callgrind *c);

/* Metadata, rows of the graph, the track. */
bool callgrind_tell(struct callgrind *c);

/* Digits, or 0x and hex digits; false beyond 64 bits, too. */
bool callgrind_number(struct text t, uint64_t *out);

#endif
