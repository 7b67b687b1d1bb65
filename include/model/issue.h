/*
 * Import issues: the depot stores a row for input that a load skipped or found doubtful.
 */
#ifndef PROFDEPOT_MODEL_ISSUE_H
#define PROFDEPOT_MODEL_ISSUE_H

#include "base/text.h"
#include "model/issue_table.h"

#include <stdint.h>

/* info: nothing of value was lost. warning: the data is inconsistent, but was loaded. error: a row or a
 * column was skipped; with --strict, the load fails. */
enum issue_severity {
	ISSUE_INFO,
	ISSUE_WARNING,
	ISSUE_ERROR,
	ISSUE_SEVERITIES
};

enum issue_code {
#define ISSUE_ENUM(code, name, severity, meaning) code,
	ISSUE_TABLE(ISSUE_ENUM)
#undef ISSUE_ENUM
	ISSUE_CODES
};

enum {
	ISSUE_RAW_MAX_BYTES = 64 * 1024,
	ISSUE_ROWS_PER_CODE =
		100, /* stored per code and result set; further issues are only counted */
};

struct issue {
	enum issue_code code;
	const char *source;  /* file; NULL if unknown */
	uint64_t line;       /* from 1; 0 if unknown */
	uint64_t offset;     /* in bytes from the start of the source */
	const char *message; /* begins in lower case, has no full stop */
	struct text raw;     /* the rejected input as read, truncated to ISSUE_RAW_MAX_BYTES */
};

const char *issue_name(enum issue_code code);
enum issue_severity issue_severity(enum issue_code code);
const char *issue_meaning(enum issue_code code);
const char *issue_severity_name(enum issue_severity severity);

#endif
