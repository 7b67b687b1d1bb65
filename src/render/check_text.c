/* Writes a check as text for people at a terminal. */
#include "check_private.h"

static void
put_line(FILE *out, struct strbuf *b)
{
	strbuf_append_char(b, '\n');
	fwrite(strbuf_str(b), 1, b->size, out);
	strbuf_reset(b);
}

static void
put_stack(FILE *out, const struct check_stack *s, struct strbuf *b)
{
	strbuf_append_str(b, "    ");
	check_stack_label(b, s);
	put_line(out, b);
	if (!s->frame_count) {
		strbuf_append_str(b, "        (stack unknown)");
		put_line(out, b);
	}
	for (size_t i = 0; i < s->frame_count; i++) {
		strbuf_append_str(b, "        ");
		render_frame(b, &s->frames[i]);
		put_line(out, b);
	}
}

static void
put_breach(FILE *out, const struct check *c, const struct check_breach *breach,
	const struct check_options *o, struct strbuf *b)
{
	size_t shown = check_shown(breach, o);

	strbuf_append_str(b, "  ");
	render_visible(b, text_from(breach->text));
	put_line(out, b);
	for (size_t i = 0; i < shown; i++)
		put_stack(out, &c->stacks[breach->stacks[i]], b);
	if (shown < breach->stack_count) {
		strbuf_printf(b, "    and %zu more %s", breach->stack_count - shown,
			by_count(breach->stack_count - shown, "stack", "stacks"));
		put_line(out, b);
	}
}

static void
put_budget(FILE *out, const struct check *c, const struct check_budget *budget,
	const struct check_options *o, struct strbuf *b)
{
	static const char *const verdicts[] = { "ok      ", "BROKEN  ", "skipped ", "UNKNOWN " };

	strbuf_append_str(b, verdicts[budget->verdict]);
	strbuf_append_char(b, ' ');
	render_visible(b, text_from(budget->name));
	if (budget->reason) {
		strbuf_append_str(b, ": ");
		render_visible(b, text_from(budget->reason));
	}
	put_line(out, b);
	for (size_t i = 0; i < budget->breach_count; i++)
		put_breach(out, c, &budget->breaches[i], o, b);
}

bool
check_write_text(FILE *out, const struct check *c, const struct check_options *o, struct error *err)
{
	struct strbuf b = STRBUF_INIT(RENDER_CELL_MAX_BYTES);

	strbuf_append_str(&b, "Check: ");
	render_set(&b, &c->set);
	strbuf_append_char(&b, '\n');
	put_line(out, &b);
	for (size_t i = 0; i < c->budget_count; i++)
		put_budget(out, c, &c->budgets[i], o, &b);
	strbuf_append_char(&b, '\n');
	check_summary(&b, c);
	put_line(out, &b);
	strbuf_release(&b);
	return render_check(out, err);
}
