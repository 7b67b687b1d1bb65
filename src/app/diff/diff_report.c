/* The diff report: rows from a comparison. */
#include "app/report_rows.h"
#include "app/rows_table.h"

#include "app/run_gap.h"
#include "diff_private.h"
#include "report/set_origin.h"

#include <stdlib.h>

struct answer {
	struct db *db;
	const struct report *report;
	const struct report_request *request;
	struct table_sink *sink;
	uint64_t *differences;
	struct arena arena, row_arena;
	struct diff_plan plan;
	struct facts *facts;
	struct comparison *comparison;
	struct suppress_use hidden; /* the records that suppressions hid on the newer side */
	struct table_cell cells[REPORT_MAX_COLUMNS];
	struct diff_figure totals[REPORT_MAX_COLUMNS];
	uint64_t shown, all;
};

/* --- cells ----------------------------------------------------------------------------------- */

static const struct table_frame *
frame_of(const struct answer *w, const struct compare_row *r)
{
	return r->frame == FACTS_NONE ? NULL : &w->facts->frames[r->frame];
}

static struct text
name_text(struct answer *w, const struct compare_row *r, const char *key)
{
	const struct table_frame *f = frame_of(w, r);

	if (strcmp(key, "status") == 0)
		return text_from(compare_status_name(r->status));
	if (strcmp(key, "class") == 0)
		return f ? f->class_name : r->class_name;
	if (strcmp(key, "module") == 0)
		return r->bare && w->plan.by == COMPARE_BY_MODULE ? text_from(r->bare)
		       : f                                        ? f->module_name
								  : r->module_name;
	if (strcmp(key, "kind") == 0)
		return r->kind;
	if (strcmp(key, "description") == 0)
		return r->description;
	if (strcmp(key, "object_number") == 0)
		return r->number;
	if (strcmp(key, "routine") == 0)
		return f ? f->routine_name : text_from(r->bare);
	if (strcmp(key, "file") == 0)
		return f ? f->source_file : TEXT_NULL;
	if (strcmp(key, "line") != 0 || !f || f->source_line == TABLE_NO_LINE)
		return TEXT_NULL;
	return text_from(arena_printf(&w->row_arena, "%lld", (long long)f->source_line));
}

static void
fill(struct answer *w, const struct compare_row *r)
{
	for (size_t i = 0; i < w->report->column_count; i++) {
		const struct table_column *c = &w->report->columns[i];
		struct table_cell *cell = &w->cells[i];
		struct diff_figure figure;

		*cell = (struct table_cell){ TEXT_NULL, NULL, 0 };
		if (c->kind == TABLE_FRAMES)
			cell->frames = facts_frames(
				w->facts, &w->row_arena, r->stack, r->lines, &cell->frame_count);
		else if (diff_figure_of(&w->plan, r, c->key, &figure))
			cell->text = diff_figure_text(&w->row_arena, &w->plan, c->key, &figure);
		else if ((int)i == w->report->rank_column)
			cell->text = text_from(arena_printf(&w->row_arena, "%zu",
				(size_t)w->shown + 1 + (size_t)w->request->skip));
		else
			cell->text = name_text(w, r, c->key);
	}
}

/* --- order ----------------------------------------------------------------------------------- */

struct sorted {
	struct row_key key; /* must be first */
	const struct compare_row *row;
};

/* If the column shows figures or statuses, sets *number to the row's sort key. Otherwise returns false. */
static bool
number_key(const struct answer *w, const struct compare_row *r, const char *key, wide_int *number)
{
	struct diff_figure f;

	if (strcmp(key, "status") == 0) {
		*number = (wide_int)r->status;
		return true;
	}
	if (!diff_figure_of(&w->plan, r, key, &f))
		return false;
	*number = diff_figure_key(key, &f);
	return true;
}

