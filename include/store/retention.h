/* Rules that select result sets for removal. */
#ifndef PROFDEPOT_STORE_RETENTION_H
#define PROFDEPOT_STORE_RETENTION_H

#include "store/result_sets.h"

/* Columns of retention_query. */
enum retention_column {
	RETENTION_RULE,
	RETENTION_APPLICATION,
	RETENTION_FORMAT,
	RETENTION_LABELS,     /* for display */
	RETENTION_OLDER_THAN, /* for display, such as 30d */
	RETENTION_KEEP,
	RETENTION_CREATED,
	RETENTION_SECONDS /* age; NULL for any age */
};

enum {
	RETENTION_KEEP_NOT_GIVEN = -1,
};

/* Makes the filter of a new rule complete: its application, format and labels are set. Sets the age from `older_than`,
 * such as "30d" or NULL, and the number of result sets that the rule keeps. Checks the labels. Fails with ERROR_USAGE;
 * the message names the options of the command. */
bool retention_make(
	struct result_set_filter *filter, const char *older_than, int64_t keep, struct error *err);

/* All rules in order. NULL on error. */
struct db_result *retention_query(struct db *db, struct error *err);

/* Adds a rule that selects result sets by the filter's application, format, labels and age. The rule always keeps the
 * newest of these result sets; filter->skip_newest is how many it keeps. The labels must be valid. */
bool retention_add(
	struct db *db, const struct result_set_filter *filter, int64_t *rule, struct error *err);

/* Replaces a rule by another one that has its number. Fails with ERROR_NOT_FOUND if there is no such rule. */
bool retention_change(
	struct db *db, int64_t rule, const struct result_set_filter *filter, struct error *err);

/* Removes these rules. If one is missing, removes nothing and fails with ERROR_NOT_FOUND. */
bool retention_remove(struct db *db, const int64_t *rules, size_t count, struct error *err);

/* The filter of a row of retention_query, with texts in the arena. */
bool retention_filter(struct db *db, struct arena *a, const struct db_result *rules, size_t row,
	struct result_set_filter *filter, struct error *err);

#endif
