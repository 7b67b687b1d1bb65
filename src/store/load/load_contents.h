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

/* Sets *fresh to whether no result set so far is known. *fresh is false if the first one is not complete, because the
 * digests of incomplete result sets cannot be compared. Sends all rows first. */
bool load_is_new(struct load *l, bool *fresh, struct error *err);

/* Locks the contents of the wanted sets until the transaction ends. */
bool load_lock_contents(struct load *l, struct error *err);
/* Marks the result sets that another load has stored in the meantime. *known is true if there are any. If the
 * input has several result sets, the rows of the marked sets have already been sent. The input must then be read
 * again. */
bool load_find_late_known(struct load *l, bool *known, struct error *err);

#endif