static void
set_key(struct answer *w, struct sorted *s, const char *key)
{
	const struct table_frame *f = frame_of(w, s->row);
	struct decimal object;

	if (number_key(w, s->row, key, &s->key.number))
		return;
	if (strcmp(key, "line") == 0)
		s->key.number = f ? f->source_line : TABLE_NO_LINE;
	else if (strcmp(key, "object_number") == 0 &&
		 decimal_parse(s->row->number, &object) == DECIMAL_OK)
		s->key.number = decimal_to_fixed(object);
	else
		s->key.text = name_text(w, s->row, key);
}

/* The order of a page of stacks. */
struct page_order {
	const struct answer *answer;
	const char *key;
	bool descending;
};

static wide_int
page_key(void *self, const struct stack_pair *pair, const struct compare_row *r)
{
	const struct page_order *o = self;
	wide_int number = 0;

	(void)pair;
	number_key(o->answer, r, o->key, &number);
	return o->descending ? number : -number;
}

/* Selects the rows with the requested statuses, and sorts them in the requested order. */
static bool
arrange(struct answer *w, struct sorted **out, size_t *count, struct error *err)
{
	const struct comparison *c = w->comparison;
	const char *sort = w->request->sort;
	struct sorted *rows = arena_alloc_array(&w->arena, c->row_count, sizeof(*rows));
	struct report_order order = { 0, false };
	size_t n = 0;

	if (sort && !report_parse_sort(w->report, sort, &order, err))
		return false;
	for (size_t i = 0; i < c->row_count; i++) {
		if (!(w->plan.statuses & 1U << c->rows[i].status))
			continue;
		rows[n] = (struct sorted){ .key = { .descending = order.descending, .place = i },
			.row = &c->rows[i] };
		if (sort)
			set_key(w, &rows[n], w->report->columns[order.column].key);
		n++;
	}
	if (sort && n > 1)
		qsort(rows, n, sizeof(*rows), row_key_compare);
	*out = rows;
	*count = n;
	return true;
}

/* --- the answer ------------------------------------------------------------------------------ */

static void
add_to_totals(struct answer *w, const struct compare_row *r)
{
	for (size_t i = 0; i < w->report->column_count; i++) {
		const struct table_column *c = &w->report->columns[i];
		struct diff_figure f;

		if (!c->summed || !diff_figure_of(&w->plan, r, c->key, &f))
			continue;
		for (int side = 0; side < FACTS_SIDES; side++) {
			w->totals[i].sides[side] =
				fixed_add(w->totals[i].sides[side], f.sides[side]);
			w->totals[i].parts[side] |= f.parts[side];
		}
	}
}

static bool
show_row(struct answer *w, const struct compare_row *r, struct error *err)
{
	fill(w, r);
	if (!w->sink->row(w->sink, w->cells, err))
		return false;
	w->shown++;
	arena_reset(&w->row_arena);
	return true;
}

static bool
show_rows(struct answer *w, struct error *err)
{
	uint64_t top = w->request->top ? (uint64_t)w->request->top : UINT64_MAX;
	struct sorted *rows;
	size_t count;

	if (!arrange(w, &rows, &count, err))
		return false;
	w->all = count;
	for (size_t i = 0; i < count; i++) {
		add_to_totals(w, rows[i].row);
		if (rows[i].row->status != COMPARE_SAME)
			++*w->differences;
		if (i < (uint64_t)w->request->skip || w->shown >= top)
			continue;
		if (!show_row(w, rows[i].row, err))
			return false;
	}
	return true;
}

