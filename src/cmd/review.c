/* profdepot review: records a decision about a finding. */
#include "app/history/review.h"
#include "app/history/history.h"
#include "base/hash.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "store/history/history.h"

#include <stddef.h>
#include <string.h>

enum {
	IDENTITY_ROOM = 2 * IDENTITY_BYTES + 1
};

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
		"instead of --status: FINDING is the same as this finding, and the history shows "
		"only this finding",
		MEMBER(same_as) },
	{ "stream", 0, OPTION_TEXT, "STREAM",
		"a stream that has the finding; default: the stream with the newest run",
		MEMBER(stream) },
	{ .name = NULL },
};
#undef MEMBER

/* An alias is stored like a review, but has no status. */
static struct review_request
words_of(const struct review_options *o)
{
	return (struct review_request){ .status = o->same_as ? "open" : o->status,
		.fixed_in = o->fixed_in,
		.reason = o->reason,
		.author = o->author,
		.ticket = o->ticket,
		.until = o->until };
}

static bool
find(struct command_call *call, struct db *db, const char *digits, char identity[IDENTITY_ROOM],
	struct error *err)
{
	const struct review_options *o = call->target;
	const struct history_request q = { .stream = o->stream, .finding = digits };
	const struct history_finding *f;
	struct history h;

	if (!history_find(db, call->arena, &q, &h, &f, err))
		return false;
	hex_format(f->identity, IDENTITY_BYTES, identity);
	return true;
}

static bool
join(struct command_call *call, struct db *db, const char *identity,
	const struct history_review *why, struct error *err)
{
	const struct review_options *o = call->target;
	char same_as[IDENTITY_ROOM];
	int64_t ledger_no;

	if (!find(call, db, o->same_as, same_as, err))
		return false;
	if (strcmp(identity, same_as) == 0)
		return error_set(err, ERROR_USAGE, "these are already the same finding");
	if (!history_alias_add(db, identity, same_as, why, &ledger_no, err))
		return false;
	fprintf(call->out, "recorded alias %lld: %.12s is %.12s\n", (long long)ledger_no, identity,
		same_as);
	return true;
}

static bool
record(struct command_call *call, struct db *db, struct error *err)
{
	const struct review_options *o = call->target;
	struct review_request words = words_of(o);
	struct history_review review;
	char identity[IDENTITY_ROOM];
	int64_t ledger_no;

	if (!words.author)
		words.author = depot_user_name(call->arena);
	if (!review_check(&words, &review, err) ||
		!find(call, db, call->operands.items[0], identity, err))
		return false;
	if (o->same_as)
		return join(call, db, identity, &review, err);
	if (!review_add(db, identity, &review, &ledger_no, err))
		return false;
	fprintf(call->out, "recorded review %lld: %.12s is %s\n", (long long)ledger_no, identity,
		o->status);
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
	else if (!o->status == !o->same_as)
		error_set(err, ERROR_USAGE, "use either --status or --same-as");
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
		"example, detectors write the names of its frames differently.\n\n"
		"A suppression hides whatever matches its pattern; a review is about one finding, and "
		"hides nothing.",
	.options = specs,
	.target_size = sizeof(struct review_options),
	.run = review_run,
};
