/* The trend report: one figure for each result set. */
#include "analysis/compare.h"
#include "analysis/sparkline.h"
#include "app/facts.h"
#include "app/report_rows.h"
#include "app/run_gap.h"
#include "base/strbuf.h"
#include "db/connection.h"
#include "store/result_sets.h"
#include "store/set_sums.h"
#include "store/tree/span_times.h"

#include <stdlib.h>

/* The report shows these columns of the list of result sets. */
static const struct {
	const char *key;
	enum result_set_column column;
} shown[] = {
	{ "inst_id", RESULT_SET_INST_ID },
	{ "loaded", RESULT_SET_LOADED_AT },
	{ "caption", RESULT_SET_CAPTION },
	{ "application", RESULT_SET_APPLICATION },
	{ "app_version", RESULT_SET_APP_VERSION },
	{ "labels", RESULT_SET_LABELS },
};

enum {
	TEXTS = sizeof(shown) / sizeof(shown[0]),
	PAGE_SETS = 100, /* number of result sets in the first list; later lists are longer */
	PAGE_MAX_SETS = 12800,
	/* After this number of result sets, the list contains only result sets that can have the figure. If the first
	 * page has no figure, the second one is such a list. */
	WALK_SETS = 1000,
	SPARKLINE_MAX_BYTES = 64 * 1024
};

/* The figure that the trend follows. */
struct figure {
	bool duration;
	enum span_time statistic;
	const char *patterns; /* patterns for span names, if the figure is a duration */
	const char *metric;
};

struct point {
	int64_t inst_id;
	struct text texts[TEXTS];
	struct sparkline_value value;
	struct text unit; /* NULL if nothing was measured */
	const char *gap;  /* why the value may be too low; NULL if the value is complete */
};

struct trend {
	struct db *db;
	const struct report_request *request;
	struct arena arena;
	struct figure figure;
	struct suppressions *suppressions; /* suppressions of the depot and of the result sets */
	struct point *points; /* newest first until they are all measured, then oldest first */
	size_t count, room;
	bool gauge;
	size_t left_out; /* number of result sets that did not measure the figure */
	bool more_left_out;
};

/* --- the request ----------------------------------------------------------------------------- */

static bool
read_statistic(const struct report_request *q, struct figure *f, struct error *err)
{
	const char *word = q->values[REPORT_STATISTIC];

	f->statistic = SPAN_TIME_MEDIAN;
	if (word && !f->duration)
		return error_set(
			err, ERROR_USAGE, "--statistic is only for the metric " TREND_DURATION);
	if (!word || span_time_parse(word, &f->statistic))
		return true;
	error_set(err, ERROR_USAGE, "\"%.100s\" is not a statistic", word);
	return error_hint(err, "use one of " SPAN_TIME_CHOICES);
}

static bool
read_figure(struct arena *a, const struct report_request *q, struct figure *f, struct error *err)
{
	static const enum report_param others[] = { REPORT_CLASS, REPORT_MODULE, REPORT_ROUTINE,
		REPORT_THREAD };

	f->metric = q->values[REPORT_METRIC];
	if (!f->metric) {
		error_set(err, ERROR_USAGE, "no metric given");
		return error_hint(err, "live_count, live_size, errors, " TREND_DURATION
				       ", or one that \"profdepot show\" lists");
	}
	f->duration = strcmp(f->metric, TREND_DURATION) == 0;
	if (!read_statistic(q, f, err))
		return false;
	if (!f->duration)
		return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (q->lists[others[i]].count)
			return error_set(err, ERROR_USAGE,
				"--%s does not apply to durations: use --name",
				report_param_infos[others[i]].option);
	if (!q->lists[REPORT_NAME].count) {
		error_set(err, ERROR_USAGE, "no span name was given");
		return error_hint(err, "use --name, such as --name 'load page'");
	}
	f->patterns = report_patterns(a, &q->lists[REPORT_NAME]);
	return true;
}

/* --- values ---------------------------------------------------------------------------------- */

static void
take_times(const struct trend *t, struct point *p, const struct span_times *times)
{
	p->value = (struct sparkline_value){ times->count > 0, times->times[t->figure.statistic] };
	if (times->count > 0)
		p->unit = times->unit;
}

