/* profdepot reports: lists the reports. */
#include "app/catalogue.h"
#include "base/json_writer.h"
#include "cmd/commands.h"

#include <stddef.h>

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
	fputs(r->order_count ? " --sort --top --skip\n  columns:" : "\n  columns:", out);
	for (size_t i = 0; i < r->column_count; i++)
		fprintf(out, " %s", r->columns[i].key);
	fputs("\n\n", out);
}

static int
reports_run(struct command_call *call, struct error *err)
{
	const struct reports_options *o = call->target;
	bool json = strcmp(o->output, "json") == 0;
	const struct report *r;
	struct json_writer w;

	if (call->operands.count) {
		error_set(err, ERROR_USAGE, "reports takes no operands");
		return -1;
	}
	json_writer_init(&w, call->out, true);
	if (json)
		json_begin_array(&w);
	for (size_t i = 0; (r = report_at(i)); i++) {
		if (json)
			report_describe_json(&w, r);
		else
			print_text(r, call->out);
	}
	if (json) {
		json_end_array(&w);
		fputc('\n', call->out);
	}
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
};
