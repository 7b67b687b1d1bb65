/* Lines of massif's results, and what is reported about them. */
#include "massif_private.h"

#include <inttypes.h>
#include <stdarg.h>

enum {
	MESSAGE_BYTES = 256,
};

bool
massif_refuse(struct massif *m, const char *format, ...)
{
	char message[MESSAGE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return error_set(
		m->err, ERROR_INPUT, "%s: line %" PRIu64 ": %s", m->name, m->line.number, message);
}

bool
massif_issue(struct massif *m, enum issue_code code, const char *message)
{
	const struct issue issue = { .code = code,
		.source = m->name,
		.line = m->line.number,
		.offset = m->line.offset,
		.message = message,
		.raw = m->line.text };

	return !m->emitting || m->sink->issue(m->sink, m->set, &issue, m->err);
}

bool
massif_next_line(struct massif *m, bool *more)
{
	if (!line_next(m->lines, &m->line, more, m->err))
		return false;
	if (*more && m->line.cut)
		return massif_refuse(m, "line has more than %d bytes", MASSIF_MAX_LINE_BYTES);
	if (*more && m->line.bad_utf8)
		return massif_issue(m, ISSUE_BAD_UTF8, "invalid UTF-8 replaced by U+FFFD");
	return true;
}
