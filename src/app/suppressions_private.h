/* Declarations that the suppression files share. */
#ifndef PROFDEPOT_APP_SUPPRESSIONS_PRIVATE_H
#define PROFDEPOT_APP_SUPPRESSIONS_PRIVATE_H

#include "app/suppressions.h"

/* Where an entry comes from, in words: "my.supp:3", "depot's 4". */
const char *suppression_place(struct arena *a, const struct suppression *s);

/* For one line on a terminal: control characters become "?". */
const char *suppression_line(struct arena *a, struct text t);

/* Text of standard_leaks.supp, made by tools/text2c.awk. */
extern const char standard_leaks_supp_text[];

#endif
