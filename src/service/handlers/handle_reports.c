/* Lists the reports, and runs them. */
#include "handle_page.h"

#include "app/catalogue.h"
#include "app/dossier.h"
#include "app/report_answer.h"
#include "store/set_names.h"

#include <stdlib.h>
#include <string.h>

/* Lists the reports that apply to a result set; all reports if inst_id is 0. */
static bool
write_list(struct http_call *c, struct db *db, int64_t inst_id, struct error *err)
{
	const struct report *r;
	struct json_writer w;
	bool applies = true;

	json_writer_init(&w, c->answer->out, true);
	json_begin_array(&w);
	for (size_t i = 0; (r = report_at(i)); i++) {
		if (inst_id && !report_applies(db, r, inst_id, &applies, err))
			return false;
		if (applies)
			report_describe_json(&w, r);
	}
	if (!inst_id)
		report_describe_json(&w, &dossier_report);
	json_end_array(&w);
	fputc('\n', c->answer->out);
	return err->code == ERROR_NONE;
}

bool
handle_reports(struct http_call *c, struct error *err)
{
	return write_list(c, NULL, 0, err);
}

bool
handle_set_reports(struct http_call *c, struct error *err)
{
	int64_t inst_id;
	struct db *db = handle_inst_id(c, &inst_id, err) ? handle_report_snapshot(c, err) : NULL;

	return db && handle_check_set(db, inst_id, err) && write_list(c, db, inst_id, err);
}

static int
compare_ids(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a;
	int64_t right = *(const int64_t *)b;

	return left < right ? -1 : left > right;
}

/* Sorts the result sets by INST_ID, as the command line does. */
static bool
put_in_order(struct arena *a, struct report_request *q)
{
	int64_t *ids = arena_alloc_array(a, q->inst_id_count, sizeof(*ids));

	memcpy(ids, q->inst_ids, q->inst_id_count * sizeof(*ids));
	qsort(ids, q->inst_id_count, sizeof(*ids), compare_ids);
	q->inst_ids = ids;
	return true;
}

/* Finds the result sets that `set` names, with the command line's defaults. */
static bool
find_sets(struct http_call *c, struct db *db, const struct report *r, struct report_request *q,
	struct error *err)
{
	struct result_set_filter newest = { .limit = report_takes(r, REPORT_INST_IDS) ? 0 : 1 };
	struct option_list names;
	int64_t *ids;

	http_query_list(c, "set", &names);
	if (names.count == 0 || (names.count == 1 && strcmp(names.items[0], "all") == 0)) {
		if (names.count)
			newest.limit = 0;
		return report_answer_listed(db, c->arena, &newest, q, err) &&
		       put_in_order(c->arena, q);
	}
	if (!set_names_find(db, c->arena, names.items, names.count, &ids, &q->inst_id_count, err))
		return error_prefix(err, "set");
	q->inst_ids = ids;
	return true;
}

struct answer {
	const struct report *report;
	struct report_request request;
	bool by_asked;
};

static struct table_sink *
open_sink(
	struct http_call *c, const struct renderer *renderer, const struct render_options *options)
{
	const char *syntax = http_query_text(c, "gen_suppressions");

	if (!syntax)
		return renderer->sink_new(c->answer->out, options);
	return suppression_sink_new(c->answer->out,
		strcmp(syntax, "lsan") == 0 ? SUPPRESS_SANITIZER : SUPPRESS_VALGRIND);
}

static bool
write_answer(struct http_call *c, struct db *db, const struct renderer *renderer, struct answer *a,
	struct error *err)
{
	const struct suppressions_request suppressions = { NULL,
		http_query_flag(c, "no_suppressions"), http_query_flag(c, "hide_standard_leaks") };
	const bool generates = http_query_text(c, "gen_suppressions") != NULL;
	struct report_request *q = &a->request;
	struct render_options options = { 0, false };
	struct table_sink *sink;
	const struct report *r;
	struct report_page page;
	bool ok;

