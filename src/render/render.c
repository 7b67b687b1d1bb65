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

bool
render_check(FILE *out, struct error *err)
{
	if (!ferror(out))
		return true;
	return error_set_errno(err, ERROR_FILE, "cannot write the report");
}

void
render_base(struct strbuf *b, const struct table_set *set)
{
	if (text_is_null(set->base_inst_id))
		return;
	strbuf_append_str(b, "; before: result set ");
	strbuf_append_text(b, set->base_inst_id);
	if (text_is_empty(set->base_caption))
		return;
	strbuf_append_str(b, ", ");
	render_visible(b, set->base_caption);
}

static void
json_name(struct json_writer *w, const char *key, struct text t)
{
	json_key(w, key);
	json_text(w, text_is_null(t) ? TEXT_LITERAL("") : t);
}

void
render_stacks_json(struct json_writer *w, const struct table_stack *stacks, size_t count)
{
	json_begin_array(w);
	for (size_t i = 0; i < count; i++) {
		json_begin_object(w);
		json_name(w, "role", stacks[i].role);
		json_name(w, "heading", stacks[i].heading);
		json_key(w, "stack");
		render_frames_json(w, stacks[i].frames, stacks[i].frame_count);
		json_end_object(w);
	}
	json_end_array(w);
}

void
render_frames_json(struct json_writer *w, const struct table_frame *frames, size_t count)
{
	json_begin_array(w);
	for (size_t i = 0; i < count; i++) {
		const struct table_frame *f = &frames[i];

		json_begin_object(w);
		json_name(w, "module", f->module_name);
		json_name(w, "class", f->class_name);
		json_name(w, "routine", f->routine_name);
		json_name(w, "unit", f->unit_name);
		json_name(w, "file", f->source_file);
		json_key(w, "line");
		if (f->source_line == TABLE_NO_LINE)
			json_null(w);
		else
			json_int(w, f->source_line);
		json_end_object(w);
	}
	json_end_array(w);
}
