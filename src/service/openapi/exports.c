/* Types and parameters of exports, made from the table of formats. */
#include "openapi_private.h"

#include "app/exports.h"

#include <string.h>

/* Names that are not formats: the format of the input, and stacks as lines. */
static const char *const others[] = { "own", "folded" };

enum {
	OTHERS = sizeof(others) / sizeof(others[0])
};

bool
openapi_is_expanded(const char *part)
{
	return strcmp(part, "report") == 0 || strcmp(part, "format") == 0;
}

static const char *
export_at(size_t i)
{
	if (i < OTHERS)
		return others[i];
	i -= OTHERS;
	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->writes && i-- == 0)
			return (*f)->name;
	return NULL;
}

const char *
openapi_next_export(const char *name)
{
	size_t i = 0;

	while (name && strcmp(export_at(i++), name) != 0)
		;
	return export_at(i);
}

const char *
openapi_export_types(const char *name)
{
	if (strcmp(name, "own") == 0)
		return "application/json application/x-tar";
	return strcmp(name, "folded") == 0 ? "text/plain" : export_type(format_find(name));
}

const char *
openapi_export_type(const char *name)
{
	static const struct {
		const char *format, *type;
	} types[] = { { "own", "ChromeTrace|Speedscope|EventBatches|Profiles" },
		{ "chrome", "ChromeTrace" }, { "speedscope", "Speedscope" },
		{ "kernelscope", "EventBatches" }, { "miniprofiler", "Profiles" } };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].format, name) == 0)
			return types[i].type;
	return "any";
}

bool
openapi_export_takes(const char *name, const char *parameter)
{
	const struct format *f = format_find(name);

	if (strcmp(name, "folded") == 0)
		return strcmp(parameter, "track") != 0;
	return !f || f->write;
}
