/* The lists of report renderers and check writers. */
#include "check_private.h"
#include "render_private.h"

#include <string.h>

#define RENDERER_ROW(id, name, content_type) \
	{ name, content_type, render_##id##_new, render_##id##_free },
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
