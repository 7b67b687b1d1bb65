/* Which result sets a list contains, and where in their order it begins. */
#ifndef PROFDEPOT_STORE_RESULT_SET_FILTER_H
#define PROFDEPOT_STORE_RESULT_SET_FILTER_H

#include "base/option.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Selects result sets. A zeroed filter selects all result sets. */
struct result_set_filter {
	const char *format;
	const char *application;
	const char *app_version, *host, *tool;
	const char *run;     /* key */
	const char *caption; /* glob with * and ?; case is ignored */
	const char *since;   /* loaded at this time or later; PostgreSQL parses it */
	const char *until;   /* loaded before this time */
	/* Selects result sets that have this metric, or whose run looked for something in looked_for. */
	const char *metric;
	const char *looked_for; /* array for SQL, such as "{errors,races}"; may be NULL */
	/* Words to find in captions, names, formats or labels; case is ignored. */
	const char *search;
	const char *sort; /* "COLUMN[:asc|desc]"; NULL for the newest first */
	struct option_list labels;
	const int64_t *inst_ids; /* NULL for all */
	size_t inst_id_count;
	int64_t skip_newest;        /* number of matching result sets to skip, newest first */
	int64_t older_than_seconds; /* 0 for any age */
	int64_t limit;              /* 0 for all */
	/* Leaves the columns from RESULT_SET_OBJECTS to RESULT_SET_ROWS and RESULT_SET_WARNINGS NULL, to save time. */
	bool without_counts;
	/* The list begins after this position, whether or not a result set is still there; NULL: at its head. */
	const struct result_set_position *after;
};

/* The position of a result set in a sorted list. */
struct result_set_position {
	const char *inst_id, *loaded_us; /* decimal numbers */
	const char *sorted;              /* value of the column in `sort`, if it is a text column */
};

#endif
