/* Where a result set comes from, for the head of a page. */
#ifndef PROFDEPOT_MODEL_TABLE_ORIGIN_H
#define PROFDEPOT_MODEL_TABLE_ORIGIN_H

#include "base/text.h"

/* Texts that are NULL are unknown. */
struct table_origin {
	struct text loaded_at;  /* ISO 8601 */
	struct text started_at; /* start of the run; ISO 8601 */
	struct text version;    /* version of the application */
	struct text labels;     /* "branch=main nr=7" */
};

#endif
