/*
 * Writes a check (model/check.h) for people, pull requests, and programs that read test results and
 * code scans. A new format needs one file and one row in CHECK_WRITER_TABLE.
 *
 * - text, markdown: each budget with its verdict, its breaches and their stacks.
 * - json: {"inst_id", "base_inst_id", "passed", "broken", "skipped", "unjudged", "budgets":
 *   [{"name", "verdict", "reason", "breaches": [{"limit", "what", "text", "stacks": [number]}]}],
 *   "stacks": [...]}, stacks innermost first.
 * - junit: JUnit XML, one test case per budget.
 * - sarif: SARIF 2.1.0 (OASIS): one result for each leak and error, with its stack as a code flow,
 *   and one for each budget that is exceeded or could not be judged.
 * - github: GitHub Actions workflow commands, one annotation per stack that breaks a budget.
 */
#ifndef PROFDEPOT_RENDER_CHECK_H
#define PROFDEPOT_RENDER_CHECK_H

#include "model/check.h"

#include <stdio.h>

#define CHECK_WRITER_TABLE(X) \
	X(text) \
	X(markdown) \
	X(json) \
	X(junit) \
	X(sarif) \
	X(github)

#define CHECK_WRITER_CHOICES "text, markdown, json, junit, sarif or github"

struct check_options {
	/* source files in this folder are shown relative to it; NULL shows them unchanged */
	const char *source_root;
	size_t top;   /* stacks shown per breach */
	size_t width; /* text: the terminal's width in columns; 0 means no limit */
	bool color;   /* text: mark verdicts with escape sequences */
};

struct check_writer {
	const char *name;
	bool (*write)(
		FILE *out, const struct check *c, const struct check_options *o, struct error *err);
};

/* Returns NULL if no writer has this name. */
const struct check_writer *check_writer_find(const char *name);

#endif
