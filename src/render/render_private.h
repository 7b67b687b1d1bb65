/* What the renderers share. */
#ifndef PROFDEPOT_RENDER_PRIVATE_H
#define PROFDEPOT_RENDER_PRIVATE_H

#include "base/arena.h"
#include "base/json_writer.h"
#include "base/strbuf.h"
#include "render/render.h"

enum {
	RENDER_CELL_MAX_BYTES = 16 * 1024 * 1024
};

#define RENDER_DECLARE(name, content_type) \
	struct table_sink *render_##name##_new(FILE *out, const struct render_options *options); \
	void render_##name##_free(struct table_sink *s);
RENDERER_TABLE(RENDER_DECLARE)
#undef RENDER_DECLARE

/* "of standard output or of the file": what a failed write leaves behind. */
bool render_check(FILE *out, struct error *err);

void render_frames_json(struct json_writer *w, const struct table_frame *frames, size_t count);
void render_stacks_json(struct json_writer *w, const struct table_stack *stacks, size_t count);

/* Appends the cell as people read it: units, control characters visible. */
void render_cell(struct strbuf *b, const struct table_column *c, const struct table_cell *cell);

/* "user32.dll  TForm.Create  MainForm.pas:12": what of it is known. */
void render_frame(struct strbuf *b, const struct table_frame *f);

/* "TForm.Create (MainForm.pas:12)", "malloc (in libc.so.6)": as debuggers write it. */
void render_trace_frame(struct strbuf *b, const struct table_frame *f);

/* Appends name with control characters shown as \n, \t, \x1b; broken UTF-8 as \xNN. */
void render_visible(struct strbuf *b, struct text name);

/* Appends "27 objects" or "2.6 MiB" or the plain value. */
void render_figure(struct strbuf *b, const struct table_column *c, const struct table_cell *cell);

/* As render_figure, but bytes in full: "2,712,345 bytes". */
void render_exact(struct strbuf *b, const struct table_column *c, const struct table_cell *cell);

/* Appends "4 records, 7 blocks, 296 bytes": findings, or a part of them. */
void render_findings_totals(struct strbuf *b, const struct table_head *head, uint64_t rows,
	const struct table_cell *totals);

/* Are a foot's parts worth telling: not when nothing parts the rows. */
bool render_has_parts(const struct table_foot *foot);

/* Appends "; before: result set 1, caption" where the set is compared. */
void render_base(struct strbuf *b, const struct table_set *set);

/* Writes it so that it stays text in GitHub's Markdown. */
void render_markdown_text(FILE *out, struct text t);

/* Columns of a terminal that UTF-8 text takes. */
size_t render_width(struct text t);

/* Cuts the middle of t out so that it fits `width`: "abc…xyz". */
void render_cut(struct strbuf *b, struct text t, size_t width);

/* Is a column shown to people? */
static inline bool
render_shows(const struct table_column *c)
{
	return !c->machine && c->kind != TABLE_FRAMES && c->kind != TABLE_STACKS;
}

#endif