/* Answers with a page of stacks if this is possible; otherwise sets *done to false. */
static bool
show_page(struct answer *w, bool *done, struct error *err)
{
	struct report_order order = { 0, false };
	struct page_order by = { .answer = w };
	struct diff_stacks d = { .of = { &w->plan, w->request }, .self = &by };
	struct diff_page *page = arena_alloc(&w->arena, sizeof(*page));
	const char *sort = w->request->sort;
	wide_int number;

	*done = false;
	if (!diff_stacks_apply(&w->plan, w->request))
		return true;
	if (sort && !report_parse_sort(w->report, sort, &order, err))
		return false;
	by.key = w->report->columns[order.column].key;
	by.descending = order.descending;
	d.descending = order.descending;
	if (sort && number_key(w, &(struct compare_row){ .frame = FACTS_NONE }, by.key, &number))
		d.key = page_key;
	else if (sort && w->plan.metric.family == FACTS_OBJECTS &&
		 (strcmp(by.key, "class") == 0 || strcmp(by.key, "module") == 0))
		d.name = by.key;
	else if (sort)
		return true;
	if (!diff_stacks_page(w->db, &w->arena, &d, w->facts, page, err))
		return false;
	*done = page->known;
	if (!page->known)
		return true;
	if (!diff_check_factor(&w->plan, &page->comparison, err))
		return false;
	w->comparison = &page->comparison;
	w->all = page->all;
	*w->differences += w->all;
	if (w->plan.statuses & 1U << COMPARE_SAME)
		*w->differences -= page->comparison.counts[COMPARE_SAME];
	add_to_totals(w, &page->sum);
	for (size_t i = 0; i < page->row_count; i++)
		if (!show_row(w, &page->comparison.rows[i], err))
			return false;
	return true;
}

/* "3 new, 0 grown, 1 shrunk, 0 gone, 120 the same" */
static const char *
count_note(struct answer *w)
{
	const size_t *n = w->comparison->counts;

	return arena_printf(&w->arena, "%zu new, %zu grown, %zu shrunk, %zu gone, %zu the same%s",
		n[COMPARE_ADDED], n[COMPARE_GROWN], n[COMPARE_SHRUNK], n[COMPARE_GONE],
		n[COMPARE_SAME],
		w->plan.match == MATCH_LINES ? "; matched by names and lines" : "");
}

/* Returns the sum of the metric over one side's result set, as text. */
static const char *
sum_text(struct answer *w, enum facts_side side)
{
	return diff_is_measured(&w->plan, side)
		       ? fixed_text(&w->arena, w->comparison->all[side].value).data
		       : "not measured";
}

static const char *
metric_note(struct answer *w)
{
	const struct facts_metric *m = &w->plan.metric;
	bool has_unit = !text_is_empty(m->unit) && !text_equal(m->unit, TEXT_LITERAL("none"));

	if (m->family == FACTS_OBJECTS || m->family == FACTS_ERRORS)
		return NULL;
	return arena_printf(&w->arena, "metric %s: %s before, %s now%s%.*s%s", m->name,
		sum_text(w, FACTS_BASE), sum_text(w, FACTS_NEW), has_unit ? ", in " : "",
		has_unit ? text_precision(m->unit, 50) : 0, has_unit ? m->unit.data : "",
		w->plan.normalise
			? arena_printf(&w->arena, "; the earlier values were multiplied by %.6g",
				  (double)w->comparison->factor)
			: "");
}

static const char *
hidden_note(struct answer *w)
{
	bool errors = w->plan.metric.family == FACTS_ERRORS;
	unsigned long long n = w->hidden.blocks;

	if (!n)
		return NULL;
	return arena_printf(&w->arena, "suppressed now: %llu %s", n,
		errors ? by_count(n, "error", "errors") : by_count(n, "object", "objects"));
}

/* Sets *gap to the reason why one side may have missed facts of the compared kind, if there is one. The report
 * shows this reason, because facts that the newer run missed are not really gone, and facts that the base run
 * missed are not really new. */
