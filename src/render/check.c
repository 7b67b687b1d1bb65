/* Labels and figures that the check writers share. */
#include "check_private.h"

const char *
check_verdict_name(enum check_verdict v)
{
#define CHECK_VERDICT_WORD(code, word) word,
	static const char *const words[] = { CHECK_VERDICT_TABLE(CHECK_VERDICT_WORD) };
#undef CHECK_VERDICT_WORD

	return words[v];
}

void
check_source_path(struct strbuf *b, struct text file, const struct check_options *o)
{
	size_t root = o->source_root ? strlen(o->source_root) : 0;
	size_t from = 0;

	while (root && (o->source_root[root - 1] == '/' || o->source_root[root - 1] == '\\'))
		root--;
	if (root && file.size > root + 1 && memcmp(file.data, o->source_root, root) == 0 &&
		(file.data[root] == '/' || file.data[root] == '\\'))
		from = root + 1;
	for (size_t i = from; i < file.size; i++)
		strbuf_append_char(b, file.data[i] == '\\' ? '/' : file.data[i]);
}

static void
append_figure(struct strbuf *b, const struct table_column *c, struct text t)
{
	const struct table_cell cell = { .text = t };

	render_figure(b, c, &cell);
}

static void
append_change(struct strbuf *b, const struct table_column *of, struct text t)
{
	struct table_column c = *of;
	const struct table_cell cell = { .text = t };

	if (text_is_empty(t) || text_equal(t, TEXT_LITERAL("0")))
		return;
	c.change = true;
	strbuf_append_str(b, " (");
	render_cell(b, &c, &cell);
	strbuf_append_char(b, ')');
}

static void
append_name(struct strbuf *b, struct text t)
{
	if (text_is_empty(t))
		return;
	strbuf_append_str(b, "  ");
	render_visible(b, t);
}

/* The sign of a change; 0 if nothing was compared. */
static int
sign(struct text digits)
{
	if (text_is_empty(digits) || text_equal(digits, TEXT_LITERAL("0")))
		return 0;
	return digits.data[0] == '-' ? -1 : 1;
}

const char *
check_state_word(const struct check_stack *s)
{
	static const char *const words[] = { NULL, "new", NULL, "same", "gone" };
	int change = sign(s->count_change);

	if (s->state != CHECK_UPDATED)
		return words[s->state];
	return (change ? change : sign(s->value_change)) < 0 ? "shrunk" : "grown";
}

/* Returns the word that messages use for the stack's state; NULL for an unchanged stack. */
static const char *
shown_word(const struct check_stack *s)
{
	return s->state == CHECK_UNCHANGED ? NULL : check_state_word(s);
}

void
check_stack_label(struct strbuf *b, const struct check_stack *s)
{
	const struct table_column count = { .title = s->fact == CHECK_ERROR ? "Errors" : "Objects",
		.kind = TABLE_INTEGER,
		.unit = TABLE_UNIT_COUNT };
	const struct table_column size = {
		.title = "Size", .kind = TABLE_INTEGER, .unit = TABLE_UNIT_BYTES
	};
	const struct table_column value = { .title = "Value", .kind = TABLE_DECIMAL };

	if (s->fact == CHECK_MEASURE) {
		append_figure(b, &value, s->value);
		strbuf_append_char(b, ' ');
		strbuf_append_text(b, s->unit);
		append_change(b, &value, s->value_change);
	} else {
		append_figure(b, &count, s->count);
		append_change(b, &count, s->count_change);
	}
	if (s->fact == CHECK_LEAK && !text_is_null(s->value)) {
		strbuf_append_str(b, ", ");
		append_figure(b, &size, s->value);
		append_change(b, &size, s->value_change);
	}
	if (shown_word(s))
		strbuf_printf(b, ", %s", shown_word(s));
	append_name(b, s->kind);
	append_name(b, s->class_name);
	append_name(b, s->module_name);
	append_name(b, s->description);
}

