/*
 * A rowset over tables of another program's PostgreSQL database, such as MiniProfiler's storage.
 *
 * All tables are read through cursors in one repeatable-read, read-only transaction. Times are UTC.
 * Table names can be qualified and quoted as in SQL; unqualified names are searched for in the
 * schema public.
 */
#ifndef PROFDEPOT_DB_FOREIGN_ROWSET_H
#define PROFDEPOT_DB_FOREIGN_ROWSET_H

#include "base/arena.h"
#include "base/error.h"
#include "model/rowset.h"

enum {
	FOREIGN_MAX_TABLES = 8
};

/* One table of the rowset. */
struct foreign_table {
	const char *name; /* table name in the rowset */
	/* The .sql file, such as "db/miniprofiler_profiles". Its query reads {table}. */
	const char *query;
	const char *table; /* table name in the database; NULL means the lower-case name */
};

struct foreign_rowset;

/* option: the name of the option that contains the URI, for messages. tables: sorted by name. NULL
 * on error: ERROR_DATABASE; ERROR_USAGE if the URI is malformed; ERROR_INPUT if a table does not
 * exist. */
struct foreign_rowset *foreign_rowset_new(const char *uri, const char *option,
	const struct foreign_table *tables, size_t count, struct error *err);
void foreign_rowset_free(struct foreign_rowset *s); /* NULL is allowed */

struct rowset *foreign_rowset_interface(struct foreign_rowset *s);

/* "database D at host H, port P, as U", without a password. */
const char *foreign_rowset_place(const struct foreign_rowset *s);

#endif
