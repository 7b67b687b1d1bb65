/* Writes a check as text for people at a terminal. */
#include "check_private.h"

enum {
	BREAK_INDENT = 12 /* indentation of a line after a break */
};

struct check_text {
	FILE *out;
	const struct check_options *options;
	struct strbuf line;
};

static void
put_styled(struct check_text *t, enum render_style style)
{
	struct strbuf broken = STRBUF_INIT(RENDER_CELL_MAX_BYTES);

	render_wrap(&broken, strbuf_text(&t->line), BREAK_INDENT, t->options->width);
	strbuf_reset(&t->line);
	render_styled(&t->line, strbuf_text(&broken), t->options->color ? style : RENDER_PLAIN);
	strbuf_append_char(&t->line, '\n');
	fwrite(strbuf_str(&t->line), 1, t->line.size, t->out);
	strbuf_reset(&t->line);
	strbuf_release(&broken);
}

static void
put_line(struct check_text *t)
{
	put_styled(t, RENDER_PLAIN);
}

static void
put_stack(struct check_text *t, const struct check_stack *s)
{
	strbuf_append_str(&t->line, "    ");
	check_stack_label(&t->line, s);
	put_line(t);
	if (!s->frame_count) {
		strbuf_append_str(&t->line, "        (stack unknown)");
		put_line(t);
	}
	for (size_t i = 0; i < s->frame_count; i++) {
		strbuf_append_str(&t->line, "        ");
		render_frame(&t->line, &s->frames[i]);
		put_line(t);
	}
}

static void
put_breach(struct check_text *t, const struct check *c, const struct check_breach *breach)
{
	size_t shown = check_shown(breach, t->options);

	strbuf_append_str(&t->line, "  ");
	render_visible(&t->line, text_from(breach->text));
	put_line(t);
	for (size_t i = 0; i < shown; i++)
		put_stack(t, &c->stacks[breach->stacks[i]]);
	if (shown < breach->stack_count) {
		strbuf_printf(&t->line, "    and %zu more %s", breach->stack_count - shown,
			by_count(breach->stack_count - shown, "stack", "stacks"));
		put_line(t);
	}
}

static void
put_budget(struct check_text *t, const struct check *c, const struct check_budget *budget)
{
	static const enum render_style styles[] = { RENDER_GOOD, RENDER_BAD, RENDER_CALM,
		RENDER_WARNING };
	static const char *const verdicts[] = { "met     ", "EXCEEDED", "skipped ", "UNKNOWN " };

	strbuf_append_str(&t->line, verdicts[budget->verdict]);
	strbuf_append_char(&t->line, ' ');
	render_visible(&t->line, text_from(budget->name));
	if (budget->reason) {
		strbuf_append_str(&t->line, ": ");
		render_visible(&t->line, text_from(budget->reason));
		strbuf_append_str(&t->line, budget->hint ? budget->hint : "");
	}
	put_styled(t, styles[budget->verdict]);
	for (size_t i = 0; i < budget->breach_count; i++)
		put_breach(t, c, &budget->breaches[i]);
}

bool
check_write_text(FILE *out, const struct check *c, const struct check_options *o, struct error *err)
{
	struct check_text t = { out, o, STRBUF_INIT(RENDER_CELL_MAX_BYTES) };

	strbuf_append_str(&t.line, "Check: ");
	render_set(&t.line, &c->set);
	put_styled(&t, RENDER_HEAD);
	put_line(&t);
	for (size_t i = 0; i < c->budget_count; i++)
		put_budget(&t, c, &c->budgets[i]);
	put_line(&t);
	check_summary(&t.line, c);
	put_styled(&t, RENDER_HEAD);
	strbuf_release(&t.line);
	return render_check(out, err);
}
