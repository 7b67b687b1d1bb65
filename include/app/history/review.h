/* Reviews of findings, for the command line and the service. */
#ifndef PROFDEPOT_APP_REVIEW_H
#define PROFDEPOT_APP_REVIEW_H

#include "base/error.h"
#include "model/history.h"

#include <stdbool.h>

/* A review as somebody wrote it; texts that are not given are NULL. */
struct review_request {
	const char *status, *fixed_in, *reason, *author, *ticket, *until;
};

/* The names of the options in the messages begin with "--". Fails with ERROR_USAGE. */
bool review_check(const struct review_request *q, struct history_review *out, struct error *err);

#endif
