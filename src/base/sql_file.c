/* Finding compiled-in .sql files by name. */
#include "base/sql_file.h"

#include <stdlib.h>
#include <string.h>

static int
compare_name(const void *name, const void *element)
{
	const struct sql_file *file = element;

	return strcmp(name, file->name);
}

const struct sql_file *
sql_file_find(const char *name)
{
	return bsearch(name, sql_files, sql_files_count, sizeof(*sql_files), compare_name);
}

const struct sql_file *
sql_file_first(const char *folder)
{
	for (size_t i = 0; i < sql_files_count; i++)
		if (sql_file_in(&sql_files[i], folder))
			return &sql_files[i];
	return NULL;
}

bool
sql_file_in(const struct sql_file *file, const char *folder)
{
	return file->name && strncmp(file->name, folder, strlen(folder)) == 0;
}
