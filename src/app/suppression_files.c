/* Reads suppression files. */
#include "suppressions_private.h"

#include <stdio.h>
#include <stdlib.h>

static bool
read_stream(struct arena *a, FILE *in, const char *name, struct text *text, struct error *err)
{
	struct strbuf b;
	bool ok = true;

	strbuf_init(&b, SUPPRESS_MAX_FILE_BYTES);
	while (ok && !feof(in)) {
		char block[16384];
		size_t n = fread(block, 1, sizeof(block), in);

		strbuf_append(&b, block, n);
		if (ferror(in))
			ok = error_set_errno(err, ERROR_FILE, "%s", name);
		else if (b.failed)
			ok = error_set(
				err, ERROR_LIMIT, "%s: more than 16 MiB of suppressions", name);
	}
	if (ok)
		*text = arena_text(a, strbuf_text(&b));
	strbuf_release(&b);
	return ok;
}

bool
suppressions_read_file(struct arena *a, const char *path, struct text *text, struct error *err)
{
	FILE *in;
	bool ok;

	if (strcmp(path, "-") == 0)
		return read_stream(a, stdin, "standard input", text, err);
	in = fopen(path, "rb");
	if (!in)
		return error_set_errno(err, ERROR_FILE, "%s", path);
	ok = read_stream(a, in, path, text, err);
	fclose(in);
	return ok;
}

const char *
suppression_line(struct arena *a, struct text t)
{
	char *line = arena_strndup(a, t.data ? t.data : "", t.size);

	for (char *p = line; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
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
