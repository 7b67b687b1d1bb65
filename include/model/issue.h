/*
 * Import issues: what a load left out or doubts, kept as rows of the depot.
 */
#ifndef PROFDEPOT_MODEL_ISSUE_H
#define PROFDEPOT_MODEL_ISSUE_H

#include "base/text.h"

#include <stdint.h>

/* info: nothing is lost. warning: the data contradict themselves, all is
 * loaded. error: a row or a column was left out; fails under --strict. */
enum issue_severity {
	ISSUE_INFO,
	ISSUE_WARNING,
	ISSUE_ERROR,
	ISSUE_SEVERITIES
};

/* code, name in the depot, severity, what it means */
#define ISSUE_TABLE(X) \
	X(ISSUE_BAD_NUMBER, "bad-number", ISSUE_ERROR, "a number has letters or a fraction") \
	X(ISSUE_NUMBER_RANGE, "number-range", ISSUE_ERROR, \
		"a number is outside its column's range") \
	X(ISSUE_MISSING_VALUE, "missing-value", ISSUE_ERROR, \
		"a column that identifies the row is empty") \
	X(ISSUE_ROW_SHORT, "row-short", ISSUE_ERROR, "a row has fewer fields than the header") \
	X(ISSUE_ROW_LONG, "row-long", ISSUE_ERROR, "a row has more fields than the header") \
	X(ISSUE_DUPLICATE_ID, "duplicate-id", ISSUE_ERROR, "a row repeats an ID; the first stays") \
	X(ISSUE_DANGLING_PARENT, "dangling-parent", ISSUE_ERROR, "a row's parent is not there") \
	X(ISSUE_STACK_TOO_DEEP, "stack-too-deep", ISSUE_ERROR, \
		"a call stack passes the frame limit") \
	X(ISSUE_UNKNOWN_COLUMN, "unknown-column", ISSUE_INFO, \
		"a column that AQTime does not document was left out") \
	X(ISSUE_UNKNOWN_TABLE, "unknown-table", ISSUE_INFO, \
		"a file that is no table of the Resource profiler was left out") \
	X(ISSUE_MISSING_TABLE, "missing-table", ISSUE_INFO, "an optional table is absent") \
	X(ISSUE_MISSING_COLUMN, "missing-column", ISSUE_INFO, "an optional column is absent") \
	X(ISSUE_DANGLING_ROUTINE, "dangling-routine", ISSUE_WARNING, \
		"a frame names a routine that is not there") \
	X(ISSUE_DANGLING_LINE, "dangling-line", ISSUE_WARNING, \
		"a frame names a line that its routine has not") \
	X(ISSUE_DANGLING_CLASS, "dangling-class", ISSUE_WARNING, \
		"an object names a class that is not there") \
	X(ISSUE_DANGLING_THREAD, "dangling-thread", ISSUE_WARNING, \
		"a row names a thread that is not there") \
	X(ISSUE_STACK_POSITIONS, "stack-positions", ISSUE_WARNING, \
		"a stack's positions are not 0..n-1") \
	X(ISSUE_LIVE_COUNT, "live-count", ISSUE_WARNING, \
		"a class's live count is not the number of its objects") \
	X(ISSUE_LIVE_SIZE, "live-size", ISSUE_WARNING, \
		"a class's live size is not the size of its objects") \
	X(ISSUE_COUNTER_ORDER, "counter-order", ISSUE_WARNING, \
		"a class breaks live <= peak <= total") \
	X(ISSUE_SEVERAL_GETS, "several-gets", ISSUE_WARNING, \
		"one result set has several Get # values") \
	X(ISSUE_RELATIONS, "relations", ISSUE_WARNING, \
		"RELATIONS is not the tree that AQTime documents") \
	X(ISSUE_THREAD_KEY, "thread-key", ISSUE_INFO, \
		"COL_THREADID holds thread IDs, not REC_IDs") \
	X(ISSUE_SUPPRESSED, "suppressed", ISSUE_INFO, "further issues of one code, counted only")

enum issue_code {
#define ISSUE_ENUM(code, name, severity, meaning) code,
	ISSUE_TABLE(ISSUE_ENUM)
#undef ISSUE_ENUM
	ISSUE_CODES
};

enum {
	ISSUE_RAW_MAX_BYTES = 64 * 1024,
	ISSUE_ROWS_PER_CODE = 100, /* kept a code and result set; the rest is counted */
};

struct issue {
	enum issue_code code;
	const char *source;  /* file, NULL when it has none */
	uint64_t line;       /* from 1; 0 unknown */
	uint64_t offset;     /* bytes into the source */
	const char *message; /* lower case, no full stop */
	struct text raw;     /* the rejected input as read; cut to ISSUE_RAW_MAX_BYTES */
};

const char *issue_name(enum issue_code code);
enum issue_severity issue_severity(enum issue_code code);
const char *issue_meaning(enum issue_code code);
const char *issue_severity_name(enum issue_severity severity);

#endif
