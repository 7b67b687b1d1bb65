/* Shared by the files of the text renderer. */
#ifndef PROFDEPOT_RENDER_TEXT_PRIVATE_H
#define PROFDEPOT_RENDER_TEXT_PRIVATE_H

#include "render_private.h"

/* Whether a column is shown, and if not, why. */
enum text_use {
	TEXT_SHOWN,
	TEXT_NO_VALUES, /* left out: no row has a value */
	TEXT_SAME,      /* left out: all rows have the same value */
	TEXT_TOO_WIDE,  /* left out: a picture that does not fit */
	TEXT_HIDDEN     /* never shown as a column */
};

struct text_renderer {
	struct table_sink sink;
	FILE *out;
	struct render_options options;
	const struct table_head *head; /* head of the current result set */
	struct render_head heads;
	struct strbuf line;
	struct strbuf cell;
	struct arena held; /* rows, each a struct text[column_count] */
	struct text **rows;
	size_t row_count;
	enum text_use *uses; /* one per column */
	size_t *widths;      /* one per column */
	bool short_paths;    /* modules and files without folders */
	bool as_records;     /* the grid is too wide, so each value has a separate line */
	bool streaming;
	bool after_set;
	struct strbuf note; /* the columns that were left out; empty if there are no such columns */
	struct text section; /* section of the last row, in section_buffer */
	struct strbuf section_buffer;
};

/* Writes r->line without blanks at its end. */
void text_put_line(struct text_renderer *r);

/* Writes r->line in this style, and breaks it if it is too wide. Lines after the first begin with `indent` blanks. */
void text_put_wrapped(struct text_renderer *r, size_t indent, enum render_style style);

/* Formats the cells of a row; the result is in the arena r->held. */
struct text *text_format_row(struct text_renderer *r, const struct table_cell *cells);

/* Adds a row to the grid. Rows are held until the grid's widths are known. */
void text_grid_row(struct text_renderer *r, const struct table_cell *cells);

/* Writes the held rows and the totals, and composes r->note. */
void text_grid_end(struct text_renderer *r, const struct table_foot *foot);

/* Appends the cell in the form in which text_format_row shows it. */
void text_cell(struct text_renderer *r, struct strbuf *b, const struct table_column *c,
	const struct table_cell *cell);

#endif