/* "definite" becomes "definitely lost". */
static const char *
leak_words(struct text kind)
{
	static const struct {
		const char *kind, *words;
	} known[] = {
		{ "definite", "definitely lost" },
		{ "direct", "directly lost" },
		{ "indirect", "indirectly lost" },
		{ "possible", "possibly lost" },
		{ "reachable", "still reachable" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (text_equal(kind, text_from(known[i].kind)))
			return known[i].words;
	return "not released";
}

static void
append_number(struct strbuf *b, struct text digits, const char *one, const char *many)
{
	bool single = text_equal(digits, TEXT_LITERAL("1"));

	render_grouped(b, digits);
	strbuf_printf(b, " %s", single ? one : many);
}

/* The part of a path after the last slash or backslash. */
static struct text
base_name(struct text path)
{
	size_t from = path.size;

	while (from && path.data[from - 1] != '/' && path.data[from - 1] != '\\')
		from--;
	return (struct text){ path.data + from, path.size - from };
}

/* Appends " in import_csv, shop.c:9". If the source file is unknown, appends the module instead. */
static void
append_place(struct strbuf *b, const struct check_stack *s)
{
	const struct table_frame *f = &s->frames[s->place];
	struct text file;

	if (s->place >= s->frame_count)
		return;
	strbuf_append_str(b, " in ");
	render_routine(b, f);
	file = text_is_empty(f->source_file) ? f->module_name : f->source_file;
	if (text_is_empty(file))
		return;
	strbuf_append_str(b, ", ");
	render_visible(b, base_name(file));
	if (!text_is_empty(f->source_file) && f->source_line != TABLE_NO_LINE)
		strbuf_printf(b, ":%lld", (long long)f->source_line);
}

static void
append_leak(struct strbuf *b, const struct check_stack *s)
{
	bool known = !text_is_null(s->value);
	bool sized = known && !text_equal(s->value, TEXT_LITERAL("0"));
	bool resource = text_is_empty(s->kind);

	if (resource) {
		append_number(b, s->count, "object", "objects");
		if (!text_is_empty(s->class_name)) {
			strbuf_append_str(b, " of ");
			render_visible(b, s->class_name);
		}
	}
	if (resource && sized)
		strbuf_append_str(b, " with ");
	if (known && (sized || !resource))
		append_number(b, s->value, "byte", "bytes");
	if (!resource) {
		strbuf_append_str(b, known ? " in " : "");
		append_number(b, s->count, "block", "blocks");
	}
	strbuf_printf(b, " %s", leak_words(s->kind));
	append_place(b, s);
}

static void
append_error(struct strbuf *b, const struct check_stack *s)
{
	if (text_is_empty(s->description))
		render_visible(b, text_is_empty(s->kind) ? TEXT_LITERAL("error") : s->kind);
	else
		render_visible(b, s->description);
	append_place(b, s);
	if (!text_is_empty(s->description) && !text_is_empty(s->kind)) {
		strbuf_append_str(b, " [");
		render_visible(b, s->kind);
		strbuf_append_char(b, ']');
	}
	if (text_equal(s->count, TEXT_LITERAL("1")))
		return;
	strbuf_append_str(b, ", ");
	append_number(b, s->count, "time", "times");
}

void
check_stack_message(struct strbuf *b, const struct check_stack *s)
{
	if (s->fact == CHECK_MEASURE) {
		check_stack_label(b, s);
		return;
	}
	if (s->fact == CHECK_LEAK)
		append_leak(b, s);
	else
		append_error(b, s);
	if (shown_word(s))
		strbuf_printf(b, " (%s)", shown_word(s));
}

void
check_summary(struct strbuf *b, const struct check *c)
{
	const size_t *n = c->verdicts;

	if (n[CHECK_BROKEN])
		strbuf_printf(b, "%zu of %zu %s exceeded", n[CHECK_BROKEN], c->budget_count,
			by_count(c->budget_count, "budget", "budgets"));
	else
		strbuf_printf(b, "%zu of %zu %s met", n[CHECK_PASSED], c->budget_count,
			by_count(c->budget_count, "budget", "budgets"));
	if (n[CHECK_UNJUDGED])
		strbuf_printf(b, ", %zu could not be judged", n[CHECK_UNJUDGED]);
	if (n[CHECK_SKIPPED])
		strbuf_printf(b, ", %zu skipped", n[CHECK_SKIPPED]);
	if (!text_is_null(c->suppressed)) {
		strbuf_append_str(b, "; suppressed: ");
		strbuf_append_text(b, c->suppressed);
	}
}

const struct table_frame *
check_place(const struct check_stack *s)
{
	return s->place < s->frame_count && !text_is_empty(s->frames[s->place].source_file)
		       ? &s->frames[s->place]
		       : NULL;
}
