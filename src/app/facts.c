/* Loads facts through the reports in report/sql/side_*.sql, or from a call tree. */
#include "app/facts.h"

#include "base/array.h"
#include "base/strbuf.h"
#include "store/gauges.h"

#include <stdlib.h>

/* Columns of report/side_*.sql. */
enum {
	SIDE_CLASS,
	SIDE_MODULE,
	SIDE_KIND,
	SIDE_NUMBER,
	SIDE_DESCRIPTION,
	SIDE_COUNT,
	SIDE_VALUE,
	SIDE_STACK,
	SIDE_UNSIZED /* only in the reports on objects */
};

enum {
	IDS_MAX_BYTES = 512 * 1024 * 1024
};

/* --- metrics --------------------------------------------------------------------------------- */

static enum facts_family
family_of(struct text word)
{
	if (text_equal(word, TEXT_LITERAL("objects")))
		return FACTS_OBJECTS;
	if (text_equal(word, TEXT_LITERAL("errors")))
		return FACTS_ERRORS;
	return text_equal(word, TEXT_LITERAL("spans")) ? FACTS_SPANS : FACTS_SAMPLES;
}

struct known_metrics {
	struct depot_metric *metrics;
	size_t count;
};

static const struct depot_metric *
find_by_name(const struct known_metrics *k, struct text name)
{
	for (size_t i = 0; i < k->count; i++)
		if (text_equal(k->metrics[i].name, name))
			return &k->metrics[i];
	return NULL;
}

static const struct depot_metric *
choose(const struct known_metrics *sides, const char *name)
{
	static const char *const objects = "live_count";
	const char *wanted = name && strcmp(name, "objects") == 0 ? objects : name;
	const struct depot_metric *m = NULL;

	for (int side = 0; side < FACTS_SIDES && !m; side++)
		m = find_by_name(&sides[side], text_from(wanted ? wanted : objects));
	for (int side = 0; side < FACTS_SIDES && !m && !name; side++)
		if (sides[side].count)
			m = &sides[side].metrics[0];
	return m;
}

/* Returns whether the report shows counts of objects. If the request names no metric, the first metric of the
 * result set decides. */
static bool
shows_count(const struct known_metrics *sides, const char *name, const struct facts_metric *metric)
{
	const struct known_metrics *k = &sides[sides[FACTS_NEW].count ? FACTS_NEW : FACTS_BASE];

	if (metric->family == FACTS_OBJECTS && !name)
		return text_equal(k->metrics[0].name, TEXT_LITERAL("live_count"));
	return metric->family == FACTS_OBJECTS && !metric->value_first;
}

static bool
refuse_metric(const struct known_metrics *sides, const char *name, int64_t inst_id, int64_t base_id,
	struct error *err)
{
	struct strbuf names;

	strbuf_init(&names, 256);
	for (int side = 0; side < FACTS_SIDES; side++)
		for (size_t i = 0; i < sides[side].count; i++) {
			struct text t = sides[side].metrics[i].name;

			if (side == FACTS_BASE && find_by_name(&sides[FACTS_NEW], t))
				continue;
			strbuf_append_str(&names, names.size ? ", " : "");
			strbuf_append_text(&names, t);
		}
	if (base_id)
		error_set(err, ERROR_NOT_FOUND,
			"neither result set %lld nor %lld has a metric \"%.100s\"",
			(long long)inst_id, (long long)base_id, name);
	else
		error_set(err, ERROR_NOT_FOUND, "result set %lld has no metric \"%.100s\"",
			(long long)inst_id, name);
	error_hint(err, names.size ? "there is: %s%s" : "there are no metrics", strbuf_str(&names),
		names.failed ? ", ..." : "");
	strbuf_release(&names);
	return false;
}

