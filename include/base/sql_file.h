/*
 * The .sql files that are compiled into the program.
 *
 * A file's name is its path without "src/", "sql/" and ".sql":
 *
 *	schema/100_instances.sql		"schema/100_instances"
 *	migrations/0001_initial.sql		"migrations/0001_initial"
 *	src/report/sql/leaks.sql		"report/leaks"
 *	src/store/sql/insert_instance.sql	"store/insert_instance"
 *
 * tools/sql2c.awk generates the table from the variable SQL_FILES of the makefile fragments. It also
 * generates base/sql_params.h, which defines the parameters that the files name (see SQL_VALUES).
 * The table is constant and valid as long as the program runs.
 */
#ifndef PROFDEPOT_BASE_SQL_FILE_H
#define PROFDEPOT_BASE_SQL_FILE_H

#include "base/sql_params.h"

#include <stdbool.h>
#include <stddef.h>

struct sql_file {
	const char *name;
	const char *text; /* UTF-8, NUL-terminated, with $1 for :name; every line ends in \n */
	size_t length;    /* bytes of text without the NUL */
};

/*
 * Sorted by name, byte by byte, so the files of one folder are adjacent and in the order in which
 * the folder is loaded. The last entry's name is NULL.
 */
extern const struct sql_file sql_files[];
extern const size_t sql_files_count;

/* Finds a file by name. Returns NULL if no file has this name. */
const struct sql_file *sql_file_find(const char *name);

/*
 * Returns the first file of a folder ("schema/", with the slash), or NULL. The folder's other files
 * follow in the table:
 *
 *	for (f = sql_file_first("schema/"); f && sql_file_in(f, "schema/"); f++)
 *
 * The last entry, whose name is NULL, is in no folder, so the loop always ends.
 */
const struct sql_file *sql_file_first(const char *folder);

bool sql_file_in(const struct sql_file *file, const char *folder);

/*
 * The values of a file's parameters, as an array of SQL_..._PARAMS texts that lives as long as the
 * block. Each parameter of the file must be named exactly once; otherwise the macro does not
 * compile. Example:
 *
 *	const char *const *values = SQL_VALUES(SQL_STORE_FIND_INPUT,
 *		[SQL_STORE_FIND_INPUT_DIGEST] = digest, [SQL_STORE_FIND_INPUT_BYTES] = bytes);
 *
 * NULL means SQL NULL. A comma outside parentheses splits a value into two.
 */
#define SQL_VALUES(file, ...) \
	((const char *const[SQL_COUNT(__VA_ARGS__) == file##_PARAMS ? file##_PARAMS : -1]){ \
		__VA_ARGS__ })

#define SQL_COUNT(...) \
	SQL_PICK_26TH(__VA_ARGS__, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, \
		9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define SQL_PICK_26TH( \
	a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, count, ...) \
	count

#endif
