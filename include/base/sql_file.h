/*
 * The .sql files that were compiled into the program.
 *
 * A file is known by its path without ".sql", relative to what it belongs to:
 *
 *	schema/100_instances.sql		"schema/100_instances"
 *	migrations/0001_initial.sql		"migrations/0001_initial"
 *	src/report/sql/leaks.sql		"report/leaks"
 *	src/store/sql/insert_instance.sql	"store/insert_instance"
 *
 * The table is generated at build time by tools/sql2c.awk from the variable SQL_FILES of the
 * makefile fragments. All of it is constant and lives as long as the program.
 */
#ifndef PROFDEPOT_BASE_SQL_FILE_H
#define PROFDEPOT_BASE_SQL_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct sql_file {
	const char *name;
	const char *text; /* UTF-8 as in the file, every line ends in \n, NUL-terminated */
	size_t length;    /* bytes of text without the NUL */
};

/*
 * Sorted by name (strcmp order), so files of one folder stand together and in the order in which a
 * folder is to be loaded. After the last one comes an entry whose name is NULL.
 */
extern const struct sql_file sql_files[];
extern const size_t sql_files_count;

/* NULL when no file has this name. */
const struct sql_file *sql_file_find(const char *name);

/*
 * The first file of a folder ("schema/", with the slash), or NULL. The next ones follow it in the
 * table for as long as sql_file_in says so:
 *
 *	for (f = sql_file_first("schema/"); f && sql_file_in(f, "schema/"); f++)
 *
 * The entry after the last file is in no folder, so the loop ends there at the latest.
 */
const struct sql_file *sql_file_first(const char *folder);

bool sql_file_in(const struct sql_file *file, const char *folder);

#endif