static bool
find_gap(struct answer *w, enum facts_side side, struct run_gap *gap, struct error *err)
{
	bool leaks = w->plan.metric.family == FACTS_OBJECTS;
	bool errors = w->plan.metric.family == FACTS_ERRORS;
	long long inst_id = side == FACTS_BASE ? w->plan.base_id : w->plan.inst_id;
	struct run_gap gaps[RUN_GAPS_MAX + 1];

	if (!run_gaps(w->db, &w->arena, inst_id, leaks, errors, gaps, err))
		return false;
	*gap = gaps[0];
	if (gap->sentence)
		gap->sentence =
			arena_printf(&w->arena, "result set %lld: %s", inst_id, gap->sentence);
	else if (!leaks && !errors && !diff_is_measured(&w->plan, side))
		*gap = (struct run_gap){
			arena_printf(&w->arena,
				"result set %lld has no metric %s, so every row is %s", inst_id,
				w->plan.metric.name, side == FACTS_BASE ? "new" : "gone"),
			""
		};
	return true;
}

static const char *
flame_note(struct answer *w)
{
	const struct diff_plan *p = &w->plan;
	bool objects = p->metric.family == FACTS_OBJECTS;

	if (p->inst_id == p->base_id || !w->comparison->row_count)
		return NULL;
	return arena_printf(&w->arena,
		"as a picture: profdepot flame %lld --base %lld --metric %s%s -o change.html",
		(long long)p->inst_id, (long long)p->base_id,
		objects && p->metric.value_first ? "live_size" : p->metric.name,
		w->plan.normalise ? " --normalize" : "");
}

static bool
find_set(struct answer *w, int64_t inst_id, const char *get_number, struct text *id,
	struct text *caption, struct table_origin *origin, struct error *err)
{
	*id = text_from(arena_printf(&w->arena, "%lld", (long long)inst_id));
	if (!set_origin_read(w->db, &w->arena, *id, caption, origin, err))
		return false;
	if (get_number)
		*caption = text_from(arena_printf(&w->arena, "%.*s%sGet # %s",
			text_precision(*caption, 1000), caption->size ? caption->data : "",
			caption->size ? ", " : "", get_number));
	return true;
}

static bool
end_set(struct answer *w, struct error *err)
{
	struct table_cell totals[REPORT_MAX_COLUMNS] = { { TEXT_NULL, NULL, 0 } };
	const char *found[4] = { NULL };
	struct run_gap gaps[FACTS_SIDES + 1] = { { NULL, NULL } };
	const char *const all[] = { count_note(w), metric_note(w), hidden_note(w), flame_note(w) };
	struct table_foot foot = { .rows = w->shown, .all_rows = w->all, .totals = totals };
	size_t n = 0;

	if (!find_gap(w, FACTS_BASE, &gaps[0], err) ||
		!find_gap(w, FACTS_NEW, &gaps[gaps[0].sentence != NULL], err))
		return false;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) - 1; i++)
		if (all[i])
			found[n++] = all[i];
	foot.gaps = run_gap_list(&w->arena, gaps, false);
	foot.notes = run_notes(&w->arena, found, run_gap_list(&w->arena, gaps, true));
	if (all[3])
		foot.notes =
			run_notes(&w->arena, foot.notes, (const char *const[]){ all[3], NULL });
	for (size_t i = 0; i < w->report->column_count; i++)
		if (w->report->columns[i].summed)
			/* cppcheck-suppress unreadVariable ; foot points to totals */
			totals[i].text = diff_figure_text(
				&w->row_arena, &w->plan, w->report->columns[i].key, &w->totals[i]);
	return w->sink->set_end(w->sink, &foot, err);
}

static bool
load_sides(struct answer *w, const char *const *gets, struct error *err)
{
	struct facts_question q = { .metric = &w->plan.metric,
		.filters = w->request,
		.each = w->plan.by == COMPARE_BY_OBJECT,
		.suppressions = w->request->suppressions };
	const int64_t ids[] = { w->plan.inst_id, w->plan.base_id };

	for (int side = 0; side < FACTS_SIDES; side++) {
		q.inst_id = ids[side];
		q.get_number = gets[side];
		if (!facts_load(w->db, w->facts, (enum facts_side)side, &q,
			    side == FACTS_NEW ? &w->hidden : NULL, err))
			return false;
	}
	return true;
}

