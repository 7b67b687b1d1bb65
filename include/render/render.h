/*
 * Renderers convert a table to bytes. A renderer does not use the database. A new renderer needs
 * one file and one row in RENDERER_TABLE.
 *
 * - json: {"report": NAME, "result_sets": [{"inst_id": N, "caption": S, (if compared
 *   "base_inst_id": N, "base_caption": S,) "metric": {"name", "unit", "kind"},
 *   "columns": [{"key", "title", "kind", "unit"}], "rows": [{KEY: VALUE, ...}], "totals": {"rows": N,
 *   "shown": N, KEY: N}}], "complete": true}. Numbers are exact JSON numbers of any size. Addresses
 *   (integers with the unit hex) are strings of decimal digits. NULL is null. Labels are an object. A
 *   stack is an array of frames, innermost first. An unknown stack is an empty array. A frame is
 *   {"module", "class", "routine", "unit", "file", "line"}. The line is a number or null; the other
 *   members are strings, "" if unknown. Further stacks are an array of {"role", "heading", "stack"}.
 *   If suppressions apply, "totals" contains "suppressed": {"records", "blocks", "bytes"}.
 * - csv: RFC 4180, keys as header, exact values, NULL as an empty field, a stack as the JSON array
 *   above. With several result sets the first column is inst_id.
 * - csv-safe: csv for spreadsheet programs, which would run some texts as formulas. A text that begins with
 *   =, +, -, @, a tab or a carriage return gets an apostrophe as prefix.
 * - text: for people; bytes in KiB, MiB, .... Without a width every column is shown in full. With a
 *   width, no line exceeds it: times are short, columns without information are left out, long
 *   names are cut, and a table that is still too wide becomes one block of "name: value" lines per
 *   row.
 * - markdown: tables and headings, with all names escaped.
 * - html: one self-contained page, with a flame graph if the rows have stacks.
 */
#ifndef PROFDEPOT_RENDER_RENDER_H
#define PROFDEPOT_RENDER_RENDER_H

#include "model/table.h"

#include <stdio.h>

/* The columns: identifier, name, content type. */
#define RENDERER_TABLE(X) \
	X(text, "text", "text/plain; charset=utf-8") \
	X(csv, "csv", "text/csv; charset=utf-8; header=present") \
	X(csv_safe, "csv-safe", "text/csv; charset=utf-8; header=present") \
	X(json, "json", "application/json") \
	X(markdown, "markdown", "text/markdown; charset=utf-8") \
	X(html, "html", "text/html; charset=utf-8")

#define RENDERER_CHOICES "text|csv|csv-safe|json|markdown|html"

struct render_options {
	size_t width;      /* the terminal's width in columns; 0 means no limit */
	bool several_sets; /* the answer may contain more than one result set */
	bool color;        /* text: mark headings and words such as "error" with escape sequences */
	/* html: the id of the part to write in the caller's page (render/page.h); NULL: write a
	 * whole page */
	const char *part;
};

struct renderer {
	const char *name;
	const char *content_type;
	/* The sink writes to out, which the caller closes. */
	struct table_sink *(*sink_new)(FILE *out, const struct render_options *options);
	void (*sink_free)(struct table_sink *s); /* NULL is allowed */
};

/* Ends with .name == NULL. */
extern const struct renderer renderers[];

struct json_writer;

/* Writes the member "columns" of JSON answers; `summed` adds whether the report has a total of each column. */
void render_columns_json(
	struct json_writer *w, const struct table_column *columns, size_t count, bool summed);

/* Prints a line of text, broken at blanks so that no part is wider than `width` columns; 0 means no
 * limit. Lines after the first begin with `indent` blanks. */
void render_wrapped(FILE *out, struct text line, size_t indent, size_t width);

/* Returns NULL if no renderer has this name. */
const struct renderer *renderer_find(const char *name);

#endif
