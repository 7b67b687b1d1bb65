/* The tree, callers and hot reports: rows from a call tree. */
#include "analysis/trees.h"
#include "app/facts.h"
#include "app/report_rows.h"
#include "app/rows_table.h"
#include "app/trees.h"
#include "base/strbuf.h"
#include "report/set_origin.h"
#include "store/tree/depot_tree.h"

#include <stdlib.h>

/* Default percentage for the tree and callers reports. */
static const double default_share = 0.5;

enum {
	MAX_INDENT = 100 /* levels; deeper calls are not indented further */
};

struct rows {
	const struct report *report;
	const struct report_request *request;
	struct table_sink *sink;
	struct arena arena; /* memory for one result set */
	struct arena row_arena;
	const struct tree *tree;
	struct table_cell cells[REPORT_MAX_COLUMNS];
	uint64_t shown, all;
};

/* --- cells ----------------------------------------------------------------------------------- */

static struct text
share_text(struct arena *a, wide_int v, wide_int all)
{
	return text_from(arena_printf(a, "%.2f", all ? 100 * (double)v / (double)all : 0));
}

/* Returns the call's name, indented by its level, such as "    TForm.Create". */
static struct text
call_text(struct rows *r, size_t node)
{
	size_t indent = 2 * (size_t)r->tree->nodes[node].depth;
	struct strbuf b;
	struct text t;

	strbuf_init(&b, 4UL * TREE_LABEL_MAX_BYTES);
	for (size_t i = 0; i < indent && i < 2UL * MAX_INDENT; i++)
		strbuf_append_char(&b, ' ');
	tree_node_label(r->tree, node, &b);
	t = arena_text(&r->row_arena, strbuf_text(&b));
	strbuf_release(&b);
	return t;
}

static void
put(struct rows *r, const char *key, struct text t)
{
	report_put_cell(r->report, r->cells, key, t);
}

static void
put_name(struct rows *r, const struct table_frame *f)
{
	put(r, "module", f->module_name);
	put(r, "class", f->class_name);
	put(r, "routine", f->routine_name);
	put(r, "file", f->source_file);
	if (f->source_line == TABLE_NO_LINE)
		return;
	put(r, "line", text_from(arena_printf(&r->row_arena, "%lld", (long long)f->source_line)));
}

static void
put_values(struct rows *r, wide_int self, wide_int total)
{
	wide_int all = r->tree->nodes[0].total;

	put(r, "total", fixed_text(&r->row_arena, total));
	put(r, "share", share_text(&r->row_arena, total, all));
	put(r, "self", fixed_text(&r->row_arena, self));
	put(r, "self_share", share_text(&r->row_arena, self, all));
}

static bool
show(struct rows *r, struct error *err)
{
	bool ok = r->sink->row(r->sink, r->cells, err);

	r->shown++;
	arena_reset(&r->row_arena);
	memset(r->cells, 0, sizeof(r->cells));
	return ok;
}

/* --- tree, callers --------------------------------------------------------------------------- */

static bool
show_nodes(struct rows *r, struct error *err)
{
	for (size_t i = 0; i < r->tree->count; i++) {
		const struct tree_node *n = &r->tree->nodes[i];

		put(r, "level", fixed_text(&r->row_arena, fixed_from_wide((wide_int)n->depth)));
		put_values(r, n->self, n->total);
		put(r, "call", call_text(r, i));
		put(r, "folded", n->folded ? TEXT_LITERAL("t") : TEXT_LITERAL("f"));
		if (i > 0)
			put_name(r, &r->tree->names[n->name]);
		if (!show(r, err))
			return false;
	}
	r->all = r->tree->all_nodes > r->tree->count ? r->tree->all_nodes : r->tree->count;
	return true;
}

/* --- hot ------------------------------------------------------------------------------------- */

struct hot {
	struct row_key key; /* must be first */
	const struct tree_frame *frame;
};

