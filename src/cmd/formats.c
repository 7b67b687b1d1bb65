/* profdepot formats: lists the formats. */
#include "cmd/commands.h"

#include "app/catalogue.h"
#include "format/format.h"

#include <string.h>

struct formats_options {
	const char *output;
};

static const struct option_spec formats_specs[] = {
	{ "output", 0, OPTION_CHOICE, "FORMAT", "output format",
		offsetof(struct formats_options, output), "text|json" },
	{ .name = NULL },
};

/* The extension of exported files. */
static const char *
extension(const struct format *f)
{
	return f->writes && f->extension ? f->extension : f->writes ? "(folder)" : "";
}

static void
print_text(FILE *out)
{
	size_t width = 0;

	for (size_t i = 0; formats[i]; i++)
		if (strlen(formats[i]->name) > width)
			width = strlen(formats[i]->name);
	for (size_t i = 0; formats[i]; i++)
		fprintf(out, "%-*s %-4s %-6s %-15s %s\n", (int)width, formats[i]->name,
			formats[i]->reads ? "load" : "", formats[i]->writes ? "export" : "",
			extension(formats[i]), formats[i]->title);
}

static int
formats_run(struct command_call *call, struct error *err)
{
	const struct formats_options *o = call->target;

	if (call->operands.count) {
		error_set(err, ERROR_USAGE, "formats takes no operands");
		return -1;
	}
	if (strcmp(o->output, "json") == 0)
		formats_json(call->out);
	else
		print_text(call->out);
	return 0;
}

const struct command command_formats = {
	.name = "formats",
	.summary = "list the formats that profdepot reads and writes",
	.description =
		"Lists the formats, whether each can be loaded and exported, and the extension of "
		"written files. JSON output also says how an input of each format is recognised.",
	.options = formats_specs,
	.target_size = sizeof(struct formats_options),
	.defaults = &(const struct formats_options){ .output = "text" },
	.run = formats_run,
};
