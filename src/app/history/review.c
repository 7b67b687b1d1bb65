/* Checks what somebody wrote about a finding. */
#include "app/history/review.h"

#include <string.h>

#define REVIEW_WORD(code, word) word ", "
static const char status_words[] = "use one of " REVIEW_STATUS_TABLE(REVIEW_WORD);
#undef REVIEW_WORD

/* REVIEW_STATUSES if there is no such status. */
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

	if (!q->status || !*q->status)
		return error_set(err, ERROR_USAGE, "--status is missing");
	status = find_status(q->status);
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
