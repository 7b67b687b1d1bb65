/* An HTML page that contains several reports, each of them written by the html renderer as a part. */
#ifndef PROFDEPOT_RENDER_PAGE_H
#define PROFDEPOT_RENDER_PAGE_H

#include "model/table.h"

#include <stdio.h>

struct page_part {
	const char *anchor; /* the part's id in the page; the same as render_options.part */
	const char *title;
};

/* Writes everything before the first part: the head, with the script and styles of the parts, and the
 * page's heading. */
void page_open(FILE *out, struct text title);

/* Writes a heading with the INST_ID and the caption of the result set, and below it the result set's origin. */
void page_put_set(FILE *out, const struct table_set *set);

/* Writes links to the parts. */
void page_put_contents(FILE *out, const struct page_part *parts, size_t count);

/* Ends the page. The foot says what the page is, such as "report leaks", and when it was
 * created. */
void page_close(FILE *out, const char *what);

#endif
