/*
 * GitHub Actions workflow commands, which become annotations in a pull request: "::error
 * file=F,line=N,title=T::MESSAGE". In a message, '%', CR and LF are escaped as %25, %0D and
 * %0A. In a property, ':' and ',' are also escaped.
 */
#include "check_private.h"

static void
put_escaped(FILE *out, struct text t, bool property)
{
	for (size_t i = 0; i < t.size; i++) {
		unsigned char c = (unsigned char)t.data[i];

		if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
			fprintf(out, "%%%02X", c);
		else
			putc(c, out);
	}
}

static void
put_title(FILE *out, const struct check_budget *budget, struct strbuf *b)
{
	strbuf_reset(b);
	strbuf_append_str(b, "profdepot: ");
	render_visible(b, text_from(budget->name));
	fputs("title=", out);
	put_escaped(out, strbuf_text(b), true);
}

static void
put_place(
	FILE *out, const struct table_frame *place, const struct check_options *o, struct strbuf *b)
{
	strbuf_reset(b);
	check_source_path(b, place->source_file, o);
	fputs("file=", out);
	put_escaped(out, strbuf_text(b), true);
	if (place->source_line > 0)
		fprintf(out, ",line=%lld", (long long)place->source_line);
	putc(',', out);
}

/* Writes one annotation for each stack that has a source line; the message contains the stack. */
static void
put_stack(FILE *out, const struct check_budget *budget, const struct check_breach *breach,
	const struct check_stack *s, const struct check_options *o, struct strbuf *b)
{
	fputs("::error ", out);
	if (check_place(s))
		put_place(out, check_place(s), o, b);
	put_title(out, budget, b);
	strbuf_reset(b);
	render_visible(b, text_from(breach->text));
	strbuf_append_char(b, '\n');
	check_stack_message(b, s);
	for (size_t i = 0; i < s->frame_count; i++) {
		strbuf_append_str(b, "\n    ");
		render_frame(b, &s->frames[i]);
	}
	fputs("::", out);
	put_escaped(out, strbuf_text(b), false);
	putc('\n', out);
}

static void
put_message(FILE *out, const struct check_budget *budget, const char *command, const char *text,
	struct strbuf *b)
{
	fprintf(out, "::%s ", command);
	put_title(out, budget, b);
	strbuf_reset(b);
	render_visible(b, text_from(text));
	fputs("::", out);
	put_escaped(out, strbuf_text(b), false);
	putc('\n', out);
}

bool
check_write_github(
	FILE *out, const struct check *c, const struct check_options *o, struct error *err)
{
	struct strbuf b = STRBUF_INIT(RENDER_CELL_MAX_BYTES);

	for (size_t i = 0; i < c->budget_count; i++) {
		const struct check_budget *budget = &c->budgets[i];

		if (budget->reason)
			put_message(out, budget,
				budget->verdict == CHECK_SKIPPED ? "notice" : "error",
				budget->reason, &b);
		for (size_t n = 0; n < budget->breach_count; n++) {
			const struct check_breach *breach = &budget->breaches[n];

			for (size_t k = 0; k < check_shown(breach, o); k++)
				put_stack(
					out, budget, breach, &c->stacks[breach->stacks[k]], o, &b);
			if (!breach->stack_count)
				put_message(out, budget, "error", breach->text, &b);
		}
	}
	strbuf_release(&b);
	return render_check(out, err);
}
