/* The suppressions report: how often each suppression matched. */
#include "app/report_rows.h"
#include "app/rows_table.h"
#include "report/set_origin.h"
#include "store/suppressions.h"
#include "suppressions_private.h"

struct rows {
	const struct report *report;
	struct table_sink *sink;
	struct arena arena; /* memory for one result set */
	struct table_cell cells[REPORT_MAX_COLUMNS];
	struct suppress_use sum;
	uint64_t shown;
};

static void
put(struct rows *r, const char *key, struct text t)
{
	report_put_cell(r->report, r->cells, key, t);
}

static struct text
number_text(struct rows *r, uint64_t v)
{
	return text_from(arena_printf(&r->arena, "%llu", (unsigned long long)v));
}

static bool
show(struct rows *r, struct error *err)
{
	bool ok = r->sink->row(r->sink, r->cells, err);

	r->shown++;
	memset(r->cells, 0, sizeof(r->cells));
	return ok;
}

static const char *
state_of(const struct suppression *s, const struct suppress_use *u)
{
	return s->place.expired ? "expired" : u->records ? "matches" : "matches nothing";
}

static bool
show_entry(struct rows *r, const struct suppression *s, const struct suppress_use *u,
	struct error *err)
{
	put(r, "state", text_from(state_of(s, u)));
	put(r, "name", s->name);
	put(r, "kind", s->kind);
	put(r, "origin", text_from(suppress_origin_name(s->place.origin)));
	put(r, "place", text_from(suppression_place(&r->arena, s)));
	put(r, "syntax", text_from(s->syntax == SUPPRESS_VALGRIND ? "valgrind" : "lsan"));
	put(r, "pattern", s->body);
	put(r, "records", number_text(r, u->records));
	put(r, "blocks", number_text(r, u->blocks));
	put(r, "bytes", number_text(r, u->bytes));
	suppress_use_add(&r->sum, u);
	return show(r, err);
}

static bool
show_entries(struct rows *r, const struct suppressed *s, struct error *err)
{
	for (size_t i = 0; i < s->list->count; i++) {
		const struct suppression *e = &s->list->items[i];

		/* Standard leaks that match nothing are not listed. */
		if (e->place.origin == SUPPRESS_STANDARD && !s->uses[i].records)
			continue;
		if (!show_entry(r, e, &s->uses[i], err))
			return false;
	}
	return true;
}

/* Shows the records that the profiler itself suppressed. They are not in the result set or in any
 * sum. */
static bool
show_used(struct rows *r, struct db *db, int64_t inst_id, struct error *err)
{
	struct db_result *used = suppressions_used(db, inst_id, err);
	bool ok = used != NULL;

	for (size_t i = 0; ok && i < db_result_rows(used); i++) {
		put(r, "state",
			text_from(db_result_int64(used, i, USED_ROW_COUNT, 0) > 0
					  ? "applied by the profiler"
					  : "not used by the profiler"));
		put(r, "name", db_result_value(used, i, USED_ROW_NAME));
		put(r, "kind", db_result_value(used, i, USED_ROW_KIND));
		put(r, "origin", TEXT_LITERAL("profiler"));
		put(r, "place", db_result_value(used, i, USED_ROW_FILE));
		put(r, "syntax", db_result_value(used, i, USED_ROW_SYNTAX));
		put(r, "pattern", db_result_value(used, i, USED_ROW_PATTERN));
		put(r, "records", db_result_value(used, i, USED_ROW_COUNT));
		put(r, "blocks", db_result_value(used, i, USED_ROW_BLOCKS));
		put(r, "bytes", db_result_value(used, i, USED_ROW_BYTES));
		ok = show(r, err);
	}
	db_result_free(used);
	return ok;
}

static bool
run(struct rows *r, struct db *db, int64_t inst_id, struct suppressions *s, struct error *err)
{
	struct table_cell totals[REPORT_MAX_COLUMNS] = { { TEXT_NULL } };
	const char *notes[] = { NULL, NULL };
	struct table_foot foot = { .totals = totals, .notes = notes };
	struct suppressed found;
	struct table_set set = { .caption = TEXT_NULL };

	set.inst_id = text_from(arena_printf(&r->arena, "%lld", (long long)inst_id));
	if (!set_origin_read(db, &r->arena, set.inst_id, &set.caption, &set.origin, err) ||
		!suppressions_apply(s, db, &r->arena, inst_id, &found, err) ||
		!r->sink->set_begin(r->sink, &set, err) || !show_entries(r, &found, err))
		return false;
	for (size_t i = 0; i < r->report->column_count; i++) {
		const char *key = r->report->columns[i].key;

		if (r->report->columns[i].summed)
			/* cppcheck-suppress unreadVariable ; the foot points to totals */
			totals[i].text =
				number_text(r, strcmp(key, "records") == 0  ? r->sum.records
					       : strcmp(key, "blocks") == 0 ? r->sum.blocks
									    : r->sum.bytes);
	}
	if (!show_used(r, db, inst_id, err))
		return false;
	if (!r->shown)
		notes[0] = "(no suppressions)";
	foot.rows = foot.all_rows = r->shown;
	return r->sink->set_end(r->sink, &foot, err);
}

bool
suppression_report_run(struct db *db, const struct report *report, const struct report_request *q,
	struct suppressions *s, struct table_sink *sink, struct error *err)
{
	struct rows r = { .report = report, .sink = sink, .arena = ARENA_INIT };
	bool ok = report_check(report, q, err) && run(&r, db, q->inst_id, s, err);

	arena_release(&r.arena);
	return ok;
}
