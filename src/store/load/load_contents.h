/* The contents of a load's result sets; see load_contents.c. */
#ifndef PROFDEPOT_STORE_LOAD_LOAD_CONTENTS_H
#define PROFDEPOT_STORE_LOAD_LOAD_CONTENTS_H

#include "base/error.h"

#include <stdbool.h>

struct load;

/* Locks the contents of the wanted sets until the transaction ends. */
bool load_lock_contents(struct load *l, struct error *err);
/* Marks result sets that another load has stored in the meantime. If the input has several result sets,
 * the rows of such a set have already been sent, so the input must be read again. */
bool load_find_late_known(struct load *l, bool *known, struct error *err);

#endif
