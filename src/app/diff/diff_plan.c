/* The request for a comparison, and the columns of its answer. */
#include "diff_private.h"

#include "app/report_rows.h"
#include "base/number.h"
#include "store/set_names.h"

#include <string.h>

enum {
	STATUSES_SHOWN = (1U << COMPARE_STATUSES) - 1 - (1U << COMPARE_SAME)
};

static enum compare_by
by_of(const char *word)
{
	static const char *const words[] = { "stack", "class", "routine", "module", "own",
		"object" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (word && strcmp(word, words[i]) == 0)
			return (enum compare_by)i;
	return COMPARE_BY_STACK;
}

static bool
read_match(const struct report_request *q, enum facts_match *match, struct error *err)
{
	const char *word = q->values[REPORT_MATCH];

	*match = word && strcmp(word, "lines") == 0 ? MATCH_LINES : MATCH_NAMES;
	if (!word || *match == MATCH_LINES || strcmp(word, "names") == 0)
		return true;
	error_set(err, ERROR_USAGE, "option --match: \"%.100s\" is not a matching mode", word);
	return error_hint(err, "use names or lines");
}

static bool
check_gets(const struct report_request *q, struct error *err)
{
	const struct option_list *gets = &q->lists[REPORT_GET];
	struct number n;

	for (size_t i = 0; i < gets->count; i++) {
		if (number_parse(text_from(gets->items[i]), &n) == NUMBER_OK && !n.negative)
			continue;
		error_set(err, ERROR_USAGE, "option --get: \"%.100s\" is not a number",
			gets->items[i]);
		return error_hint(err, "write a Get Results number, such as 1");
	}
	if (gets->count == 1) {
		error_set(err, ERROR_USAGE, "a single --get has nothing to compare with");
		return error_hint(err, "give it twice: --get 1 --get 2");
	}
	if (gets->count && q->values[REPORT_BASE]) {
		error_set(err, ERROR_USAGE, "--get compares within one result set");
		return error_hint(err, "omit either the result set to compare with or --get");
	}
	return true;
}

static bool
find_base(struct db *db, const struct report_request *q, struct diff_plan *p, struct error *err)
{
	p->inst_id = q->inst_id;
	p->base_id = q->inst_id;
	if (!check_gets(q, err))
		return false;
	if (q->lists[REPORT_GET].count)
		return true;
	if (q->values[REPORT_BASE])
		return set_name_find(db, q->values[REPORT_BASE], p->inst_id, &p->base_id, err);
	error_set(err, ERROR_USAGE, "which result set to compare with?");
	return error_hint(err, "use --base with an INST_ID, latest~1 or label:KEY=VALUE");
}

static bool
check_families(const struct report_request *q, const struct diff_plan *p, struct error *err)
{
	bool measured = p->metric.family == FACTS_SAMPLES || p->metric.family == FACTS_SPANS;
	bool objects = p->metric.family == FACTS_OBJECTS;

	if (p->normalise && !measured)
		return error_set(err, ERROR_USAGE,
			"--normalise is only for samples and spans, not for %s",
			objects ? "objects" : "errors");
	if (q->lists[REPORT_GET].count && !objects)
		return error_set(err, ERROR_USAGE, "--get needs objects");
	if (p->by == COMPARE_BY_OBJECT && !objects)
		return error_set(err, ERROR_USAGE, "--by object needs objects");
	return true;
}

bool
diff_plan_make(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct diff_plan *p, struct error *err)
{
	const char *statuses = q->values[REPORT_STATUS];

	*p = (struct diff_plan){ .by = by_of(r->by),
		.normalise = q->values[REPORT_NORMALISE] != NULL,
		.statuses = STATUSES_SHOWN };
	if (statuses && !compare_parse_statuses(statuses, &p->statuses, err))
		return error_prefix(err, "option --status");
	return read_match(q, &p->match, err) && find_base(db, q, p, err) &&
	       facts_find_metric(
		       db, a, p->inst_id, p->base_id, q->values[REPORT_METRIC], &p->metric, err) &&
	       check_families(q, p, err);
}

bool
diff_check_factor(const struct diff_plan *p, const struct comparison *c, struct error *err)
{
	if (!p->normalise || c->factor > 0)
		return true;
	error_set(err, ERROR_USAGE,
		"cannot compare shares of %s: the total of a result set is not above 0",
		p->metric.name);
	return error_hint(err, "omit --normalise");
}

struct compare_question
diff_question(const struct diff_plan *p)
{
	return (struct compare_question){ .by = p->by,
		.family = p->metric.family,
		.value_first = p->metric.value_first,
		.normalise = p->normalise };
}

/* Returns whether the request compares two result sets, and has no filters except those by routine. */
static bool
takes_all(const struct diff_plan *p, const struct report_request *q)
{
	return p->inst_id != p->base_id && !q->lists[REPORT_CLASS].count &&
	       !q->lists[REPORT_MODULE].count && !q->lists[REPORT_THREAD].count &&
	       !q->lists[REPORT_NAME].count;
}

bool
diff_takes_samples(const struct diff_plan *p, const struct report_request *q)
{
	return p->metric.family == FACTS_SAMPLES && !p->metric.aggregate && takes_all(p, q);
}

bool
diff_takes_objects(const struct diff_plan *p, const struct report_request *q)
{
	return p->metric.family == FACTS_OBJECTS && takes_all(p, q);
}

bool
diff_column_is_of(const char *key, const char *figure)
{
	size_t n = strlen(figure);

	if (strncmp(key, "base_", 5) == 0)
		key += 5;
	return strncmp(key, figure, n) == 0 &&
	       (!key[n] || strcmp(key + n, "_delta") == 0 || strcmp(key + n, "_percent") == 0);
}

static bool
is_shown(const struct table_column *c, const struct diff_plan *p)
{
	enum facts_family family = p->metric.family;
	bool measured = family == FACTS_SAMPLES || family == FACTS_SPANS;
	bool grouped = p->by == COMPARE_BY_STACK || p->by == COMPARE_BY_CLASS ||
		       p->by == COMPARE_BY_OBJECT;

	if (diff_column_is_of(c->key, "count"))
		return !measured;
	if (diff_column_is_of(c->key, "size"))
		return family == FACTS_OBJECTS;
	if (diff_column_is_of(c->key, "self"))
		return measured;
	if (diff_column_is_of(c->key, "total"))
		return compare_has_totals(p->by, family);
	if (strcmp(c->key, "kind") == 0 || strcmp(c->key, "description") == 0)
		return family == FACTS_ERRORS;
	if (grouped && (strcmp(c->key, "class") == 0 || strcmp(c->key, "module") == 0))
		return family == FACTS_OBJECTS || (measured && p->by == COMPARE_BY_CLASS);
	return true;
}

bool
diff_column_may_miss(const struct report *r, const struct table_column *c)
{
	static const enum facts_family families[] = { FACTS_OBJECTS, FACTS_ERRORS, FACTS_SAMPLES,
		FACTS_SPANS };

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (!is_shown(c, &(struct diff_plan){
					 .by = by_of(r->by), .metric.family = families[i] }))
			return true;
	return false;
}

/* Sets the units and titles that depend on the metric. */
static void
adapt(struct arena *a, struct table_column *c, const struct diff_plan *p)
{
	bool total = diff_column_is_of(c->key, "total");
	const char *unit_key = strrchr(c->key, '_');
	struct text unit = facts_unit_word(p->metric.unit, text_from(p->metric.name));

	if (unit_key && strcmp(unit_key, "_percent") == 0)
		return;
	if (p->metric.family == FACTS_ERRORS && diff_column_is_of(c->key, "count") && !c->change)
		c->title = strncmp(c->key, "base_", 5) == 0 ? "Errors Before" : "Errors";
	if (!total && !diff_column_is_of(c->key, "self"))
		return;
	if (p->metric.family == FACTS_ERRORS ||
		(p->metric.family == FACTS_OBJECTS && !p->metric.value_first))
		unit = TEXT_LITERAL("count");
	c->unit = facts_table_unit(unit);
	c->unit_name = text_is_empty(unit) ? NULL : arena_text(a, unit).data;
	if (c->unit == TABLE_UNIT_COUNT || c->unit == TABLE_UNIT_BYTES)
		c->kind = TABLE_INTEGER;
	if (c->unit == TABLE_UNIT_NONE && !text_is_empty(unit) && !c->change)
		c->title =
			arena_printf(a, "%s (%.*s)", c->title, text_precision(unit, 50), unit.data);
}

const struct report *
diff_report_shape(struct db *db, struct arena *a, const struct report *r,
	const struct report_request *q, struct error *err)
{
	struct report *shaped = arena_alloc(a, sizeof(*shaped));
	struct diff_plan p;

	if (!report_check(r, q, err) || !diff_plan_make(db, a, r, q, &p, err))
		return NULL;
	*shaped = *r;
	shaped->column_count = 0;
	shaped->rank_column = -1;
	for (size_t i = 0; i < r->column_count; i++) {
		struct table_column *c = &shaped->columns[shaped->column_count];

		if (!is_shown(&r->columns[i], &p))
			continue;
		if ((int)i == r->rank_column)
			shaped->rank_column = (int)shaped->column_count;
		*c = r->columns[i];
		adapt(a, c, &p);
		shaped->column_count++;
	}
	shaped->order_count = 1; /* any order: diff_report.c sorts the rows itself */
	shaped->order[0] = (struct report_order){ 0, false };
	return shaped;
}
