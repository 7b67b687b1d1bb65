/*
 * JUnit XML in the form that Jenkins, GitLab and Azure read: one test case per budget. An exceeded
 * budget becomes a failure. A budget that could not be judged becomes an error.
 */
#include "check_private.h"

/* Replaces U+FFFE and U+FFFF with U+FFFD. XML forbids these two characters, and render_visible does
 * not change them. */
static void
put_xml(FILE *out, struct text t, bool attribute)
{
	for (size_t i = 0; i < t.size; i++) {
		if (t.size - i >= 3 && (memcmp(t.data + i, "\xef\xbf\xbe", 3) == 0 ||
					       memcmp(t.data + i, "\xef\xbf\xbf", 3) == 0)) {
			fputs("\xef\xbf\xbd", out);
			i += 2;
			continue;
		}
		if (t.data[i] && strchr(attribute ? "<>&\"" : "<>&", t.data[i]))
			fputs(render_entity(t.data[i]), out);
		else
			putc(t.data[i], out);
	}
}

static void
put_attribute(FILE *out, const char *name, const char *value, struct strbuf *b)
{
	strbuf_reset(b);
	render_visible(b, text_from(value));
	fprintf(out, " %s=\"", name);
	put_xml(out, strbuf_text(b), true);
	putc('"', out);
}

static void
put_line(FILE *out, struct strbuf *b)
{
	strbuf_append_char(b, '\n');
	put_xml(out, strbuf_text(b), false);
	strbuf_reset(b);
}

static void
put_stacks(FILE *out, const struct check *c, const struct check_breach *breach,
	const struct check_options *o, struct strbuf *b)
{
	strbuf_reset(b);
	render_visible(b, text_from(breach->text));
	put_line(out, b);
	for (size_t i = 0; i < check_shown(breach, o); i++) {
		const struct check_stack *s = &c->stacks[breach->stacks[i]];

		strbuf_append_char(b, '\n');
		check_stack_label(b, s);
		put_line(out, b);
		for (size_t n = 0; n < s->frame_count; n++) {
			strbuf_append_str(b, "    ");
			render_frame(b, &s->frames[n]);
			put_line(out, b);
		}
	}
}

static void
put_failure(FILE *out, const struct check *c, const struct check_budget *budget,
	const struct check_options *o, struct strbuf *b)
{
	fputs("    <failure type=\"budget\"", out);
	put_attribute(out, "message", budget->breaches[0].text, b);
	fputs(">", out);
	for (size_t i = 0; i < budget->breach_count; i++)
		put_stacks(out, c, &budget->breaches[i], o, b);
	fputs("</failure>\n", out);
}

static void
put_case(FILE *out, const struct check *c, const struct check_budget *budget,
	const struct check_options *o, struct strbuf *b)
{
	fputs("  <testcase classname=\"profdepot\"", out);
	put_attribute(out, "name", budget->name, b);
	fputs(" time=\"0\"", out);
	if (budget->verdict == CHECK_PASSED) {
		fputs("/>\n", out);
		return;
	}
	fputs(">\n", out);
	if (budget->verdict == CHECK_BROKEN) {
		put_failure(out, c, budget, o, b);
	} else {
		fputs(budget->verdict == CHECK_SKIPPED ? "    <skipped"
						       : "    <error type=\"unjudged\"",
			out);
		put_attribute(out, "message", budget->reason ? budget->reason : "", b);
		fputs("/>\n", out);
	}
	fputs("  </testcase>\n", out);
}

static void
put_counts(FILE *out, const struct check *c)
{
	fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"0\"",
		c->budget_count, c->verdicts[CHECK_BROKEN], c->verdicts[CHECK_UNJUDGED],
		c->verdicts[CHECK_SKIPPED]);
}

bool
check_write_junit(
	FILE *out, const struct check *c, const struct check_options *o, struct error *err)
{
	struct strbuf b, label;

	strbuf_init(&b, RENDER_CELL_MAX_BYTES);
	strbuf_init(&label, RENDER_CELL_MAX_BYTES);
	render_set(&label, &c->set);
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"profdepot\"", out);
	put_counts(out, c);
	fputs(">\n <testsuite", out);
	put_attribute(out, "name", strbuf_str(&label), &b);
	put_counts(out, c);
	fputs(">\n", out);
	for (size_t i = 0; i < c->budget_count; i++)
		put_case(out, c, &c->budgets[i], o, &b);
	fputs(" </testsuite>\n</testsuites>\n", out);
	strbuf_release(&b);
	strbuf_release(&label);
	return render_check(out, err);
}
