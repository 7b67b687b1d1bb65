/* profdepot show: describes one result set. */
#include "app/set_json.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "store/set_names.h"

#include <string.h>

enum {
	SHOW_INDENT = 21 /* column at which a property's value begins */
};

struct show_options {
	const char *output;
};

static const struct option_spec show_specs[] = {
	{ "output", 0, OPTION_CHOICE, "FORMAT", "output format",
		offsetof(struct show_options, output), "text|json" },
	{ .name = NULL },
};

/* Prints the properties; a column name such as "app_version" becomes "app version". */
static void
text_properties(FILE *out, struct arena *a, const struct db_result *r)
{
	for (size_t i = 0; i < db_result_columns(r); i++) {
		char *name = arena_strdup(a, db_result_column_name(r, i));

		for (char *c = name; *c; c++)
			if (*c == '_')
				*c = ' ';
		struct text value = db_result_value(r, 0, i);

		if (text_is_empty(value))
			continue;
		if (db_result_column_type(r, i) == DB_TYPE_BOOL)
			value = text_from(db_result_bool(r, 0, i) ? "yes" : "no");
		fprintf(out, "%-20s ", name);
		terminal_print(out, value);
		putc('\n', out);
	}
}

static void
text_labels(FILE *out, const struct db_result *r)
{
	for (size_t i = 0; i < db_result_rows(r); i++) {
		fputs(i ? "                     " : "labels               ", out);
		terminal_print(out, db_result_value(r, i, 0));
		putc('=', out);
		terminal_print(out, db_result_value(r, i, 1));
		putc('\n', out);
	}
}

/* Prints the columns of r with these widths, beginning with column `first`. A column with a
 * negative width is left-aligned. Any further column is free text. */
static void
text_table(FILE *out, const char *title, const struct db_result *r, size_t first, const int *widths)
{
	if (db_result_rows(r) > 0)
		fprintf(out, "\n%s\n", title);
	for (size_t i = 0; i < db_result_rows(r); i++) {
		size_t column = first;

		putc(' ', out);
		for (const int *w = widths; *w; w++)
			terminal_printf(out, " %*s", *w, db_result_value(r, i, column++).data);
		if (column < db_result_columns(r)) {
			fputs("  ", out);
			terminal_print(out, db_result_value(r, i, column));
		}
		putc('\n', out);
	}
}

/* Prints the verdicts with the words of the command check. The depot has other words. */
static void
text_verdicts(FILE *out, const struct db_result *r)
{
	if (db_result_rows(r) > 0)
		fputs("\nbudgets\n", out);
	for (size_t i = 0; i < db_result_rows(r); i++) {
		const struct text verdict = db_result_value(r, i, 0);
		const char *word = text_equal(verdict, TEXT_LITERAL("passed"))   ? "met"
				   : text_equal(verdict, TEXT_LITERAL("broken")) ? "exceeded"
										 : verdict.data;

		terminal_printf(out, "  %*s", -8, word);
		terminal_printf(out, " %*s", -30, db_result_value(r, i, 1).data);
		fputs("  ", out);
		terminal_print(out, db_result_value(r, i, 2));
		putc('\n', out);
	}
}

static bool
show_text(struct command_call *call, const struct result_set_details *d, struct error *err)
{
	static const int coverage[] = { -20, -8, 0 };
	static const int counts[] = { -38, 12, 0 };
	static const int metrics[] = { -20, -8, -12, 0 };
	static const int issues[] = { -8, -18, 8, 0 };
	struct screen_text text;

	if (!screen_text_begin(&text, err))
		return false;
	text_properties(text.stream, call->arena, d->row);
	text_labels(text.stream, d->labels);
	text_table(text.stream, "looked for", d->coverage, 0, coverage);
	text_table(text.stream, "rows", d->counts, 0, counts);
	text_table(text.stream, "metrics", d->metrics, 1, metrics);
	text_verdicts(text.stream, d->verdicts);
	text_table(text.stream, "import issues", d->issues, 0, issues);
	screen_text_end(&text, call, SHOW_INDENT);
	return true;
}

static bool
show_set(struct command_call *call, struct db *db, struct error *err)
{
	const struct show_options *o = call->target;
	struct result_set_details d = { NULL };
	int64_t inst_id;
	bool ok = db_begin_snapshot(db, err) &&
		  set_name_find(db, call->operands.items[0], 0, &inst_id, err) &&
		  result_set_show(db, inst_id, &d, err);
	if (ok && strcmp(o->output, "json") == 0)
		set_details_json(call->out, call->arena, &d);
	else if (ok)
		ok = show_text(call, &d, err);
	result_set_details_release(&d);
	return ok;
}

static int
show_run(struct command_call *call, struct error *err)
{
	if (call->operands.count != 1) {
		error_set(err, ERROR_USAGE,
			call->operands.count ? "show takes one result set"
					     : "no result set was given");
		error_hint(err, "\"profdepot list\" lists the result sets");
		return -1;
	}
	return depot_run(call, DB_ROLE_READER, show_set, err);
}

const struct command command_show = {
	.name = "show",
	.operands = "SET",
	.summary = "describe a result set",
	.description =
		"Shows the metadata, labels, row counts, metrics, import issues and recorded verdicts of a result "
		"set.\n\n"
		"SET is an INST_ID, " COMMAND_SET_NAMES ".",
	.options = show_specs,
	.target_size = sizeof(struct show_options),
	.defaults = &(const struct show_options){ .output = "text" },
	.run = show_run,
	.paged = true,
};