bool
facts_refuse_units(struct text metric, struct text unit, struct text other, struct error *err)
{
	return error_set(err, ERROR_USAGE,
		"%.*s is in %.*s in one result set and in %.*s in the other",
		text_precision(metric, 100), metric.data, text_precision(unit, 50), unit.data,
		text_precision(other, 50), other.data);
}

bool
facts_find_metric(struct db *db, struct arena *a, int64_t inst_id, int64_t base_id,
	const char *name, struct facts_metric *metric, struct error *err)
{
	struct known_metrics sides[FACTS_SIDES] = { { NULL, 0 }, { NULL, 0 } };
	const struct depot_metric *m, *other;

	*metric = (struct facts_metric){ .name = "live_count", .unit = TEXT_LITERAL("bytes") };
	if (!depot_metrics(db, a, inst_id, &sides[FACTS_NEW].metrics, &sides[FACTS_NEW].count, err))
		return false;
	if (base_id && !depot_metrics(db, a, base_id, &sides[FACTS_BASE].metrics,
			       &sides[FACTS_BASE].count, err))
		return false;
	m = choose(sides, name);
	if (!m)
		return !name || refuse_metric(sides, name, inst_id, base_id, err);
	metric->name = arena_strndup(a, m->name.data, m->name.size);
	metric->family = family_of(m->family);
	if (text_equal(m->family, TEXT_LITERAL("gauges")))
		metric->aggregate = m->aggregate.size ? arena_text(a, m->aggregate).data : "max";
	metric->unit = metric->family == FACTS_OBJECTS ? TEXT_LITERAL("bytes") : m->unit;
	metric->value_first = metric->family == FACTS_SAMPLES || metric->family == FACTS_SPANS ||
			      text_equal(m->name, TEXT_LITERAL("live_size"));
	metric->shows_count = shows_count(sides, name, metric);
	for (int side = 0; side < FACTS_SIDES; side++)
		metric->present[side] = find_by_name(&sides[side], m->name) != NULL;
	other = find_by_name(&sides[FACTS_BASE], m->name);
	return !other || text_equal(other->unit, m->unit) ||
	       facts_refuse_units(m->name, m->unit, other->unit, err);
}

enum table_unit
facts_table_unit(struct text unit)
{
	for (int i = 0; i < TABLE_UNITS; i++)
		if (i != TABLE_UNIT_PERCENT && i != TABLE_UNIT_HEX && i != TABLE_UNIT_ID &&
			text_equal(unit, text_from(table_unit_names[i])))
			return (enum table_unit)i;
	return TABLE_UNIT_NONE;
}

struct text
facts_unit_word(struct text unit, struct text metric)
{
	return text_is_empty(unit) || text_equal(unit, TEXT_LITERAL("none")) ? metric : unit;
}

/* --- objects, errors, samples ---------------------------------------------------------------- */

/* Receives the rows of one side's report. */
struct capture {
	struct table_sink sink;
	struct facts *facts;
	enum facts_side side;
	bool objects;
	uint32_t *frames; /* of the current row's stack */
	size_t room;
};

static wide_int
fixed_of(struct text t)
{
	struct decimal d;

	if (text_is_null(t) || decimal_parse(t, &d) != DECIMAL_OK)
		return 0;
	return decimal_to_fixed(d);
}

static bool
capture_row(struct table_sink *s, const struct table_cell *cells, struct error *err)
{
	static const wide_int one = 1000000000000000000;
	struct capture *c = (struct capture *)s;
	struct fact fact = {
		.class_name = cells[SIDE_CLASS].text,
		.module_name = cells[SIDE_MODULE].text,
		.kind = cells[SIDE_KIND].text,
		.number = cells[SIDE_NUMBER].text,
		.description = cells[SIDE_DESCRIPTION].text,
		.count = fixed_of(cells[SIDE_COUNT].text) / one,
		.value = fixed_of(cells[SIDE_VALUE].text),
	};
	const struct table_cell *stack = &cells[SIDE_STACK];

	(void)err;
	ARRAY_RESERVE(c->frames, c->room, stack->frame_count);
	for (size_t i = stack->frame_count; i-- > 0;)
		c->frames[i] = facts_frame(c->facts, &stack->frames[i]);
	fact.stack = facts_stack(c->facts, c->frames, stack->frame_count, &fact.lines);
	if (c->objects && text_equal(cells[SIDE_UNSIZED].text, TEXT_LITERAL("1")))
		fact.parts = text_is_null(cells[SIDE_VALUE].text) ? FACTS_UNKNOWN
								  : FACTS_KNOWN | FACTS_UNKNOWN;
	facts_add(c->facts, c->side, &fact);
	return true;
}