/* Sets w->comparison if it can be made without the names of all stacks. */
static bool
compare_samples(struct answer *w, struct error *err)
{
	const struct diff_request d = { &w->plan, w->request };

	if (!diff_samples(w->db, &w->arena, &d, w->facts, &w->comparison, err))
		return false;
	if (w->comparison)
		return true;
	facts_free(w->facts);
	w->facts = facts_new(&w->arena, w->plan.match);
	return true;
}

/* If the request names no metric, a comparison of objects shows both, the first metric of the result set first. */
static struct text
metric_name(const struct answer *w)
{
	const struct facts_metric *m = &w->plan.metric;

	return m->family != FACTS_OBJECTS ? text_from(m->name)
	       : m->shows_count           ? TEXT_LITERAL("live_count")
					  : TEXT_LITERAL("live_size");
}

/* gets: the Get Results number of each side; NULL without --get. */
static bool
answer_pair(struct answer *w, const char *const *gets, struct error *err)
{
	const struct diff_request d = { &w->plan, w->request };
	struct compare_question q = diff_question(&w->plan);
	struct table_set set = { .metric = { .name = metric_name(w),
					 .unit = w->plan.metric.shows_count ? TEXT_LITERAL("count")
									    : w->plan.metric.unit,
					 .gauge = w->plan.metric.aggregate != NULL } };
	bool done;

	if (!find_set(w, w->plan.inst_id, gets[FACTS_NEW], &set.inst_id, &set.caption, &set.origin,
		    err) ||
		!find_set(w, w->plan.base_id, gets[FACTS_BASE], &set.base_inst_id,
			&set.base_caption, &set.base_origin, err) ||
		!w->sink->set_begin(w->sink, &set, err) || !show_page(w, &done, err))
		return false;
	if (done)
		return end_set(w, err);
	if (!compare_samples(w, err))
		return false;
	if (w->comparison)
		return diff_check_factor(&w->plan, w->comparison, err) && show_rows(w, err) &&
		       end_set(w, err);
	if (!diff_class_facts(w->db, &w->arena, &d, w->facts, &done, err) ||
		(!done && !load_sides(w, gets, err)))
		return false;
	if (q.by == COMPARE_BY_OWN)
		q.own_frames =
			facts_own_frames(w->facts, &w->arena, &w->request->lists[REPORT_OWN]);
	w->comparison = facts_compare(&w->arena, w->facts, &q);
	return diff_check_factor(&w->plan, w->comparison, err) && show_rows(w, err) &&
	       end_set(w, err);
}

static bool
run_pair(const struct answer *like, const char *const *gets, struct error *err)
{
	struct answer w = *like;
	bool ok;

	w.facts = facts_new(&w.arena, w.plan.match);
	ok = answer_pair(&w, gets, err);
	facts_free(w.facts);
	arena_release(&w.row_arena);
	arena_release(&w.arena);
	return ok;
}

bool
diff_report_answer(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, uint64_t *differences, struct error *err)
{
	struct answer w = { .db = db,
		.report = r,
		.request = q,
		.sink = sink,
		.differences = differences,
		.arena = ARENA_INIT,
		.row_arena = ARENA_INIT };
	const struct option_list *gets = &q->lists[REPORT_GET];
	const char *none[FACTS_SIDES] = { NULL, NULL };
	struct arena plan_arena = ARENA_INIT;
	bool ok = diff_plan_make(db, &plan_arena, r, q, &w.plan, err);

	if (ok && !gets->count)
		ok = run_pair(&w, none, err);
	for (size_t i = 1; ok && i < gets->count; i++) {
		const char *pair[FACTS_SIDES] = { gets->items[i], gets->items[i - 1] };

		ok = run_pair(&w, pair, err);
	}
	arena_release(&plan_arena);
	return ok;
}
