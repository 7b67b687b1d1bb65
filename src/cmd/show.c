/* profdepot show: describes one result set. */
#include "app/set_json.h"
#include "cmd/commands.h"
#include "cmd/depot.h"
#include "store/set_names.h"

#include <string.h>

struct show_options {
	const char *output;
};

static const struct option_spec show_specs[] = {
	{ "output", 0, OPTION_CHOICE, "FORMAT", "output format",
		offsetof(struct show_options, output), "text|json", 0, 0 },
	{ .name = NULL },
};

static void
show_defaults(void *target)
{
	struct show_options *o = target;

	o->output = "text";
}

/* --- text ------------------------------------------------------------------------------------ */

static void
text_line(FILE *out, const char *name, struct text value)
{
	fprintf(out, "%-20s ", name);
	depot_print_text(out, value);
	putc('\n', out);
}

/* "app_version" as "app version". */
static void
text_properties(FILE *out, struct arena *a, const struct db_result *r)
{
	for (size_t i = 0; i < db_result_columns(r); i++) {
		char *name = arena_strdup(a, db_result_column_name(r, i));

		for (char *c = name; *c; c++)
			if (*c == '_')
				*c = ' ';
		if (!text_is_empty(db_result_value(r, 0, i)))
			text_line(out, name, db_result_value(r, 0, i));
	}
}

static void
text_labels(FILE *out, const struct db_result *r)
{
	for (size_t i = 0; i < db_result_rows(r); i++) {
		fputs(i ? "                     " : "labels               ", out);
		depot_print_text(out, db_result_value(r, i, 0));
		putc('=', out);
		depot_print_text(out, db_result_value(r, i, 1));
		putc('\n', out);
	}
}

/* Prints the columns of r with these widths, beginning with column `first`; a negative width is
 * left-aligned. Any further column is free text. */
static void
text_counts(FILE *out, const struct db_result *r)
{
	fputs("\nrows\n", out);
	for (size_t i = 0; i < db_result_rows(r); i++)
		fprintf(out, "  %-38s %12s\n", db_result_value(r, i, 0).data,
			db_result_value(r, i, 1).data);
}

static void
text_metrics(FILE *out, const struct db_result *r)
{
	if (db_result_rows(r) == 0)
		return;
	fputs("\nmetrics\n", out);
	for (size_t i = 0; i < db_result_rows(r); i++) {
		fprintf(out, "  %-20s %-8s %-12s  ", db_result_value(r, i, 1).data,
			db_result_value(r, i, 2).data, db_result_value(r, i, 3).data);
		depot_print_text(out, db_result_value(r, i, 4));
		putc('\n', out);
	}
}

static void
text_issues(FILE *out, const struct db_result *r)
{
	if (db_result_rows(r) == 0)
		return;
	fputs("\nimport issues\n", out);
	for (size_t i = 0; i < db_result_rows(r); i++) {
		fprintf(out, "  %-8s %-18s %8s  ", db_result_value(r, i, 0).data,
			db_result_value(r, i, 1).data, db_result_value(r, i, 2).data);
		depot_print_text(out, db_result_value(r, i, 3));
		putc('\n', out);
	}
}

static int
show_run(struct command_call *call, struct error *err)
{
	const struct show_options *o = call->target;
	struct result_set_details d = { NULL };
	int64_t inst_id;
	struct db *db;
	bool ok;

	if (call->operands.count != 1) {
		error_set(err, ERROR_USAGE,
			call->operands.count ? "show takes one result set"
					     : "no result set was given");
		error_hint(err, "\"profdepot list\" lists the result sets");
		return -1;
	}
	db = depot_open(call, DB_ROLE_READER, err);
	if (!db)
		return -1;
	ok = db_begin_snapshot(db, err) &&
	     set_name_find(db, call->operands.items[0], 0, &inst_id, err) &&
	     result_set_show(db, inst_id, &d, err);
	if (ok && strcmp(o->output, "json") == 0) {
		set_details_json(call->out, call->arena, &d);
	} else if (ok) {
		text_properties(call->out, call->arena, d.row);
		text_labels(call->out, d.labels);
		text_counts(call->out, d.counts);
		text_metrics(call->out, d.metrics);
		text_issues(call->out, d.issues);
	}
	result_set_details_release(&d);
	db_rollback(db);
	db_close(db);
	return ok ? 0 : -1;
}

const struct command command_show = {
	.name = "show",
	.operands = "SET",
	.summary = "describe a result set",
	.description =
		"Shows the metadata, labels, row counts, metrics and import issues of a result set.\n\n"
		"SET is an INST_ID, " COMMAND_SET_NAMES ".",
	.options = show_specs,
	.target_size = sizeof(struct show_options),
	.defaults = show_defaults,
	.run = show_run,
};
