/* Removes many result sets in batches, each in one transaction, and prints each result set. */
#ifndef PROFDEPOT_APP_REMOVAL_H
#define PROFDEPOT_APP_REMOVAL_H

#include "store/result_sets.h"

#include <stdio.h>

struct removal {
	FILE *out;
	bool forget;  /* also remove the runs from the history */
	bool dry_run; /* print only */
};

/* Removes the result sets in `listed`, a result of result_sets_list, and adds their number to *count. If a batch fails
 * and *count is not 0, other result sets have been removed, and the error is ERROR_PARTLY. */
bool removal_of_list(struct db *db, const struct db_result *listed, const struct removal *o,
	size_t *count, struct error *err);

/* Removes all result sets that pass the filter. Ignores the filter's limit. Lists some of the result sets, removes
 * them, and then lists the next ones. A large depot therefore needs little memory, and the first batch is removed
 * without delay. */
bool removal_of_filter(struct db *db, const struct result_set_filter *filter,
	const struct removal *o, size_t *count, struct error *err);

#endif
