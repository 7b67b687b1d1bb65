/* Reviews of findings, for the command line and the service. */
#ifndef PROFDEPOT_APP_REVIEW_H
#define PROFDEPOT_APP_REVIEW_H

#include "base/error.h"
#include "model/history.h"

#include <stdbool.h>

/* A review as the user wrote it. Texts that the user did not give are NULL. */
struct review_request {
	const char *status, *fixed_in, *reason, *author, *ticket, *until;
};

/* Checks the texts and converts them. Fails with ERROR_USAGE; the messages name options as "--NAME". */
bool review_check(const struct review_request *q, struct history_review *out, struct error *err);

#endif
