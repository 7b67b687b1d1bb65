/* Pages of reports. A report is computed again for each page, so its cursors contain a position: the number of rows
 * before the page. They also contain a digest of everything that the report is made from. A cursor is refused if this
 * has changed, because the position may then be wrong. Open result sets can change at any time; their pages have links
 * with `skip`. */
#ifndef PROFDEPOT_SERVICE_HANDLERS_HANDLE_PAGE_H
#define PROFDEPOT_SERVICE_HANDLERS_HANDLE_PAGE_H

#include "handle_cursor.h"

struct report_page {
	struct table_sink sink; /* must be first; passes everything on, and counts the rows */
	struct table_sink *inner;
	const struct report_request *request;
	struct cursor cursor; /* of the request */
	const char *
		state; /* digest of what the report is made from; NULL if it can change at any time */
	bool more;     /* there are rows after this page */
};

/* Reads the parameter `cursor` and sets q->skip. q must have its result sets. Fails with ERROR_CURSOR, or with
 * ERROR_STALE_CURSOR if the content has changed since the cursor was made. */
bool report_page_begin(struct http_call *c, struct db *db, const struct report *r,
	struct report_request *q, struct report_page *p, struct error *err);
/* Returns the sink for the report. */
struct table_sink *report_page_sink(struct report_page *p, struct table_sink *inner);
/* Adds the headers that name the next page, if there is one. Call it in the snapshot of the report, because it reads what
 * the report is made from. A first page without a next page does not need this. */
bool report_page_end(struct http_call *c, struct db *db, struct report_page *p, struct error *err);

#endif