static void
set_key(struct hot *h, const struct report *r, const struct report_order *order,
	const struct table_frame *name)
{
	const char *key = r->columns[order->column].key;

	h->key.descending = order->descending;
	if (strcmp(key, "self") == 0 || strcmp(key, "self_share") == 0)
		h->key.number = h->frame->self;
	else if (strcmp(key, "total") == 0 || strcmp(key, "share") == 0)
		h->key.number = h->frame->total;
	else if (strcmp(key, "line") == 0)
		h->key.number = name->source_line;
	else if (strcmp(key, "module") == 0)
		h->key.text = name->module_name;
	else if (strcmp(key, "class") == 0)
		h->key.text = name->class_name;
	else if (strcmp(key, "routine") == 0)
		h->key.text = name->routine_name;
	else
		h->key.text = name->source_file;
}

/* Makes a row for each routine whose share is at least min_share, in the requested order. */
static bool
rank(struct rows *r, struct db *db, double min_share, struct hot **out, size_t *count,
	struct error *err)
{
	size_t frame_count, n = 0;
	struct tree_frame *frames = tree_frames(&r->arena, r->tree, &frame_count);
	struct hot *hot = arena_alloc_array(&r->arena, frame_count, sizeof(*hot));
	double least = min_share / 100 * (double)r->tree->nodes[0].weight;
	struct report_order order;

	if (r->request->sort && !report_parse_sort(r->report, r->request->sort, &order, err))
		return false;
	/* The costs that callgrind counted are more exact than the tree's totals, but they can be used only
	 * if no filter is given. */
	if (!r->request->lists[REPORT_FOCUS].count && !r->request->lists[REPORT_IGNORE].count &&
		!graph_totals_correct(db, r->request->inst_id, r->tree, frames, frame_count, err))
		return false;
	for (size_t i = 0; i < frame_count; i++) {
		double total = (double)frames[i].total;

		if ((total < 0 ? -total : total) < least)
			continue;
		hot[n] = (struct hot){ .key = { .place = i }, .frame = &frames[i] };
		if (r->request->sort)
			set_key(&hot[n], r->report, &order, &r->tree->names[frames[i].name]);
		n++;
	}
	if (r->request->sort && n > 1)
		qsort(hot, n, sizeof(*hot), row_key_compare);
	*out = hot;
	*count = n;
	return true;
}

static bool
show_hot(struct rows *r, struct db *db, double min_share, wide_int *self, struct error *err)
{
	struct hot *hot;
	size_t count;
	uint64_t top = r->request->top ? (uint64_t)r->request->top : UINT64_MAX;

	if (!rank(r, db, min_share, &hot, &count, err))
		return false;
	for (size_t i = 0; i < count; i++) {
		*self += hot[i].frame->self;
		if (i < (uint64_t)r->request->skip || r->shown >= top)
			continue;
		put_values(r, hot[i].frame->self, hot[i].frame->total);
		put_name(r, &r->tree->names[hot[i].frame->name]);
		if (!show(r, err))
			return false;
	}
	r->all = count;
	return true;
}

/* --- a result set ---------------------------------------------------------------------------- */

/* Reads the stored costs of the routines. Without filters, the hot report can use them instead of the call tree. */
static bool
read_routines(struct rows *r, struct db *db, struct error *err)
{
	const struct report_request *q = r->request;
	const struct tree_question question = { .inst_id = q->inst_id,
		.metric = q->values[REPORT_METRIC] };
	struct tree *routines = NULL;

	if (!q->lists[REPORT_FOCUS].count && !q->lists[REPORT_IGNORE].count &&
		!depot_tree_routines(db, &r->arena, &question, &routines, err))
		return false;
	r->tree = routines;
	return true;
}

static bool
make_tree(struct rows *r, struct db *db, double *min_share, struct error *err)
{
	const struct report_request *q = r->request;
	bool is_hot = strcmp(r->report->name, "hot") == 0;
	const char *share = q->values[REPORT_MIN_SHARE];
	struct tree_request tree = { .inst_id = q->inst_id,
		.metric = q->values[REPORT_METRIC],
		.inverted = strcmp(r->report->name, "callers") == 0,
		.focus = q->lists[REPORT_FOCUS],
		.ignore = q->lists[REPORT_IGNORE] };

	*min_share = is_hot ? 0 : default_share;
	if (share && !trees_parse_share(share, min_share, err))
		return error_prefix(err, "option --min-share");
	if (!is_hot) {
		tree.min_share = *min_share;
		/* The tree also has a root, which is not a call, so it needs one more node. */
		tree.max_nodes = q->top && q->top < TREE_MAX_NODES ? (size_t)q->top + 1 : 0;
	}
	if (is_hot && !read_routines(r, db, err))
		return false;
	if (!r->tree)
		r->tree = trees_make(db, &r->arena, &tree, err);
	return r->tree != NULL;
}

