/* Cursors: positions in lists, which stay valid while rows are added or removed. */
#ifndef PROFDEPOT_SERVICE_HANDLERS_HANDLE_CURSOR_H
#define PROFDEPOT_SERVICE_HANDLERS_HANDLE_CURSOR_H

#include "handle.h"

enum {
	CURSOR_PARTS = 4
};

/* The sort key of the row before a position. */
struct cursor {
	bool given; /* the request has a cursor */
	/* Texts, or NULL. The last part is the number of rows before the position when the page was read. */
	const char *parts[CURSOR_PARTS];
};

/* Reads the parameter `cursor`. The parts live in the arena. Fails with ERROR_CURSOR if the cursor is invalid or
 * belongs to another list, and with ERROR_USAGE if `skip` is also given. */
bool cursor_read(struct http_call *c, struct cursor *out, struct error *err);

/* Sets the error for an invalid cursor. Returns false. */
bool cursor_refuse(struct error *err);

/* Adds the headers that name the next page: Link, and Profdepot-Next with only the cursor. `now` is the cursor
 * of this page, which has `rows` rows. Sets next's last part. If the key is too long for a cursor, Link has
 * `skip` instead, and Profdepot-Next is not sent. */
void cursor_link(struct http_call *c, const struct cursor *now, struct cursor *next, int64_t rows);

/* Adds a Link header that names the next page with `skip`, for a list that can change at any time. */
void cursor_link_skip(struct http_call *c, int64_t skip);

/* Returns the number of rows before this page: from the cursor, or else the parameter `skip`. */
int64_t cursor_rows_before(struct http_call *c, const struct cursor *now);

#endif
