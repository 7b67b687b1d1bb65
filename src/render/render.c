/* The lists of report renderers and of check writers. */
#include "check_private.h"
#include "render_private.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define RENDERER_ROW(name, content_type) \
	{ #name, content_type, render_##name##_new, render_##name##_free },
const struct renderer renderers[] = { RENDERER_TABLE(RENDERER_ROW){ NULL, NULL, NULL, NULL } };
#undef RENDERER_ROW

const struct renderer *
renderer_find(const char *name)
{
	for (const struct renderer *r = renderers; r->name; r++)
		if (strcmp(r->name, name) == 0)
			return r;
	return NULL;
}

#define CHECK_WRITER_ROW(name) { #name, check_write_##name },
static const struct check_writer writers[] = { CHECK_WRITER_TABLE(CHECK_WRITER_ROW){ NULL, NULL } };
#undef CHECK_WRITER_ROW

const struct check_writer *
check_writer_find(const char *name)
{
	for (const struct check_writer *w = writers; w->name; w++)
		if (strcmp(w->name, name) == 0)
			return w;
	return NULL;
}

size_t
render_terminal_width(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	int fd = fileno(out);
	long n = 0;

	if (fd < 0 || !isatty(fd))
		return 0;
	if (columns)
		n = strtol(columns, NULL, 10);
	if (n <= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0)
		n = size.ws_col;
	return n > 0 && n < 10000 ? (size_t)n : 0;
}
