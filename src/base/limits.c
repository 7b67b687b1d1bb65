/* The resource limits of one input. */
#include "base/limits.h"

#include "base/option.h"

#include <stdarg.h>
#include <string.h>

#define LOCAL(name, local, upload) .name = (local),
#define UPLOAD(name, local, upload) .name = (upload),

const struct limits limits_local = { LIMIT_TABLE(LOCAL) };
const struct limits limits_upload = { LIMIT_TABLE(UPLOAD).fixed = true };

#undef LOCAL
#undef UPLOAD

static int64_t *
find(struct limits *l, const char *name, size_t size)
{
#define FIND(member, local, upload) \
	if (strlen(#member) == size && memcmp(#member, name, size) == 0) \
		return &l->member;
	LIMIT_TABLE(FIND)
#undef FIND
	return NULL;
}

bool
limits_set(struct limits *l, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');
	int64_t *limit = equals ? find(l, text, (size_t)(equals - text)) : NULL;

	if (limit && strcmp(equals + 1, "none") == 0) {
		*limit = INT64_MAX;
		return true;
	}
	if (limit && option_parse_bytes(equals + 1, limit) && *limit > 0)
		return true;
	error_set(err, ERROR_USAGE, "\"%s\" is not a limit", text);
	return error_hint(err, "write NAME=N or NAME=none, such as bytes=10G; the names are bytes, "
			       "ratio, files, frames, nodes, memory, disk and seconds");
}

bool
limits_exceeded(
	const struct limits *l, const char *limit, struct error *err, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	error_set(err, strcmp(limit, "seconds") == 0 ? ERROR_TIME : ERROR_LIMIT, "%s", message);
	if (l->fixed)
		return error_hint(
			err, "the service limits %s; load the file with profdepot load", limit);
	return error_hint(err,
		"nothing was loaded; --limit %s=N raises the limit, and "
		"--limit %s=none removes it",
		limit, limit);
}