/* Rejects filters that do not apply to the facts. */
static bool
check_filters(const struct report *part, const struct facts_question *q, struct error *err)
{
	static const enum report_param filters[] = { REPORT_CLASS, REPORT_MODULE, REPORT_ROUTINE,
		REPORT_THREAD, REPORT_NAME };
	static const char *const families[] = { "objects", "errors", "samples", "spans" };
	struct strbuf names;

	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		if (!q->filters->lists[filters[i]].count || report_takes(part, filters[i]))
			continue;
		strbuf_init(&names, 256);
		for (size_t n = 0; n < sizeof(filters) / sizeof(filters[0]); n++)
			if (report_takes(part, filters[n]))
				strbuf_printf(&names, "%s--%s", names.size ? ", " : "",
					report_param_infos[filters[n]].option);
		error_set(err, ERROR_USAGE, "--%s does not apply to %s",
			report_param_infos[filters[i]].option, families[q->metric->family]);
		error_hint(err, "these can be filtered by %s", strbuf_str(&names));
		strbuf_release(&names);
		return false;
	}
	return true;
}

static enum report_side
side_of(const struct facts_question *q)
{
	static const enum report_side sides[] = { REPORT_SIDE_OBJECTS, REPORT_SIDE_ERRORS,
		REPORT_SIDE_SAMPLES, REPORT_SIDE_SAMPLES };

	return q->each && q->metric->family == FACTS_OBJECTS ? REPORT_SIDE_OBJECT
							     : sides[q->metric->family];
}

/* Sets *ids to the text of an array with the IDs of the records that suppressions hide; NULL if they hide nothing. */
static bool
hide(struct db *db, struct arena *a, const struct facts_question *q, struct suppress_use *hidden,
	const char **ids, struct error *err)
{
	bool objects = q->metric->family == FACTS_OBJECTS;
	struct suppressed s;
	struct strbuf b;
	size_t count;

	*ids = NULL;
	if (!q->suppressions || (!objects && q->metric->family != FACTS_ERRORS))
		return true;
	if (!suppressions_apply(q->suppressions, db, a, q->inst_id, &s, err))
		return false;
	count = objects ? s.object_count : s.error_count;
	if (!count)
		return true;
	if (hidden)
		suppress_use_add(hidden, objects ? &s.leak_use : &s.error_use);
	strbuf_init(&b, IDS_MAX_BYTES);
	for (size_t i = 0; i < count; i++) {
		strbuf_append_char(&b, i ? ',' : '{');
		strbuf_append_int(&b, objects ? s.objects[i] : s.errors[i]);
	}
	strbuf_append_char(&b, '}');
	*ids = b.failed ? NULL : arena_strdup(a, strbuf_str(&b));
	strbuf_release(&b);
	return *ids || error_set(err, ERROR_LIMIT, "suppressions hide too many records");
}

