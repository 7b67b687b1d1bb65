#include "format/format.h"

#include "format/formats.h"

#include <string.h>

#define FORMAT_ROW(name) &format_##name,
const struct format *const formats[] = { FORMAT_TABLE(FORMAT_ROW) NULL };
#undef FORMAT_ROW

const struct format *
format_find(const char *name)
{
	for (size_t i = 0; formats[i]; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

const struct format *
format_detect(const struct format_source *source, struct error *err)
{
	const struct format *best = NULL;
	int most = 0;

	for (size_t i = 0; formats[i]; i++) {
		int bits = formats[i]->reads ? formats[i]->probe(source) : 0;

		if (bits > most) {
			most = bits;
			best = formats[i];
		}
	}
	if (!best) {
		error_set(err, ERROR_INPUT, "%s: no format that profdepot reads", source->path);
		error_hint(err, "an AQTime export has a file per table, INSTANCES.csv and "
				"RESOURCE_PROFILER_OBJECTS.csv among them");
	}
	return best;
}
