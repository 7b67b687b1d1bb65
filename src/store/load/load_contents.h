/* The contents of a load's result sets; see load_contents.c. */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_CONTENTS_H
#define PROFDEPOT_STORE_LOAD_LOAD_CONTENTS_H

#include "base/error.h"
#include "base/pair_map.h"

struct load;
struct load_set;

/* How often each report has occurred in its log. */
struct load_equals {
	struct pair_map index; /* maps the content and file of a report to an index */
	uint32_t *counts;      /* number of occurrences, minus 1 */
	size_t room;
};

/* Counts the earlier reports in the log that are equal to this report. The number becomes part of the
 * report's digest. */
void load_count_equal(struct load *l, struct load_set *set);
void load_equals_release(struct load_equals *e);

/* Locks the contents of the wanted sets until the transaction ends. */
bool load_lock_contents(struct load *l, struct error *err);
/* Marks result sets that another load has stored in the meantime. If the input has several result sets,
 * the rows of such a set have already been sent, so the input must be read again. */
bool load_find_late_known(struct load *l, bool *known, struct error *err);

#endif
