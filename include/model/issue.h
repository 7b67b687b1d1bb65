/*
 * Import issues: what a load left out or doubts, kept as rows of the depot.
 */
#ifndef PROFDEPOT_MODEL_ISSUE_H
#define PROFDEPOT_MODEL_ISSUE_H

#include "base/text.h"
#include "model/issue_table.h"

#include <stdint.h>

/* info: nothing is lost. warning: the data contradict themselves, all is
 * loaded. error: a row or a column was left out; fails under --strict. */
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
