/* Checks and stores what somebody wrote about a finding. */
#include "app/history/review.h"

#include "app/history/history.h"
#include "store/history/history.h"

#include <string.h>

#define REVIEW_WORD(code, word) word ", "
static const char status_words[] = "use one of " REVIEW_STATUS_TABLE(REVIEW_WORD);
#undef REVIEW_WORD

/* Returns REVIEW_STATUSES if there is no such status. */
static enum review_status
find_status(const char *word)
{
	int i = 0;

	while (i < REVIEW_STATUSES && strcmp(review_status_names[i], word) != 0)
		i++;
	return (enum review_status)i;
}

static bool
refuse_status(const char *word, struct error *err)
{
	error_set(err, ERROR_USAGE, "option --status: \"%.50s\" is not a status", word);
	return error_hint(err, "%.*s", (int)sizeof(status_words) - 3, status_words);
}

bool
review_check(const struct review_request *q, struct history_review *out, struct error *err)
{
	enum review_status status;

	if (q->status && q->same_as)
		return error_set(err, ERROR_USAGE, "--status and --same-as cannot be combined");
	if (!q->same_as && (!q->status || !*q->status))
		return error_set(err, ERROR_USAGE, "--status is missing");
	status = q->same_as ? REVIEW_OPEN : find_status(q->status);
	if (status == REVIEW_STATUSES)
		return refuse_status(q->status, err);
	if (!q->reason || !*q->reason)
		return error_set(err, ERROR_USAGE, "--reason is missing");
	if (q->fixed_in && status != REVIEW_FIXED)
		return error_set(err, ERROR_USAGE, "--fixed-in is only for --status fixed");
	*out = (struct history_review){ .status = status,
		.fixed_in = text_from(q->fixed_in),
		.author = text_from(q->author),
		.reason = text_from(q->reason),
		.ticket = text_from(q->ticket),
		.until = text_from(q->until) };
	return true;
}

static bool
find(struct db *db, struct arena *a, const char *stream, const char *digits,
	char identity[REVIEW_IDENTITY_BYTES], struct error *err)
{
	const struct history_request q = { .stream = stream, .finding = digits };
	const struct history_finding *f;
	struct history h;

	if (!history_find(db, a, &q, &h, &f, err))
		return false;
	hex_format(f->identity, IDENTITY_BYTES, identity);
	return true;
}

bool
review_find(struct db *db, struct arena *a, const char *stream, const char *finding,
	const struct review_request *q, struct review_subject *out, struct error *err)
{
	*out = (struct review_subject){ .same_as = "" };
	if (!find(db, a, stream, finding, out->identity, err))
		return false;
	if (!q->same_as)
		return true;
	if (!find(db, a, stream, q->same_as, out->same_as, err))
		return false;
	return strcmp(out->identity, out->same_as) != 0 ||
	       error_set(err, ERROR_USAGE, "these are already the same finding");
}

bool
review_store(struct db *db, const struct review_subject *subject,
	const struct history_review *review, int64_t *ledger_no, struct error *err)
{
	return *subject->same_as ? history_alias_add(db, subject->identity, subject->same_as,
					   review, ledger_no, err)
				 : review_add(db, subject->identity, review, ledger_no, err);
}