/* Returns false if no value is known, although there are facts. */
static bool
sum_of(const struct facts *f, bool values, wide_int *sum)
{
	uint8_t parts = 0;

	*sum = 0;
	for (size_t i = 0; i < f->row_count[FACTS_NEW]; i++) {
		const struct fact *fact = &f->rows[FACTS_NEW][i];

		*sum = fixed_add(*sum, values ? fact->value : fixed_from_wide(fact->count));
		parts |= fact->parts;
	}
	return !values || parts != FACTS_UNKNOWN;
}

static bool
counts_objects(const struct trend *t)
{
	return strncmp(t->figure.metric, "live_", 5) == 0 ||
	       strcmp(t->figure.metric, "objects") == 0;
}

/* Returns whether the result set has objects whose sizes are all unknown. */
static bool
has_only_unknown_sizes(struct trend *t, const struct point *p, bool *answer, struct error *err)
{
	struct error missing = ERROR_INIT;
	struct facts_metric m;

	*answer = facts_find_metric(t->db, &t->arena, p->inst_id, 0, "live_count", &m, &missing);
	if (*answer || missing.code == ERROR_NOT_FOUND)
		return true;
	*err = missing;
	return false;
}

/* Finds the metric of a result set. If a metric of objects or errors is missing, its value is 0, unless there are
 * objects of unknown size. Any other missing metric has no value. */
static bool
metric_of(struct trend *t, const struct point *p, struct facts_metric *m, struct error *err)
{
	struct error missing = ERROR_INIT;
	bool unsized = false;

	if (facts_find_metric(t->db, &t->arena, p->inst_id, 0, t->figure.metric, m, &missing))
		return true;
	if (missing.code != ERROR_NOT_FOUND) {
		*err = missing;
		return false;
	}
	if (strcmp(t->figure.metric, "live_size") == 0 &&
		!has_only_unknown_sizes(t, p, &unsized, err))
		return false;
	m->present[FACTS_NEW] = false;
	m->family = counts_objects(t) && !unsized             ? FACTS_OBJECTS
		    : strcmp(t->figure.metric, "errors") == 0 ? FACTS_ERRORS
							      : FACTS_SAMPLES;
	return true;
}

/* Sets p->gap to the reason why the value may be too low. Also sets p->value.known. */
static void
find_gap(struct point *p, const struct run *run, const struct facts_metric *m)
{
	bool found = m->present[FACTS_NEW];

	if (m->family == FACTS_OBJECTS)
		p->gap = run_gap_word(run, COVERAGE_LEAKS, found);
	else if (m->family == FACTS_ERRORS)
		p->gap = run_error_gap_word(run, found);
	else
		p->gap = run->finished == 0 ? "not finished" : NULL;
	p->value.known =
		found || ((m->family == FACTS_OBJECTS || m->family == FACTS_ERRORS) && !p->gap);
}

static bool
measure_facts(struct trend *t, struct point *p, struct error *err)
{
	struct facts_metric m;
	struct facts_question q = { .inst_id = p->inst_id,
		.metric = &m,
		.filters = t->request,
		.suppressions = t->suppressions };
	struct facts *f;
	struct run run;
	bool ok;

	if (!metric_of(t, p, &m, err) || !run_find(t->db, &t->arena, p->inst_id, &run, err))
		return false;
	find_gap(p, &run, &m);
	if (!m.present[FACTS_NEW])
		return true;
	p->unit = m.value_first ? m.unit : TEXT_LITERAL("count");
	t->gauge = m.aggregate != NULL;
	f = facts_new(&t->arena, MATCH_NAMES);
	ok = facts_load(t->db, f, FACTS_NEW, &q, NULL, err);
	if (ok)
		p->value.known &= sum_of(f, m.value_first, &p->value.value);
	facts_free(f);
	return ok;
}

/* The figures of several result sets, which are read together: their durations, or their sums and runs. */
struct batch {
	struct span_times *times;
	struct set_sum *sums;
	struct run *runs;
};

/* Sets the value of a result set whose sum is known. */
static void
take_sum(struct trend *t, struct point *p, const struct set_sum *sum, const struct run *run)
{
	bool objects = sum->family.data ? text_equal(sum->family, TEXT_LITERAL("objects"))
					: counts_objects(t);
	bool errors = strcmp(t->figure.metric, "errors") == 0;
	bool counts = errors || (objects && strcmp(t->figure.metric, "live_size") != 0);
	struct facts_metric m = { .family = objects  ? FACTS_OBJECTS
					    : errors ? FACTS_ERRORS
						     : FACTS_SAMPLES };

	m.present[FACTS_NEW] = sum->family.data != NULL;
	find_gap(p, run, &m);
	if (!m.present[FACTS_NEW])
		return;
	p->unit = counts ? TEXT_LITERAL("count") : objects ? TEXT_LITERAL("bytes") : sum->unit;
	p->value.value = counts ? sum->count : sum->value;
}

