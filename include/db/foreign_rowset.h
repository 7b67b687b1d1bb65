/*
 * A rowset over the tables of a program's own PostgreSQL database, such as
 * MiniProfiler's storage.
 *
 * All of it is read in one transaction, repeatable read and read only, by
 * cursors; times are UTC. Names of tables may be qualified and quoted as in
 * SQL; unqualified ones are looked for in public.
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
	const char *name;  /* in the rowset */
	const char *query; /* an .sql file, such as "db/miniprofiler_profiles", that reads
			      {table}, with its order */
	const char *table; /* there; NULL: lower-case name */
};

struct foreign_rowset;

/* option: what gave the uri, for messages. tables: sorted by name. NULL on
 * error: ERROR_DATABASE, ERROR_USAGE for a malformed uri, ERROR_INPUT for a
 * table that is not there. */
struct foreign_rowset *foreign_rowset_new(const char *uri, const char *option,
	const struct foreign_table *tables, size_t count, struct error *err);
void foreign_rowset_free(struct foreign_rowset *s); /* NULL does nothing */

struct rowset *foreign_rowset_interface(struct foreign_rowset *s);

/* "database D at host H, port P as U", without a password. */
const char *foreign_rowset_place(const struct foreign_rowset *s);

#endif