	q->inst_id = q->inst_ids[0];
	r = report_answer_prepare(db, c->arena, a->report, a->by_asked, q, &suppressions, err);
	if (!r || (generates && !report_check_suppressions(r, err)) ||
		!report_page_begin(c, db, r, q, &page, err))
		return false;
	options.several_sets = q->inst_id_count > 1 && !report_takes(r, REPORT_INST_IDS);
	sink = open_sink(c, renderer, &options);
	ok = report_answer_write(db, r, q, report_page_sink(&page, sink), err) &&
	     report_page_end(c, db, &page, err);
	if (generates)
		suppression_sink_free(sink);
	else
		renderer->sink_free(sink);
	return ok;
}

static bool
answer_sets(struct http_call *c, int64_t inst_id, struct answer *a, struct error *err)
{
	const struct renderer *renderer = handle_renderer(c, "format", err);
	struct db *db = renderer ? handle_report_snapshot(c, err) : NULL;
	bool ok;

	if (!db)
		return false;
	if (http_query_text(c, "gen_suppressions"))
		c->answer->content_type = "text/plain; charset=utf-8";
	if (inst_id) {
		a->request.inst_ids = &inst_id;
		a->request.inst_id_count = 1;
		ok = handle_check_set(db, inst_id, err);
	} else {
		ok = find_sets(c, db, a->report, &a->request, err);
	}
	ok = ok && write_answer(c, db, renderer, a, err);
	suppressions_free(a->request.suppressions);
	a->request.inst_ids = NULL;
	return ok || handle_bad_value(c, "a parameter", err);
}

/* A dossier describes one result set. Its only format is HTML. */
static bool
answer_dossier(struct http_call *c, int64_t inst_id, struct error *err)
{
	const struct suppressions_request suppressions = { NULL,
		http_query_flag(c, "no_suppressions"), http_query_flag(c, "hide_standard_leaks") };
	const char *format = http_query_text(c, "format");
	struct report_request q;
	struct db *db;
	bool ok;

	handle_report_request(c, &q);
	q.inst_id = inst_id;
	if (!report_check(&dossier_report, &q, err))
		return handle_parameter_words(err);
	if (http_query_text(c, "gen_suppressions") || http_query_text(c, "cursor") ||
		(format && strcmp(format, "html") != 0))
		return error_set(err, ERROR_USAGE, "%s: a dossier is an HTML page",
			http_query_text(c, "gen_suppressions") ? "gen_suppressions"
			: http_query_text(c, "cursor")         ? "cursor"
							       : "format");
	c->answer->content_type = renderer_find("html")->content_type;
	handle_active(c);
	db = handle_report_snapshot(c, err);
	ok = db && handle_check_set(db, inst_id, err) &&
	     dossier_write(db, c->arena, &q, &suppressions, c->answer->out, err);
	suppressions_free(q.suppressions);
	return ok || handle_bad_value(c, "a parameter", err);
}

static bool
answer(struct http_call *c, int64_t inst_id, struct error *err)
{
	const char *name = http_field_find(&c->request->parts, "report").data;
	const char *by = http_query_text(c, "by");
	struct answer a = { .by_asked = by != NULL };

	if (inst_id && strcmp(name, dossier_report.name) == 0)
		return answer_dossier(c, inst_id, err);
	a.report = report_find(name, by, err);
	handle_report_request(c, &a.request);
	if (!a.report || !(by ? report_check : report_check_any)(a.report, &a.request, err) ||
		!answer_sets(c, inst_id, &a, err))
		return handle_parameter_words(err);
	return true;
}

bool
handle_set_report(struct http_call *c, struct error *err)
{
	int64_t inst_id;

	if (!handle_inst_id(c, &inst_id, err))
		return false;
	return inst_id ? answer(c, inst_id, err) : result_set_not_found(inst_id, err);
}

bool
handle_report(struct http_call *c, struct error *err)
{
	return answer(c, 0, err);
}