static bool
read_durations(
	struct trend *t, const int64_t *ids, size_t count, struct batch *b, struct error *err)
{
	const struct span_times_question q = { ids, count, t->figure.patterns };

	b->times = arena_alloc_array(&t->arena, count, sizeof(*b->times));
	return span_times_find(t->db, &t->arena, &q, b->times, err);
}

static const char *
patterns_of(struct trend *t, enum report_param param)
{
	const struct option_list *globs = &t->request->lists[param];

	return globs->count ? report_patterns(&t->arena, globs) : NULL;
}

static bool
read_sums(struct trend *t, const int64_t *ids, size_t count, struct batch *b, struct error *err)
{
	const struct set_sum_filters f = {
		.threads = patterns_of(t, REPORT_THREAD),
		.classes = patterns_of(t, REPORT_CLASS),
		.modules = patterns_of(t, REPORT_MODULE),
		.routines = patterns_of(t, REPORT_ROUTINE),
		.names = patterns_of(t, REPORT_NAME),
	};
	const bool any = f.threads || f.classes || f.modules || f.routines || f.names;
	const char *metric =
		strcmp(t->figure.metric, "objects") == 0 ? "live_count" : t->figure.metric;
	const struct set_sums_question q = { ids, count, metric, any ? &f : NULL };

	b->sums = arena_alloc_array(&t->arena, count, sizeof(*b->sums));
	b->runs = arena_alloc_array(&t->arena, count, sizeof(*b->runs));
	return set_sums_find(t->db, &t->arena, &q, b->sums, err) &&
	       runs_find(t->db, &t->arena, ids, count, b->runs, err);
}

/* Reads the figures of `count` result sets of the page. The first of them has the index `first`. Reads no sums if the
 * depot has suppressions, because they can hide facts in any result set. */
static bool
read_batch(struct trend *t, const struct db_result *page, size_t first, size_t count,
	struct batch *b, struct error *err)
{
	int64_t *ids = arena_alloc_array(&t->arena, count, sizeof(*ids));

	*b = (struct batch){ NULL, NULL, NULL };
	for (size_t i = 0; i < count; i++)
		ids[i] = db_result_int64(page, first + i, RESULT_SET_INST_ID, 0);
	if (t->figure.duration)
		return read_durations(t, ids, count, b, err);
	return suppressions_are_given(t->suppressions) || read_sums(t, ids, count, b, err);
}

static void
add_point(struct trend *t, const struct point *p)
{
	if (t->count == t->room) {
		struct point *more;

		t->room = t->room ? 2 * t->room : PAGE_SETS;
		more = arena_alloc_array(&t->arena, t->room, sizeof(*more));
		if (t->count)
			memcpy(more, t->points, t->count * sizeof(*more));
		t->points = more;
	}
	t->points[t->count++] = *p;
}

/* Measures one result set of the page, and adds a point if the value is known. `b` has the figures of the page's
 * result sets from index `first` on. */
static bool
measure_point(struct trend *t, const struct db_result *page, size_t row, const struct batch *b,
	size_t first, struct error *err)
{
	struct point p = { .inst_id = db_result_int64(page, row, RESULT_SET_INST_ID, 0) };

	if (b->times)
		take_times(t, &p, &b->times[row - first]);
	else if (b->sums && b->sums[row - first].simple)
		take_sum(t, &p, &b->sums[row - first], &b->runs[row - first]);
	else if (!measure_facts(t, &p, err))
		return false;
	if (!p.value.known) {
		t->left_out += !t->more_left_out;
		return true;
	}
	for (size_t n = 0; n < TEXTS; n++)
		p.texts[n] =
			arena_text(&t->arena, db_result_value(page, row, (size_t)shown[n].column));
	add_point(t, &p);
	return true;
}

/* Reads a page of result sets, and measures them until the trend has `last` points. */
static bool
measure_page(struct trend *t, const struct result_set_filter *f, size_t last, size_t *rows,
	struct error *err)
{
	struct db_result *page = result_sets_list(t->db, f, err);
	bool ok = page != NULL;
	size_t first = 0;
	size_t end = 0;
	struct batch b = { NULL, NULL, NULL };

