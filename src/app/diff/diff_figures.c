/* The figures that the columns of a comparison show. */
#include "diff_private.h"

/* What a column shows of its figure. */
enum shown {
	SHOWN_NOW,
	SHOWN_BASE,
	SHOWN_DELTA,
	SHOWN_PERCENT
};

static enum shown
shown_by(const char *key)
{
	return strncmp(key, "base_", 5) == 0 ? SHOWN_BASE
	       : strstr(key, "_percent")     ? SHOWN_PERCENT
	       : strstr(key, "_delta")       ? SHOWN_DELTA
					     : SHOWN_NOW;
}

bool
diff_figure_of(const struct diff_plan *p, const struct compare_row *r, const char *key,
	struct diff_figure *f)
{
	enum facts_family family = p->metric.family;
	bool total = diff_column_is_of(key, "total");
	bool count = diff_column_is_of(key, "count");

	if (!total && !count && !diff_column_is_of(key, "size") && !diff_column_is_of(key, "self"))
		return false;
	if (total)
		count = family == FACTS_ERRORS ||
			(family == FACTS_OBJECTS && !p->metric.value_first);
	for (int side = 0; side < FACTS_SIDES; side++) {
		const struct compare_sums *s = &r->sums[side];

		f->sides[side] = count   ? fixed_from_wide(total ? s->total_count : s->count)
				 : total ? s->total_value
					 : s->value;
		f->parts[side] = count ? FACTS_KNOWN : total ? s->total_parts : s->parts;
	}
	return true;
}

/* Computes what the column shows. Returns false if this is a percentage. */
static bool
part_of_figure(const char *key, const struct diff_figure *f, wide_int *v)
{
	enum shown shown = shown_by(key);

	*v = shown == SHOWN_BASE    ? f->sides[FACTS_BASE]
	     : shown == SHOWN_DELTA ? fixed_subtract(f->sides[FACTS_NEW], f->sides[FACTS_BASE])
				    : f->sides[FACTS_NEW];
	return shown != SHOWN_PERCENT;
}

bool
diff_is_measured(const struct diff_plan *p, enum facts_side side)
{
	const struct facts_metric *m = &p->metric;

	return m->present[side] || m->family == FACTS_OBJECTS || m->family == FACTS_ERRORS;
}

/* Returns whether the column with this key can have figures. The figure of a change needs both result sets. */
static bool
is_known(const struct diff_plan *p, const char *key)
{
	enum shown shown = shown_by(key);

	return (diff_is_measured(p, FACTS_BASE) || shown == SHOWN_NOW) &&
	       (diff_is_measured(p, FACTS_NEW) || shown == SHOWN_BASE);
}

/* Returns whether the column shows the figure. A sum of known and unknown values is shown, but not its change. */
static bool
is_shown(const char *key, const struct diff_figure *f)
{
	enum shown shown = shown_by(key);

	if (shown == SHOWN_NOW || shown == SHOWN_BASE)
		return f->parts[shown == SHOWN_NOW ? FACTS_NEW : FACTS_BASE] != FACTS_UNKNOWN;
	return !((f->parts[FACTS_NEW] | f->parts[FACTS_BASE]) & FACTS_UNKNOWN);
}

struct text
diff_figure_text(
	struct arena *a, const struct diff_plan *p, const char *key, const struct diff_figure *f)
{
	double percent;
	wide_int v;

	if (!is_known(p, key) || !is_shown(key, f))
		return TEXT_NULL;
	if (part_of_figure(key, f, &v))
		return fixed_text(a, v);
	if (!compare_percent(f->sides[FACTS_BASE], f->sides[FACTS_NEW], &percent))
		return TEXT_NULL;
	if (f->sides[FACTS_BASE] == f->sides[FACTS_NEW])
		return TEXT_LITERAL("0");
	return text_from(arena_printf(a, "%.2f", percent));
}

wide_int
diff_figure_key(const char *key, const struct diff_figure *f)
{
	double percent = 0;
	wide_int number;

	if (!is_shown(key, f))
		return 0;
	if (part_of_figure(key, f, &number))
		return number;
	/* Growth from zero has no percentage and sorts above all other growth. */
	if (!compare_percent(f->sides[FACTS_BASE], f->sides[FACTS_NEW], &percent))
		percent = f->sides[FACTS_NEW] > 0 ? 1e15 : f->sides[FACTS_NEW] < 0 ? -1e15 : 0;
	return (wide_int)(percent * 1000);
}
