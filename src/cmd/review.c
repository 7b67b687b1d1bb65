/* profdepot review: records a decision about a finding. */
#include "app/history/review.h"
#include "cmd/commands.h"
#include "cmd/depot.h"

#include <stddef.h>

struct review_options {
	const char *status, *fixed_in, *reason, *author, *ticket, *until, *stream, *same_as;
};

#define MEMBER(m) offsetof(struct review_options, m)
static const struct option_spec specs[] = {
	{ "status", 0, OPTION_CHOICE, "STATUS", "the decision", MEMBER(status),
		"open|confirmed|false-positive|intentional|fixed" },
	{ "fixed-in", 0, OPTION_TEXT, "VERSION", "the version that has the fix, for --status fixed",
		MEMBER(fixed_in) },
	{ "reason", 'r', OPTION_TEXT, "TEXT", "why; required", MEMBER(reason) },
	{ "author", 0, OPTION_TEXT, "NAME", "who decided; default: your username", MEMBER(author) },
	{ "ticket", 0, OPTION_TEXT, "LINK", "link to the ticket", MEMBER(ticket) },
	{ "until", 0, OPTION_TEXT, "DATE",
		"the last day (UTC) on which the review applies, such as 2026-12-31; default: no end",
		MEMBER(until) },
	{ "same-as", 0, OPTION_TEXT, "FINDING",
		"instead of --status: the operand is the same finding as FINDING; the history shows both "
		"under the identity of FINDING",
		MEMBER(same_as) },
	{ "stream", 0, OPTION_TEXT, "STREAM",
		"a stream that has the finding; default: the stream with the newest run",
		MEMBER(stream) },
	{ .name = NULL },
};
#undef MEMBER

static struct review_request
words_of(const struct review_options *o)
{
	return (struct review_request){ .status = o->status,
		.fixed_in = o->fixed_in,
		.reason = o->reason,
		.author = o->author,
		.ticket = o->ticket,
		.until = o->until,
		.same_as = o->same_as };
}

static bool
record(struct command_call *call, struct db *db, struct error *err)
{
	const struct review_options *o = call->target;
	struct review_request words = words_of(o);
	struct review_subject subject;
	struct history_review review;
	int64_t ledger_no;

	if (!words.author)
		words.author = depot_user_name(call->arena);
	if (!review_check(&words, &review, err) ||
		!review_find(db, call->arena, o->stream, call->operands.items[0], &words, &subject,
			err) ||
		!review_store(db, &subject, &review, &ledger_no, err))
		return false;
	if (*subject.same_as)
		fprintf(call->out, "recorded alias %lld: %.12s is %.12s\n", (long long)ledger_no,
			subject.identity, subject.same_as);
	else
		fprintf(call->out, "recorded review %lld: %.12s is %s\n", (long long)ledger_no,
			subject.identity, o->status);
	return true;
}

static int
review_run(struct command_call *call, struct error *err)
{
	const struct review_options *o = call->target;
	const struct review_request words = words_of(o);
	struct history_review review;

	if (call->operands.count != 1)
		error_set(err, ERROR_USAGE, "expected one finding");
	else if (!o->status && !o->same_as)
		error_set(err, ERROR_USAGE, "--status or --same-as is missing");
	else if (review_check(&words, &review, err))
		return depot_run(call, DB_ROLE_LOADER, record, err);
	error_hint(err, "profdepot review FINDING --status confirmed --reason TEXT");
	return -1;
}

const struct command command_review = {
	.name = "review",
	.operands = "FINDING",
	.summary = "record a decision about a finding",
	.description =
		"Records what somebody decided about a finding, with the reason. FINDING is the first "
		"digits of its identity, which \"profdepot history\" shows. The newest review "
		"applies; older reviews are kept.\n\n"
		"If a finding was reviewed as fixed and a later run sees it, its state is \"came "
		"back\", and \"profdepot check --against history\" fails.\n\n"
		"With --same-as, two identities become one finding. This is useful if, for "
		"example, detectors write the names of frames differently.\n\n"
		"A suppression hides whatever matches its pattern; a review is about one finding, and "
		"hides nothing.",
	.options = specs,
	.target_size = sizeof(struct review_options),
	.run = review_run,
};
