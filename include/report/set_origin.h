/* Where a result set comes from. */
#ifndef PROFDEPOT_REPORT_SET_ORIGIN_H
#define PROFDEPOT_REPORT_SET_ORIGIN_H

#include "base/arena.h"
#include "base/error.h"
#include "model/table_origin.h"

struct db;

/* Reads the result set's caption, which may be NULL, and its origin into the arena. inst_id is a
 * decimal number as text. Fails with ERROR_NOT_FOUND if there is no such result set. */
bool set_origin_read(struct db *db, struct arena *a, struct text inst_id, struct text *caption,
	struct table_origin *origin, struct error *err);

#endif
