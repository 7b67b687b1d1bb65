/*
 * The reader of what FastMM writes about memory in use: states, snapshots of the heap, differences between
 * two snapshots, and samples. Source: FastMM4.pas, FastMM5.pas, FastMM_HeapSnapshot.pas and
 * FastMM_SamplingProfiler.pas.
 *
 * Format of a state: a title, a line of dashes, "Timestamp:" and the time, "382K Allocated", "2689K Overhead",
 * "12% Efficiency", and a row per class: "7900 bytes: Classes.TStringList x 50 (158 bytes avg.)". FastMM4 and old
 * versions of FastMM5 have no time. The profiled program may have translated any of these words, and
 * text that it added can follow. This text has no line end, so its last line can also contain the title of the next state.
 *
 * Format of a snapshot: "FastMM heap snapshot  TIME", "Live blocks: N,  user bytes: N", a heading, and a row per
 * class: COUNT BYTES CLASS. Format of a difference: "FastMM heap snapshot diff", "Snapshot A: TIME  (N blocks, N
 * user bytes)", the same for B, "Delta:      -177 blocks, +233488 user bytes", a heading, and a row per class: COUNT
 * A, COUNT B, DELTA, BYTES A, BYTES B, DELTA, CLASS. In a snapshot or a difference, "*** WARNING:" means that the
 * values are incomplete, and "... (N more entries)" means that rows are left out.
 *
 * Format of samples: comma-separated values. The first line names the columns, which begin with sample_index.
 * One kind of file has one row per sample. The other kind has one row for each size of small blocks in each
 * sample.
 */
#ifndef PROFDEPOT_FORMAT_FASTMM_USAGE_PRIVATE_H
#define PROFDEPOT_FORMAT_FASTMM_USAGE_PRIVATE_H

#include "base/arena.h"
#include "format/common/log_report.h"

enum {
	USAGE_TIME_BYTES = 32,
	USAGE_MAX_COLUMNS = 64,
};

enum usage_mode {
	USAGE_STATE,
	USAGE_SNAPSHOT,
	USAGE_DIFFERENCE,
	USAGE_SAMPLES,
};

struct usage_amount {
	int64_t count, bytes;
};

/* The blocks of a class. */
struct usage_row {
	struct text class_name;
	struct usage_amount now;        /* in a difference: the values of B */
	struct usage_amount old, delta; /* only in a difference: the values of A, and the change */
};

/* The content of a state, a snapshot or a difference. */
struct usage_table {
	struct usage_row *rows;
	size_t count, room;
	struct arena names;
	size_t name_bytes;
	bool has_negative;               /* the state is the difference of two states */
	char time[USAGE_TIME_BYTES];     /* empty if unknown */
	char times[2][USAGE_TIME_BYTES]; /* of A and B */
	unsigned totals;                 /* how many lines with totals have been read */
	struct usage_amount old, now, delta;
	int64_t allocated_kb, overhead_kb, efficiency; /* of a state */
	uint64_t more;                                 /* rows that were left out */
	bool damaged;
};

struct usage_samples {
	size_t column_count;
	int roles[USAGE_MAX_COLUMNS]; /* enum usage_column, see usage_samples.c */
	metric_number metric;
	size_t value_count;
	struct pair_map tracks; /* maps a size of blocks to its track */
	uint64_t rows;
	int64_t first_clock, last_clock; /* milliseconds; MODEL_NULL before the first row */
	int64_t last_elapsed, offset;    /* milliseconds */
};

/* --- usage_lines.c: each function returns whether it recognises the text --------------------------------- */

bool usage_is_ruler(struct text t);
/* "2026-11-23 01:17:26.174". *ms is the time in milliseconds; its origin is arbitrary. */
bool usage_scan_time(struct text *t, int64_t *ms);
/* "382K Allocated" (unit K), "12% Efficiency" (unit %). */
bool usage_scan_kb(struct text t, char unit, int64_t *value);
bool usage_scan_state_row(struct text t, struct usage_row *row);
/* Scans the title of a snapshot or of a difference. *time is empty in a difference. */
bool usage_scan_title(struct text t, bool *is_difference, struct text *time);
/* "Live blocks: N,  user bytes: N", "Snapshot A: TIME  (N blocks, N user bytes)", "Delta: ...": sets the totals. */
bool usage_scan_totals(struct text t, struct usage_table *table);
bool usage_scan_more(struct text t, uint64_t *more);
bool usage_scan_row(struct text t, bool is_difference, struct usage_row *row);

/* --- usage_rows.c ------------------------------------------------------------------------------------------ */

void usage_table_release(struct usage_table *t);
/* Fails with ERROR_LIMIT if the report has too many rows. Copies the name. */
bool usage_table_add(struct usage_table *t, struct reader *in, const struct usage_row *row);
/* Emits the rows, and the issues about them. */
bool usage_table_emit(
	struct usage_table *t, struct log_report *report, enum usage_mode mode, bool is_fastmm4);

/* --- usage_samples.c --------------------------------------------------------------------------------------- */

bool usage_is_header(struct text t);
bool usage_samples_begin(struct usage_samples *s, struct reader *in, struct text header);
bool usage_samples_row(struct usage_samples *s, struct reader *in, struct text line);
bool usage_samples_end(struct usage_samples *s, struct reader *in, bool damaged);

#endif
