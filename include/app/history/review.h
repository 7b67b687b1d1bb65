/* Reviews of findings, for the command line and the service. */
#ifndef PROFDEPOT_APP_REVIEW_H
#define PROFDEPOT_APP_REVIEW_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "model/history.h"

#include <stdbool.h>

struct db;

/* A review as the user wrote it. Texts that the user did not give are NULL. */
struct review_request {
	const char *status, *fixed_in, *reason, *author, *ticket, *until;
	const char *same_as; /* instead of a status: first digits of another finding's identity */
};

/* Checks the texts and converts them. Fails with ERROR_USAGE; the messages name options as "--NAME". */
bool review_check(const struct review_request *q, struct history_review *out, struct error *err);

enum {
	REVIEW_IDENTITY_BYTES = 2 * IDENTITY_BYTES + 1
};

/* What a review is about. */
struct review_subject {
	char identity[REVIEW_IDENTITY_BYTES]; /* 32 hexadecimal digits */
	char same_as[REVIEW_IDENTITY_BYTES];  /* identity of the other finding, or empty */
};

/* Finds a finding by the first digits of its identity. If q->same_as is not NULL, finds the other finding in
 * the same way. If `stream` is NULL, uses the stream with the newest run. Fails with ERROR_NOT_FOUND, or with
 * ERROR_USAGE if digits are ambiguous or if both findings are the same. */
bool review_find(struct db *db, struct arena *a, const char *stream, const char *finding,
	const struct review_request *q, struct review_subject *out, struct error *err);

/* Stores the review, or the statement that two identities are the same finding. Sets *ledger_no to the number of
 * the new ledger entry. */
bool review_store(struct db *db, const struct review_subject *subject,
	const struct history_review *review, int64_t *ledger_no, struct error *err);

#endif
