/* Writes suppressions for a report's rows instead of the rows. */
#include "analysis/suppress_write.h"
#include "base/pair_map.h"
#include "suppressions_private.h"

#include <stdlib.h>

enum {
	TEXT_MAX_BYTES = 1024 * 1024 /* limit for one entry */
};

struct suppression_sink {
	struct table_sink sink;
	FILE *out;
	enum suppress_syntax syntax;
	bool is_leak;
	int stack, kind, what; /* column indexes; -1 if absent */
	struct arena arena;    /* data of one row */
	struct pair_map seen;  /* entries that were written */
	uint64_t silent;       /* number of records without a named frame */
};

static int
find_column(const struct table_head *head, const char *key)
{
	for (size_t i = 0; i < head->column_count; i++)
		if (strcmp(head->columns[i].key, key) == 0)
			return (int)i;
	return -1;
}

static bool
sink_begin(struct table_sink *base, const struct table_head *head, struct error *err)
{
	struct suppression_sink *s = (struct suppression_sink *)base;

	s->is_leak = strcmp(head->report, "errors") != 0;
	s->stack = find_column(head, "stack");
	/* For AQTime errors, kind is the severity, and name is the function that failed. */
	s->kind = find_column(head, "name");
	if (s->is_leak || s->kind < 0)
		s->kind = find_column(head, "kind");
	s->what = find_column(head, "description");
	if (s->stack >= 0 && (strcmp(head->report, "leaks") == 0 || !s->is_leak))
		return true;
	error_set(err, ERROR_USAGE, "option --gen-suppressions: this report shows no stacks of %s",
		"leaks or errors");
	return error_hint(err, "use report leaks or report errors, with a --by that shows stacks");
}

static bool
sink_set_begin(struct table_sink *base, const struct table_set *set, struct error *err)
{
	struct suppression_sink *s = (struct suppression_sink *)base;

	(void)err;
	if (!text_is_null(set->inst_id))
		fprintf(s->out, "# result set %.*s\n", (int)set->inst_id.size, set->inst_id.data);
	s->silent = 0;
	return true;
}

static struct text
cell_text(const struct table_cell *cells, int column)
{
	return column >= 0 ? cells[column].text : TEXT_NULL;
}

/* Returns "leak in F", where F called the allocator, or "error in F", where F is the error's innermost frame. */
static const char *
entry_name(struct suppression_sink *s, const struct table_cell *stack)
{
	const char *what = s->is_leak ? "leak" : "error";
	size_t i = s->is_leak && stack->frame_count > 1 ? 1 : 0;
	struct text name = stack->frame_count ? stack->frames[i].routine_name : TEXT_NULL;

	name.size = (size_t)text_precision(name, 100);
	return name.size ? arena_printf(
				   &s->arena, "%s in %s", what, suppression_line(&s->arena, name))
			 : arena_printf(&s->arena, "%s", what);
}

static bool
sink_row(struct table_sink *base, const struct table_cell *cells, struct error *err)
{
	struct suppression_sink *s = (struct suppression_sink *)base;
	const struct table_cell *stack = &cells[s->stack];
	struct suppress_routine *frames =
		arena_alloc_array(&s->arena, stack->frame_count, sizeof(*frames));
	struct suppress_subject subject = { .is_leak = s->is_leak,
		.kind = cell_text(cells, s->kind),
		.what = cell_text(cells, s->what) };
	struct strbuf b;
	bool is_new;

	(void)err;
	for (size_t i = 0; i < stack->frame_count; i++)
		frames[i] = (struct suppress_routine){ .symbol = stack->frames[i].symbol,
			.name = stack->frames[i].routine_name,
			.class_name = stack->frames[i].class_name,
			.module = stack->frames[i].module_name,
			.file = stack->frames[i].source_file };
	strbuf_init(&b, TEXT_MAX_BYTES);
	if (suppress_write(&b, s->syntax, entry_name(s, stack), &subject, frames,
		    stack->frame_count) == SUPPRESS_NAMELESS)
		s->silent++;
	else if (pair_map_add_bytes(&s->seen, b.data, b.size, 0, &is_new) == 0 && is_new)
		fwrite(b.data, 1, b.size, s->out);
	strbuf_release(&b);
	arena_reset(&s->arena);
	return true;
}

static bool
sink_set_end(struct table_sink *base, const struct table_foot *foot, struct error *err)
{
	struct suppression_sink *s = (struct suppression_sink *)base;

	(void)foot;
	if (s->silent)
		fprintf(s->out, "# %llu %s no name in any frame and cannot be suppressed\n",
			(unsigned long long)s->silent,
			by_count(s->silent, "record has", "records have"));
	if (ferror(s->out))
		return error_set_errno(err, ERROR_FILE, "writing suppressions");
	return true;
}

static bool
sink_end(struct table_sink *base, struct error *err)
{
	struct suppression_sink *s = (struct suppression_sink *)base;

	if (fflush(s->out) != 0)
		return error_set_errno(err, ERROR_FILE, "writing suppressions");
	return true;
}

struct table_sink *
suppression_sink_new(FILE *out, enum suppress_syntax syntax)
{
	struct suppression_sink *s = xcalloc(1, sizeof(*s));

	s->sink =
		(struct table_sink){ sink_begin, sink_set_begin, sink_row, sink_set_end, sink_end };
	s->out = out;
	s->syntax = syntax;
	s->arena = ARENA_INIT;
	return &s->sink;
}

void
suppression_sink_free(struct table_sink *base)
{
	struct suppression_sink *s = (struct suppression_sink *)base;

	if (!s)
		return;
	pair_map_release(&s->seen);
	arena_release(&s->arena);
	free(s);
}