	*rows = page ? db_result_rows(page) : 0;
	for (size_t i = 0; ok && i < *rows && t->count < last; i++) {
		if (i == end) {
			/* Each figure makes at most one point, so read at least as many figures as points are missing. Each
			 * batch is at least twice as large as the previous one, because many result sets may lack the figure. */
			size_t wanted = last - t->count;

			wanted = wanted < 2 * (i - first) ? 2 * (i - first) : wanted;
			first = i;
			end = wanted < *rows - i ? i + wanted : *rows;
			ok = read_batch(t, page, first, end - first, &b, err);
		}
		ok = ok && measure_point(t, page, i, &b, first, err);
	}
	db_result_free(page);
	return ok;
}

static void
turn_round(struct trend *t)
{
	for (size_t i = 0; i < t->count / 2; i++) {
		struct point p = t->points[i];

		t->points[i] = t->points[t->count - 1 - i];
		t->points[t->count - 1 - i] = p;
	}
}

static bool
fail_empty(const struct trend *t, bool any, struct error *err)
{
	if (!any) {
		error_set(err, ERROR_NOT_FOUND, "no result set passes the filters");
		return error_hint(err, "\"profdepot list\" shows the result sets and their labels");
	}
	error_set(err, ERROR_NOT_FOUND, "no result set has %s%.100s",
		t->figure.duration ? "spans of that name: " : "a metric ",
		t->figure.duration ? t->request->lists[REPORT_NAME].items[0] : t->figure.metric);
	return error_hint(err, "\"profdepot show INST_ID\" describes a result set");
}

/* Starts the list again, with a filter that leaves out result sets without the figure. There can be many such result
 * sets. */
static void
search(struct trend *t, struct result_set_filter *f)
{
	t->count = 0;
	t->more_left_out = true;
	f->skip_newest = 0;
	f->metric = t->figure.metric;
	if (counts_objects(t))
		f->looked_for = "{leaks}";
	else if (strcmp(t->figure.metric, "errors") == 0)
		f->looked_for = "{errors,races}";
}

/* Starts at the newest result set, and stops when the trend has the requested number of points. */
static bool
measure(struct trend *t, struct error *err)
{
	const size_t last = t->request->last ? (size_t)t->request->last : SIZE_MAX;
	struct result_set_filter f = { .inst_ids = t->request->inst_ids,
		.inst_id_count = t->request->inst_id_count };
	bool any = false;
	size_t rows;

	if (t->request->sets)
		f = *t->request->sets;
	f.limit = PAGE_SETS;
	f.without_counts = true;
	for (rows = PAGE_SETS; rows == (size_t)f.limit && t->count < last;) {
		if ((f.skip_newest >= WALK_SETS || (f.skip_newest && !t->count)) && !f.metric &&
			!t->figure.duration)
			search(t, &f);
		if (f.skip_newest && f.limit < PAGE_MAX_SETS)
			/* The server can skip the earlier pages only by reading them again. With longer pages this
			 * happens less often. */
			f.limit *= 2;
		if (!measure_page(t, &f, last, &rows, err))
			return false;
		any |= rows > 0;
		f.skip_newest += (int64_t)rows;
	}
	if (!t->count)
		return fail_empty(t, any, err);
	turn_round(t);
	return true;
}

/* --- the answer ------------------------------------------------------------------------------ */

static struct text
cell_text(struct trend *t, const struct point *p, const struct point *before, const char *key)
{
	double percent;

	for (size_t i = 0; i < TEXTS; i++)
		if (strcmp(key, shown[i].key) == 0)
			return p->texts[i];
	if (strcmp(key, "coverage") == 0)
		return text_from(p->gap);
	if (strcmp(key, "value") == 0)
		return fixed_text(&t->arena, p->value.value);
	if (!before)
		return TEXT_NULL;
	if (strcmp(key, "delta") == 0)
		return fixed_text(&t->arena, fixed_subtract(p->value.value, before->value.value));
	if (!compare_percent(before->value.value, p->value.value, &percent))
		return TEXT_NULL;
	if (p->value.value == before->value.value)
		return TEXT_LITERAL("0");
	return text_from(arena_printf(&t->arena, "%.2f", percent));
}

