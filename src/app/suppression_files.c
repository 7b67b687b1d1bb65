/* Reads suppression files. */
#include "suppressions_private.h"

bool
suppressions_read_file(struct arena *a, const char *path, struct text *text, struct error *err)
{
	struct strbuf b;
	bool ok;

	strbuf_init(&b, SUPPRESS_MAX_FILE_BYTES);
	ok = strbuf_read_file(&b, path, err);
	if (ok)
		*text = arena_text(a, strbuf_text(&b));
	strbuf_release(&b);
	return ok;
}

const char *
suppression_line(struct arena *a, struct text t)
{
	char *line = arena_strndup(a, t.data ? t.data : "", t.size);

	for (char *p = line; *p; p++)
		if (char_is_control(*p))
			*p = '?';
	return line;
}

const char *
suppression_place(struct arena *a, const struct suppression *s)
{
	switch (s->place.origin) {
	case SUPPRESS_OF_FILE:
		return arena_printf(
			a, "%s:%zu", suppression_line(a, text_from(s->place.file)), s->place.line);
	case SUPPRESS_OF_DEPOT:
		return arena_printf(a, "depot's %lld", (long long)s->place.id);
	case SUPPRESS_OF_RESULT_SET:
		return "the result set's own";
	case SUPPRESS_STANDARD:
	case SUPPRESS_ORIGINS:
		break;
	}
	return "standard leak";
}
