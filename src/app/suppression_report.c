/* The report suppressions: which suppression matched how often. */
#include "base/number.h"
#include "store/suppressions.h"
#include "suppressions_private.h"

struct rows {
	const struct report *report;
	struct table_sink *sink;
	struct arena arena; /* of the result set */
	struct table_cell cells[REPORT_MAX_COLUMNS];
	struct suppress_use sum;
	uint64_t shown;
};

static void
put(struct rows *r, const char *key, struct text t)
{
	for (size_t i = 0; i < r->report->column_count; i++)
		if (strcmp(r->report->columns[i].key, key) == 0)
			r->cells[i] = (struct table_cell){ .text = t };
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
	for (size_t i = 0; i < REPORT_MAX_COLUMNS; i++)
		r->cells[i] = (struct table_cell){ .text = TEXT_NULL };
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
	r->sum.records += u->records;
	r->sum.blocks += u->blocks;
	r->sum.bytes += u->bytes;
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

static uint64_t
amount(struct text t)
{
	struct number n;

	return !text_is_null(t) && number_parse(t, &n) == NUMBER_OK && !n.negative ? n.magnitude
										   : 0;
}

/* What the profiler itself left out: it is not in the result set, so it counts in no sum. */
static bool
show_used(struct rows *r, struct db *db, int64_t inst_id, struct error *err)
{
	struct db_result *used = suppressions_used(db, inst_id, err);
	bool ok = used != NULL;

	for (size_t i = 0; ok && i < db_result_rows(used); i++) {
		put(r, "state",
			text_from(amount(db_result_value(used, i, USED_ROW_COUNT))
					  ? "applied by the profiler"
					  : "matched nothing in the profiler"));
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
find_set(struct rows *r, struct db *db, int64_t inst_id, struct table_set *set, struct error *err)
{
	char digits[24];
	const char *params[] = { digits };
	struct db_result *result;
	bool found;

	number_format_int64(inst_id, digits);
	result = db_query(db,
		"SELECT i.caption FROM profdepot.instances i WHERE i.inst_id = $1::bigint", params,
		1, err);
	if (!result)
		return false;
	found = db_result_rows(result) > 0;
	if (found)
		*set = (struct table_set){ arena_text(&r->arena, text_from(digits)),
			arena_text(&r->arena, db_result_value(result, 0, 0)) };
	db_result_free(result);
	if (found)
		return true;
	error_set(err, ERROR_NOT_FOUND, "no result set %s", digits);
	return error_hint(err, "\"profdepot list\" lists the result sets");
}

static bool
run(struct rows *r, struct db *db, int64_t inst_id, struct suppressions *s, struct error *err)
{
	struct table_cell totals[REPORT_MAX_COLUMNS] = { { TEXT_NULL } };
	const char *notes[] = { NULL, NULL };
	struct table_foot foot = { .totals = totals, .notes = notes };
	struct suppressed found;
	struct table_set set;

	if (!find_set(r, db, inst_id, &set, err) ||
		!suppressions_apply(s, db, &r->arena, inst_id, &found, err) ||
		!r->sink->set_begin(r->sink, &set, err) || !show_entries(r, &found, err))
		return false;
	for (size_t i = 0; i < r->report->column_count; i++) {
		const char *key = r->report->columns[i].key;

		if (r->report->columns[i].summed)
			/* cppcheck-suppress unreadVariable ; foot holds them */
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
