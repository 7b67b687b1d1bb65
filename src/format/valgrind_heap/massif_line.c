/* Lines of massif's results. */
#include "massif_private.h"

bool
massif_issue(struct massif *m, enum issue_code code, const char *message)
{
	return !m->emitting || reader_issue(m->in, code, "%s", message);
}

bool
massif_next_line(struct massif *m, bool *more)
{
	if (!reader_next_line(m->in, more))
		return false;
	if (*more && m->in->line.cut)
		return reader_refuse(m->in, "line has more than %d bytes", MASSIF_MAX_LINE_BYTES);
	if (*more && m->in->line.bad_utf8)
		return massif_issue(m, ISSUE_BAD_UTF8, "invalid UTF-8 replaced by U+FFFD");
	return true;
}
