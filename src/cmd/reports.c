/* profdepot reports: lists the reports. */
#include "app/catalogue.h"
#include "app/dossier.h"
#include "base/json_writer.h"
#include "cmd/commands.h"

#include <stddef.h>

enum {
	REPORTS_INDENT = 4
};

struct reports_options {
	const char *output;
};

static const struct option_spec specs[] = {
	{ "output", 'o', OPTION_CHOICE, "FORMAT", "output format",
		offsetof(struct reports_options, output), "text|json" },
	{ .name = NULL },
};

static void
print_text(const struct report *r, FILE *out)
{
	fprintf(out, "%s%s%s\n  %s\n", r->name, r->by ? " --by " : "", r->by ? r->by : "",
		r->title);
	fputs("  options:", out);
	for (size_t i = 0; i < r->param_count; i++)
		if (*report_param_infos[r->params[i]].option && r->params[i] != REPORT_BY)
			fprintf(out, " --%s", report_param_infos[r->params[i]].option);
	fputs(r->order_count ? " --sort --top --skip\n" : "\n", out);
	if (r->column_count)
		fputs("  columns:", out);
	else
		fprintf(out, "  %s", r->note);
	for (size_t i = 0; i < r->column_count; i++)
		fprintf(out, " %s", r->columns[i].key);
	fputs("\n\n", out);
}

static void
print_json(FILE *out)
{
	struct json_writer w;
	const struct report *r;

	json_writer_init(&w, out, true);
	json_begin_array(&w);
	for (size_t i = 0; (r = report_at(i)); i++)
		report_describe_json(&w, r);
	report_describe_json(&w, &dossier_report);
	json_end_array(&w);
	fputc('\n', out);
}

static int
reports_run(struct command_call *call, struct error *err)
{
	const struct reports_options *o = call->target;
	const struct report *r;
	struct screen_text text;

	if (call->operands.count) {
		error_set(err, ERROR_USAGE, "reports takes no operands");
		return -1;
	}
	if (strcmp(o->output, "json") == 0) {
		print_json(call->out);
		return 0;
	}
	if (!screen_text_begin(&text, err))
		return -1;
	for (size_t i = 0; (r = report_at(i)); i++)
		print_text(r, text.stream);
	print_text(&dossier_report, text.stream);
	screen_text_end(&text, call, REPORTS_INDENT);
	return 0;
}

const struct command command_reports = {
	.name = "reports",
	.operands = NULL,
	.summary = "list the reports with their options and columns",
	.description = "Lists every report with its title, options and columns.",
	.options = specs,
	.target_size = sizeof(struct reports_options),
	.defaults = &(const struct reports_options){ .output = "text" },
	.run = reports_run,
	.paged = true,
};