/* "▁▃█  least 12, most 40" */
static const char *
line_note(struct trend *t)
{
	struct sparkline_value *values = arena_alloc_array(&t->arena, t->count, sizeof(*values));
	const struct point *last = NULL;
	struct strbuf b;
	const char *note;

	for (size_t i = 0; i < t->count; i++) {
		values[i] = t->points[i].value;
		if (values[i].known)
			last = &t->points[i];
	}
	strbuf_init(&b, SPARKLINE_MAX_BYTES);
	strbuf_printf(&b, "%.200s%s%s  ", t->figure.metric, t->figure.duration ? " " : "",
		t->figure.duration ? span_time_name(t->figure.statistic) : "");
	sparkline_append(&b, values, t->count);
	if (last && !text_is_empty(last->unit) && !text_equal(last->unit, TEXT_LITERAL("none")))
		strbuf_printf(&b, "  in %.*s", text_precision(last->unit, 50), last->unit.data);
	note = b.failed ? NULL : arena_strdup(&t->arena, strbuf_str(&b));
	strbuf_release(&b);
	return note;
}

static const char *
left_out_note(struct trend *t)
{
	if (!t->left_out)
		return NULL;
	return arena_printf(&t->arena, "%s%zu %s left out because %s was not measured",
		t->more_left_out ? "at least " : "", t->left_out,
		by_count(t->left_out, "result set is", "result sets are"), t->figure.metric);
}

static struct text
unit_of(const struct trend *t)
{
	struct text unit = TEXT_NULL;

	for (size_t i = 0; i < t->count; i++)
		if (!text_is_null(t->points[i].unit))
			unit = t->points[i].unit;
	return unit;
}

/* Returns the report's columns with the metric's unit. */
static const struct table_column *
make_columns(struct trend *t, const struct report *r, struct text unit)
{
	struct table_column *columns =
		arena_alloc_array(&t->arena, r->column_count, sizeof(*columns));
	struct text word = facts_unit_word(unit, text_from(t->figure.metric));

	memcpy(columns, r->columns, r->column_count * sizeof(*columns));
	for (size_t i = 0; i < r->column_count; i++)
		if (strcmp(columns[i].key, "value") == 0 || strcmp(columns[i].key, "delta") == 0) {
			columns[i].unit = facts_table_unit(unit);
			columns[i].unit_name = arena_text(&t->arena, word).data;
		}
	return columns;
}

static bool
show(struct trend *t, const struct report *r, struct table_sink *sink, struct error *err)
{
	struct text unit = unit_of(t);
	struct table_set set = { .columns = make_columns(t, r, unit),
		.metric = {
			.name = text_from(t->figure.metric), .unit = unit, .gauge = t->gauge } };
	struct table_cell cells[REPORT_MAX_COLUMNS] = { { TEXT_NULL, NULL, 0 } };
	const char *notes[] = { line_note(t), left_out_note(t), NULL };
	size_t top = t->request->top && (uint64_t)t->request->top < t->count
			     ? (size_t)t->request->top
			     : t->count;
	struct table_foot foot = {
		.rows = top, .all_rows = t->count, .totals = cells, .notes = notes
	};
	const struct point *before = NULL;

	if (!sink->set_begin(sink, &set, err))
		return false;
	for (size_t i = 0; i < t->count; i++) {
		const struct point *p = &t->points[i];

		for (size_t n = 0; n < r->column_count; n++)
			cells[n].text = cell_text(t, p, before, r->columns[n].key);
		if (i >= t->count - top && !sink->row(sink, cells, err))
			return false;
		before = p;
	}
	return sink->set_end(sink, &foot, err);
}

static bool
prepare(struct trend *t, struct error *err)
{
	const struct suppressions_request request = { .files = NULL };
	bool ok = read_figure(&t->arena, t->request, &t->figure, err);

	if (ok)
		t->suppressions = suppressions_open(t->db, &request, err);
	ok = ok && t->suppressions && measure(t, err);
	suppressions_free(t->suppressions);
	t->suppressions = NULL;
	return ok;
}

bool
trend_report_run(struct db *db, const struct report *r, const struct report_request *q,
	struct table_sink *sink, struct error *err)
{
	struct trend t = { .db = db, .request = q, .arena = ARENA_INIT };
	bool ok = report_check(r, q, err) && prepare(&t, err) && show(&t, r, sink, err);

	arena_release(&t.arena);
	return ok;
}