/* Returns whether the unit can be shown as a word after a figure. */
static bool
is_word(struct text unit)
{
	return !text_is_empty(unit) && !text_equal(unit, TEXT_LITERAL("none")) &&
	       !text_equal(unit, TEXT_LITERAL("count"));
}

static const char *
metric_note(struct rows *r)
{
	const struct tree *t = r->tree;
	bool word = is_word(t->unit);
	struct text all;

	if (text_is_null(t->metric))
		return "(the result set has no call tree)";
	all = fixed_text(&r->arena, t->all_total);
	return arena_printf(&r->arena, "metric %.*s: %.*s%s%.*s in all%s",
		text_precision(t->metric, 200), t->metric.data, (int)all.size, all.data,
		word ? " " : "", word ? text_precision(t->unit, 50) : 0, word ? t->unit.data : "",
		t->all_total != t->nodes[0].total ? "; shares refer to the selected part" : "");
}

/* Returns the report's columns with the unit of the tree's metric. */
static const struct table_column *
make_columns(struct rows *r)
{
	const struct report *report = r->report;
	struct table_column *columns =
		arena_alloc_array(&r->arena, report->column_count, sizeof(*columns));
	struct text unit = facts_unit_word(r->tree->unit, r->tree->metric);
	enum table_unit known = facts_table_unit(unit);
	bool sized = known == TABLE_UNIT_BYTES || known == TABLE_UNIT_COUNT;

	memcpy(columns, report->columns, report->column_count * sizeof(*columns));
	for (size_t i = 0; i < report->column_count; i++) {
		struct table_column *c = &columns[i];

		if (strcmp(c->key, "self") != 0 && strcmp(c->key, "total") != 0)
			continue;
		if (sized)
			c->unit = known;
		if (sized || !is_word(unit))
			continue;
		c->unit_name = arena_text(&r->arena, unit).data;
		c->title = arena_printf(
			&r->arena, "%s (%.*s)", c->title, text_precision(unit, 50), unit.data);
	}
	return columns;
}

static bool
run(struct rows *r, struct db *db, struct error *err)
{
	struct table_cell totals[REPORT_MAX_COLUMNS] = { { TEXT_NULL, NULL, 0 } };
	const char *notes[] = { NULL, NULL, NULL };
	struct table_foot foot = { .totals = totals, .notes = notes };
	struct table_set set;
	wide_int self = 0;
	double min_share;
	bool ok;

	if (!make_tree(r, db, &min_share, err))
		return false;
	set = (struct table_set){ .inst_id = r->tree->set.inst_id,
		.metric = { .name = r->tree->metric, .unit = r->tree->unit },
		.columns = make_columns(r) };
	if (!set_origin_read(db, &r->arena, set.inst_id, &set.caption, &set.origin, err) ||
		!r->sink->set_begin(r->sink, &set, err))
		return false;
	ok = text_is_null(r->tree->metric) ||
	     (strcmp(r->report->name, "hot") == 0 ? show_hot(r, db, min_share, &self, err)
						  : show_nodes(r, err));
	if (!ok)
		return false;
	for (size_t i = 0; i < r->report->column_count; i++)
		if (r->report->columns[i].summed)
			/* cppcheck-suppress unreadVariable ; the foot points to totals */
			totals[i].text = fixed_text(&r->arena, self);
	foot.rows = r->shown;
	foot.all_rows = r->all;
	notes[0] = metric_note(r);
	if (r->tree->more)
		/* cppcheck-suppress unreadVariable ; the foot points to notes */
		notes[1] = "further callers were left out";
	return r->sink->set_end(r->sink, &foot, err);
}

bool
tree_report_run(struct db *db, const struct report *report, const struct report_request *q,
	struct table_sink *sink, struct error *err)
{
	struct rows r = { .report = report,
		.request = q,
		.sink = sink,
		.arena = ARENA_INIT,
		.row_arena = ARENA_INIT };
	bool ok = report_check(report, q, err) && run(&r, db, err);

	arena_release(&r.row_arena);
	arena_release(&r.arena);
	return ok;
}
