/*
 * A check as a pull request comment: GitHub's Markdown, with stacks that can be unfolded. Stacks are in
 * <pre>, where only HTML's reserved characters are special.
 */
#include "check_private.h"

static void
put_html(FILE *out, struct text t)
{
	for (size_t i = 0; i < t.size; i++) {
		const char c = t.data[i];

		if (c == '<' || c == '>' || c == '&')
			fputs(render_entity(c), out);
		else if (c == '@' || c == '#') /* prevents user mentions and links to issues */
			fprintf(out, "&#%d;", c);
		else
			putc(c, out);
	}
}

static void
put_visible(FILE *out, const char *s, struct strbuf *b)
{
	strbuf_reset(b);
	render_visible(b, text_from(s));
	render_markdown_text(out, strbuf_text(b));
}

static void
put_stack(FILE *out, const struct check_stack *s, struct strbuf *b)
{
	fputs("\n<details><summary>", out);
	strbuf_reset(b);
	check_stack_label(b, s);
	put_html(out, strbuf_text(b));
	fputs("</summary>\n\n<pre>", out);
	if (!s->frame_count)
		fputs("(stack unknown)\n", out);
	for (size_t i = 0; i < s->frame_count; i++) {
		strbuf_reset(b);
		render_frame(b, &s->frames[i]);
		strbuf_append_char(b, '\n');
		put_html(out, strbuf_text(b));
	}
	fputs("</pre>\n</details>\n", out);
}

static void
put_breach(FILE *out, const struct check *c, const struct check_breach *breach,
	const struct check_options *o, struct strbuf *b)
{
	size_t shown = check_shown(breach, o);

	putc('\n', out);
	put_visible(out, breach->text, b);
	putc('\n', out);
	for (size_t i = 0; i < shown; i++)
		put_stack(out, &c->stacks[breach->stacks[i]], b);
	if (shown < breach->stack_count)
		fprintf(out, "\nand %zu more %s\n", breach->stack_count - shown,
			by_count(breach->stack_count - shown, "stack", "stacks"));
}

static void
put_table(FILE *out, const struct check *c, struct strbuf *b)
{
	static const char *const verdicts[] = { "met", "**exceeded**", "skipped",
		"**could not be judged**" };

	fputs("\n| Budget | Verdict | |\n| --- | --- | --- |\n", out);
	for (size_t i = 0; i < c->budget_count; i++) {
		const struct check_budget *budget = &c->budgets[i];

		fputs("| ", out);
		put_visible(out, budget->name, b);
		fprintf(out, " | %s | ", verdicts[budget->verdict]);
		if (budget->reason)
			put_visible(out, budget->reason, b);
		else if (budget->breach_count)
			put_visible(out, budget->breaches[0].text, b);
		if (budget->breach_count > 1)
			fprintf(out, " and %zu more", budget->breach_count - 1);
		fputs(" |\n", out);
	}
}

bool
check_write_markdown(
	FILE *out, const struct check *c, const struct check_options *o, struct error *err)
{
	struct strbuf b = STRBUF_INIT(RENDER_CELL_MAX_BYTES);

	check_summary(&b, c);
	fputs("## profdepot: ", out);
	render_markdown_text(out, strbuf_text(&b));
	fputs("\n\n", out);
	strbuf_reset(&b);
	render_set(&b, &c->set);
	render_markdown_text(out, strbuf_text(&b));
	putc('\n', out);
	put_table(out, c, &b);
	for (size_t i = 0; i < c->budget_count; i++) {
		if (!c->budgets[i].breach_count)
			continue;
		fputs("\n### ", out);
		put_visible(out, c->budgets[i].name, &b);
		putc('\n', out);
		for (size_t n = 0; n < c->budgets[i].breach_count; n++)
			put_breach(out, c, &c->budgets[i].breaches[n], o, &b);
	}
	strbuf_release(&b);
	return render_check(out, err);
}
