/*
 * Renderers: a table in, bytes out. A renderer sees a table, never the
 * database; adding one is a file and a row in RENDERER_TABLE.
 *
 * Shapes:
 * - json: {"report": NAME, "result_sets": [{"inst_id": N, "caption": S,
 *   (when compared "base_inst_id": N, "base_caption": S,)
 *   "rows": [{KEY: VALUE, ...}], "totals": {"rows": N, "shown": N, KEY: N}}]}.
 *   Numbers are exact JSON numbers, whatever their size; an integer of unit
 *   hex (an address) is a string of decimal digits; NULL is null; a stack is
 *   an array, innermost first and empty when unknown, of {"module", "class",
 *   "routine", "unit", "file": strings, "" when unknown; "line": N or null};
 *   "totals" has "suppressed": {"records", "blocks", "bytes"} where suppressions apply;
 *   further stacks are an array of {"role", "heading", "stack": such an array}.
 * - csv: RFC 4180, keys as header, exact values, NULL as an empty field, a
 *   stack as the JSON array above. Several result sets: a first column inst_id.
 * - text: for people; bytes as KiB, MiB, ...; cut only at a terminal's width.
 * - markdown: tables and headings, all names escaped.
 * - html: one page that needs nothing from outside, with a flame graph where rows have stacks.
 */
#ifndef PROFDEPOT_RENDER_RENDER_H
#define PROFDEPOT_RENDER_RENDER_H

#include "model/table.h"

#include <stdio.h>

#define RENDERER_TABLE(X) \
	X(text, "text/plain; charset=utf-8") \
	X(csv, "text/csv; charset=utf-8; header=present") \
	X(json, "application/json") \
	X(markdown, "text/markdown; charset=utf-8") \
	X(html, "text/html; charset=utf-8")

#define RENDERER_CHOICES "text|csv|json|markdown|html"

struct render_options {
	size_t width;      /* columns of the terminal; 0: cut nothing */
	bool several_sets; /* the answer may hold more than one result set */
};

struct renderer {
	const char *name;
	const char *content_type;
	/* The sink writes to out, which stays the caller's. */
	struct table_sink *(*sink_new)(FILE *out, const struct render_options *options);
	void (*sink_free)(struct table_sink *s); /* NULL does nothing */
};

/* Ends with .name == NULL. */
extern const struct renderer renderers[];

/* NULL when there is none of that name. */
const struct renderer *renderer_find(const char *name);

/* Width of the terminal that `out` is: COLUMNS or TIOCGWINSZ; 0 for none. */
size_t render_terminal_width(FILE *out);

#endif
