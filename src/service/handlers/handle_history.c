/* The history of findings: streams, findings, one finding, reviews. */
#include "handle_cursor.h"

#include "app/history/history.h"
#include "app/history/review.h"
#include "app/rows_table.h"
#include "base/number.h"
#include "store/runs.h"

#include <inttypes.h>

bool
handle_streams(struct http_call *c, struct error *err)
{
	const struct render_options options = { 0, false };
	const struct renderer *renderer = handle_renderer(c, "format", err);
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;
	struct db_result *rows = db ? streams_list(db, err) : NULL;
	const struct rows_table table = { .rows = rows };
	bool ok = rows && rows_table_write(c->answer->out, renderer, &options, &streams_head,
				  &table, 1, err);

	db_result_free(rows);
	return ok;
}

/* Replaces command-line words in a usage error. Other errors are not changed, because their hints name
 * commands. */
static bool
plain_words(struct error *err)
{
	return err->code == ERROR_USAGE ? handle_parameter_words(err) : false;
}

/* Reads the end of the page before from the cursor. */
static bool
read_before(const struct cursor *cursor, struct history_end *before)
{
	const char *ledger_no = cursor->parts[0];
	const char *digest = cursor->parts[1];
	struct number n;

	snprintf(before->digest, sizeof(before->digest), "%s", digest ? digest : "");
	return ledger_no && digest && number_parse(text_from(ledger_no), &n) == NUMBER_OK &&
	       number_to_int64(n, &before->ledger_no) && before->ledger_no > 0;
}

static void
link_after(struct http_call *c, const struct cursor *now, const struct history_request *q,
	const struct history_end *end)
{
	struct cursor next = { .parts = { arena_printf(c->arena, "%" PRId64, end->ledger_no),
				       end->digest } };

	if (end->more)
		cursor_link(c, now, &next, q->top);
}

static bool
answer(struct http_call *c, struct history_request *q, struct error *err)
{
	const struct render_options options = { 0, false };
	const struct renderer *renderer = handle_renderer(c, "format", err);
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;
	struct history_end before = { .more = false };
	struct history_end end;
	struct cursor cursor;

	if (!db || !cursor_read(c, &cursor, err))
		return false;
	if (cursor.given && !read_before(&cursor, &before))
		return cursor_refuse(err);
	q->before = cursor.given ? &before : NULL;
	q->stream = http_query_text(c, "stream");
	q->as_of = http_query_text(c, "as_of");
	q->top = http_query_int(c, "top", 0);
	q->skip = cursor_rows_before(c, &cursor);
	if (!history_write(db, q, c->answer->out, renderer, &options, &end, err))
		return plain_words(err);
	link_after(c, &cursor, q, &end);
	return true;
}

bool
handle_history(struct http_call *c, struct error *err)
{
	struct history_request q = { .new_since = http_query_text(c, "new_since"),
		.min_count = http_query_int(c, "min_count", 0),
		.min_size = http_query_int(c, "min_size", 0) };

	http_query_list(c, "state", &q.states);
	http_query_list(c, "review", &q.reviews);
	http_query_list(c, "kind", &q.kinds);
	http_query_list(c, "class", &q.classes);
	http_query_list(c, "module", &q.modules);
	http_query_list(c, "routine", &q.routines);
	http_query_list(c, "owner", &q.owners);
	return answer(c, &q, err);
}

static const char *
asked_finding(struct http_call *c)
{
	return http_field_find(&c->request->parts, "finding").data;
}

bool
handle_finding(struct http_call *c, struct error *err)
{
	struct history_request q = { .finding = asked_finding(c) };

	return answer(c, &q, err);
}

/* {"status": "fixed", "reason": "...", "author": "...", "ticket": "...", "until": "2026-12-31", "fixed_in":
 * "5.3", "stream": "Orders branch=main"}. Instead of "status", the body may have "same_as", which names
 * another finding. */
static bool
read_review(struct http_call *c, struct review_request *q, const char **stream, struct error *err)
{
	static const char *const keys[] = { "status", "same_as", "reason", "author", "ticket",
		"until", "fixed_in", "stream", NULL };
	const struct json_node *body = body_read(c, keys, err);

	return body && body_string(body, "status", &q->status, err) &&
	       body_string(body, "same_as", &q->same_as, err) &&
	       body_string(body, "reason", &q->reason, err) &&
	       body_string(body, "author", &q->author, err) &&
	       body_string(body, "ticket", &q->ticket, err) &&
	       body_string(body, "until", &q->until, err) &&
	       body_string(body, "fixed_in", &q->fixed_in, err) &&
	       body_string(body, "stream", stream, err);
}

static bool
add_review(
	struct http_call *c, struct review_subject *subject, int64_t *ledger_no, struct error *err)
{
	struct review_request q = { .status = NULL };
	struct history_review review;
	const char *stream = NULL;
	struct db *db;

	if (!read_review(c, &q, &stream, err) || !review_check(&q, &review, err))
		return false;
	db = handle_report_snapshot(c, err);
	if (!db || !review_find(db, c->arena, stream, asked_finding(c), &q, subject, err))
		return false;
	db = handle_loader(c, err);
	return db && review_store(db, subject, &review, ledger_no, err);
}

bool
handle_review_add(struct http_call *c, struct error *err)
{
	struct review_subject subject;
	const char *identity;
	struct json_writer w;
	int64_t ledger_no;

	if (!add_review(c, &subject, &ledger_no, err))
		return plain_words(err);
	identity = *subject.same_as ? subject.same_as : subject.identity;
	c->answer->status = 201;
	http_answer_field(
		c->answer, "Location", arena_printf(c->arena, "/v1/history/%s", identity));
	handle_json_begin(c, &w);
	json_key_string(&w, "finding", identity);
	json_key_int(&w, "ledger_no", ledger_no);
	handle_json_end(c, &w);
	return true;
}
