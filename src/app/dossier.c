/* A result set's dossier: several reports on one page. */
#include "app/dossier.h"

#include "app/report_answer.h"
#include "app/report_rows.h"
#include "render/page.h"
#include "render/render.h"
#include "report/set_origin.h"

#include <string.h>

enum {
	ROWS = 50 /* maximum number of rows per report */
};

const struct report dossier_report = {
	.name = "dossier",
	.title = "Dossier",
	.note = "one HTML page with the reports summary, leaks, errors, classes, hot and, with --base, diff",
	.params = { REPORT_INST_ID, REPORT_BASE },
	.param_count = 2,
	.rank_column = -1,
	.tie_column = -1,
	.part_column = -1,
};

/* The anchor of each part is the name of its report. The last part is omitted if there is no
 * base. */
static const struct page_part parts[] = {
	{ "summary", "Summary" },
	{ "leaks", "Leaks" },
	{ "errors", "Errors" },
	{ "classes", "Classes" },
	{ "hot", "Hot routines" },
	{ "diff", "Changes" },
};

enum {
	PARTS = sizeof(parts) / sizeof(parts[0])
};

static bool
write_part(struct db *db, struct arena *a, const struct report_request *common,
	const struct page_part *part, FILE *out, struct error *err)
{
	const struct renderer *html = renderer_find("html");
	const struct render_options options = { .part = part->anchor };
	const struct report *r = report_find(part->anchor, NULL, err);
	struct report_request q = *common;
	struct table_sink *sink;
	bool ok;

	if (strcmp(part->anchor, "diff") != 0)
		q.values[REPORT_BASE] = NULL;
	r = r ? report_for_sets(db, a, r, &q, err) : NULL;
	r = r ? report_rows_shape(db, a, r, &q, err) : NULL;
	if (!r)
		return false;
	q.top = r->order_count ? ROWS : 0;
	sink = html->sink_new(out, &options);
	ok = report_answer_write(db, r, &q, sink, err);
	html->sink_free(sink);
	return ok;
}

bool
dossier_write(struct db *db, struct arena *a, struct report_request *q,
	const struct suppressions_request *suppressions, FILE *out, struct error *err)
{
	size_t count = q->values[REPORT_BASE] ? PARTS : PARTS - 1;
	struct table_set set = { .inst_id = text_from(
					 arena_printf(a, "%lld", (long long)q->inst_id)) };

	q->inst_ids = &q->inst_id;
	q->inst_id_count = 1;
	q->suppressions = suppressions_open(db, suppressions, err);
	if (!q->suppressions ||
		!set_origin_read(db, a, set.inst_id, &set.caption, &set.origin, err))
		return false;
	page_open(out, text_from(dossier_report.title));
	page_put_set(out, &set);
	page_put_contents(out, parts, count);
	for (size_t i = 0; i < count; i++)
		if (!write_part(db, a, q, &parts[i], out, err))
			return false;
	page_close(out, dossier_report.name);
	return true;
}
