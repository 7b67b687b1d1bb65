/* Result set comparisons: diff, trend, check. */
#include "handle_page.h"

#include "app/budget_file.h"
#include "app/check/check.h"
#include "app/report_answer.h"
#include "app/report_rows.h"
#include "render/check.h"
#include "service/tokens.h"
#include "store/set_names.h"

#include <string.h>

enum {
	LAST_SETS = 20,
	TOP_STACKS = 5
};

static struct suppressions_request
asked_suppressions(struct http_call *c)
{
	return (struct suppressions_request){ NULL, http_query_flag(c, "no_suppressions"),
		http_query_flag(c, "hide_standard_leaks") };
}

static bool
missing(const char *parameter, struct error *err)
{
	return error_set(err, ERROR_USAGE, "the parameter %s is missing", parameter);
}

/* Sorts the report, selects the requested rows, and writes the answer. */
static bool
write_report(struct http_call *c, struct db *db, const struct report *r,
	const struct renderer *renderer, struct report_request *q, struct error *err)
{
	const struct render_options options = { 0, q->lists[REPORT_GET].count > 2 };
	struct table_sink *sink;
	struct report_page page;
	bool ok;

	r = report_rows_shape(db, c->arena, r, q, err);
	if (!r || !report_page_begin(c, db, r, q, &page, err))
		return false;
	sink = renderer->sink_new(c->answer->out, &options);
	ok = report_answer_write(db, r, q, report_page_sink(&page, sink), err) &&
	     report_page_end(c, db, &page, err);
	renderer->sink_free(sink);
	return ok;
}

static bool
name_pair(struct http_call *c, struct db *db, struct report_request *q, struct error *err)
{
	const char *base = http_query_text(c, "base");
	const char *fresh = http_query_text(c, "new");
	int64_t base_id;

	if (!fresh || (!base && !q->lists[REPORT_GET].count))
		return missing(fresh ? "base" : "new", err);
	if (!set_name_find(db, fresh, 0, &q->inst_id, err))
		return error_prefix(err, "new");
	q->values[REPORT_BASE] = NULL;
	if (!base)
		return true;
	if (!set_name_find(db, base, set_name_is_relative(base) ? q->inst_id : 0, &base_id, err))
		return error_prefix(err, "base");
	q->values[REPORT_BASE] = arena_printf(c->arena, "%lld", (long long)base_id);
	return true;
}

static bool
diff(struct http_call *c, struct error *err)
{
	const struct report *r = report_find("diff", http_query_text(c, "by"), err);
	const struct renderer *renderer = r ? handle_renderer(c, "format", err) : NULL;
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;
	const struct suppressions_request wanted = asked_suppressions(c);
	struct report_request q;
	bool ok;

	if (!db)
		return false;
	handle_report_request(c, &q);
	if (!name_pair(c, db, &q, err))
		return false;
	q.inst_ids = &q.inst_id;
	q.inst_id_count = 1;
	q.suppressions = suppressions_open(db, &wanted, err);
	ok = q.suppressions && write_report(c, db, r, renderer, &q, err);
	suppressions_free(q.suppressions);
	return ok;
}

bool
handle_diff(struct http_call *c, struct error *err)
{
	return diff(c, err) || handle_parameter_words(err);
}

static bool
trend(struct http_call *c, struct error *err)
{
	struct result_set_filter f = {
		.application = http_query_text(c, "application"),
		.run = http_query_text(c, "run"),
		.caption = http_query_text(c, "caption"),
		.since = http_query_text(c, "since"),
		.until = http_query_text(c, "until"),
	};
	const struct report *r = report_find("trend", NULL, err);
	const struct renderer *renderer = r ? handle_renderer(c, "format", err) : NULL;
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;
	struct report_request q;

	if (!db)
		return false;
	handle_report_request(c, &q);
	/* Here "since" and "until" select result sets, not rows of the report. */
	q.values[REPORT_SINCE] = q.values[REPORT_UNTIL] = NULL;
	q.last = http_query_int(c, "last", LAST_SETS);
	http_query_list(c, "label", &f.labels);
	if (!q.values[REPORT_METRIC])
		return missing("metric", err);
	q.sets = &f;
	return write_report(c, db, r, renderer, &q, err) ||
	       handle_bad_value(c, "since or until", err);
}

bool
handle_trend(struct http_call *c, struct error *err)
{
	return trend(c, err) || handle_parameter_words(err);
}

static const struct http_type check_types[] = {
	{ "json", "application/json" },
	{ "text", "text/plain; charset=utf-8" },
	{ "markdown", "text/markdown; charset=utf-8" },
	{ "junit", "application/xml" },
	{ "sarif", "application/sarif+json" },
	{ "github", "text/plain; charset=utf-8" },
};

/* The route needs only the scope read. */
static bool
may_record(struct http_call *c, struct error *err)
{
	if (!http_query_flag(c, "record") || c->request->scopes & (TOKEN_INGEST | TOKEN_ADMIN))
		return true;
	c->answer->status = 403;
	return error_set(err, ERROR_USAGE, "the parameter record needs the scope ingest");
}

static bool
record(struct http_call *c, const struct check *done, struct error *err)
{
	struct db *db = http_query_flag(c, "record") ? handle_loader(c, err) : NULL;

	return db ? check_record(db, done, err) : !http_query_flag(c, "record");
}

static bool
check(struct http_call *c, struct error *err)
{
	const struct suppressions_request suppressions = asked_suppressions(c);
	const struct check_options options = { http_query_text(c, "source_root"),
		(size_t)http_query_int(c, "top", TOP_STACKS) };
	const char *set = http_query_text(c, "set");
	const struct http_type *type = http_choose_type(
		c, "format", check_types, sizeof(check_types) / sizeof(check_types[0]), err);
	const char *unjudged = http_query_text(c, "unjudged");
	struct check_request q = { .skip_unjudged = unjudged && strcmp(unjudged, "skip") == 0,
		.base_optional = http_query_flag(c, "base_optional"),
		.against_history = http_query_text(c, "against") != NULL };
	const struct check *done;
	struct option_list own;
	struct text body;
	struct db *db;

	if (!type || !may_record(c, err) || !http_body_text(c, BUDGET_FILE_MAX_BYTES, &body, err))
		return false;
	/* A check against the history needs no budgets. */
	if (body.size)
		q.budgets = budget_file_parse(c->arena, "the body", body, err);
	else if (q.against_history)
		q.budgets = arena_alloc(c->arena, sizeof(*q.budgets));
	db = q.budgets || !body.size ? handle_report_snapshot(c, err) : NULL;
	if (!db)
		return false;
	http_query_list(c, "own", &own);
	q.own = &own;
	done = check_named(db, c->arena, set ? set : "latest", http_query_text(c, "base"), &q,
		&suppressions, err);
	return done && record(c, done, err) &&
	       check_writer_find(type->name)->write(c->answer->out, done, &options, err);
}

bool
handle_check(struct http_call *c, struct error *err)
{
	return check(c, err) || handle_parameter_words(err);
}
