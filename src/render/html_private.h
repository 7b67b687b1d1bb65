/* Shared by the files that write a report as an HTML page. */
#ifndef PROFDEPOT_SRC_RENDER_HTML_PRIVATE_H
#define PROFDEPOT_SRC_RENDER_HTML_PRIVATE_H

#include "render_private.h"

/* Files in src/render that are compiled in (tools/text2c.awk). */
extern const char html_css_text[], html_js_text[];

/* Writes text inside an element or a quoted attribute: escapes markup and makes invisible
 * characters visible. */
void html_put(FILE *out, struct text t);

/* The stacks in a result set's rows, summed for a flame graph. */
struct html_flame;

/* Returns NULL if the head has no stack column, or no measure for the width. */
struct html_flame *html_flame_new(const struct table_head *head);
void html_flame_free(struct html_flame *f); /* NULL is allowed */
/* Call before the rows of a set. */
void html_flame_set(struct html_flame *f, const struct table_set *set);
void html_flame_row(struct html_flame *f, const struct table_cell *cells);
/* Writes the flame graph if any row had a stack, and forgets the rows. */
bool html_flame_write(struct html_flame *f, FILE *out, struct error *err);

/* A line chart of one column of the result set's rows. */
struct html_series;

/* Returns NULL if no column can be drawn. */
struct html_series *html_series_new(const struct table_head *head);
void html_series_free(struct html_series *s); /* NULL is allowed */
void html_series_row(struct html_series *s, const struct table_cell *cells);
/* Writes the chart if there are at least two values, and forgets the rows. */
void html_series_write(struct html_series *s, FILE *out);

/* Writes one report row in the report's layout. */
void html_record(FILE *out, const struct table_head *head, const struct table_cell *cells);
void html_grid_head(FILE *out, const struct table_head *head);
void html_grid_row(FILE *out, const struct table_head *head, const struct table_cell *cells);
/* Writes a part of the totals: its name, its number of records, and each sum in full. */
void html_part_row(FILE *out, const struct table_head *head, const struct table_part *part);
/* Writes a value with its name, and `beside` next to the value. `direction` is the result of
 * html_direction. */
void html_card(
	FILE *out, struct text name, const char *direction, struct text value, struct text beside);
/* The CSS class of a number that shows a change: " up", " down" or "". */
const char *html_direction(struct text digits);
/* Returns whether the column is part of the grid. */
bool html_in_grid(const struct table_head *head, size_t column);

#endif