static bool
load_rows(struct db *db, struct arena *a, struct facts *f, enum facts_side side,
	const struct facts_question *q, struct suppress_use *hidden, struct error *err)
{
	struct capture capture = { .sink = { .row = capture_row },
		.facts = f,
		.side = side,
		.objects = q->metric->family == FACTS_OBJECTS };
	const struct report *part = report_side(side_of(q));
	struct report_request request = { .inst_id = q->inst_id };
	bool ok;

	if (!check_filters(part, q, err))
		return false;
	for (size_t i = 0; i < part->param_count; i++)
		if (report_param_infos[part->params[i]].value == REPORT_GLOBS)
			request.lists[part->params[i]] = q->filters->lists[part->params[i]];
	if (report_takes(part, REPORT_METRIC))
		request.values[REPORT_METRIC] = q->metric->name;
	if (report_takes(part, REPORT_GET_NUMBER))
		request.values[REPORT_GET_NUMBER] = q->get_number;
	if (report_takes(part, REPORT_HIDDEN) &&
		!hide(db, a, q, hidden, &request.values[REPORT_HIDDEN], err))
		return false;
	ok = report_run(db, part, &request, &capture.sink, err);
	free(capture.frames);
	return ok;
}

/* --- gauges ---------------------------------------------------------------------------------- */

static bool
load_gauge(struct db *db, struct facts *f, enum facts_side side, const struct facts_question *q,
	struct error *err)
{
	struct gauge_values values;
	struct fact fact = { .stack = FACTS_NO_STACK, .count = 1 };

	if (!gauge_find(db, q->inst_id, q->metric->name, &values, err))
		return false;
	fact.value = strcmp(q->metric->aggregate, "last") == 0   ? values.last
		     : strcmp(q->metric->aggregate, "mean") == 0 ? values.mean
								 : values.maximum;
	if (values.known)
		facts_add(f, side, &fact);
	return true;
}

/* --- spans ----------------------------------------------------------------------------------- */

static bool
matches(const struct table_frame *frame, const struct option_list *globs)
{
	for (size_t i = 0; i < globs->count; i++)
		if (text_glob(frame->routine_name, globs->items[i]))
			return true;
	return false;
}

/* Adds self times to the facts: those of the calls to the requested routines, and those of all calls below them. */
static void
add_calls(struct facts *f, enum facts_side side, const struct tree *t,
	const struct option_list *routines, uint32_t *stacks, bool *inside)
{
	inside[0] = routines->count == 0;
	stacks[0] = FACTS_NO_STACK;
	for (size_t i = 0; i < t->count; i++) {
		const struct tree_node *n = &t->nodes[i];

		if (i) {
			stacks[i] = facts_call(
				f, stacks[n->parent], facts_frame(f, &t->names[n->name]));
			inside[i] = inside[n->parent] || matches(&t->names[n->name], routines);
		}
		if (n->self && inside[i])
			facts_add(f, side,
				&(struct fact){ .stack = stacks[i], .count = 1, .value = n->self });
	}
}

static bool
load_calls(struct db *db, struct arena *a, struct facts *f, enum facts_side side,
	const struct facts_question *q, struct error *err)
{
	const struct tree_question question = { q->inst_id, q->metric->name, 0 };
	const struct report *part = report_side(REPORT_SIDE_SAMPLES);
	const struct tree *t;

	if (!check_filters(part, q, err))
		return false;
	t = depot_tree_load(db, a, &question, err);
	if (!t)
		return false;
	add_calls(f, side, t, &q->filters->lists[REPORT_ROUTINE],
		arena_alloc_array(a, t->count, sizeof(uint32_t)),
		arena_alloc_array(a, t->count, sizeof(bool)));
	return true;
}

bool
facts_load(struct db *db, struct facts *f, enum facts_side side, const struct facts_question *q,
	struct suppress_use *hidden, struct error *err)
{
	struct arena a = ARENA_INIT;
	bool ok;

	if (!q->metric->present[side] && q->metric->family != FACTS_OBJECTS)
		return true;
	ok = q->metric->aggregate               ? load_gauge(db, f, side, q, err)
	     : q->metric->family == FACTS_SPANS ? load_calls(db, &a, f, side, q, err)
						: load_rows(db, &a, f, side, q, hidden, err);
	arena_release(&a);
	return ok;
}
