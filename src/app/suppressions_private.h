/* Declarations that the suppression files share. */
#ifndef PROFDEPOT_APP_SUPPRESSIONS_PRIVATE_H
#define PROFDEPOT_APP_SUPPRESSIONS_PRIVATE_H

#include "app/suppressions.h"

/* Describes the origin of an entry, such as "my.supp:3" or "depot's 4". */
const char *suppression_place(struct arena *a, const struct suppression *s);

/* Returns t as one line for a terminal: control characters become "?". */
const char *suppression_line(struct arena *a, struct text t);

/* The text of standard_leaks.supp, compiled in by tools/text2c.awk. */
extern const char standard_leaks_supp_text[];

#endif
