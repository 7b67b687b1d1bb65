/* The messages of a check. */
#include "check_private.h"

#include "base/strbuf.h"
#include "model/tree.h"

enum {
	LABEL_MAX_BYTES = 64 * 1024
};

const char *
check_group_label(struct checking *c, const struct loaded *l, const struct budget *b,
	const struct compare_row *g)
{
	struct strbuf t;
	const char *label;

	if (b->each == BUDGET_TOTAL)
		return "";
	strbuf_init(&t, LABEL_MAX_BYTES);
	if (g->bare)
		strbuf_append_str(&t, g->bare);
	else if (g->frame != FACTS_NONE)
		tree_label(&l->facts->frames[g->frame], &t);
	else if (b->each == COMPARE_BY_STACK && g->stack != FACTS_NO_STACK &&
		 l->metric.family != FACTS_OBJECTS)
		tree_label(&l->facts->frames[l->facts->nodes[g->stack].frame], &t);
	else if (b->each == COMPARE_BY_MODULE)
		strbuf_append_text(&t, text_is_empty(g->module_name) ? TEXT_LITERAL("(no module)")
								     : g->module_name);
	else if (l->metric.family == FACTS_ERRORS)
		strbuf_append_text(&t, g->kind);
	else {
		strbuf_append_text(&t,
			text_is_empty(g->class_name) ? TEXT_LITERAL("(no class)") : g->class_name);
		if (!text_is_empty(g->module_name))
			strbuf_printf(&t, " (%.*s)", text_precision(g->module_name, 1000),
				g->module_name.data);
	}
	label = arena_strdup(c->arena, strbuf_str(&t));
	strbuf_release(&t);
	return label;
}

/* "34 objects", "1234 bytes": exact, without units such as MiB. */
static const char *
amount(struct checking *c, const struct loaded *l, enum budget_figure figure, wide_int v)
{
	static const wide_int one = 1000000000000000000;
	bool errors = l->metric.family == FACTS_ERRORS;
	const char *unit = v == one ? "object" : "objects";
	const char *digits = fixed_text(c->arena, v).data;

	if (errors)
		unit = v == one ? "error" : "errors";
	if (figure == BUDGET_NEW)
		unit = v == one ? "new stack" : "new stacks";
	else if (figure == BUDGET_SIZE)
		unit = v == one ? "byte" : "bytes";
	else if (figure == BUDGET_VALUE)
		return arena_printf(c->arena, "%s %.*s", digits, text_precision(l->metric.unit, 50),
			l->metric.unit.data);
	return arena_printf(c->arena, "%s %s", digits, unit);
}

static const char *
percent_string(struct checking *c, wide_int v)
{
	/* Growth from zero has no percentage. */
	if (v == WIDE_MAX)
		return "from nothing";
	return arena_printf(c->arena, "by %s %%", fixed_text(c->arena, v).data);
}

const char *
check_breach_text(struct checking *c, const struct loaded *l, const struct budget *b,
	const struct budget_breach *breach, const char *what)
{
	enum budget_figure figure = budget_limits[breach->limit].figure;
	enum budget_mode mode = budget_limits[breach->limit].mode;
	wide_int limit = b->limits[breach->limit].value;
	const char *of = *what ? arena_printf(c->arena, " of %s", what) : "";
	const char *now = amount(c, l, figure, breach->now);

	if (mode == BUDGET_MOST)
		return arena_printf(
			c->arena, "%s%s, allowed: %s", now, of, fixed_text(c->arena, limit).data);
	if (mode == BUDGET_GROWTH)
		return arena_printf(c->arena, "%s%s, %s before: grown by %s, allowed: %s", now, of,
			fixed_text(c->arena, breach->base).data,
			fixed_text(c->arena, breach->measured).data,
			fixed_text(c->arena, limit).data);
	return arena_printf(c->arena, "%s%s, %s before: grown %s, allowed: %s %%", now, of,
		fixed_text(c->arena, breach->base).data, percent_string(c, breach->measured),
		fixed_text(c->arena, limit).data);
}
