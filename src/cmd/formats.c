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

/* Returns the extension of exported files. */
static const char *
extension(const struct format *f)
{
	return f->writes && f->extension ? f->extension : f->writes ? "(folder)" : "";
}

/* Prints what an export in this format does not contain. Some formats can export only result sets that
 * were loaded from the same format. */
static void
print_losses(FILE *out, const struct format *f)
{
	const char *separator = " ";

	if (!f->writes || f->carries == CONTENT_ALL)
		return;
	fprintf(out, "  %s:", f->name);
	for (unsigned c = 0; f->carries && c < CONTENTS; c++) {
		if (f->carries & CONTENT_BIT(c))
			continue;
		fprintf(out, "%s%s", separator, content_title((enum content)c));
		separator = "; ";
	}
	fprintf(out, "%s\n", f->carries ? "" : " such a result set cannot be exported");
}

/* Prints the formats. Returns the output column in which the formats' titles begin. */
static size_t
print_text(FILE *out)
{
	size_t width = 0;
	size_t column = 0;

	for (size_t i = 0; formats[i]; i++)
		if (strlen(formats[i]->name) > width)
			width = strlen(formats[i]->name);
	for (size_t i = 0; formats[i]; i++) {
		int before = fprintf(out, "%-*s %-4s %-6s %-15s ", (int)width, formats[i]->name,
			formats[i]->reads ? "load" : "", formats[i]->writes ? "export" : "",
			extension(formats[i]));

		fprintf(out, "%s\n", formats[i]->title);
		column = (size_t)before;
	}
	fputs("\nIf a result set was loaded from another format, its export does not contain:\n",
		out);
	for (size_t i = 0; formats[i]; i++)
		print_losses(out, formats[i]);
	fputs("\nOnly AQTime exports contain labels and the run.\n", out);
	return column;
}

static int
formats_run(struct command_call *call, struct error *err)
{
	const struct formats_options *o = call->target;
	struct screen_text text;
	size_t indent;

	if (call->operands.count) {
		error_set(err, ERROR_USAGE, "formats takes no operands");
		return -1;
	}
	if (strcmp(o->output, "json") == 0) {
		formats_json(call->out);
	} else {
		if (!screen_text_begin(&text, err))
			return -1;
		indent = print_text(text.stream);
		screen_text_end(&text, call, indent);
	}
	return 0;
}

const struct command command_formats = {
	.name = "formats",
	.summary = "list the formats that profdepot reads and writes",
	.description =
		"Lists the formats. For each format, shows whether it can be loaded and exported, "
		"the extension of written files, and the data that an export omits. JSON output "
		"also says how an input of the format is recognised.",
	.options = formats_specs,
	.target_size = sizeof(struct formats_options),
	.defaults = &(const struct formats_options){ .output = "text" },
	.run = formats_run,
	.paged = true,
};
